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
abort accept acknowledge activate add adjust allow analyze append apply approve archive assign
attach audit authorize ban batch bind block book boot build bump buy calculate call cancel change
charge check claim clean clear click clone close commit compile complete compose confirm connect
convert copy crawl create crop cut deactivate debug decline decrease deduct delete deliver deny
deploy detach detect disable disconnect dismiss dispatch download draft drag drain draw drop edit
email emit enable encrypt end enqueue enroll ensure erase escalate evaluate evict execute exit
expire export extend extract fetch fill finish fire fix flag flip flush follow fork format forward
freeze fulfil fulfill generate get give grab grade grant handle hide hire hold hover import increase
index ingest initialize inject insert install invite invoke issue join keep kick kill label launch
leave lift like link load lock log login logout lower make map mark merge message migrate modify
monitor mount move mute name navigate note notify nudge open optimize order override pack park parse
patch pause pay perform pick pin ping place plan play plug poll post prepare press print process
promote provision prune publish pull purchase purge push put queue raise rate reactivate rearrange
rebase rebook reboot receive reconcile record redeem redirect redo refresh refund refuse register
reject release reload relocate remind remove rename renew reopen reorder repair replace replay reply
report request reschedule reserve reset resize resolve restart restore resume retry return revert
review revoke rollback rotate route run save scale scan schedule score scrape search seed select
send serve set settle share shift ship show sign simulate skip sleep slice snooze solve sort spawn
split squash stage star start stash stop store stream strip submit subscribe suspend swap switch
sync tag tail take tap terminate test throttle tidy toggle trace track train transfer translate
trash trigger trim tune turn type unarchive unassign unblock undo unfollow uninstall unlink unlock
unmount unmute unpin unpublish unset unsubscribe untag unzip update upgrade upload upsert use
validate verify void vote wait wake warn watch wipe withdraw withhold write zip zoom
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
