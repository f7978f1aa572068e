"""A model in the place of the mechanical caller, played by a scripted endpoint on a socket of this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.unit.cold.scripted import Script, answering
from tests.unit.cold.shop import SHOP, Shop, meter, tried

from afford.cold.assistant import Endpoint, play
from afford.cold.goals import Goal, ModelError
from afford.cold.report import PickReport
from afford.cold.run import Allow
from afford.cold.session import Aims

KEY = "secret-key"
FIND = Goal(text="Show me big things", call="list_items", arguments={"size": "big"})


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def endpoint(script: Script) -> Iterator[Endpoint]:
    with answering(script) as address:
        yield Endpoint(url=address, model="scripted", key=KEY, seconds=10)


async def played(endpoint: Endpoint, *goals: Goal, shop: Shop | None = None, allow: Allow = Allow.READS) -> PickReport:
    return await play(goals, SHOP, meter(shop or Shop()), allow, endpoint)


@pytest.mark.requirement("COLD-09")
async def test_the_model_gets_the_catalog_as_tools_and_the_goal_and_its_call_is_made(
    script: Script, endpoint: Endpoint
) -> None:
    shop = Shop()
    script.calls("list_items", '{"size": "big"}')
    report = await played(endpoint, FIND, shop=shop)
    assert (report.by, report.hit1, report.first_calls, report.retries) == ("scripted", 1, 1, 0)
    assert shop.calls == [("list_items", {"size": "big"})]
    (request,) = script.requests
    assert request["path"] == "/v1/chat/completions"
    assert [tool["function"]["name"] for tool in request["tools"]] == [item.name for item in SHOP.operations]
    assert request["messages"][-1]["content"] == FIND.text
    assert script.keys == [f"Bearer {KEY}"]


@pytest.mark.requirement("COLD-09")
async def test_after_an_error_the_model_is_told_and_has_one_more_call(script: Script, endpoint: Endpoint) -> None:
    script.calls("list_items", '{"size": "large"}')
    script.calls("list_items", '{"size": "big"}')
    report = await played(endpoint, FIND)
    assert (report.hit1, report.first_calls, report.retries) == (1, 0, 1)
    told = json.loads(script.requests[1]["messages"][-1]["content"])
    assert told["errors"][0]["pointer"] == "/size"


async def test_there_is_no_third_call(script: Script, endpoint: Endpoint) -> None:
    for _ in range(3):
        script.calls("list_items", '{"size": "large"}')
    report = await played(endpoint, FIND)
    assert (report.first_calls, report.retries, len(script.requests)) == (0, 0, 2)


@pytest.mark.requirement("COLD-06")
async def test_what_is_not_allowed_is_judged_by_its_schema_and_not_called(script: Script, endpoint: Endpoint) -> None:
    shop = Shop()
    script.calls("burn", '{"order_id": "o-1"}')
    report = await played(endpoint, Goal(text="Burn order o-1", call="burn"), shop=shop)
    assert (report.first_calls, shop.calls) == (1, [])


async def test_a_wrong_pick_is_a_confusion_and_other_arguments_are_no_right_call(
    script: Script, endpoint: Endpoint
) -> None:
    script.calls("get_item", '{"item_id": 3}')
    script.calls("list_items", '{"size": "small"}')
    report = await played(endpoint, FIND, FIND)
    assert report.confusions == ((FIND.text, "list_items", "get_item"),)
    assert (report.hit1, report.first_calls, report.retries) == (1, 0, 0)


@pytest.mark.parametrize("written", ["{", "[]", '"text"'])
async def test_arguments_that_are_no_object_are_an_error_that_the_model_is_told(
    script: Script, endpoint: Endpoint, written: str
) -> None:
    script.calls("list_items", written)
    script.calls("list_items", '{"size": "big"}')
    assert (await played(endpoint, FIND)).retries == 1


async def test_a_model_that_only_talks_or_invents_a_tool_picks_nothing_right(
    script: Script, endpoint: Endpoint
) -> None:
    script.says("Sure.")
    script.calls("find_things", "{}")
    script.calls("find_things", "{}")
    report = await played(endpoint, FIND, FIND)
    assert [picked for _, _, picked in report.confusions] == ["", "find_things"]


@pytest.mark.requirement("COLD-09")
@pytest.mark.parametrize("answer", [401, b"no json", b"{}", b'{"choices": []}'])
async def test_an_endpoint_that_does_not_answer_is_one_failure_without_the_key(
    script: Script, endpoint: Endpoint, answer: bytes | int
) -> None:
    script.answers.append(answer)
    with pytest.raises(ModelError) as failed:
        await played(endpoint, FIND)
    assert KEY not in str(failed.value)


async def test_what_the_run_knows_survives_a_model_that_cannot_be_asked() -> None:
    gone = Endpoint(url="http://127.0.0.1:9", model="gone", seconds=2)
    aims = Aims(goals=(FIND,), play=lambda target, counted: play((FIND,), target, counted, Allow.READS, gone))
    report = (await tried(Shop(), aims=aims)).report()
    assert [item.check.value for item in report.failures] == ["goal"]
    assert report.rate() == (2, 2)
