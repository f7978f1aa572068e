"""What the rules about names find, and above all what they leave alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from afford.lint.engine import run
from afford.lint.naming import convention_of, parts, squashed
from afford.lint.rule import Severity
from afford.lint.rules import all_rules
from afford.lint.samples import SEARCH, clean, with_change, with_input
from afford.lint.target import Origin, Target, target

RULES = [rule for rule in all_rules() if rule.code.startswith("NAM")]


def named(*names: str, origin: Origin = Origin.MCP, reads: bool | None = True, server: str = "") -> Target:
    """A target with nothing in it but operations of these names."""
    return target(origin, *(replace(SEARCH, name=name, description="", reads=reads) for name in names), name=server)


def codes(found: Target) -> list[str]:
    return [item.code for item in run(found, RULES).found]


@pytest.mark.requirement("LINT-25")
@pytest.mark.parametrize("name", ["bad name!", "x" * 129, "", "naïve", "a/b", "get /pets", "名前", "a\nb", "a:b"])
def test_a_name_that_the_protocol_does_not_allow_is_an_error(name: str) -> None:
    found = [item for item in run(named(name), RULES).found if item.code == "NAM101"]
    assert [item.severity for item in found] == [Severity.ERROR]


@pytest.mark.requirement("LINT-25")
@pytest.mark.parametrize("name", ["a", "x" * 57, "get_user", "getUser", "user.get", "user-get", "V2_list", "_private"])
def test_a_name_that_the_protocol_allows_is_none(name: str) -> None:
    assert codes(named(name)) == []


@pytest.mark.requirement("CASE-K35")
@pytest.mark.requirement("LINT-25")
@pytest.mark.parametrize(
    "others", [("getUser", "getuser"), ("get_user", "getUser"), ("get-user", "get_user", "GetUser")]
)
def test_names_that_differ_by_case_and_separators_alone_are_errors(others: tuple[str, ...]) -> None:
    found = [item for item in run(named(*others), RULES).found if item.code == "NAM102"]
    assert {item.subject for item in found} == set(others)
    assert {item.severity for item in found} == {Severity.ERROR}


@pytest.mark.parametrize(
    "others", [("get_user", "get_users"), ("page_1_10", "page_11_0"), ("list_v1", "list_v11"), ("a_b", "a_b_c")]
)
def test_names_that_differ_in_words_or_numbers_do_not_clash(others: tuple[str, ...]) -> None:
    assert codes(named(*others)) == []


@pytest.mark.requirement("CASE-K35")
@pytest.mark.requirement("LINT-25")
def test_a_name_of_sixty_characters_fits_the_protocol_and_not_a_client() -> None:
    (found,) = run(named("a_" * 29 + "bb"), RULES).found
    assert (found.code, found.severity) == ("NAM103", Severity.WARNING)
    assert "64" in found.message


def test_the_server_that_is_known_counts_into_the_length() -> None:
    name = "search_" * 5 + "hotels"
    assert codes(named(name, server="hotels", origin=Origin.APP)) == []
    assert codes(named(name, server="hotels-of-the-city", origin=Origin.APP)) == ["NAM103"]
    assert codes(named(name, server="https://example.com/a/long/address/that/is/no/name/mcp")) == []


@pytest.mark.parametrize(
    "name", ["run", "tool1", "handler", "executeTool", "do_it_now", "my-tool", "api.call", "process_2"]
)
def test_a_name_that_could_be_any_operation_is_vague(name: str) -> None:
    expected = [] if "now" in name else ["NAM104"]
    assert codes(named(name)) == expected


@pytest.mark.parametrize(
    "name",
    [
        *("search", "fetch", "query", "ping", "echo", "run_tests", "execute_sql", "process_refund", "call_taxi"),
        *("toolbox", "route_parcel", "api_keys", "list_tools", "test", "help", "new_page", "request_refund"),
    ],
)
def test_a_short_or_plain_name_is_not_vague(name: str) -> None:
    assert codes(named(name)) == []


def test_the_rarer_spelling_is_named_once_for_the_whole_catalog() -> None:
    (found,) = run(named("get_user", "list_users", "deleteUser"), RULES).found
    assert (found.code, found.subject, found.severity) == ("NAM105", "", Severity.INFO)
    assert "`deleteUser`" in found.message


@pytest.mark.parametrize(
    "names", [("search", "get_user"), ("getUser", "iPhone_list"), ("users_getUser", "users_listUsers"), ("A", "b_c")]
)
def test_single_words_and_prefixed_names_are_no_other_spelling(names: tuple[str, ...]) -> None:
    assert codes(named(*names)) == []


@pytest.mark.parametrize("name", ["browser_tabs", "hotel_room", "order", "userProfile"])
def test_an_action_that_names_a_thing_is_worth_knowing(name: str) -> None:
    found = [replace(SEARCH, name=name, reads=False, description="It concerns the thing in question.")]
    expected = [] if name == "order" else ["NAM106"]
    assert codes(target(Origin.MCP, *found)) == expected


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("book_room", "Book a room for the person."),
        ("user_create", "Adds somebody to the list."),
        ("unarchive", "Bring it back."),
        ("rebook", "Take another flight instead."),
        ("browser_file_upload", "One or several files go to the page."),
        ("checkout", "Check out the basket."),
        ("zonk_thing", "Zonk a thing until it is no more."),
        ("cancellation", "Cancel what was booked."),
        ("konto_schliessen", "Schließt das Konto für immer und löscht die Daten."),
        ("browser_tabs", ""),
    ],
)
def test_an_action_with_a_verb_of_any_kind_in_its_name_is_fine(name: str, description: str) -> None:
    assert codes(target(Origin.MCP, replace(SEARCH, name=name, reads=False, description=description))) == []


def test_what_may_read_or_write_needs_no_verb() -> None:
    text = "It concerns the tabs of the browser."
    for reads in (True, None):
        assert codes(target(Origin.MCP, replace(SEARCH, name="browser_tabs", reads=reads, description=text))) == []


@pytest.mark.requirement("LINT-25")
@pytest.mark.parametrize("name", ["filter[id]", "$top", "@odata.type", "a b", "x" * 65, "größe", ""])
def test_an_input_that_providers_refuse_is_an_error(name: str) -> None:
    (found,) = run(with_input("book_room", name, {"type": "string"}), RULES).found
    assert (found.code, found.severity) == ("NAM107", Severity.ERROR)


def test_an_openapi_document_may_name_inputs_as_http_does() -> None:
    (found,) = run(with_input("book_room", "filter[id]", {"type": "string"}, Origin.OPENAPI), RULES).found
    assert (found.code, found.severity) == ("NAM107", Severity.WARNING)


@pytest.mark.parametrize("name", ["filter.id", "x" * 64, "a-b", "_links", "2fa"])
def test_an_input_that_providers_take_is_fine(name: str) -> None:
    assert codes(with_input("book_room", name, {"type": "string"})) == []


def test_a_refused_name_further_down_is_left_alone() -> None:
    inner = {"type": "object", "properties": {"a b": {"type": "string"}}}
    assert codes(with_input("book_room", "wishes", {**inner})) == []


@pytest.mark.parametrize("name", ["Nights", "NIGHTS", "checkIn", "check-in"])
def test_inputs_that_differ_by_case_and_separators_are_told_at_both(name: str) -> None:
    found = run(with_input("book_room", name, {"type": "string"}), RULES).found
    assert [item.code for item in found] == ["NAM108", "NAM108"]


def test_the_clean_catalog_has_no_finding_about_names() -> None:
    for origin in Origin:
        assert codes(clean(origin)) == []
    assert codes(with_change("search_hotels", name="search_hotels_2")) == []


def test_a_name_is_taken_apart_at_humps_separators_and_digits() -> None:
    assert parts("getUserByID2") == ("get", "user", "by", "id", "2")
    assert parts("HTTPServer-list.all") == ("http", "server", "list", "all")
    assert squashed("Get-User_2.0") == squashed("getUser2_0")
    assert [convention_of(name) for name in ("a", "a_b", "aB", "AbC", "a-b", "a.b", "a_bC")] == [
        None,
        "snake_case",
        "camelCase",
        "PascalCase",
        "kebab-case",
        "dotted.case",
        None,
    ]
