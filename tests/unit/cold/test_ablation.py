"""One thing broken in a copy of the catalog: the run goes red, or says that nobody noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.cold.shop import BUY, DETAIL, LIST, Shop, meter, silent, tried

from afford.cold.ablation import KINDS, Ablation, ablations
from afford.cold.goals import Goal
from afford.cold.report import AblationReport, Notebook
from afford.cold.run import Allow, Extent, run
from afford.cold.session import Aims, ColdRun, Plan
from afford.errors import JsonObject
from afford.lint.samples import closed
from afford.lint.target import Origin, Target, target

WHOLE = target(Origin.CATALOG, LIST, DETAIL, name="shop")


async def candidates() -> tuple[list[Ablation], JsonObject]:
    facts: JsonObject = {}
    notes = Notebook()
    extent = Extent(allow=Allow.READS, names=frozenset({"list_items", "get_item"}))
    await run(WHOLE, meter(Shop()), extent, notes, facts)
    return [item for found in ablations(WHOLE, notes).values() for item in found], facts


@pytest.mark.requirement("COLD-07")
async def test_everything_that_can_be_broken_in_the_shop_goes_red() -> None:
    found, facts = await candidates()
    assert len(found) > 10
    green: list[str] = []
    for item in found:
        notes = Notebook()
        extent = Extent(allow=Allow.READS, names=frozenset({item.operation}), with_mistakes=False)
        await run(item.target(WHOLE), meter(Shop()), extent, notes, dict(facts))
        if not notes.failed():
            green.append(f"{item.kind}: {item.operation}, {item.place}")
    assert green == []


@pytest.mark.requirement("COLD-07")
async def test_one_thing_of_each_kind_is_broken_by_the_seed_and_the_rest_is_told() -> None:
    report = (await tried(Shop(), WHOLE, ablate=True)).report()
    assert len(report.ablations) + len(report.not_ablated) == len(KINDS)
    assert report.unnoticed == ()
    assert not report.has_failed


async def test_bounds_that_every_number_has_are_not_broken() -> None:
    whole: JsonObject = {"type": "integer", "minimum": -(2**53) + 1, "maximum": 2**53 - 1, "description": "Any."}
    plain = replace(LIST, input_schema=closed({"least": whole}), example_params={})
    notes = Notebook()
    notes.of("list_items").answers = 1
    assert ablations(target(Origin.CATALOG, plain), notes)["bounds"] == []


async def test_another_seed_may_break_another_thing() -> None:
    chosen = {tuple(item.place for item in (await seeded(seed)).report().ablations) for seed in range(6)}
    assert len(chosen) > 1


async def seeded(seed: int) -> ColdRun:
    made = ColdRun(WHOLE, Shop(), Plan(ablate=True, seed=seed), Aims(), silent)
    await made.run()
    return made


@pytest.mark.requirement("COLD-07")
async def test_an_ablation_that_nobody_notices_fails_the_run() -> None:
    made = await tried(Shop(), WHOLE)
    made.notebook.ablations.append(AblationReport(kind="type", operation="get_item", place="the type", red=()))
    assert made.report().has_failed


@pytest.mark.requirement("COLD-07")
async def test_a_catalog_in_which_nothing_can_be_broken_fails_the_run_that_wanted_it() -> None:
    number: JsonObject = {"type": "integer", "minimum": 1, "description": "Printed on the shelf."}
    alone = target(Origin.CATALOG, replace(BUY, input_schema=closed({"item_id": number}, "item_id")))
    assert (await tried(Shop(), alone, allow=Allow.ACTIONS, ablate=True)).report().has_failed
    assert not (await tried(Shop(), alone, allow=Allow.ACTIONS)).report().has_failed


async def test_the_whole_catalog_is_left_as_it_is() -> None:
    before = repr(WHOLE)
    await tried(Shop(), WHOLE, ablate=True)
    assert repr(WHOLE) == before


async def test_a_description_that_is_gone_loses_the_goals_that_led_to_it() -> None:
    catalog: Target = WHOLE
    goals = (Goal(text="What is sold here?", call="list_items"),)
    report = (await tried(Shop(), catalog, ablate=True, aims=Aims(goals=goals))).report()
    lost = [item for item in report.ablations if item.kind == "description" and item.operation == "list_items"]
    for item in lost:
        assert "goal" in {finding.check.value for finding in item.red}
