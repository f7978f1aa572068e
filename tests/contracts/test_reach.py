"""Whose rows may leave: the declared reach, enforced on every answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

import pytest
from pydantic import BaseModel, Field
from tests.contracts.links import Over, client, options
from typing_extensions import TypedDict

from afford import App, Caller, Page, PageRequest, Paging, Principal, anyone, roles
from afford.testing import check_disjoint

ADA = Principal("ada")
BOB = Principal("bob")
STAFF = Principal("sam", ["staff"])


class Note(BaseModel):
    text: str
    owner: Annotated[str | None, Field(exclude=True)] = None


class OpenNote(BaseModel):
    text: str
    owner: str | None = None


@dataclass
class NoteRecord:
    text: str
    owner: Annotated[str | None, Field(exclude=True)] = None


class NoteDict(TypedDict):
    text: str
    owner: str


NOTES = [Note(text="a", owner="ada"), Note(text="b", owner="bob"), Note(text="all")]


def new_app() -> App:
    return App("notes", access=anyone(), roles=("staff",))


@pytest.mark.requirement("REACH-05", "REACH-06")
async def test_a_query_that_is_about_to_show_a_row_of_somebody_else_fails_closed(over: Over):
    app = new_app()

    @app.query(description="Read notes.", owner="owner")
    async def careless() -> list[Note]:
        return NOTES

    async with client(app, as_=ADA, over=over) as ada:
        answer = await ada.call("careless")
    assert (answer.code, answer.value) == ("reach_violation", None)
    assert answer.error is not None
    assert "trace" in answer.error
    assert "bob" not in str(answer.error)


@pytest.mark.requirement("REACH-05", "REACH-06", "OUT-03")
async def test_own_and_ownerless_rows_pass_without_showing_the_owner(over: Over):
    app = new_app()

    @app.query(description="Read notes.", owner="owner")
    async def careful(caller: Caller) -> list[Note]:
        return [note for note in NOTES if note.owner in (caller.id, None)]

    async with client(app, as_=ADA, over=over) as ada:
        assert (await ada.call("careful")).rows == [{"text": "a"}, {"text": "all"}]
    async with client(app, over=over) as nobody:
        assert (await nobody.call("careful")).rows == [{"text": "all"}]
    report = await check_disjoint(with_private_notes_only(), "mine", ADA, BOB, **options(over))
    assert (report.first, report.second, report.shared) == (1, 1, ())


def with_private_notes_only() -> App:
    app = new_app()

    @app.query(description="Read own notes.", owner="owner")
    async def mine(caller: Caller) -> list[Note]:
        return [note for note in NOTES if note.owner == caller.id]

    return app


@pytest.mark.requirement("REACH-05")
async def test_an_anonymous_caller_owns_nothing(over: Over):
    app = new_app()

    @app.query(description="Read a note.", owner="owner")
    async def note(owner: str) -> OpenNote:
        return OpenNote(text="a", owner=owner)

    async with client(app, over=over) as nobody:
        for owner in ("ada", "", "None"):
            assert (await nobody.call("note", owner=owner)).code == "reach_violation"


@pytest.mark.requirement("REACH-05", "REACH-06")
@pytest.mark.parametrize(
    ("declared", "row"),
    [
        (Note, Note(text="b", owner="bob")),
        (Note, {"text": "b", "owner": "bob"}),
        (NoteRecord, NoteRecord("b", "bob")),
        (NoteDict, {"text": "b", "owner": "bob"}),
        (OpenNote, OpenNote(text="b", owner="bob")),
    ],
    ids=["model", "dict", "dataclass", "typed dict", "published owner"],
)
@pytest.mark.parametrize("shape", ["rows", "row", "page", "value", "values"])
async def test_the_owner_is_found_in_every_kind_of_row_and_answer(
    over: Over, declared: object, row: object, shape: str
):
    app = new_app()

    async def one() -> object:
        return row

    async def several() -> object:
        return [row]

    async def paged(page: PageRequest[int]) -> object:
        return Page([row])

    returned = {"rows": list[declared], "values": list[declared], "page": Page[declared]}.get(shape, declared)
    handler = {"rows": several, "values": several, "page": paged}.get(shape, one)
    handler.__annotations__["return"] = returned
    declare = app.action if shape in ("value", "values") else app.query
    declare(id="note", description="Read a note.", owner="owner")(handler)
    async with client(app, as_=ADA, over=over) as ada:
        assert (await ada.call("note")).code == "reach_violation"
    async with client(app, as_=BOB, over=over) as bob:
        assert (await bob.call("note")).ok


@pytest.mark.requirement("REACH-05")
async def test_an_action_that_answers_nothing_shows_nobody_s_row(over: Over):
    app = new_app()

    @app.action(description="Find a draft, if there is one.", owner="owner")
    async def draft() -> Note | None:
        return None

    async with client(app, as_=ADA, over=over) as ada:
        assert (await ada.call("draft")).ok


@pytest.mark.requirement("REACH-05")
async def test_a_row_whose_owner_cannot_be_found_out_does_not_leave(over: Over):
    app = new_app()

    def owner_of(row: object) -> object:
        raise RuntimeError("password=hunter2")

    @app.query(description="Read notes without owners.", owner="owner")
    async def ownerless() -> list[Note]:
        return [{"text": "a"}]

    @app.query(description="Read notes of unknown owners.", owner=owner_of)
    async def unknown() -> list[Note]:
        return NOTES

    async with client(app, as_=ADA, over=over) as ada:
        for name in ("ownerless", "unknown"):
            answer = await ada.call(name)
            assert answer.code == "reach_violation"
            assert "hunter2" not in str(answer.error)


@pytest.mark.requirement("REACH-06")
async def test_the_owner_may_be_computed_and_is_compared_as_text(over: Over):
    app = new_app()
    key = UUID(int=7)

    @app.query(description="Read notes by number.", owner=lambda row: 7 if row.text == "mine" else 8)
    async def by_number(text: str) -> list[OpenNote]:
        return [OpenNote(text=text)]

    @app.query(description="Read notes by key.", owner=lambda _row: key)
    async def by_key() -> list[OpenNote]:
        return [OpenNote(text="a")]

    async with client(app, as_=Principal("7"), over=over) as seven:
        assert (await seven.call("by_number", text="mine")).ok
        assert (await seven.call("by_number", text="yours")).code == "reach_violation"
        assert (await seven.call("by_key")).code == "reach_violation"
    async with client(app, as_=Principal(str(key)), over=over) as keyed:
        assert (await keyed.call("by_key")).ok


@pytest.mark.requirement("REACH-04")
async def test_a_widening_role_sees_the_rows_of_others_and_nobody_else_does(over: Over):
    app = new_app()

    @app.query(description="Read notes.", reach="role", widens=roles("staff"), owner="owner")
    async def notes(caller: Caller, *, everybody: bool = False) -> list[Note]:
        widened = everybody or "staff" in caller.roles
        return [note for note in NOTES if widened or note.owner == caller.id]

    async with client(app, as_=STAFF, over=over) as staff:
        assert [row["text"] for row in (await staff.call("notes")).rows] == ["a", "b", "all"]
    async with client(app, as_=ADA, over=over) as ada:
        assert (await ada.call("notes")).rows == [{"text": "a"}]
        assert (await ada.call("notes", everybody=True)).code == "reach_violation"


@pytest.mark.requirement("REACH-04")
async def test_a_widening_rule_that_raises_widens_nothing(over: Over):
    app = new_app()

    def broken(caller: Caller) -> bool:
        raise RuntimeError

    @app.query(description="Read notes.", reach="role", widens=broken, owner="owner")
    async def notes() -> list[Note]:
        return NOTES

    async with client(app, as_=STAFF, over=over) as staff:
        assert (await staff.call("notes")).code == "reach_violation"


@pytest.mark.requirement("REACH-04")
async def test_published_rows_have_owners_and_are_for_everybody(over: Over):
    app = new_app()

    @app.query(description="Read the wall.", reach="published", owner="owner")
    async def wall() -> list[Note]:
        return NOTES

    async with client(app, over=over) as nobody:
        assert len((await nobody.call("wall")).rows) == 3


class Shares:
    """Who shared which folder with whom."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str | None]] = []

    def holds(self, folder: str, caller: str | None) -> bool:
        self.asked.append((folder, caller))
        return (folder, caller) in {("inbox", "ada"), ("plans", "bob")}


@pytest.mark.requirement("REACH-03")
@pytest.mark.parametrize("kind", ["async", "plain"])
async def test_without_the_artefact_a_consented_operation_is_forbidden_and_does_not_run(over: Over, kind: str):
    app = new_app()
    shares = Shares()
    ran: list[str] = []
    app.provide(Shares, lambda: shares)

    async def may_later(folder: str, caller: Caller, shares: Shares) -> bool:
        return shares.holds(folder, caller.id)

    def may(folder: str, caller: Caller, shares: Shares) -> bool:
        return shares.holds(folder, caller.id)

    @app.query(description="Read a shared folder.", reach="consented", consented=may_later if kind == "async" else may)
    async def folder(folder: str = "inbox") -> list[Note]:
        ran.append(folder)
        return NOTES

    async with client(app, as_=ADA, over=over) as ada:
        assert (await ada.call("folder")).ok
        assert (await ada.call("folder", folder="inbox")).ok
        assert (await ada.call("folder", folder="plans")).code == "forbidden"
    async with client(app, as_=BOB, over=over) as bob:
        assert (await bob.call("folder")).code == "forbidden"
        assert (await bob.call("folder", folder="plans")).ok
    assert ran == ["inbox", "inbox", "plans"]
    assert shares.asked[0] == ("inbox", "ada")


class Which(BaseModel):
    folder: str = "inbox"


@pytest.mark.requirement("REACH-03")
async def test_the_check_is_asked_about_the_values_that_the_handler_receives(over: Over):
    app = new_app()
    asked: list[object] = []

    def may(folder: str) -> bool:
        asked.append(folder)
        return True

    raw = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"folder": {"type": "string", "default": "inbox"}},
        "required": [],
    }

    @app.action(description="Open a folder.", reach="consented", consented=may)
    async def from_model(which: Which) -> str:
        return which.folder

    @app.action(description="Open a folder by its schema.", reach="consented", consented=may, input_schema=raw)
    async def from_schema(arguments: dict[str, object]) -> str:
        return str(arguments.get("folder", "inbox"))

    @app.action(description="Open a folder by name.", reach="consented", consented=may)
    async def from_field(folder: Annotated[str, Field(min_length=1)] = "inbox") -> str:
        return folder

    async with client(app, as_=ADA, over=over) as ada:
        for name in ("from_model", "from_schema", "from_field"):
            assert (await ada.call(name)).value == "inbox"
            assert (await ada.call(name, folder="plans")).value == "plans"
    assert asked == ["inbox", "plans"] * 3


@pytest.mark.requirement("REACH-03")
@pytest.mark.parametrize("answer", [False, None, 1, "yes", []], ids=repr)
async def test_nothing_but_true_is_consent(over: Over, answer: object):
    app = new_app()

    @app.query(description="Read a shared folder.", reach="consented", consented=lambda: answer)
    async def folder() -> list[Note]:
        return NOTES

    async with client(app, as_=ADA, over=over) as ada:
        assert (await ada.call("folder")).code == "forbidden"


@pytest.mark.requirement("REACH-03")
async def test_a_check_that_breaks_lets_nobody_in(over: Over):
    app = new_app()

    def may() -> bool:
        raise RuntimeError("password=hunter2")

    @app.query(description="Read a shared folder.", reach="consented", consented=may)
    async def folder() -> list[Note]:
        return NOTES

    async with client(app, as_=ADA, over=over) as ada:
        answer = await ada.call("folder")
    assert (answer.code, answer.value) == ("internal", None)
    assert "hunter2" not in str(answer.error)


@pytest.mark.requirement("REACH-05")
async def test_the_check_for_kept_apart_rows_fails_without_rows_and_with_shared_ones():
    app = new_app()

    @app.query(description="Read nothing.", paging=Paging())
    async def nothing(page: PageRequest[int]) -> Page[Note]:
        return Page([])

    @app.query(description="Read shared notes.")
    async def shared() -> list[Note]:
        return NOTES

    for name, what in (("nothing", "no positive control"), ("shared", "shown to both")):
        with pytest.raises(AssertionError, match=what):
            await check_disjoint(app, name, ADA, BOB)
