"""The mechanical caller against a shop that keeps its promises, and against shops that break one each."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.cold.shop import DETAIL, LIST, SHOP, STOCK, Shop, Spoil, failures, told, tried

from afford.cold.replies import UNREACHABLE, Refusal, Reply, Verdict
from afford.cold.report import Source
from afford.cold.run import Allow, ordered
from afford.errors import JsonObject, JsonValue
from afford.lint.target import Described, Origin, Target, target


@pytest.mark.requirement("COLD-01")
async def test_a_catalog_that_keeps_its_promises_is_green_from_the_first_call_on() -> None:
    run = await tried(Shop())
    report = run.report()
    assert report.failures == ()
    assert not report.has_failed
    assert report.rate() == (2, 2)
    mended, retried = report.retry_rate()
    assert mended == retried > 5


@pytest.mark.requirement("COLD-02")
async def test_examples_are_called_verbatim_first() -> None:
    shop = Shop()
    await tried(shop)
    assert shop.called("list_items")[0] == LIST.example_params
    assert shop.called("get_item")[0] == DETAIL.example_params


@pytest.mark.requirement("COLD-03")
async def test_an_id_is_taken_from_a_live_row_into_the_operation_that_requires_it() -> None:
    shop = Shop()
    report = (await tried(shop)).report()
    assert {"item_id": 1} in shop.called("get_item")
    assert next(item for item in report.operations if item.name == "get_item").joins == 1


@pytest.mark.requirement("COLD-03")
async def test_an_operation_without_an_example_is_called_with_the_ids_of_live_rows() -> None:
    bare = without_example(DETAIL)
    report = (await tried(Shop(), of(LIST, bare))).report()
    detail = next(item for item in report.operations if item.name == "get_item")
    assert (detail.source, detail.first) == (Source.JOIN, Verdict.OK)


@pytest.mark.requirement("COLD-03")
async def test_an_id_that_nobody_publishes_is_a_failure() -> None:
    schema: JsonObject = {
        "type": "array",
        "items": {"type": "object", "properties": {"name": {"type": "string", "description": "A name."}}},
    }
    without_id = of(replace(LIST, output_schema=schema), replace(DETAIL, output_schema=schema))
    assert ("get_item", "join") in failures(await tried(Shop(), without_id))


@pytest.mark.requirement("COLD-04")
async def test_pages_are_followed_to_the_end_and_counted() -> None:
    listed = next(item for item in (await tried(Shop())).report().operations if item.name == "list_items")
    assert (listed.pages, listed.rows) == (3, len(STOCK))


def wrong_total(name: str, _arguments: JsonObject, reply: Reply) -> Reply:
    return replace(reply, total=99) if name == "list_items" and reply.refusal is None else reply


def endless(name: str, _arguments: JsonObject, reply: Reply) -> Reply:
    is_page = name == "list_items" and reply.refusal is None
    return replace(reply, following="0", total=None) if is_page else reply


def repeating(name: str, _arguments: JsonObject, reply: Reply) -> Reply:
    is_page = name == "list_items" and reply.refusal is None
    return replace(reply, value=STOCK[: len(reply.rows)]) if is_page else reply


def lost_pages(name: str, _arguments: JsonObject, reply: Reply) -> Reply:
    is_last = name == "list_items" and reply.refusal is None and reply.following is None
    return Reply(refusal=Refusal(code="bad_request", message="bad cursor", status=400)) if is_last else reply


def other_rows(name: str, _arguments: JsonObject, reply: Reply) -> Reply:
    rows: list[JsonValue] = [{"item_id": "3", "name": "thing"}]
    return replace(reply, value=rows) if name == "get_item" and reply.refusal is None else reply


def lenient(name: str, arguments: JsonObject, reply: Reply) -> Reply:
    return Reply(value=STOCK[:1]) if name == "get_item" and reply.verdict is Verdict.MALFORMED else reply


def crashing(name: str, arguments: JsonObject, reply: Reply) -> Reply:
    crash = Reply(refusal=Refusal(code="internal", message="the service failed", status=500))
    return crash if name == "get_item" and reply.verdict is Verdict.MALFORMED else reply


def tight_lipped(name: str, _arguments: JsonObject, reply: Reply) -> Reply:
    mute = Reply(refusal=Refusal(code="bad_request", message="bad request", status=400))
    return mute if name == "get_item" and reply.verdict is Verdict.MALFORMED else reply


def misleading(name: str, _arguments: JsonObject, reply: Reply) -> Reply:
    if name != "get_item" or reply.refusal is None or not reply.refusal.faults:
        return reply
    faults: tuple[JsonObject, ...] = tuple({**fault, "suggestion": "nine"} for fault in reply.refusal.faults)
    return replace(reply, refusal=replace(reply.refusal, faults=faults))


def stricter(name: str, arguments: JsonObject, reply: Reply) -> Reply:
    if name != "list_items" or arguments.get("least") != 50:
        return reply
    fault: JsonObject = {"pointer": "/least", "code": "out_of_range", "message": "at most 40"}
    return Reply(refusal=Refusal(code="bad_request", message="too much", faults=(fault,), status=400))


def demanding(name: str, arguments: JsonObject, reply: Reply) -> Reply:
    if name != "list_items" or "size" in arguments:
        return reply
    fault: JsonObject = {"pointer": "/size", "code": "missing", "message": "size is required"}
    return Reply(refusal=Refusal(code="bad_request", message="size is required", faults=(fault,), status=400))


def gone(name: str, arguments: JsonObject, reply: Reply) -> Reply:
    absent = Reply(refusal=Refusal(code="not_found", message="there is none", status=404))
    return absent if name == "get_item" and arguments == DETAIL.example_params else reply


def dead_ids(name: str, arguments: JsonObject, reply: Reply) -> Reply:
    absent = Reply(refusal=Refusal(code="not_found", message="there is none", status=404))
    return absent if name == "get_item" and arguments == {"item_id": 1} else reply


def unreachable(name: str, _arguments: JsonObject, reply: Reply) -> Reply:
    return Reply(refusal=Refusal(code=UNREACHABLE, message="gone")) if name == "get_item" else reply


@pytest.mark.requirement("COLD-05")
@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (wrong_total, ("list_items", "pages")),
        (repeating, ("list_items", "pages")),
        (lost_pages, ("list_items", "pages")),
        (other_rows, ("get_item", "answer")),
        (lenient, ("get_item", "refusal")),
        (crashing, ("get_item", "refusal")),
        (tight_lipped, ("get_item", "refusal")),
        (misleading, ("get_item", "retry")),
        (stricter, ("list_items", "accepted")),
        (demanding, ("list_items", "required")),
        (gone, ("get_item", "first_call")),
        (dead_ids, ("get_item", "join")),
        (unreachable, ("get_item", "answer")),
    ],
)
async def test_a_server_that_breaks_one_promise_goes_red_for_it(spoil: Spoil, expected: tuple[str, str]) -> None:
    assert expected in failures(await tried(Shop(spoil)))


@pytest.mark.parametrize("pointer", ["", "item_id", "/a~1b", 7])
async def test_a_pointer_that_leads_nowhere_names_no_input_and_ends_no_run(pointer: JsonValue) -> None:
    def odd(name: str, _arguments: JsonObject, reply: Reply) -> Reply:
        fault: JsonObject = {"pointer": pointer, "code": "missing", "message": "no"}
        refusal = Refusal(code="bad_request", message="no", faults=(fault,), status=400)
        return Reply(refusal=refusal) if name == "get_item" and reply.verdict is Verdict.MALFORMED else reply

    assert ("get_item", "refusal") in failures(await tried(Shop(odd)))


async def test_pages_without_an_end_are_given_up() -> None:
    run = await tried(Shop(endless))
    assert "given up" in told(run.report().findings)


@pytest.mark.requirement("COLD-06")
async def test_by_default_only_what_says_that_it_reads_is_called() -> None:
    shop = Shop()
    report = (await tried(shop)).report()
    assert {name for name, _ in shop.calls} == {"list_items", "get_item"}
    assert {item.name for item in report.operations if item.not_called} == {"buy", "burn"}


@pytest.mark.requirement("COLD-06")
async def test_actions_are_called_when_they_are_allowed_and_what_is_destructive_only_then() -> None:
    shop = Shop()
    await tried(shop, allow=Allow.ACTIONS)
    assert shop.called("buy")
    assert not shop.called("burn")
    await tried(shop, allow=Allow.DESTRUCTIVE)
    assert shop.called("burn")


@pytest.mark.requirement("COLD-06")
async def test_a_repaired_action_is_judged_and_not_done_again() -> None:
    shop = Shop()
    run = await tried(shop, allow=Allow.ACTIONS)
    schema = next(item for item in SHOP.operations if item.name == "buy").input_schema
    assert schema is not None
    done = [arguments for arguments in shop.called("buy") if isinstance(arguments.get("item_id"), int)]
    assert [arguments for arguments in done if arguments["item_id"] != 0 and len(arguments) == 1] == [{"item_id": 3}]
    assert next(item for item in run.report().operations if item.name == "buy").mended > 2


async def test_a_tool_that_does_not_say_what_it_does_counts_as_destructive() -> None:
    unknown = Described(name="wipe", description="Wipe.", reads=None, input_schema={"type": "object"})
    for hints, allow in ((None, Allow.DESTRUCTIVE), ({"destructiveHint": False}, Allow.ACTIONS)):
        item = replace(unknown, hints=hints)
        lesser = Allow.READS if allow is Allow.ACTIONS else Allow.ACTIONS
        run = await tried(Shop(), target(Origin.MCP, item), allow=lesser)
        assert "--allow" in run.report().operations[0].not_called


async def test_a_run_that_calls_nothing_fails() -> None:
    assert (await tried(Shop(), target(Origin.CATALOG))).report().has_failed


async def test_calls_end_at_their_most_and_the_report_says_so() -> None:
    run = await tried(Shop(), most_calls=7)
    report = run.report()
    assert report.calls == 7
    assert "--max-calls" in report.stopped
    assert len(report.operations) == len(SHOP.operations)


async def test_every_operation_is_used_before_mistakes_are_made() -> None:
    report = (await tried(Shop(), most_calls=20)).report()
    reads = [item for item in report.operations if item.reads]
    assert all(item.first is Verdict.OK for item in reads)
    assert any(item.mistakes == 0 for item in reads)


async def test_an_operation_waiting_for_a_person_counts_as_called_right() -> None:
    def held(name: str, _arguments: JsonObject, reply: Reply) -> Reply:
        waiting = Reply(refusal=Refusal(code="confirmation_required", message="ask", status=428))
        return waiting if name == "burn" and reply.refusal is None else reply

    report = (await tried(Shop(held), allow=Allow.DESTRUCTIVE)).report()
    assert next(item for item in report.operations if item.name == "burn").first is Verdict.HELD
    assert report.failures == ()


async def test_a_refused_first_call_is_repaired_and_counted_as_a_retry() -> None:
    stale = replace(LIST, example_params={"size": "smal"})
    report = (await tried(Shop(), of(stale, DETAIL))).report()
    listed = next(item for item in report.operations if item.name == "list_items")
    assert (listed.first, listed.first_retry) == (Verdict.MALFORMED, True)
    assert report.rate() == (1, 2)
    assert ("list_items", "first_call") in {(item.operation, item.check.value) for item in report.failures}


async def test_an_example_of_a_read_that_leads_nowhere_counts_as_a_wrong_first_call() -> None:
    assert (await tried(Shop(gone))).report().rate() == (1, 2)


async def test_a_write_whose_example_was_used_up_is_tried_with_a_live_id_and_is_nobody_s_fault() -> None:
    def sold(name: str, arguments: JsonObject, reply: Reply) -> Reply:
        taken = Reply(refusal=Refusal(code="SOLD", message="it is sold", status=409))
        return taken if name == "buy" and arguments == {"item_id": 3} else reply

    shop = Shop(sold)
    report = (await tried(shop, allow=Allow.ACTIONS)).report()
    assert {"item_id": 1} in shop.called("buy")
    assert report.failures == ()
    assert report.rate() == (2, 2)


async def test_a_write_that_got_no_reply_is_not_tried_in_another_way() -> None:
    def lost(name: str, _arguments: JsonObject, reply: Reply) -> Reply:
        return Reply(refusal=Refusal(code=UNREACHABLE, message="gone")) if name == "buy" else reply

    shop = Shop(lost)
    await tried(shop, allow=Allow.ACTIONS)
    assert len(shop.called("buy")) == 1


async def test_who_publishes_an_id_is_called_before_who_takes_it_and_destruction_comes_last() -> None:
    names = [item.name for item in ordered(SHOP)]
    assert names.index("list_items") < names.index("get_item")
    assert names[-1] == "burn"


async def test_two_runs_make_the_same_calls() -> None:
    first, second = Shop(), Shop()
    await tried(first, ablate=True)
    await tried(second, ablate=True)
    assert first.calls == second.calls


def without_example(item: Described) -> Described:
    return replace(item, example_params=None, example_row=None)


def of(*operations: Described) -> Target:
    return target(Origin.CATALOG, *operations, name="shop")
