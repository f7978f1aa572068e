"""Targets from an app, and from the schema catalog that it serves."""

from __future__ import annotations

from typing import Annotated, cast

import pytest
from pydantic import BaseModel, Field

from afford import App, Feature, Page, PageRequest, Paging, anyone, roles
from afford.caller import Caller, Door, Principal, Surface
from afford.errors import JsonObject
from afford.lint.engine import run
from afford.lint.rules import all_rules
from afford.lint.target import Described, Form, Target
from afford.lint.targets.app import from_catalog, from_manifest
from afford.lint.targets.reading import TargetError, from_document
from afford.manifest import Manifests, exposed_operations
from afford.surfaces.http.project import catalog_document


class Hotel(BaseModel):
    hotel_id: Annotated[int, Field(description="Identifies the hotel.")]


def make_app() -> App:
    app = App("hotels", description="Hotels of one city.", access=anyone(), roles=["staff"])
    desk = Feature("desk", description="What the front desk does.", access=roles("staff"))

    @app.query(
        description="Find hotels for the person, best first.",
        paging=Paging(default=20, max=50),
        lint_ignore={"DSC116": "there is nothing to do with one"},
    )
    def search(page: PageRequest) -> Page[Hotel]:
        return Page([], None)

    @app.query()
    def unseen() -> list[str]:
        return []

    @desk.action(description="Close the hotel for the night.")
    def close() -> None:
        return None

    def stars() -> int:
        return 5

    app.tool("stars", description="Count the stars above the hotel.", handler=stars)

    def rules() -> str:
        return "Be quiet."

    app.resource("rules", name="rules", description="The rules of the house.", uri="house://rules", read=rules)
    app.include(desk)
    return app


def found_in(target: Target, name: str) -> Described:
    described = target.find(name)
    assert described is not None
    return described


def test_an_app_is_what_some_agent_may_come_to_see() -> None:
    target = from_catalog(make_app().build())
    assert [item.name for item in target.operations] == ["desk_close", "search", "stars"]
    assert target.instructions == "Hotels of one city."
    assert {(prose.subject, prose.text) for prose in target.prose} >= {
        ("feature:desk", "What the front desk does."),
        ("resource:rules", "The rules of the house."),
    }


def test_an_operation_brings_what_its_author_wrote_and_what_is_sent() -> None:
    search = found_in(from_catalog(make_app().build()), "search")
    assert search.description == "Find hotels for the person, best first."
    assert search.served.startswith(search.description)
    assert search.served != search.description
    assert search.pages is not None
    assert (search.pages.default, search.pages.most, search.pages.form) == (20, 50, Form.LINK)
    assert search.ignored == {"DSC116": "there is nothing to do with one"}
    assert search.location is not None


def test_a_role_sees_its_own_part() -> None:
    catalog = make_app().build()
    guest, clerk = (
        from_manifest(catalog, Manifests(catalog).of(Caller(Principal("p", held), Door.AGENT, Surface.MCP)))
        for held in ([], ["staff"])
    )
    assert [item.name for item in guest.operations] == ["search", "stars"]
    assert [item.name for item in clerk.operations] == ["desk_close", "search", "stars"]


@pytest.mark.requirement("LINT-20")
def test_the_served_catalog_is_judged_like_the_app() -> None:
    catalog = make_app().build()
    document = cast("JsonObject", catalog_document(exposed_operations(catalog, Surface.HTTP), Door.AGENT))
    served, own = from_document(document, "catalog.json"), from_catalog(catalog)
    for name in ("desk_close", "search"):
        for part in ("description", "served", "reads", "pages", "input_schema", "output_schema", "safety", "risk"):
            assert getattr(found_in(served, name), part) == getattr(found_in(own, name), part)


def test_what_is_malformed_counts_as_not_said() -> None:
    document: JsonObject = {"queries": [{"name": 5, "description": None, "input_schema": []}, "x"], "actions": [{}]}
    target = from_document(document, "catalog.json")
    assert len(target.operations) == 2
    run(target, all_rules())


@pytest.mark.parametrize("document", [None, [], {}, 5, "text", {"queries": []}, {"queries": {}, "actions": {}}])
def test_what_is_nothing_is_refused(document: object) -> None:
    with pytest.raises(TargetError):
        from_document(document, "x.json")  # type: ignore[arg-type]
