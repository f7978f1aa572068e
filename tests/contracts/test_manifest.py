"""What one caller is told: the manifest, the schema catalog, and that nothing about them depends on chance."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import httpx
import pytest
from jsonschema_rs import Draft202012Validator
from pydantic import BaseModel, Field

from afford import (
    App,
    Caller,
    Door,
    Example,
    Feature,
    Page,
    PageRequest,
    Paging,
    Principal,
    UserText,
    anyone,
    claim,
    roles,
    signed_in,
)
from afford.errors import JsonObject, JsonValue
from afford.surfaces.http.project import CATALOG_SCHEMA, manifest_document

GUEST = Principal("gus", ["guest"])
STAFF = Principal("sam", ["staff"])

Json: TypeAlias = dict[str, "JsonValue"]


class City(BaseModel):
    city_id: int


class Hotel(BaseModel):
    hotel_id: int
    city: City
    chain: Chain | None = None


class Chain(BaseModel):
    chain_id: int
    headquarters: list[Headquarters]


class Headquarters(BaseModel):
    floor: int


class Review(BaseModel):
    stars: int
    words: Annotated[str, UserText(), Field(description="The guest's own words.")]


Hotel.model_rebuild()


async def one() -> int:
    return 1


async def nothing() -> None: ...


def hotel_app(**options: object) -> App:
    app = App("hotels", title="Hotels", version="1.2.3", roles=("guest", "staff"), **options)  # type: ignore[arg-type]
    app.entity("hotel", Hotel, description="A hotel.")
    app.entity("city", City, description="A city.")
    app.entity("chain", Chain, description="Who owns hotels.")
    app.entity("headquarters", Headquarters, description="Where a chain sits.")
    app.entity("review", Review, description="An opinion.")

    @app.query(
        description="Find hotels.",
        access=anyone(),
        entity="hotel",
        reach="published",
        paging=Paging(default=2, max=5),
        example=[
            Example({"stars": 4, "limit": 2}, row=Hotel(hotel_id=1, city=City(city_id=1))),
            Example({}),
        ],
    )
    async def find_hotels(page: PageRequest[int], stars: Annotated[int, Field(ge=1, le=5)] = 3) -> Page[Hotel]:
        return Page(())

    @app.action(description="Close a hotel for good.", access=roles("staff"), entity="hotel", safety="destructive")
    async def close_hotel(hotel_id: int) -> Hotel:
        return Hotel(hotel_id=hotel_id, city=City(city_id=1))

    @app.query(description="Read reviews.", access=signed_in(), entity="review")
    async def reviews() -> list[Review]:
        return []

    app.static(id="areas", description="Areas that are served.", access=anyone())(one)
    app.event(id="ring", description="Ring the bell.", access=anyone())(nothing)
    return app


def document(app: App, caller: Caller | None = None) -> Json:
    return manifest_document(app.manifest(caller))


def part(document: Json, key: str, name: str = "name") -> dict[str, Json]:
    items = document[key]
    assert isinstance(items, list)
    return {str(item[name]): item for item in items if isinstance(item, dict)}


@asynccontextmanager
async def served(app: App, principal: Principal | None = None, **options: object) -> AsyncIterator[httpx.AsyncClient]:
    surface = app.asgi(authenticate=[lambda _request: principal], **options)  # type: ignore[arg-type]
    transport = httpx.ASGITransport(app=surface)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        yield http
    await surface.stop()


@pytest.mark.requirement("MAN-01")
def test_an_operation_is_listed_with_everything_that_decides_about_a_call() -> None:
    told = part(document(hotel_app(), Caller(STAFF)), "operations")
    assert {name: item["kind"] for name, item in told.items()} == {
        "areas": "static",
        "close_hotel": "action",
        "find_hotels": "query",
        "reviews": "query",
        "ring": "event",
    }
    find = told["find_hotels"]
    assert set(find) == {
        "id", "name", "kind", "description", "risk", "safety", "reach", "entity", "input_schema", "output_schema",
        "examples",
    }  # fmt: skip
    assert [find[key] for key in ("risk", "safety", "reach", "entity")] == ["low", "read", "published", "hotel"]
    close = told["close_hotel"]
    assert [close[key] for key in ("risk", "safety", "reach", "entity")] == [
        "high",
        "destructive",
        "principal",
        "hotel",
    ]
    assert "entity" not in told["areas"]


@pytest.mark.requirement("MAN-01")
async def test_the_served_manifest_is_the_caller_s_manifest_and_all_schemas_are_schemas() -> None:
    app = hotel_app()
    for principal in (None, GUEST, STAFF):
        async with served(app, principal) as http:
            answer = await http.get("/manifest")
        assert answer.json() == document(app, Caller(principal))
        for operation in part(answer.json(), "operations").values():
            for key in ("input_schema", "output_schema"):
                Draft202012Validator(operation[key])
            assert operation["input_schema"]["additionalProperties"] is False  # type: ignore[call-overload,index]


@pytest.mark.requirement("MAN-01")
def test_the_top_level_of_a_manifest_is_closed_and_complete() -> None:
    assert list(document(hotel_app())) == [
        "built_for_roles", "operations", "entities", "screens", "navigation", "resources", "tools",
    ]  # fmt: skip


@pytest.mark.requirement("MAN-02")
@pytest.mark.parametrize(
    ("principal", "told"),
    [(None, []), (GUEST, ["guest"]), (Principal("x", ["staff", "guest"]), ["guest", "staff"])],
)
def test_a_manifest_names_the_roles_it_was_built_for(principal: Principal | None, told: list[str]) -> None:
    assert document(hotel_app(), Caller(principal))["built_for_roles"] == told


@pytest.mark.requirement("MAN-03")
@pytest.mark.parametrize(
    ("principal", "entities"),
    [
        (None, ["chain", "city", "hotel"]),
        (GUEST, ["chain", "city", "hotel", "review"]),
    ],
)
def test_entities_are_listed_where_an_operation_reaches_them_one_reference_away_at_most(
    principal: Principal | None, entities: list[str]
) -> None:
    told = part(document(hotel_app(), Caller(principal)), "entities")
    assert list(told) == entities
    assert told["hotel"]["references"] == ["chain", "city"]
    assert told["chain"]["references"] == ["headquarters"]


@pytest.mark.requirement("MAN-03")
@pytest.mark.parametrize("options", [{"agent": {"expose": False}}, {"access": roles("staff")}, {"enabled": False}])
def test_an_entity_is_not_listed_for_operations_that_are_not(options: dict[str, object]) -> None:
    app = App("hotels", roles=("staff",))
    app.entity("hotel", Hotel)
    app.query(description="Counts.", entity="hotel", **{"access": anyone(), **options})(one)  # type: ignore[arg-type]
    assert document(app)["entities"] == []


def features_in(order: Callable[[list[int]], list[int]]) -> App:
    """Three features declared, and joined, in a given order."""
    app = App("hotels", roles=("staff",))
    features = [Feature(name, access=anyone()) for name in ("booking", "Desk", "album")]
    for index in order([0, 1, 2]):
        feature = features[index]
        for verb in ("b_list", "B", "a-1", "list"):
            feature.query(id=verb, description=f"Reads {verb}.")(one)
        feature.entity(f"thing{index}", Review, description="A thing.")
        feature.screen(f"screen{index}", type="list")
        feature.nav(f"nav{index}", label=f"Nav {index}", screen=f"screen{index}")
        app.include(feature)
    return app


@pytest.mark.requirement("MAN-04", "NAME-04")
def test_the_order_of_declaring_and_including_changes_nothing() -> None:
    told = document(features_in(list))
    for permutation in itertools.permutations(range(3)):
        assert document(features_in(lambda _items, order=permutation: list(order))) == told  # type: ignore[misc]
    for key, name in (("operations", "name"), ("screens", "id"), ("navigation", "id")):
        assert list(part(told, key, name)) == sorted(part(told, key, name))


PROGRAM = """
import json, sys
sys.path.insert(0, {root!r})
from tests.contracts.test_manifest import GUEST, hotel_app
from afford import Caller
from afford.serving import openapi_of
from afford.authentication import combine
from afford.surfaces.http.project import catalog_document, manifest_document
manifest = hotel_app().manifest(Caller(GUEST))
print(json.dumps([
    manifest_document(manifest),
    catalog_document(manifest.operations, manifest.caller.door),
    openapi_of(manifest, "", chain=combine(())),
]))
"""


@pytest.mark.requirement("CASE-K04", "NAME-04")
def test_no_hash_seed_changes_a_document() -> None:
    root = os.fspath(Path(__file__).parents[2])
    printed = set()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = [sys.executable, "-c", PROGRAM.format(root=root)]
        printed.add(subprocess.run(run, env=environment, capture_output=True, check=True).stdout)
    assert len(printed) == 1
    assert b"find_hotels" in printed.pop()


@pytest.mark.requirement("CASE-K04")
async def test_three_kinds_of_callers_get_three_lists_and_one_answer_for_what_they_do_not_see() -> None:
    app = App("store", roles=("admin",))
    app.action(id="drop", access=roles("admin"), description="Drops.")(nothing)
    app.query(id="find", access=signed_in(), description="Finds.")(one)
    app.query(id="ping", access=anyone(), description="Pings.")(one)
    lists = {None: ["ping"], "user": ["find", "ping"], "admin": ["drop", "find", "ping"]}
    for role, expected in lists.items():
        principal = None if role is None else Principal("x", [role])
        async with served(app, principal) as http:
            for _ in range(2):
                manifest = await http.get("/manifest")
                assert list(part(manifest.json(), "operations")) == expected
                assert manifest.headers["cache-control"].startswith("private")
                paths = (await http.get("/openapi.json")).json()["paths"]
                assert list(paths) == [f"/{name}" for name in expected]
            if role != "admin":
                real, misspelt = await http.post("/drop"), await http.post("/dropp")
                assert real.status_code == 404
                assert (real.content, real.headers) == (misspelt.content, misspelt.headers)


@pytest.mark.requirement("NAME-04")
async def test_every_document_lists_the_same_operations_in_code_point_order() -> None:
    app = App("names")
    ids = ["b", "a_b", "aB", "C", "a", "a-b", "a:c", "Z9", "a1"]
    for id in random.Random(7).sample(ids, len(ids)):
        (app.query if len(id) % 2 else app.action)(id=id, access=anyone(), description="Something.")(one)
    names = sorted(id.replace(":", "_") for id in ids)
    async with served(app) as http:
        manifest, openapi = (await http.get("/manifest")).json(), (await http.get("/openapi.json")).json()
        catalog = (await http.get("/schema")).json()
    assert list(part(manifest, "operations")) == names
    assert list(openapi["paths"]) == [f"/{name}" for name in names]
    queries, actions = list(part(catalog, "queries")), list(part(catalog, "actions"))
    assert queries == sorted(queries)
    assert actions == sorted(actions)
    assert sorted(queries + actions) == names


@pytest.mark.requirement("SCRN-01")
@pytest.mark.parametrize(
    ("options", "visible"),
    [
        ({}, True),
        ({"description": "Internal diagnostics dashboard."}, True),
        ({"agent": {"expose": True}}, True),
        ({"agent": {"expose": None}}, True),
        ({"agent": {"expose": False}}, False),
        ({"agent": {"expose": False}, "description": "Internal diagnostics dashboard."}, False),
    ],
)
@pytest.mark.parametrize("type", ["dashboard", "list", "detail", "form", "custom"])
def test_a_screen_is_visible_unless_it_opted_out(
    type: Literal["dashboard", "list", "detail", "form", "custom"], options: dict[str, object], *, visible: bool
) -> None:
    app = App("shop")
    app.screen("internal-debug", type=type, panels=[], **options)  # type: ignore[arg-type]
    assert ("internal-debug" in part(document(app), "screens", "id")) is visible
    assert "internal-debug" in part(document(app, Caller(door=Door.APP)), "screens", "id")


@pytest.mark.requirement("SCRN-01")
def test_a_screen_is_told_with_its_path_and_what_the_path_needs() -> None:
    app = App("shop")
    app.entity("hotel", Hotel, description="A hotel.")
    app.screen("page", type="detail", path="/hotels/{hotel_id}/rooms/{room_id}", description="A room.", entity="hotel")
    assert part(document(app), "screens", "id")["page"] == {
        "id": "page",
        "type": "detail",
        "path": "/hotels/{hotel_id}/rooms/{room_id}",
        "description": "A room.",
        "entity": "hotel",
        "parameters": ["hotel_id", "room_id"],
    }


def navigated(*, access: object = None, expose: bool | None = None) -> App:
    app = App("shop", roles=("guest", "staff"))
    app.screen("home", type="dashboard")
    app.screen("desk", type="dashboard", access=access, agent={"expose": expose})  # type: ignore[arg-type]
    app.nav("start", label="Start", screen="home")
    app.nav("work", label="Work", screen="desk")
    app.nav("bookings", label="Bookings", screen="home", parent="work")
    app.nav("menu", label="Menu")
    return app


@pytest.mark.requirement("SCRN-02")
def test_a_hidden_screen_takes_its_navigation_entries_along_and_what_is_below_them() -> None:
    hidden = navigated(expose=False)
    assert list(part(document(hidden), "navigation", "id")) == ["menu", "start"]
    assert list(part(document(navigated()), "navigation", "id")) == ["bookings", "menu", "start", "work"]
    assert "desk" not in str(document(hidden))


@pytest.mark.requirement("SCRN-03")
@pytest.mark.parametrize(("principal", "sees"), [(None, False), (GUEST, False), (STAFF, True)])
def test_a_screen_s_rule_decides_who_sees_it_and_its_entries(principal: Principal | None, *, sees: bool) -> None:
    told = document(navigated(access=roles("staff")), Caller(principal))
    assert ("desk" in part(told, "screens", "id")) is sees
    assert ("work" in part(told, "navigation", "id")) is sees
    assert ("bookings" in part(told, "navigation", "id")) is sees


@pytest.mark.requirement("SCRN-03")
def test_a_screen_without_a_rule_is_open_whatever_the_app_s_default_is() -> None:
    app = App("shop", roles=("staff",), access=roles("staff"))
    app.screen("home", type="dashboard")
    assert list(part(document(app), "screens", "id")) == ["home"]


@pytest.mark.requirement("SCRN-03")
def test_a_navigation_entry_has_a_rule_of_its_own() -> None:
    app = App("shop", roles=("staff",))
    app.screen("home", type="dashboard")
    app.nav("start", label="Start", screen="home", access=roles("staff"))
    assert (part(document(app), "screens", "id").keys(), document(app)["navigation"]) == ({"home"}, [])


@pytest.mark.requirement("SCRN-03")
async def test_documents_follow_a_screen_rule_that_is_code() -> None:
    shown = {"gus": True}
    app = App("shop")
    app.query(access=anyone(), description="Counts.")(one)
    app.screen("home", type="dashboard", access=lambda caller: shown.get(caller.id or "") is True)
    async with served(app, GUEST) as http:
        before = part((await http.get("/manifest")).json(), "screens", "id")
        shown.clear()
        after = part((await http.get("/manifest")).json(), "screens", "id")
    assert (list(before), list(after)) == (["home"], [])


def test_entries_that_stand_below_each_other_are_told_without_end() -> None:
    app = App("shop")
    app.nav("a", label="A", parent="b")
    app.nav("b", label="B", parent="a")
    assert list(part(document(app), "navigation", "id")) == ["a", "b"]


@pytest.mark.requirement("DESC-01")
async def test_every_descriptor_has_a_name_a_text_and_both_schemas() -> None:
    app = hotel_app()
    app.query(id="silent", access=anyone(), agent={"expose": True})(one)
    async with served(app, STAFF) as http:
        catalog = (await http.get("/schema")).json()
    for descriptor in (*catalog["queries"], *catalog["actions"]):
        assert {"name", "description", "reach", "risk", "safety", "input_schema", "output_schema"} <= set(descriptor)
        assert "params" not in descriptor
    assert part(catalog, "queries")["silent"]["description"] == ""


@pytest.mark.requirement("DESC-02")
@pytest.mark.parametrize("value", [None, {}, {"name": "hint"}, "", False])
async def test_a_descriptor_with_params_is_refused_by_the_published_schema(value: JsonValue) -> None:
    async with served(hotel_app()) as http:
        catalog = (await http.get("/schema")).json()
        published = Draft202012Validator((await http.get("/schema.schema.json")).json())
        descriptor = (await http.get("/schema.schema.json")).json()["$defs"]["descriptor"]
    assert descriptor["properties"]["params"] is False
    assert published.is_valid(catalog)
    for kind in ("queries", "actions"):
        broken = {**catalog, kind: [{**catalog[kind][0], "params": value}]}
        assert not published.is_valid(broken)


@pytest.mark.requirement("DESC-03")
@pytest.mark.parametrize("principal", [None, GUEST, STAFF], ids=["anonymous", "guest", "staff"])
@pytest.mark.parametrize("shown", ["caller", "public"])
async def test_the_served_catalog_validates_against_its_published_schema(
    principal: Principal | None, shown: Literal["caller", "public"]
) -> None:
    app = hotel_app(catalog=shown)
    async with served(app, principal) as http:
        answer = await http.get("/schema")
        described = await http.get(f"/{answer.links['describedby']['url']}")
    assert described.json() == CATALOG_SCHEMA
    assert list(Draft202012Validator(described.json()).iter_errors(answer.json())) == []


@pytest.mark.requirement("DESC-03")
@pytest.mark.parametrize(
    "change",
    [
        lambda catalog: catalog.pop("actions"),
        lambda catalog: catalog.update(version=1),
        lambda catalog: catalog["queries"][0].pop("input_schema"),
        lambda catalog: catalog["queries"][0].update(extra=1),
        lambda catalog: catalog["queries"][0].update(reach="world"),
        lambda catalog: catalog["queries"][0].update(name="a b"),
        lambda catalog: catalog["queries"][0]["output_schema"].update(type="object"),
        lambda catalog: catalog["queries"][0]["input_schema"].pop("additionalProperties"),
        lambda catalog: catalog["actions"][0]["input_schema"].pop("required"),
    ],
)
async def test_the_published_schema_refuses_a_catalog_that_lacks_something(change: Callable[[Json], object]) -> None:
    async with served(hotel_app()) as http:
        catalog = (await http.get("/schema")).json()
    change(catalog)
    assert not Draft202012Validator(CATALOG_SCHEMA).is_valid(catalog)


@pytest.mark.requirement("DESC-04")
async def test_reads_are_listed_under_queries_and_writes_under_actions() -> None:
    async with served(hotel_app(), STAFF) as http:
        catalog = (await http.get("/schema")).json()
    assert set(catalog) == {"queries", "actions"}
    assert list(part(catalog, "queries")) == ["areas", "find_hotels", "reviews"]
    assert list(part(catalog, "actions")) == ["close_hotel", "ring"]


@pytest.mark.requirement("REACH-01")
async def test_every_descriptor_says_which_reach_it_has_and_unstated_is_principal() -> None:
    app = App("rows", roles=("staff",))

    async def rows() -> list[Review]:
        return []

    async def shared() -> bool:
        return True

    app.query(id="unstated", access=anyone(), description="Rows.")(rows)
    app.action(id="write", access=anyone(), description="Writes.")(nothing)
    app.query(id="own", access=anyone(), description="Rows.", reach="principal")(rows)
    app.query(id="published", access=anyone(), description="Rows.", reach="published")(rows)
    app.query(id="consented", access=anyone(), description="Rows.", reach="consented", consented=shared)(rows)
    app.query(
        id="role", access=anyone(), description="Rows.", reach="role", owner="words", widens=roles("staff")
    )(rows)  # fmt: skip
    async with served(app) as http:
        catalog = (await http.get("/schema")).json()
        manifest = (await http.get("/manifest")).json()
    told = {name: item["reach"] for kind in catalog for name, item in part(catalog, kind).items()}
    assert told == {
        "unstated": "principal",
        "write": "principal",
        "own": "principal",
        "published": "published",
        "consented": "consented",
        "role": "role",
    }
    assert {name: item["reach"] for name, item in part(manifest, "operations").items()} == told


@pytest.mark.requirement("EXAM-01")
async def test_examples_are_published_with_their_operation_and_can_be_called_as_they_are() -> None:
    async with served(hotel_app()) as http:
        manifest = part((await http.get("/manifest")).json(), "operations")["find_hotels"]
        descriptor = part((await http.get("/schema")).json(), "queries")["find_hotels"]
        called = await http.get("/find_hotels", params=descriptor["example_params"])  # type: ignore[arg-type]
    row = {"hotel_id": 1, "city": {"city_id": 1}, "chain": None}
    assert manifest["examples"] == [{"params": {"stars": 4, "limit": 2}, "row": row}, {"params": {}}]
    assert (descriptor["example_params"], descriptor["example_row"]) == ({"stars": 4, "limit": 2}, row)
    assert called.status_code == 200


@pytest.mark.requirement("EXAM-01")
def test_an_action_s_example_is_its_result() -> None:
    app = App("orders")

    @app.action(
        access=anyone(), description="Orders.", example=Example({"amount": 2}, row={"hotel_id": 1, "city": None})
    )
    async def order(amount: int) -> dict[str, int | None]:
        return {}

    @app.action(access=anyone(), description="Rings.", example=Example({}))
    async def ring() -> None: ...

    told = part(document(app), "operations")
    assert told["order"]["examples"] == [{"params": {"amount": 2}, "row": {"hotel_id": 1, "city": None}}]
    assert told["ring"]["examples"] == [{"params": {}}]


@pytest.mark.requirement("TEXT-01")
async def test_text_that_users_wrote_is_marked_in_every_published_schema() -> None:
    async with served(hotel_app(), GUEST) as http:
        descriptor = part((await http.get("/schema")).json(), "queries")["reviews"]
        openapi = (await http.get("/openapi.json")).json()
    words = descriptor["output_schema"]["items"]["properties"]["words"]  # type: ignore[call-overload,index]
    assert words == {"type": "string", "description": "The guest's own words.", "x-user-text": True}
    stars = descriptor["output_schema"]["items"]["properties"]["stars"]  # type: ignore[call-overload,index]
    assert "x-user-text" not in stars
    assert marked_text(openapi) == 1


def marked_text(node: object) -> int:
    """How many places say that users wrote them."""
    if isinstance(node, dict):
        return int(node.get("x-user-text") is True) + sum(marked_text(item) for item in node.values())
    return sum(marked_text(item) for item in node) if isinstance(node, list) else 0


@pytest.mark.requirement("MAN-01", "ACC-05")
def test_two_callers_with_different_claims_get_their_own_manifests_from_one_app() -> None:
    app = App("tenants")
    app.query(id="north", access=claim("tenant", "north"), description="Counts.")(one)
    app.query(id="south", access=claim("tenant", "south"), description="Counts.")(one)
    for tenants in (["north"], ["south"], ["north", "south"], [], ["north"]):
        caller = Caller(Principal("x", claims={"tenant": tenants}))
        assert list(part(document(app, caller), "operations")) == sorted(tenants)


def test_a_manifest_without_rows_of_a_kind_still_names_the_kind() -> None:
    told: JsonObject = document(App("empty"))
    assert [told[key] for key in ("operations", "entities", "screens", "navigation")] == [[], [], [], []]
