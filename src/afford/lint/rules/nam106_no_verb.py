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
abort accept acknowledge activate add adjust allow analyze answer append apply approve archive ask
assign attach audit authorize ban batch bind block book boot build bump buy calculate call cancel
cast change charge chat check checkout claim classify clean clear click clone close collect comment
commit compare compile complete compose compute confirm connect convert copy correct count cover cp
crawl create crop cut deactivate debug declare decline decrease deduct delete deliver deny deploy
describe detach detect determine disable disconnect dismiss dispatch download draft drag drain draw
drop eat edit email emit enable encrypt end enqueue enroll ensure erase escalate estimate evaluate
evict examine exchange execute exit expire export expose express extend extract fetch file fill
finalize find finish fire fix flag flip flush follow forget fork format forward freeze fulfil
fulfill generate get give grab grade grant grow guess hand handle hide hire hold hover import
increase index ingest initialize inject insert inspect install invite invoke issue join judge keep
kick kill label launch leak leave lend lift like link list listen load lock log login logout look
lookup lower make manage map mark match measure meet mention merge message migrate mint modify
monitor mount move mute mv name navigate note notify nudge observe obtain offer open optimize order
override pack paint pair park parse paste patch pause pay perform persist pick pin ping place plan
play plug poll post practise praise predict prefer prepare present press print process program
project promote propose prove provision prune publish pull purchase purge push put query queue quote
raise rate reactivate read rearrange rebase rebook reboot recall receive recommend reconcile record
recover redeem redirect redo reduce refine refresh refund refuse register reject release reload
relocate remember remind remove rename renew rent reopen reorder repair repeat replace replay reply
report request reschedule reserve reset resize resolve respond restart restore resume retrieve retry
return revert review revise revoke rewrite ring rm rollback rotate route run sample save say scale
scan schedule score scrape scroll seal search see seed select sell send separate serve set settle
share shift ship show shut sign simulate sing skip sleep slice snooze solve sort spawn speak spend
split squash stage stake star start stash state step stir stop store stream strip style submit
subscribe sum summarize supply survey suspend swap switch sync tag tail take tap teach tell
terminate test think throttle tidy toggle toss touch trace track train transcribe transfer transform
translate trash travel treat trigger trim tune turn type unarchive unassign unblock understand undo
unfollow uninstall unite unlink unlist unlock unmount unmute unpin unpublish unset unsubscribe untag
unzip update upgrade upload upsert use validate verify view visit void vote wait wake warm warn
watch weigh wipe withdraw withhold wrap write zip zoom
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
