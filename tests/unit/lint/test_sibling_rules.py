"""Which operations are held to resemble each other, and above all which are not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from afford.errors import JsonObject
from afford.lint.engine import run
from afford.lint.rule import Severity
from afford.lint.rules import all_rules
from afford.lint.samples import SEARCH, clean, closed
from afford.lint.siblings import pairs
from afford.lint.target import Described, Origin, Target, target

RULES = [rule for rule in all_rules() if rule.code.startswith("SIB")]
ID: JsonObject = {"type": "string", "description": "Which one."}


def tool(name: str, description: str, *inputs: str) -> Described:
    schema = closed(dict.fromkeys(inputs or ("id",), ID))
    return replace(SEARCH, name=name, title="", description=description, input_schema=schema)


def found_in(*tools: Described, origin: Origin = Origin.MCP) -> list[tuple[str, str]]:
    return [(item.code, item.subject) for item in run(target(origin, *tools), RULES).found]


@pytest.mark.requirement("LINT-26")
@pytest.mark.parametrize("other", ["Look up one person.", "look up  ONE person", "Look up one person!"])
def test_the_same_words_twice_are_an_error_at_both(other: str) -> None:
    found = run(target(Origin.MCP, tool("a_b", "Look up one person."), tool("c_d", other, "name")), RULES).found
    assert [(item.code, item.subject, item.severity) for item in found] == [
        ("SIB101", "a_b", Severity.ERROR),
        ("SIB101", "c_d", Severity.ERROR),
    ]


def test_no_description_at_all_is_another_rules_business() -> None:
    assert found_in(tool("a_b", ""), tool("c_d", "  ")) == []


@pytest.mark.requirement("LINT-26")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            tool("find_user", "Find a user of the workspace by what the person remembers of them."),
            tool("search_users", "Search for users of the workspace by what the person remembers."),
        ),
        (
            tool("get_report", "Fetch the monthly report for one account and return it."),
            tool("fetch_report", "Get the monthly report of one account, and return it."),
        ),
        (
            tool("tool_a", "Send a message to a channel of the workspace."),
            tool("tool_b", "Sends a message to any channel of the workspace."),
        ),
        (
            tool("search_parts", "Find a part for a vehicle by its name. All that fit are listed, in stock or not."),
            tool("search_spares", "Finds parts for a vehicle by name."),
        ),
        (
            tool("get_ticket_details", "Get ticket details."),
            tool("fetch_ticket_info", "Gets the details of a ticket."),
        ),
        (
            tool("delete_file", "Delete a file from the project, for good."),
            tool("remove_file", "Remove a file from the project for good."),
        ),
        (
            tool("getUser2", "Read the profile of a member of the team."),
            tool("getUser", "Read the profile of any member of the team."),
        ),
    ],
)
def test_near_duplicates_with_the_same_inputs_are_told_at_both(one: Described, other: Described) -> None:
    assert found_in(one, other) == [("SIB102", name) for name in sorted((one.name, other.name))]


CRUD = "{} an invoice of the customer, after the person said which one it is and that they want it."


@pytest.mark.requirement("LINT-26")
@pytest.mark.parametrize(
    "tools",
    [
        [
            tool(f"{verb}_invoice", CRUD.format(verb.capitalize()))
            for verb in ("create", "update", "delete", "send", "read")
        ],
        [tool(f"{verb}Invoice", CRUD.format(f"{verb.capitalize()}s")) for verb in ("create", "update", "delete")],
        [
            tool(f"get_{thing}", f"Read everything about one {thing} by the id that a list gave.")
            for thing in ("user", "order")
        ],
        [
            tool("list_issues", "List all issues of a repository."),
            tool("list_pulls", "List all pulls of a repository."),
        ],
        [
            tool("start_server", "Start the server of the project and wait until it is up."),
            tool("stop_server", "Stop the server of the project and wait until it is down."),
        ],
        [
            tool("list_directory", "List all files of a directory, with a mark for each folder."),
            tool(
                "list_directory_with_sizes",
                "List all files of a directory, with a mark for each folder, and their sizes.",
            ),
        ],
        [
            tool("get_user_by_email", "Read the profile of one person by the email they signed up with."),
            tool("get_user_by_phone", "Read the profile of one person by the phone they signed up with."),
        ],
        [
            tool("approve_request", "Decide for the person on a pending request: approve it."),
            tool("reject_request", "Decide for the person on a pending request: reject it."),
        ],
        [
            tool("get_user", "Read the profile of one member of the team."),
            tool("get_user_full", "Read the profile of one member of the team. A short one is in `get_user`."),
        ],
        [
            tool("html_to_pdf", "Convert the html of a page to pdf for the person."),
            tool("pdf_to_html", "Convert the pdf of a page to html for the person."),
        ],
        [tool("a_b", "List orders."), tool("c_d", "List all orders.")],
    ],
    ids=lambda tools: tools[0].name,
)
def test_siblings_that_a_word_tells_apart_are_left_alone(tools: list[Described]) -> None:
    assert found_in(*tools) == []


def test_the_same_words_with_other_inputs_are_no_duplicates() -> None:
    one = tool("lookup_a", "Look up the member of the team that the person means.", "email")
    other = tool("lookup_b", "Look up a member of the team that the person means.", "phone", "country")
    assert found_in(one, other) == []


@pytest.mark.requirement("LINT-26")
def test_a_longer_name_for_much_the_same_task_needs_a_word_on_the_other() -> None:
    short = tool("get_report", "Read the figures of one month for the person.", "month", "team")
    longer = tool("get_report_v2", "Read the figures of a month and what changed since, for charts.", "month", "team")
    assert found_in(short, longer) == [("SIB103", "get_report"), ("SIB103", "get_report_v2")]
    told = replace(longer, description=f"{longer.description} Without changes, get_report is enough.")
    assert found_in(short, told) == []


def test_related_texts_under_different_names_are_left_alone() -> None:
    one = tool("get_report", "Read the figures of one month for the person.", "month", "team")
    other = tool("compare_months", "Read how the figures of one month changed for the person.", "month", "team")
    assert found_in(one, other) == []


@pytest.mark.requirement("LINT-26")
@pytest.mark.parametrize("names", [("user_list", "list_user"), ("searchHotels", "hotels_search"), ("a_b_c", "c_b_a")])
def test_the_same_words_in_another_order_are_told_at_both(names: tuple[str, str]) -> None:
    tools = [tool(names[0], "Walk through the gardens of the palace."), tool(names[1], "Count stars at night.", "sky")]
    assert found_in(*tools) == [("SIB104", name) for name in sorted(names)]


@pytest.mark.parametrize(
    "names",
    [
        ("html_to_pdf", "pdf_to_html"),
        ("get_user_by_order", "get_order_by_user"),
        ("list_user_groups", "list_group_users"),
        ("go", "go_go"),
        ("copy_from_a", "a_copy_from"),
        ("md2html", "html2md"),
    ],
)
def test_an_order_that_means_something_is_left_alone(names: tuple[str, str]) -> None:
    tools = [tool(names[0], "Walk through the gardens of the palace."), tool(names[1], "Count stars at night.", "sky")]
    assert found_in(*tools) == []


def test_the_clean_catalog_has_no_siblings() -> None:
    for origin in Origin:
        assert run(clean(origin), RULES).found == ()


def test_what_is_compared_grows_with_the_catalog_and_not_with_its_square() -> None:
    counted = [len(pairs(equal_tools(size))) for size in (200, 400)]
    assert counted[1] <= counted[0] * 2.5


def equal_tools(size: int) -> Target:
    """The worst case: nothing but the order of words tells any two apart."""
    texts = (f"Read the profile of a member {'of the team ' * (number % 7)}for {number}." for number in range(size))
    return target(Origin.MCP, *(tool(f"tool{number}x", text) for number, text in enumerate(texts)))
