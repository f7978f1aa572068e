"""Names: the grammar of ids, the one wire name on every surface, and what is taken or reserved."""

from __future__ import annotations

import re
from typing import Final

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.contracts.links import Over, client

from afford import App, Caller, CatalogError, Door, Feature, Surface, anyone
from afford.surfaces.http.project import CATALOG_SCHEMA

GRAMMAR: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(:[A-Za-z][A-Za-z0-9_-]*)*")
RESERVED: Final = ("schema", "manifest", "openapi", "mcp", "health", "console", "webmcp", "approvals")
FREE_IDS: Final = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,3}", fullmatch=True).filter(
    lambda id: id.lower() not in RESERVED
)


async def one() -> int:
    return 1


def app_with(*ids: str) -> App:
    app = App("names")
    for id in ids:
        app.query(id=id, access=anyone(), description="Answers one.")(one)
    return app


def codes(app: App) -> list[str]:
    """Codes of the build errors; none where it builds."""
    try:
        app.build()
    except CatalogError as error:
        return [item.code for item in error.diagnostics]
    return []


@pytest.mark.requirement("NAME-01")
@pytest.mark.parametrize(
    "id", ["list", "widget:list", "widget:internalDebug", "a", "Z", "a-b_c9", "a:b:c", "widget:createStep-2", "x" * 64]
)
def test_segments_of_letters_digits_underscores_and_dashes_are_an_id(id: str) -> None:
    assert codes(app_with(id)) == []


@pytest.mark.requirement("NAME-01", "CASE-K35")
@pytest.mark.parametrize(
    "id",
    [
        "bad name!",
        "",
        ":",
        "a:",
        ":a",
        "a::b",
        "9a",
        "a:9",
        "_a",
        "-a",
        "a.b",
        "a/b",
        "a b",
        "a\n",
        "ä",
        "a%20",
        "x" * 65,
    ],
)
def test_anything_else_fails_the_build(id: str) -> None:
    assert codes(app_with(id)) == ["DEC101"]


@pytest.mark.requirement("NAME-01", "NAME-02")
@given(st.text(st.sampled_from("aZ9_-: .é"), max_size=8))
@example("a:b-C_9")
def test_an_id_is_accepted_exactly_if_the_grammar_derives_it(id: str) -> None:
    assert (codes(app_with(id)) == []) is (GRAMMAR.fullmatch(id) is not None)


@pytest.mark.requirement("NAME-02", "CASE-K35")
def test_the_length_that_counts_is_the_wire_name_s() -> None:
    for length, expected in ((64, []), (65, ["DEC101"])):
        app, feature = App("names"), Feature("widget", access=anyone())
        feature.query(id="x" * (length - len("widget_")))(one)
        app.include(feature)
        assert codes(app) == expected


@pytest.mark.requirement("NAME-02")
async def test_the_wire_name_is_the_same_on_every_surface(over: Over) -> None:
    app = app_with("widget:sub-part:list_all")
    name = "widget_sub-part_list_all"
    async with client(app, over=over) as caller:
        assert await caller.names() == [name]
        assert (await caller.call(name)).code == "ok"
        assert (await caller.call("widget:sub-part:list_all")).code == "unknown_operation"
    for surface in Surface:
        for door in Door:
            (operation,) = app.manifest(Caller(door=door, surface=surface)).operations
            assert (operation.wire_name, operation.id) == (name, "widget:sub-part:list_all")


@pytest.mark.requirement("NAME-02")
async def test_every_document_uses_the_wire_name() -> None:
    app = app_with("widget:list")
    transport = httpx.ASGITransport(app=app.asgi())  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        openapi = (await http.get("/openapi.json")).json()
        assert list(openapi["paths"]) == ["/widget_list"]
        assert openapi["paths"]["/widget_list"]["get"]["operationId"] == "widget_list"
        assert [item["name"] for item in (await http.get("/schema")).json()["queries"]] == ["widget_list"]
        (listed,) = (await http.get("/manifest")).json()["operations"]
        assert (listed["id"], listed["name"]) == ("widget:list", "widget_list")


@pytest.mark.requirement("NAME-02")
def test_the_published_descriptor_schema_takes_every_wire_name_and_no_other() -> None:
    pattern = re.compile(CATALOG_SCHEMA["$defs"]["descriptor"]["properties"]["name"]["pattern"])  # type: ignore[index,call-overload,arg-type]
    for name in ("a", "a-b_9", "A" * 64):
        assert pattern.search(name)
    for name in ("", "9", "a:b", "a b", "A" * 65):
        assert not pattern.search(name)


@pytest.mark.requirement("NAME-03", "CASE-K35")
@pytest.mark.parametrize(
    "ids",
    [("getUser", "getuser"), ("a:b", "a_b"), ("a:b_c", "a_b:c"), ("list", "list"), ("A:b", "a_B")],
    ids=" ".join,
)
def test_equal_wire_names_fail_the_build_also_when_only_case_differs(ids: tuple[str, str]) -> None:
    assert codes(app_with(*ids)) == ["DEC102"]


@pytest.mark.requirement("NAME-03")
def test_the_clash_names_both_operations() -> None:
    with pytest.raises(CatalogError) as raised:
        app_with("a:b", "a_b").build()
    (found,) = raised.value.diagnostics
    assert found.subject == "a_b"
    assert "`a:b`" in found.message


@pytest.mark.requirement("NAME-03")
def test_names_that_differ_in_more_than_case_are_two_names() -> None:
    assert codes(app_with("a-b", "a_b", "ab", "a:c", "a1")) == []


@pytest.mark.requirement("NAME-03")
@pytest.mark.parametrize("id", [*RESERVED, "Schema", "MCP", "afford", "afford_x", "afford:navigate", "Affordable"])
def test_reserved_names_fail_the_build(id: str) -> None:
    assert codes(app_with(id)) == ["DEC103"]


@pytest.mark.requirement("NAME-03")
@pytest.mark.parametrize("id", ["schemas", "manifest:list", "mcp-tools", "health_check", "unaffordable"])
def test_names_that_only_resemble_a_reserved_one_are_free(id: str) -> None:
    assert codes(app_with(id)) == []


@pytest.mark.requirement("NAME-03")
async def test_every_fixed_route_is_reserved() -> None:
    app = app_with("other")
    transport = httpx.ASGITransport(app=app.asgi())  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        answered = {
            name for name in ("schema", "manifest", "openapi.json", "health") if (await http.get(f"/{name}")).is_success
        }
    assert {name.partition(".")[0] for name in answered} <= set(RESERVED)
    assert len(answered) == 4


@pytest.mark.requirement("NAME-03")
@pytest.mark.parametrize("name", ["front desk", "", "a:b", "9", "desk!"])
def test_a_feature_s_name_is_one_segment(name: str) -> None:
    app = App("names")
    app.include(Feature(name, access=anyone()))
    assert codes(app) == ["DEC101"]


@pytest.mark.requirement("NAME-04")
@given(st.lists(FREE_IDS, unique_by=str.lower, max_size=12))
def test_operations_are_listed_in_code_point_order_of_their_wire_names(ids: list[str]) -> None:
    listed = [item.wire_name for item in app_with(*ids).manifest().operations]
    assert listed == sorted(ids)
    assert listed == sorted(listed, key=lambda name: [ord(character) for character in name])


def test_a_title_is_made_from_the_name_unless_there_is_one() -> None:
    app = app_with("widget:list_all")
    app.query(id="other", access=anyone(), agent={"title": "Something else"})(one)
    titles = {item.id: (item.title, item.has_title) for item in app.build().operations.values()}
    assert titles == {"widget:list_all": ("Widget: list all", False), "other": ("Something else", True)}
