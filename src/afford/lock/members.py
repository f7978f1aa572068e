"""What it means that one member of a recorded thing is another: a table of members, and a function for each sort.

Every function takes the old and the new value and tells changes whose pointers start inside the member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

from afford.errors import JsonObject, JsonValue
from afford.lock.changes import Change, Grade
from afford.lock.contracts import default_changes, input_changes, output_changes, pointer_of
from afford.lock.inclusion.documents import plain, subschemas
from afford.lock.record import has_unseen
from afford.lock.rules import Someone, compare_rules, rule_text

Compare: TypeAlias = Callable[[JsonValue, JsonValue], Iterable[Change]]

APPROVE: Final = "see that it is meant, and approve it by committing the new lock"
_READ: Final = "read it: what a model is told decides what it does"
_NOTHING: Final = "nothing"
_KEEP: Final = "keep it, or offer the change under a new name"
_USER_TEXT: Final = "x-user-text"
_RISKS: Final = ("low", "mid", "high")
_SAFETIES: Final = ("read", "action", "destructive")
_WIDER_REACH: Final = frozenset(
    {
        ("principal", "consented"),
        ("principal", "role"),
        ("principal", "published"),
        ("consented", "published"),
        ("role", "published"),
    }
)


def compare_members(old: JsonObject, new: JsonObject, table: Mapping[str, Compare]) -> Iterator[Change]:
    """Changes of the members that both sides tell, in the order of the table."""
    for name, compare in table.items():
        if name in old and name in new and old[name] != new[name]:
            for change in compare(old[name], new[name]):
                yield replace(change, pointer=f"/{name}{change.pointer}")


def text_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """A text that a model or a person reads."""
    hides = isinstance(new, str) and has_unseen(new) and not (isinstance(old, str) and has_unseen(old))
    if hides:
        yield Change(
            grade=Grade.NEEDS_APPROVAL,
            what="the text holds characters that nobody sees",
            before=old,
            after=new,
            why="a model reads what its reviewer does not",
            fix="take them out",
        )
    else:
        yield Change(
            grade=Grade.COMPATIBLE,
            what="the text is another one",
            before=old,
            after=new,
            why="no call depends on it",
            fix=_READ,
        )


def input_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """The schema of what callers send."""
    if isinstance(old, dict) and isinstance(new, dict):
        yield from input_changes(old, new)
        yield from default_changes(old, new)
        yield from _annotations(old, new)


def output_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """The schema of what readers get."""
    if isinstance(old, dict) and isinstance(new, dict):
        yield from output_changes(old, new)
        yield from _annotations(old, new)
        return
    grade = Grade.BREAKING if new is None else Grade.COMPATIBLE
    what = "answers are described no more" if new is None else "answers are described"
    why = "readers rely on the schema" if new is None else "nobody relied on a schema"
    yield Change(grade=grade, what=what, why=why, fix=_KEEP if new is None else _NOTHING)


def entity_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """The published form of an entity; what is answered is told by the schemas of operations."""
    if plain(old) != plain(new):
        yield _plain("its published form is another one", "answers are described by their operations", None, None)
    elif isinstance(old, dict) and isinstance(new, dict):
        yield from _annotations(old, new)


def access_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """Who may call."""
    shift = compare_rules(old, new)
    before, after = rule_text(old), rule_text(new)
    is_open = shift.let_in is not None and not shift.let_in.is_certain
    if shift.let_in is not None:
        what = "access may be wider" if is_open else "access is wider"
        yield _approval(what, _told(shift.let_in, "callers get in who were kept out"), before, after)
    # Where a function may let anybody in, it may keep anybody out as well; that is told once.
    if shift.kept_out is not None and (shift.kept_out.is_certain or not is_open):
        what = "access is narrower" if shift.kept_out.is_certain else "access may be narrower"
        yield _breaking(what, _told(shift.kept_out, "callers are kept out who got in"), before, after)
    if shift.let_in is None and shift.kept_out is None:
        yield _plain("access is written in another way", "it lets the same callers in", before, after)


def _told(someone: Someone, why: str) -> str:
    if someone.is_certain:
        return f"{why}: {someone.who}"
    return "nobody can tell from here whom the functions that decide now, or did, let in"


def widens_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """Who gets rows of others; None: nobody."""
    shift = compare_rules({"any": []} if old is None else old, {"any": []} if new is None else new)
    before, after = (None if value is None else rule_text(value) for value in (old, new))
    if shift.let_in is not None:
        why = _told(shift.let_in, "they reach callers whom they did not")
        yield _approval("rows of others go to more callers", why, before, after)
    elif shift.kept_out is not None:
        why = _told(shift.kept_out, "they no longer reach callers whom they did")
        yield _breaking("rows of others go to fewer callers", why, before, after)


def guard_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """How the rows that may leave are told from others; None: not at all."""
    if old is None:
        yield _plain("rows are checked before they leave", "only rows that never were the caller's stay", old, new)
    else:
        yield _approval("rows are checked in another way, or not at all", "other rows may leave", old, new)


def _ranked(words: tuple[str, ...], noun: str) -> Compare:
    """A word of a scale: higher does more, lower is guarded less."""

    def compare(old: JsonValue, new: JsonValue) -> Iterator[Change]:
        ranks = [words.index(value) if value in words else len(words) for value in (str(old), str(new))]
        if ranks[1] > ranks[0]:
            yield _approval(f"{noun} is higher", "a call may do more than was agreed to", old, new)
        else:
            yield _approval(f"{noun} is lower", "clients and policies guard it less than was agreed to", old, new)

    return compare


def reach_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """Whose rows it returns."""
    if (str(new), str(old)) in _WIDER_REACH:
        yield _breaking("reach is narrower", "callers no longer get rows that they got", old, new)
    else:
        yield _approval("reach is wider", "rows may go to callers who did not get them", old, new)


def surfaces_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """Where agents reach it; None: everywhere."""
    before = {str(word) for word in old} if isinstance(old, list) else None
    after = {str(word) for word in new} if isinstance(new, list) else None
    if after is None or (before is not None and after - before):
        yield _approval("agents reach it in more ways", "a surface was kept from them", old, new)
    if before is None or (after is not None and before - after):
        yield _breaking("agents reach it in fewer ways", "those who used a surface lose it", old, new)


def pages_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """Whether and how an answer comes in pages."""
    if old is None:
        yield _breaking("answers come in pages", "readers who do not follow them miss rows", old, new)
    elif new is None:
        yield _breaking("answers come in pages no more", "over MCP `limit` and `cursor` are refused", old, new)
    else:
        yield _plain("pages have another size", "pages of any size are followed alike", old, new)


def problems_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """The refusals that an author declares."""
    before, after = _object(old), _object(new)
    for code in sorted(before.keys() | after.keys()):
        one, other = before.get(code), after.get(code)
        if one is None or other is None:
            what = f"it may refuse with `{code}`" if one is None else f"it refuses with `{code}` no more"
            change = _plain(
                what, "a refusal says itself what to do, and callers bear ones they do not know", None, None
            )
            yield replace(change, pointer=pointer_of((code,)))
            continue
        for change in compare_members(_object(one), _object(other), _PROBLEM):
            yield replace(change, pointer=pointer_of((code,)) + change.pointer)


def questions_changed(old: JsonValue, new: JsonValue) -> Iterator[Change]:
    """What a person is asked before anything happens."""
    before, after = _object(old), _object(new)
    for name in sorted(before.keys() | after.keys()):
        pointer = pointer_of((name,))
        if name not in before:
            change = _breaking(f"a person is asked for `{name}`", "clients that cannot ask are refused", None, None)
        elif name not in after:
            change = _approval(f"nobody is asked for `{name}` any more", "it happens without a person", None, None)
        else:
            for inner in compare_members(_object(before[name]), _object(after[name]), _QUESTION):
                yield replace(inner, pointer=pointer + inner.pointer)
            continue
        yield replace(change, pointer=pointer)


def tells(what: str, why: str) -> Compare:
    """Something that callers need not act on."""
    return lambda old, new: [_plain(what, why, old, new)]


def breaks(what: str, why: str) -> Compare:
    """Something that callers rely on."""
    return lambda old, new: [_breaking(what, why, old, new)]


def asks(what: str, why: str) -> Compare:
    """Something that somebody has to want."""
    return lambda old, new: [_approval(what, why, old, new)]


def _either(when_on: Compare, when_off: Compare) -> Compare:
    """One comparison for what is set or true in the new record, another for what is not."""
    return lambda old, new: (when_on if new not in (None, False) else when_off)(old, new)


def _fewer(more: Compare, fewer: Compare) -> Compare:
    """One comparison for lists that lost something, another for those that only grew."""

    def compare(old: JsonValue, new: JsonValue) -> Iterable[Change]:
        lost = {*map(str, old if isinstance(old, list) else [])} - {*map(str, new if isinstance(new, list) else [])}
        return (fewer if lost else more)(old, new)

    return compare


def _annotations(old: JsonObject, new: JsonObject) -> Iterator[Change]:
    """Texts and marks at places that both schemas have."""
    before, after = dict(subschemas(old)), dict(subschemas(new))
    for place in sorted(before.keys() & after.keys()):
        for change in compare_members(_marks(before[place]), _marks(after[place]), _ANNOTATED):
            yield replace(change, pointer=pointer_of(place) + change.pointer)


def _marks(schema: JsonObject) -> JsonObject:
    return {"title": None, "description": None, _USER_TEXT: False, **schema}


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _plain(what: str, why: str, before: JsonValue, after: JsonValue) -> Change:
    return Change(grade=Grade.COMPATIBLE, what=what, why=why, fix=_NOTHING, before=before, after=after)


def _breaking(what: str, why: str, before: JsonValue, after: JsonValue) -> Change:
    return Change(grade=Grade.BREAKING, what=what, why=why, fix=_KEEP, before=before, after=after)


def _approval(what: str, why: str, before: JsonValue, after: JsonValue) -> Change:
    return Change(grade=Grade.NEEDS_APPROVAL, what=what, why=why, fix=APPROVE, before=before, after=after)


_ANNOTATED: Final[Mapping[str, Compare]] = MappingProxyType(
    {
        "title": text_changed,
        "description": text_changed,
        _USER_TEXT: _either(
            tells("it is marked as written by users", "readers trust it less"),
            asks("it is marked as written by users no more", "a model takes it for the service speaking"),
        ),
    }
)
_PROBLEM: Final[Mapping[str, Compare]] = MappingProxyType(
    {
        "status": breaks("the refusal has another status", "programs tell refusals apart by it"),
        "title": text_changed,
        "fix": text_changed,
        "docs": text_changed,
        "retryable": tells("repeating the call is worth another try, or no more", "the refusal says so itself"),
    }
)
_QUESTION: Final[Mapping[str, Compare]] = MappingProxyType(
    {
        "message": text_changed,
        "schema": tells("the question has another form", "the person sees the form"),
    }
)

OPERATION: Final[Mapping[str, Compare]] = MappingProxyType(
    {
        "access": access_changed,
        "surfaces": surfaces_changed,
        "safety": _ranked(_SAFETIES, "safety"),
        "risk": _ranked(_RISKS, "risk"),
        "reach": reach_changed,
        "widens": widens_changed,
        "owner": guard_changed,
        "consented": guard_changed,
        "secrets": _fewer(
            tells("more inputs are kept out of records", "callers see nothing of it"),
            asks("an input is kept out of records no more", "it may be a secret"),
        ),
        "idempotent": _either(
            asks("repeating a call is said to change nothing more", "clients repeat it without asking"),
            breaks("repeating a call is no longer said to be harmless", "clients that repeat it may do it twice"),
        ),
        "open_world": asks("what it is said to touch outside is another", "clients decide by it whether to ask"),
        "reads": breaks("it is called in another way", "reading and writing use different methods over HTTP"),
        "uri": breaks("it is under another URI", "those who kept the old one find nothing"),
        "mime_type": breaks("it has another media type", "readers were told the old one"),
        "questions": questions_changed,
        "pages": pages_changed,
        "input_schema": input_changed,
        "output_schema": output_changed,
        "problems": problems_changed,
        "title": text_changed,
        "description": text_changed,
        "app_description": text_changed,
        "id": tells("it has another id", "callers know it by its wire name"),
        "kind": tells("it is of another kind", "callers see nothing of it"),
        "tags": tells("it has other tags", "no call depends on them"),
        "entity": tells("it is about another entity", "no call depends on it"),
    }
)
"""What is compared of operations, tools, resources and prompts; exposure is compared before."""

SCREEN: Final[Mapping[str, Compare]] = MappingProxyType(
    {
        "access": access_changed,
        "type": tells("it is of another type", "agents ask for it by its id"),
        "path": tells("it is at another place", "agents ask where it is"),
        "description": text_changed,
        "entity": tells("it is about another entity", "no call depends on it"),
    }
)
NAVIGATION: Final[Mapping[str, Compare]] = MappingProxyType(
    {
        "access": access_changed,
        "label": text_changed,
        "screen": tells("it leads to another screen", "no call depends on it"),
        "parent": tells("it is under another entry", "no call depends on it"),
    }
)
ENTITY: Final[Mapping[str, Compare]] = MappingProxyType(
    {
        "description": text_changed,
        "schema": entity_changed,
        "references": tells("it refers to other entities", "no call depends on it"),
    }
)
APP: Final[Mapping[str, Compare]] = MappingProxyType(
    {
        "title": text_changed,
        "description": text_changed,
        "roles": tells("other roles are declared", "access rules are compared one by one"),
        "provides_tools": _either(
            asks("tools are provided while it runs", "no record holds them, and agents are offered them"),
            breaks("no tools are provided any more", "those who used them lose them"),
        ),
        "shows_state": _either(
            asks("agents are shown shared state", "it was kept from them, or fewer of it shown"),
            breaks("agents are shown no shared state", "those who read it lose it"),
        ),
    }
)
TEXT: Final[Mapping[str, Compare]] = MappingProxyType({"description": text_changed})
