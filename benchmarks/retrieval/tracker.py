"""Ten operations of an issue tracker."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from afford import Feature

tracker = Feature("tracker", description="Bugs, wishes and tasks of a software team.")

Number = Annotated[int, Field(ge=1, description="The issue's number, as search_issues lists it.")]


class Issue(BaseModel):
    number: int
    title: str
    state: str


class Comment(BaseModel):
    author: str
    text: str


@tracker.query(
    description="Find issues by words, state, assignee or label. Call it before open_issue, to see whether a problem "
    "has been reported already."
)
async def search_issues(
    text: Annotated[str | None, Field(description="Words that title or body contain.")] = None,
    state: Annotated[Literal["open", "closed"] | None, Field(description="Only issues in this state.")] = None,
    assignee: Annotated[str | None, Field(description="Login of the person who works on it.")] = None,
    label: Annotated[str | None, Field(description="Only issues with this label, such as bug.")] = None,
) -> list[Issue]: ...


@tracker.query(
    description="Read one issue whole: body, state, labels and the discussion below it. For everything that a list of "
    "titles does not tell."
)
async def read_issue(number: Number) -> Issue | None: ...


@tracker.action(
    description="Report a new bug, wish or task. Look with search_issues first whether somebody has reported the same."
)
async def open_issue(
    title: Annotated[str, Field(description="One line that says what is wrong or wanted.")],
    body: Annotated[str, Field(description="What happened, what was expected, and steps to see it again.")] = "",
    severity: Annotated[Literal["minor", "major", "critical"], Field(description="How bad it is.")] = "minor",
) -> Issue: ...


@tracker.action(
    description="Close an issue because it is done or will not be done. The discussion stays readable and it can be "
    "opened again."
)
async def close_issue(
    number: Number,
    reason: Annotated[Literal["fixed", "wont_fix", "cannot_reproduce"], Field(description="Why it is closed.")],
) -> Issue: ...


@tracker.action(
    description="Erase an issue and its discussion for good, for spam or leaked secrets only. Finished work is closed, "
    "not deleted.",
    safety="destructive",
)
async def delete_issue(number: Number) -> None: ...


@tracker.action(
    description="Make somebody responsible for an issue, or hand it over to another person. The person is notified."
)
async def assign_issue(
    number: Number, login: Annotated[str, Field(description="Login of the person who is to work on it.")]
) -> Issue: ...


@tracker.action(
    description="Add a comment to the discussion of an issue, to answer a question or tell how far the work is. "
    "Everybody who follows the issue is notified."
)
async def comment_on_issue(
    number: Number, text: Annotated[str, Field(description="The comment, as Markdown.")]
) -> Comment: ...


@tracker.action(
    description="Note how two issues depend on each other: one blocks the other, or they merely belong together. Both "
    "stay open."
)
async def link_issues(
    number: Number,
    other: Annotated[int, Field(ge=1, description="Number of the other issue.")],
    relation: Annotated[Literal["blocks", "blocked_by", "related"], Field(description="How they relate.")],
) -> None: ...


@tracker.action(
    description="Fold an issue that reports the same problem as an earlier one into it. The later one is closed, and "
    "its followers and comments move over."
)
async def merge_duplicate(
    number: Number, into: Annotated[int, Field(ge=1, description="Number of the earlier issue, which is kept.")]
) -> Issue: ...


@tracker.action(
    description="Plan an issue for a release, or take it out of one. It changes the road map and not the work itself."
)
async def set_milestone(
    number: Number,
    milestone: Annotated[str | None, Field(description="Name of the release, such as 2.4; none takes it out.")] = None,
) -> Issue: ...
