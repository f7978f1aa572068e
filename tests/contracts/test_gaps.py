"""Documentation gaps: what agents may see and nobody described, told at the start, on demand and in the shell."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from typing import Literal

import pytest
from pydantic import BaseModel
from tests.contracts.links import client

from afford import App, CatalogError, Diagnostic, Feature, anyone, find_agent_doc_gaps, roles

OPERATION, SCREEN, ENTITY = "GAP101", "GAP102", "GAP103"
KINDS = ("query", "static", "action", "event")


class Address(BaseModel):
    street: str


class Widget(BaseModel):
    widget_id: int
    address: Address | None = None


async def read() -> int:
    return 1


async def write() -> None: ...


def declare(app: App | Feature, kind: str, id: str, **options: object) -> None:
    options.setdefault("access", anyone())
    getattr(app, kind)(id=id, **options)(read if kind in ("query", "static") else write)


def gaps(app: App) -> list[tuple[str, str]]:
    """Subject and code of every gap, in the order they are told."""
    return [(gap.subject, gap.code) for gap in find_agent_doc_gaps(app)]


def app_with(kind: str = "query", **options: object) -> App:
    app = App("shop", roles=("staff",))
    declare(app, kind, "it", **options)
    return app


@pytest.mark.requirement("GAP-02", "GAP-03", "KUM-25", "KUM-40")
def test_three_undescribed_handlers_are_three_gaps_sorted_by_what_they_are_about() -> None:
    app, feature = App("shop"), Feature("widget")
    declare(app, "action", "update")
    declare(feature, "query", "list")
    declare(app, "action", "Zap")
    app.include(feature)
    assert gaps(app) == [("Zap", OPERATION), ("update", OPERATION), ("widget:list", OPERATION)]


@pytest.mark.requirement("GAP-03", "KUM-26")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "options", [{"description": "Counts."}, {"agent": {"description": "Counts."}}, {"agent": {"expose": False}}]
)
def test_a_handler_that_is_described_or_opted_out_is_no_gap(kind: str, options: dict[str, object]) -> None:
    assert gaps(app_with(kind, **options)) == []


@pytest.mark.requirement("GAP-03", "KUM-29")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_blank_text_is_a_gap(kind: str, text: str) -> None:
    assert gaps(app_with(kind, description=text)) == [("it", OPERATION)]
    assert gaps(app_with(kind, agent={"description": text})) == [("it", OPERATION)]


@pytest.mark.requirement("GAP-03", "GAP-06", "KUM-27")
@pytest.mark.parametrize("risk", ["low", "mid", "high"])
def test_a_handler_that_opted_out_is_no_gap_whatever_its_risk(risk: str) -> None:
    assert gaps(app_with("action", risk=risk, agent={"expose": False})) == []


@pytest.mark.requirement("GAP-03", "KUM-28")
def test_an_exposed_handler_without_text_is_one_gap_that_does_not_call_it_invisible() -> None:
    (exposed,) = find_agent_doc_gaps(app_with(agent={"expose": True}))
    (hidden,) = find_agent_doc_gaps(app_with())
    assert (exposed.code, exposed.subject) == (hidden.code, hidden.subject)
    assert "do not see" not in exposed.message
    assert "do not see" in hidden.message


@pytest.mark.requirement("GAP-06", "KUM-43")
@pytest.mark.parametrize("expose", [None, True])
def test_high_risk_adds_no_gap_and_changes_none(expose: bool | None) -> None:  # noqa: FBT001 - three states
    told = [find_agent_doc_gaps(app_with("action", risk=risk, agent={"expose": expose})) for risk in ("mid", "high")]
    assert len(told[0]) == 1
    assert texts(told[0]) == texts(told[1])
    assert gaps(app_with("action", risk="high", description="Deletes all.")) == []


@pytest.mark.requirement("GAP-04", "KUM-31", "KUM-32", "KUM-33", "KUM-34", "KUM-41")
@pytest.mark.parametrize(
    ("type", "options", "gap"),
    [
        ("custom", {}, True),
        ("custom", {"description": " "}, True),
        ("custom", {"agent": {"expose": True}}, True),
        ("custom", {"agent": {"expose": False}}, False),
        ("custom", {"description": "Diagnostics."}, False),
        ("custom", {"agent": {"description": "Diagnostics."}}, False),
        ("dashboard", {}, False),
        ("list", {}, False),
        ("detail", {}, False),
        ("form", {"agent": {"expose": True}}, False),
    ],
)
def test_a_custom_screen_without_text_that_did_not_opt_out_is_a_gap(
    type: Literal["dashboard", "list", "detail", "form", "custom"], options: dict[str, object], *, gap: bool
) -> None:
    app = App("shop")
    app.screen("internal-debug", type=type, **options)  # type: ignore[arg-type]
    assert gaps(app) == ([("shop:screen:internal-debug", SCREEN)] if gap else [])
    for found in find_agent_doc_gaps(app):
        assert "description" in found.fix
        assert "'expose': False" in found.fix


def with_entities(*, described: Iterable[str] = ()) -> App:
    app = App("shop", roles=("staff",))
    for name, model in (("stockItem", Widget), ("address", Address)):
        app.entity(name, model, description=f"A {name}." if name in described else None)
    return app


ABOUT = {"entity": "stockItem", "description": "Counts."}


@pytest.mark.requirement("GAP-05", "KUM-35", "KUM-37", "KUM-38")
@pytest.mark.parametrize("kinds", [("query",), ("query", "action"), ("action", "event", "static")])
def test_an_undescribed_entity_is_one_gap_under_its_raw_name_however_many_operations_reach_it(
    kinds: tuple[str, ...],
) -> None:
    app = with_entities(described=["address"])
    for kind in kinds:
        declare(app, kind, f"{kind}_it", **ABOUT)
    assert gaps(app) == [("shop:entity:stockItem", ENTITY)]


@pytest.mark.requirement("GAP-05", "KUM-36")
@pytest.mark.parametrize(
    "options", [{"agent": {"expose": False}}, {"enabled": False}, {"entity": None}], ids=["opted out", "off", "none"]
)
def test_an_entity_that_no_agent_reaches_is_no_gap(options: dict[str, object]) -> None:
    app = with_entities()
    declare(app, "query", "it", **{**ABOUT, **options})
    assert gaps(app) == []


@pytest.mark.requirement("GAP-05")
def test_an_entity_of_an_undescribed_handler_is_no_gap_of_its_own() -> None:
    app = with_entities()
    declare(app, "query", "it", entity="stockItem")
    assert gaps(app) == [("it", OPERATION)]


@pytest.mark.requirement("GAP-05")
def test_an_entity_of_a_denied_operation_is_no_gap() -> None:
    app = App("shop", deny=["it"])
    app.entity("stockItem", Widget)
    declare(app, "query", "it", **ABOUT)
    assert gaps(app) == []


@pytest.mark.requirement("GAP-05")
def test_an_undescribed_entity_one_reference_away_is_listed_and_so_a_gap() -> None:
    app = with_entities(described=["stockItem"])
    declare(app, "query", "it", **ABOUT)
    assert [entity.name for entity in app.manifest().entities] == ["address", "stockItem"]
    assert gaps(app) == [("shop:entity:address", ENTITY)]


@pytest.mark.requirement("GAP-05")
def test_whether_callers_hold_the_right_role_does_not_matter() -> None:
    app = with_entities(described=["address"])
    declare(app, "query", "it", **{**ABOUT, "access": roles("staff")})
    assert gaps(app) == [("shop:entity:stockItem", ENTITY)]


@pytest.mark.requirement("GAP-05")
def test_a_feature_s_entity_is_the_entity_of_its_operations() -> None:
    app, feature = with_entities(described=["address"]), Feature("stock", entity="stockItem")
    declare(feature, "query", "list", description="Lists.")
    app.include(feature)
    assert gaps(app) == [("shop:entity:stockItem", ENTITY)]


@pytest.mark.requirement("KUM-30")
def test_an_exposed_operation_whose_types_have_no_schema_is_reported_with_its_id() -> None:
    app = App("shop")

    @app.query(access=anyone(), description="Adds.")
    async def add(number: complex) -> int:
        return 1

    with pytest.raises(CatalogError) as raised:
        find_agent_doc_gaps(app)
    assert [(item.subject, item.code) for item in raised.value.diagnostics] == [("add", "SCH101")]


def undescribed() -> App:
    app, feature = with_entities(), Feature("desk", access=anyone())
    declare(app, "action", "zap", **ABOUT)
    declare(app, "query", "open", agent={"expose": True})
    declare(feature, "query", "open", risk="high")
    feature.screen("debug", type="custom")
    app.include(feature)
    return app


SUBJECTS = ["desk:open", "desk:screen:debug", "open", "shop:entity:address", "shop:entity:stockItem"]


def described() -> App:
    app = with_entities(described=["address", "stockItem"])
    declare(app, "action", "zap", **ABOUT)
    app.screen("debug", type="custom", description="Diagnostics.")
    return app


@pytest.mark.requirement("GAP-02", "KUM-40", "KUM-41")
def test_gaps_of_all_sorts_are_sorted_by_what_they_are_about_and_name_it() -> None:
    told = find_agent_doc_gaps(undescribed())
    assert [gap.subject for gap in told] == SUBJECTS
    for gap in told:
        assert gap.subject in str(gap)
        assert gap.message in str(gap)
        assert str(gap).endswith(gap.fix)
        assert gap.location is not None
        assert gap.location.startswith("test_gaps.py:")


@pytest.mark.requirement("KUM-39")
def test_a_fully_described_app_has_no_gaps() -> None:
    assert gaps(described()) == []


@pytest.mark.requirement("GAP-01", "KUM-42")
async def test_an_app_with_gaps_starts_and_warns_once_for_each(caplog: pytest.LogCaptureFixture) -> None:
    app = undescribed()
    with caplog.at_level(logging.WARNING, logger="afford"):
        for _ in range(2):
            async with client(app, over="http") as caller:
                assert (await caller.call("open")).code == "ok"
    warned = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warned) == len(SUBJECTS)
    for gap, message in zip(find_agent_doc_gaps(app), warned, strict=True):
        assert str(gap) in message


@pytest.mark.requirement("GAP-01", "KUM-42")
async def test_an_app_without_gaps_starts_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="afford"):
        async with client(described()) as caller:
            assert (await caller.call("zap")).code == "ok"
    assert caplog.records == []


@pytest.mark.requirement("GAP-07")
def test_the_command_line_reports_the_same_gaps_and_fails_on_them(capsys: pytest.CaptureFixture[str]) -> None:
    app = undescribed()
    with pytest.raises(SystemExit) as left:
        app.cli(["check", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert left.value.code == 1
    assert [Diagnostic(**item) for item in told] == list(find_agent_doc_gaps(app))


@pytest.mark.requirement("GAP-07")
def test_the_command_line_is_content_without_gaps(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        described().cli(["check", "--json"])
    assert left.value.code == 0
    assert json.loads(capsys.readouterr().out) == []


def texts(found: Iterable[Diagnostic]) -> list[tuple[str, str, str, str]]:
    return [(gap.code, gap.subject, gap.message, gap.fix) for gap in found]
