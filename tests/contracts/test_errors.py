"""What a caller is told when a call does not succeed: the same over every link, and no word more."""

from __future__ import annotations

import logging
from typing import Annotated

import pytest
from pydantic import BaseModel, Field, field_validator, model_validator
from tests.contracts.links import Over, client
from tests.contracts.wire import served

from afford import (
    App,
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    Refusal,
    UnavailableError,
    anyone,
)
from afford.errors import TABLE, Code


def new_app() -> App:
    return App("shop", access=anyone())


class Line(BaseModel):
    article: str
    count: Annotated[int, Field(ge=1)] = 1


@pytest.mark.requirement("ERR-03")
async def test_every_fault_of_a_request_is_in_one_answer_with_its_place(over: Over):
    app = new_app()

    @app.action(description="Order several things.")
    async def order(
        lines: list[Line],
        colour: Annotated[str, Field(pattern="^[a-z]+$")],
        express: bool = False,  # noqa: FBT001, FBT002 - a declared input
        note: Annotated[str, Field(max_length=3)] = "",
    ) -> None: ...

    sent = {
        "lines": [{"article": "a"}, {"artcle": "b", "count": 0}, {"article": 5, "count": "2"}],
        "express": "yes",
        "note": "long",
        "collour": "red",
    }
    async with client(app, over=over) as caller:
        answer = await caller.call("order", sent)
    assert answer.code == "bad_request"
    assert answer.fault_codes() == {
        "/colour": "missing",
        "/lines/1/artcle": "unknown_argument",
        "/lines/1/article": "missing",
        "/lines/1/count": "out_of_range",
        "/lines/2/article": "wrong_type",
        "/lines/2/count": "wrong_type",
        "/express": "wrong_type",
        "/note": "wrong_length",
        "/collour": "unknown_argument",
    }
    suggested = {fault["pointer"]: fault["suggestion"] for fault in answer.faults if "suggestion" in fault}
    assert suggested["/lines/1/artcle"] == "article"
    assert suggested["/collour"] == "colour"
    assert all(fault["message"] for fault in answer.faults)
    assert answer.error is not None
    assert answer.error["fix"]


@pytest.mark.requirement("ERR-03")
async def test_a_query_string_and_a_schema_report_their_faults_together():
    app = new_app()

    @app.query(description="Search.")
    async def search(
        least: int = 0, most: int = 9, names: list[str] | None = None, limit_to: Annotated[int, Field(le=5)] = 1
    ) -> list[str]:
        return []

    async with served(app.asgi()) as http:
        response = await http.get("/search?least=x&most=01&names=a&names[]=b&limit_to=6&limt=3&least=5&limit=abc")
    faults = {fault["pointer"]: fault["code"] for fault in response.json()["errors"]}
    assert response.status_code == 400
    assert faults.keys() == {"/least", "/most", "/names", "/limit_to", "/limt", "/limit"}
    assert faults["/limit_to"] == "out_of_range"
    assert faults["/limt"] == "unknown_argument"


@pytest.mark.requirement("ERR-03")
async def test_an_endless_list_of_faults_is_cut_and_answered_at_once(over: Over):
    app = new_app()

    @app.action(description="Order many things.")
    async def order(lines: list[Line]) -> None: ...

    async with client(app, over=over) as caller:
        many = await caller.call("order", {"lines": [{"count": 0}] * 5000})
        wide = await caller.call("order", {f"wrong{number}": 1 for number in range(5000)})
    for answer in (many, wide):
        assert answer.code == "bad_request"
        assert 1 <= len(answer.faults) <= 20


@pytest.mark.requirement("ERR-03")
async def test_a_pointer_escapes_what_its_syntax_needs(over: Over):
    app = new_app()

    @app.action(description="Order.")
    async def order(count: int = 1) -> None: ...

    async with client(app, over=over) as caller:
        answer = await caller.call("order", {"a/b~c": 1, "": 2})
    assert set(answer.fault_codes()) == {"/a~1b~0c", "/"}


@pytest.mark.requirement("ERR-03", "CASE-K27")
async def test_what_was_sent_is_not_sent_back_at_length(over: Over):
    app = new_app()

    @app.action(description="Order.")
    async def order(colour: Annotated[str, Field(max_length=5)], count: int) -> None: ...

    async with client(app, over=over) as caller:
        answer = await caller.call("order", {"colour": "x" * 10_000, "count": "y" * 10_000, "z" * 10_000: 1})
    assert len(str(answer.error)) < 2_000


@pytest.mark.requirement("TYPE-09", "ERR-03")
async def test_a_refusal_of_the_author_s_own_validators_is_the_fault_rule_at_its_field(over: Over):
    app = new_app()

    class Stay(BaseModel):
        first: int
        last: int

        @field_validator("first")
        @classmethod
        def is_even(cls, first: int) -> int:
            if first % 2:
                raise ValueError("only even nights")
            return first

        @model_validator(mode="after")
        def is_in_order(self) -> Stay:
            assert self.first < self.last, "the last night is before the first"
            return self

    @app.action(description="Book from a model.")
    async def book(stay: Stay) -> None: ...

    @app.action(description="Book several.")
    async def book_all(stays: list[Stay]) -> None: ...

    @app.action(description="Book by numbers.")
    async def book_by_number(first: int, last: int) -> None:
        raise InvalidInputError("the last night is before the first", pointer="/last", fix="send a later one")

    async with client(app, over=over) as caller:
        odd = await caller.call("book", first=1, last=2)
        backwards = await caller.call("book", first=4, last=2)
        both = await caller.call("book_all", stays=[{"first": 1, "last": 2}, {"first": 4, "last": 2}])
        raised = await caller.call("book_by_number", first=4, last=2)
    assert {answer.code for answer in (odd, backwards, both, raised)} == {"bad_request"}
    assert odd.fault_codes() == {"/first": "rule"}
    assert backwards.fault_codes() == {"": "rule"}
    assert both.fault_codes() == {"/stays/0/first": "rule", "/stays/1": "rule"}
    assert raised.fault_codes() == {"/last": "rule"}
    assert odd.faults[0]["message"] == "only even nights"
    assert raised.error is not None
    assert raised.error["fix"] == "send a later one"


@pytest.mark.requirement("ERR-01", "EXEC-03")
async def test_a_declared_problem_reaches_the_caller_as_data(over: Over):
    app = new_app()
    sold_out = app.problem(
        "SOLD_OUT",
        status=409,
        title="The article is sold out",
        fix="look for others with `search` instead of {article}",
        docs="https://shop.example/problems/sold-out",
    )

    @app.action(description="Order.", raises=[sold_out])
    async def order(article: str) -> None:
        raise sold_out(f"no {article} is left", article=article)

    async with client(app, over=over) as caller:
        answer = await caller.call("order", article="lamp")
    assert answer.error == {
        "code": "SOLD_OUT",
        "message": "no lamp is left",
        "fix": "look for others with `search` instead of lamp",
        "docs": "https://shop.example/problems/sold-out",
    }


@pytest.mark.requirement("EXEC-03")
async def test_a_problem_that_the_operation_does_not_list_is_internal(over: Over):
    app = new_app()
    sold_out = app.problem("SOLD_OUT", status=409, title="The article is sold out")
    other = app.problem("NO_STOCK", status=410, title="There is no stock")

    @app.action(description="Order.", raises=[other])
    async def order() -> None:
        raise sold_out("password=hunter2")

    async with client(app, over=over) as caller:
        answer = await caller.call("order")
    assert answer.code == "internal"
    assert "hunter2" not in str(answer.error)


@pytest.mark.requirement("CASE-K27", "EXEC-04")
async def test_the_text_of_a_crash_is_in_the_log_and_nowhere_else(over: Over, caplog: pytest.LogCaptureFixture):
    app = new_app()

    @app.action(description="Order.")
    async def order() -> None:
        raise RuntimeError("password=hunter2 at place.py")

    @app.query(description="Search.")
    def search() -> list[str]:
        raise KeyError("hunter2")

    with caplog.at_level(logging.ERROR):
        async with client(app, over=over) as caller:
            answers = [await caller.call(name) for name in ("order", "search")]
    for answer in answers:
        assert answer.code == "internal"
        assert answer.error is not None
        assert answer.error.keys() == {"code", "message", "trace"}
        assert "hunter2" not in str(answer.error)
        assert str(answer.error["trace"]) in caplog.text
    assert answers[0].error != answers[1].error
    assert "hunter2" in caplog.text


@pytest.mark.requirement("CASE-K32", "ERR-02")
async def test_retryable_retry_after_and_status_agree():
    app = new_app()
    busy = app.problem("UPSTREAM_BUSY", status=503, title="The supplier is busy", retryable=True)

    @app.action(description="Fail in one way.", raises=[busy])
    async def fail(how: str) -> None:
        if how == "busy":
            raise busy("try in half a minute", retry_after=30)
        if how == "unavailable":
            raise UnavailableError("the database is away", retry_after=2.2)
        if how == "unknown":
            raise UnavailableError("the database is away")
        if how == "forbidden":
            raise ForbiddenError("not yours")
        raise ConflictError("already shipped", fix="order another one")

    async def told(how: str) -> tuple[object, ...]:
        response = await http.post("/fail", json={"how": how})
        problem = response.json()
        waits = (problem.get("retryable"), problem.get("retry_after"), response.headers.get("retry-after"))
        return (response.status_code, problem["status"], problem["code"], *waits)

    async with served(app.asgi()) as http:
        assert await told("busy") == (503, 503, "UPSTREAM_BUSY", True, 30, "30")
        assert await told("unavailable") == (503, 503, "unavailable", True, 2.2, "3")
        assert await told("unknown") == (503, 503, "unavailable", True, None, None)
        assert await told("forbidden") == (403, 403, "forbidden", None, None, None)
        assert await told("conflict") == (409, 409, "conflict", None, None, None)


REFUSALS = {
    Code.NOT_FOUND: NotFoundError,
    Code.FORBIDDEN: ForbiddenError,
    Code.CONFLICT: ConflictError,
    Code.UNAVAILABLE: UnavailableError,
    Code.BAD_REQUEST: InvalidInputError,
}


@pytest.mark.requirement("ERR-02", "LIB-01")
@pytest.mark.parametrize("code", REFUSALS)
async def test_a_refusal_has_the_status_of_its_row_and_its_text_over_every_link(code: Code):
    app = new_app()

    @app.action(description="Fail.")
    async def fail() -> None:
        raise REFUSALS[code]("because", fix="do something else")

    async with client(app) as direct, client(app, over="http") as by_http, served(app.asgi()) as http:
        response = await http.post("/fail")
        problem = response.json()
        assert (await direct.call("fail")).error == (await by_http.call("fail")).error
    assert response.status_code == problem["status"] == TABLE[code].status
    assert (problem["code"], problem["detail"], problem["fix"]) == (code.value, "because", "do something else")
    assert problem["title"] == TABLE[code].title


@pytest.mark.requirement("ERR-02")
@pytest.mark.parametrize("retry_after", [float("nan"), float("inf"), -1, 0, 1e300])
async def test_a_time_to_wait_that_makes_no_sense_spoils_no_answer(over: Over, retry_after: float):
    app = new_app()

    @app.action(description="Fail.")
    async def fail() -> None:
        raise UnavailableError("the database is away", retry_after=retry_after)

    async with client(app, over=over) as caller:
        assert (await caller.call("fail")).code == "unavailable"


@pytest.mark.requirement("ERR-02")
async def test_an_author_s_own_kind_of_refusal_has_the_code_it_states(over: Over):
    app = new_app()

    class TooOftenError(Refusal):
        code = Code.RATE_LIMITED

    @app.action(description="Fail.")
    async def fail() -> None:
        raise TooOftenError("once a day", retry_after=60)

    async with client(app, over=over) as caller:
        answer = await caller.call("fail")
    assert answer.error == {"code": "rate_limited", "message": "once a day", "retryable": True, "retry_after": 60}


@pytest.mark.requirement("ERR-01")
@pytest.mark.parametrize("text", ["\ud800", "\x00", "ä" * 100_000])
async def test_a_message_that_no_wire_can_carry_is_no_crash(over: Over, text: str):
    app = new_app()

    @app.action(description="Fail.")
    async def fail() -> None:
        raise NotFoundError(text)

    async with client(app, over=over) as caller:
        assert (await caller.call("fail")).code in {"not_found", "internal"}
