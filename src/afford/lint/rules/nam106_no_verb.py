"""An action whose name does not say what is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from afford.lint.naming import parts
from afford.lint.prose import may_judge
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import BOOK, CANCEL, DETAIL, SEARCH
from afford.lint.signals import opening
from afford.lint.target import Described, Origin, Target, target
from afford.lint.words import words
from afford.ranking import stem

_USUAL: Final = """
accept activate add adjust allow analyze append apply approve archive assign attach authorize ban
batch block book buy calculate call cancel change charge check claim clear click clone close commit
complete compose confirm connect convert copy create crop deactivate decline decrease deduct delete
deliver deny deploy detach disable disconnect dismiss dispatch download draft drag drop edit email
emit enable encrypt end enqueue enroll ensure escalate evaluate execute expire export extend extract
fetch fill finish fix flag flush follow fork format forward fulfil fulfill generate get give grant
handle hide hold hover import increase index ingest initialize insert install invite invoke issue
join keep kill label launch leave like link load lock log login logout make mark merge message
migrate modify monitor move mute navigate note notify open optimize order pack park patch pause pay
perform pick pin place play poll post prepare press print process promote provision publish pull
purchase purge push put queue reactivate rebase rebook reboot receive reconcile record redeem redo
refresh refund register reject release reload remind remove rename renew reopen reorder replace
reply report request reschedule reserve reset resize resolve restart restore resume retry return
revert review revoke rollback rotate route run save scale scan schedule score search seed select
send serve set share ship show sign skip sleep snooze solve sort spawn split star start stash stop
store stream submit subscribe suspend switch sync tag take terminate test toggle trace track train
transfer translate trigger trim type unarchive unassign unblock undo unfollow uninstall unlink
unlock unmute unpin unpublish unsubscribe untag update upgrade upload upsert use validate verify
void vote wait withdraw write zoom
"""
_VERBS: Final = frozenset(map(stem, _USUAL.split()))


def check(found: Target) -> Iterator[Finding]:
    """Actions of which no word of the name is a verb, neither a usual one nor the description's own."""
    for item in found.operations:
        named = parts(item.name)
        if item.reads is False and named and may_judge(item) and not any(_is_verb(word, item) for word in named):
            yield Finding(subject=item.name, message=f"`{item.name}` names a thing, and not what is done to it")


def _is_verb(word: str, item: Described) -> bool:
    first = opening(item)
    own = next((span.text.lower() for span in words(first.text)), "") if first is not None else ""
    same = bool(own) and (word.startswith(stem(own)) or own.startswith(stem(word)))
    return same or stem(word) in _VERBS or stem(word.removeprefix("un").removeprefix("re")) in _VERBS


_STAY: Final = "hotel_room"

RULE: Final = Rule(
    code="NAM106",
    name="no-verb",
    severity=Severity.INFO,
    what="The name of an action does not say what is done.",
    why="An assistant takes it for something to read, or for another action on the same thing.",
    fix="Begin the name with what is done, such as `book_room`.",
    source="house conventions for names",
    bad=target(
        Origin.APP,
        SEARCH,
        replace(DETAIL, description=DETAIL.description.replace("book_room", _STAY)),
        replace(BOOK, name=_STAY),
        CANCEL,
        name="hotels",
    ),
    good=target(Origin.APP, SEARCH, DETAIL, BOOK, CANCEL, name="hotels"),
    check=check,
)
