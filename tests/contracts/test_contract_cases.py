"""Arguments as models really send them, and what has to come of each."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field
from tests.contracts.links import LINKS, PLAIN, Over, client
from tests.contracts.wire import served

from afford import App, Choices, Page, PageRequest, Paging, Principal, anyone, roles, signed_in
from afford.caller import Door
from afford.manifest import Manifests
from afford.surfaces.http.openings import is_loopback, open_writes
from afford.testing import Answer


class Item(BaseModel):
    sku: str
    count: Annotated[int, Field(ge=1)] = 1


class Options(BaseModel):
    limit: int = 20
    order: Literal["new", "old"] = "new"


def new_app() -> App:
    return App("shop", access=anyone(), roles=("staff",))


@pytest.mark.requirement("CASE-K22", "SCH-02")
async def test_a_misspelt_optional_argument_is_refused_with_the_name_that_was_meant(over: Over):
    app = new_app()
    ran: list[str] = []

    @app.query(description="Search.")
    async def search(q: str, most: int = 20, options: Options | None = None) -> list[str]:
        ran.append(q)
        return []

    async with client(app, over=over) as caller:
        top = await caller.call("search", {"q": "a", "mots": 5})
        nested = await caller.call("search", {"q": "a", "options": {"lmit": 5}})
        foreign = await caller.call("search", {"q": "a", "confirm": True})
    assert [answer.fault_codes() for answer in (top, nested, foreign)] == [
        {"/mots": "unknown_argument"},
        {"/options/lmit": "unknown_argument"},
        {"/confirm": "unknown_argument"},
    ]
    assert top.faults[0]["suggestion"] == "most"
    assert nested.faults[0]["suggestion"] == "limit"
    assert "suggestion" not in foreign.faults[0]
    assert ran == []


@pytest.mark.requirement("SCH-02", "CASE-K22")
async def test_an_operation_without_inputs_takes_none(over: Over):
    app = new_app()

    @app.query(description="See all.")
    async def everything() -> list[str]:
        return []

    @app.action(description="Forget all.")
    async def forget() -> None: ...

    async with client(app, over=over) as caller:
        for name in ("everything", "forget"):
            assert (await caller.call(name, anything=1)).fault_codes() == {"/anything": "unknown_argument"}


@pytest.mark.requirement("SCH-02", "PAGE-01")
async def test_a_write_takes_no_page_arguments(over: Over):
    app = new_app()

    @app.action(description="Forget all.")
    async def forget() -> None: ...

    async with client(app, over=over) as caller:
        answer = await caller.call("forget", {"limit": 5, "cursor": "x"})
    assert answer.fault_codes() == {"/limit": "unknown_argument", "/cursor": "unknown_argument"}


@pytest.mark.requirement("CASE-K23")
async def test_json_inside_a_string_is_refused_with_what_to_send_instead(over: Over):
    app = new_app()

    @app.action(description="Order.")
    async def order(xs: list[int], item: Item) -> None: ...

    async with client(app, over=over) as caller:
        answer = await caller.call("order", xs="[1,2]", item='{"sku":"a"}')
    assert answer.fault_codes() == {"/xs": "wrong_type", "/item": "wrong_type"}
    by_place = {fault["pointer"]: fault for fault in answer.faults}
    assert by_place["/xs"]["suggestion"] == [1, 2]
    assert by_place["/item"]["suggestion"] == {"sku": "a"}


@pytest.mark.requirement("CASE-K23")
@pytest.mark.parametrize("text", ['{"a":1}', "[1]", "5", "true", "null", " {} ", "\u0000", "😀", "line\nbreak"])
async def test_a_string_arrives_as_it_was_sent(over: Over, text: str):
    app = new_app()

    @app.action(description="Keep a text.")
    async def keep(text: str, either: int | str) -> list[str]:
        assert isinstance(either, str)
        return [text, either]

    async with client(app, over=over) as caller:
        assert (await caller.call("keep", text=text, either=text)).value == [text, text]


@pytest.mark.requirement("CASE-K25")
@pytest.mark.parametrize(
    ("name", "value", "accepted"),
    [
        ("flag", True, True),
        ("flag", "yes", None),
        ("flag", "false", None),
        ("flag", 0, None),
        ("flag", 1, None),
        ("number", 3, 3),
        ("number", 3.0, 3),
        ("number", 3.5, None),
        ("number", True, None),
        ("number", "1_000", None),
        ("number", "3", None),
        ("number", None, None),
        ("number", 2**53, None),
        ("share", 1, 1.0),
        ("share", "1", None),
        ("share", False, None),
        ("text", 5, None),
        ("text", None, None),
        ("several", "a", None),
        ("several", {"0": "a"}, None),
        ("one", ["x"], None),
        ("one", {"value": "x"}, None),
    ],
    ids=repr,
)
async def test_nothing_is_coerced_but_a_number_that_equals_an_integer(name: str, value: object, accepted: object):
    app = new_app()
    seen: list[object] = []

    @app.action(description="Take values.")
    async def take(
        flag: bool = False,  # noqa: FBT001, FBT002 - a declared input
        number: int = 0,
        share: float = 0.0,
        text: str = "",
        several: list[str] | None = None,
        one: Literal["x"] = "x",
    ) -> None:
        seen.append({"flag": flag, "number": number, "share": share}.get(name))

    for over in ("executor", "http"):
        async with client(app, over=over) as caller:
            answer = await caller.call("take", {name: value})
        if accepted is None:
            assert answer.fault_codes().keys() == {f"/{name}"}
            assert answer.faults[0]["expected"]
        else:
            assert answer.ok
    assert seen == ([] if accepted is None else [accepted] * 2)
    assert all(type(value) is type(accepted) for value in seen)


@pytest.mark.requirement("CASE-K17")
async def test_money_has_one_form_and_keeps_its_places(over: Over):
    app = new_app()

    @app.query(description="Quote a price.")
    async def quote(
        amount: Annotated[Decimal, Field(decimal_places=2, ge=0)],
    ) -> Annotated[Decimal, Field(decimal_places=2)]:
        return amount

    async with client(app, over=over) as caller:
        for text in ("10.10", "0.00", "10", "0.1"):
            assert (await caller.call("quote", amount=text)).value == [text]
        for text in (
            "NaN",
            "Infinity",
            "1e400",
            "1E+4",
            "1.005",
            "-1",
            "+1",
            "01",
            "1.",
            ".5",
            "",
            " 1",
            "1,00",
            "\u0661",
        ):
            refused = await caller.call("quote", amount=text)
            assert refused.fault_codes().keys() == {"/amount"}, text
            assert refused.faults[0]["expected"]
        (operation,) = (await caller.manifest())["operations"]
    amount = operation["input_schema"]["properties"]["amount"]
    assert (amount["type"], "pattern" in amount) == ("string", True)


@pytest.mark.requirement("CASE-K17")
async def test_money_as_a_number_is_refused_in_a_body():
    app = new_app()

    @app.action(description="Pay.")
    async def pay(amount: Decimal) -> Decimal:
        return amount

    async with served(app.asgi()) as http:
        assert (await http.post("/pay", json={"amount": 10.1})).status_code == 400
        assert (await http.post("/pay", json={"amount": "10.10"})).json() == "10.10"


@pytest.mark.requirement("TYPE-02", "TYPE-08")
async def test_a_null_for_an_optional_input_counts_as_omitted(over: Over):
    app = new_app()

    class Filter(BaseModel):
        colour: str | None = None
        size: int | None = None

    seen: list[object] = []

    @app.action(description="Search.")
    async def search(q: str | None = None, most: int = 5, only: Filter | None = None) -> None:
        seen.append((q, most, None if only is None else only.colour))

    async with client(app, over=over) as caller:
        for arguments in ({}, {"q": None}, {"q": None, "only": None}, {"most": 5}):
            assert (await caller.call("search", arguments)).ok
        assert (await caller.call("search", only={"colour": None, "size": 1})).ok
        assert (await caller.call("search", most=None)).fault_codes() == {"/most": "wrong_type"}
        (operation,) = (await caller.manifest())["operations"]
    assert seen == [(None, 5, None)] * 5
    assert operation["input_schema"]["properties"]["q"] == {"type": "string"}
    assert operation["input_schema"]["required"] == []


@pytest.mark.requirement("SCH-06")
async def test_a_value_outside_a_closed_set_names_the_valid_ones_and_an_empty_match_is_no_error(over: Over):
    app = new_app()

    @app.query(description="Search.")
    async def search(
        colour: Literal["red", "blue"] | None = None, area: Annotated[str, Choices(lambda: ["a", "b"])] = "a"
    ) -> list[str]:
        return []

    async with client(app, over=over) as caller:
        assert (await caller.call("search", colour="red")).value == []
        refused = await caller.call("search", colour="rde", area="c")
    assert refused.fault_codes() == {"/colour": "not_a_choice", "/area": "not_a_choice"}
    by_place = {fault["pointer"]: fault for fault in refused.faults}
    assert "red" in by_place["/colour"]["expected"]
    assert "blue" in by_place["/colour"]["expected"]
    assert by_place["/colour"]["suggestion"] == "red"


@pytest.mark.requirement("QRY-01")
async def test_scalars_arrays_and_flat_objects_travel_in_a_query_string(over: Over):
    app = new_app()

    class Near(BaseModel):
        city: str
        km: float = 1.5

    class Seen(BaseModel):
        text: str
        count: int
        share: float
        open_now: bool
        colours: list[str]
        sizes: list[int]
        near: Near

    @app.query(description="Search.")
    async def search(
        *,
        text: str,
        count: int,
        share: float,
        open_now: bool,
        colours: list[Literal["red", "blue"]],
        sizes: list[int],
        near: Near,
    ) -> Seen:
        return Seen(text=text, count=count, share=share, open_now=open_now, colours=colours, sizes=sizes, near=near)

    sent = {
        "text": "a&b=c #?%+ ä💥[x]",
        "count": -5,
        "share": 0.5,
        "open_now": True,
        "colours": ["red", "blue", "red"],
        "sizes": [3, 1],
        "near": {"city": "x[y]", "km": 2},
    }
    async with client(app, over=over) as caller:
        assert (await caller.call("search", sent)).row == sent


@pytest.mark.requirement("ACC-06")
@pytest.mark.parametrize("as_", [None, Principal("ada"), Principal("sam", ["staff"])], ids=str)
async def test_a_hidden_operation_answers_like_one_that_never_was(over: Over, as_: Principal | None):
    def build(*, with_hidden: bool) -> App:
        app = App("shop", access=anyone(), roles=("staff", "boss"))

        @app.query(description="Search the shop.")
        async def search() -> list[str]:
            return []

        if with_hidden:

            @app.action(description="Close the shop.", access=roles("boss"))
            async def search_all() -> None: ...

            @app.query(description="")
            async def searching() -> list[str]:
                return []

        return app

    names = ["search_all", "searching", "serach", "nothing_like_it"]
    answers = []
    for with_hidden in (True, False):
        async with client(build(with_hidden=with_hidden), as_=as_, over=over) as caller:
            answers.append([await caller.call(name, anything="at all") for name in names])
    assert answers[0] == answers[1]
    assert {answer.code for answer in answers[0]} == {"unknown_operation"}


@pytest.mark.requirement("ACC-10", "LIB-01")
@pytest.mark.parametrize("over", PLAIN)
async def test_the_app_door_asks_access_alone_and_refuses_agents(over: Over):
    app = new_app()

    @app.action(access=signed_in())
    async def undescribed() -> str:
        return "done"

    @app.action(description="Described.", access=roles("staff"))
    async def described() -> str:
        return "done"

    person, agent = Principal("ada"), Principal("bot", ["staff"], agent=True)
    async with client(app, as_=person, over=over, door="app") as page:
        assert (await page.call("undescribed")).value == "done"
        assert (await page.call("described")).code == "unknown_operation"
    async with client(app, as_=person, over=over) as through_the_agent_door:
        assert (await through_the_agent_door.call("undescribed")).code == "unknown_operation"
    async with client(app, as_=agent, over=over, door="app") as refused:
        for name in ("undescribed", "described", "nothing"):
            assert (await refused.call(name)).code == "forbidden"
        assert await refused.names() == []


@pytest.mark.requirement("CASE-K06")
async def test_a_write_that_anybody_may_run_counts_as_an_open_door():
    app = App("shop", roles=("staff",))

    @app.action(description="Order.", access=anyone())
    async def order() -> None: ...

    @app.event(description="Tell.", access=anyone(), agent={"surfaces": ["mcp"]})
    async def tell() -> None: ...

    @app.query(description="Search.", access=anyone())
    async def search() -> list[str]:
        return []

    @app.action(description="Close.", access=signed_in())
    async def close() -> None: ...

    @app.action(access=anyone())
    async def undescribed() -> None: ...

    manifests = Manifests(app.build())
    assert [item.id for item in open_writes(manifests, Door.AGENT)] == ["order", "tell"]
    assert [item.id for item in open_writes(manifests, Door.APP)] == ["order", "tell", "undescribed"]


@pytest.mark.requirement("CASE-K06")
@pytest.mark.parametrize(
    ("host", "is_only_here"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("localhost", True),
        ("LOCALHOST", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),  # noqa: S104 - the address that is judged
        ("::", False),
        ("10.0.0.5", False),
        ("localhost.example", False),
        ("127.0.0.1.example", False),
        ("", False),
    ],
)
def test_only_loopback_addresses_are_out_of_reach_of_others(host: str, is_only_here: bool):  # noqa: FBT001 - a case
    assert is_loopback(host) is is_only_here


class Row(BaseModel):
    number: int


@pytest.mark.requirement("LIB-01")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("rows", {}),
        ("rows", {"least": 3}),
        ("rows", {"least": -1}),
        ("rows", {"lest": 1}),
        ("pages", {}),
        ("one", {"number": 1}),
        ("one", {"number": 9}),
        ("write", {"row": {"number": 1}}),
        ("write", {"row": {"number": "1"}}),
        ("write", {}),
        ("nothing", {}),
        ("private", {}),
        ("unknown", {"a": "b"}),
    ],
    ids=str,
)
async def test_the_same_call_has_the_same_answer_over_every_link(name: str, arguments: dict[str, object]):
    app = App("shop", access=anyone(), secret="shared", roles=("staff",))

    @app.query(description="Rows.")
    async def rows(least: Annotated[int, Field(ge=0)] = 0) -> list[Row]:
        return [Row(number=number) for number in range(least, 5)]

    @app.query(description="Pages.", paging=Paging(default=2))
    async def pages(page: PageRequest[int]) -> Page[Row]:
        return Page([Row(number=1)], next=1, total=9)

    @app.query(description="One.")
    async def one(number: int) -> Row | None:
        return Row(number=number) if number < 5 else None

    @app.action(description="Write.")
    async def write(row: Row) -> Row:
        return row

    @app.action(description="Nothing.")
    async def nothing() -> None: ...

    @app.action(description="Private.", access=roles("staff"))
    async def private() -> None: ...

    answers = []
    for over in LINKS:
        async with client(app, over=over) as caller:
            answers.append(await caller.call(name, arguments))
    assert [without_wording(answer) for answer in answers] == [without_wording(answers[0])] * len(LINKS)


def without_wording(answer: Answer) -> tuple[object, ...]:
    """An answer without the sentences, which may tell a query string's spelling from a JSON value."""
    faults = [{key: value for key, value in fault.items() if key != "message"} for fault in answer.faults]
    # Over MCP a name that is unknown is a protocol error, which has no room for a fix.
    wording = ("message", "errors", *(["fix"] if answer.code == "unknown_operation" else []))
    error = {key: value for key, value in (answer.error or {}).items() if key not in wording}
    return (answer.value, answer.next_cursor, answer.total, error, faults)


@pytest.mark.requirement("LIB-01", "AUTH-03")
async def test_an_anonymous_caller_of_an_app_for_known_callers_is_told_to_log_in_where_it_can(over: Over):
    app = App("shop", access=signed_in(), authenticate=lambda _request: None)

    @app.query(description="Search.")
    async def search() -> list[str]:
        return []

    # On stdio the operator says who calls, and there is no login that a client could start.
    told = "unknown_operation" if over == "stdio" else "unauthenticated"
    async with client(app, over=over) as nobody:
        assert {(await nobody.call(name)).code for name in ("search", "nothing")} == {told}
        assert await nobody.names() == []
    async with client(app, as_=Principal("ada"), over=over) as ada:
        assert (await ada.call("search")).ok
