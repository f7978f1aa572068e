"""The three forms of a report: one content, safe to print, and nothing that needs a network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from tests.unit.cold.shop import SHOP, Shop, tried

from afford.cold.goals import Goal
from afford.cold.report import Check, Finding, Report
from afford.cold.reports import RENDERERS, Format
from afford.cold.session import Aims
from afford.lint.target import Described, Origin, target

HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e"


async def report() -> Report:
    goals = (Goal(text="Burn <b>it</b>", call="buy"),)
    return (await tried(Shop(), ablate=True, aims=Aims(goals=goals))).report()


@pytest.mark.requirement("COLD-10")
async def test_json_has_every_figure_and_what_follows_from_them() -> None:
    document = json.loads(RENDERERS[Format.JSON](await report()))
    assert document["version"] == 1
    assert document["first_call"] == {"succeeded": 2, "tried": 2}
    assert {item["name"] for item in document["operations"]} == {item.name for item in SHOP.operations}
    assert document["ablations"][0].keys() == {"kind", "operation", "place", "red"}
    assert document["picks"][0]["confusions"] == [["Burn <b>it</b>", "buy", "burn"]]


async def test_text_names_what_was_not_called_and_what_was_broken() -> None:
    text = RENDERERS[Format.TEXT](await report())
    assert "burn was not called" in text
    assert re.search(r"without the description: red \([^)]*told\)", text)
    assert "first call: 2 of 2 (100%)" in text


class Page(HTMLParser):
    """What a page asks for, and what it holds."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.extend(attrs)


@pytest.mark.requirement("COLD-10")
async def test_the_page_asks_for_nothing_and_its_policy_allows_its_one_style() -> None:
    html = RENDERERS[Format.HTML](await report())
    page = Page()
    page.feed(html)
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not {name for name, _ in page.attributes} & {"src", "href", "style", "onclick"}
    assert "url(" not in html
    assert ("lang", "en") in page.attributes
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in html
    assert ("scope", "col") in page.attributes
    assert ("scope", "row") in page.attributes


@pytest.mark.requirement("COLD-10")
@pytest.mark.parametrize("form", [Format.TEXT, Format.HTML])
async def test_what_the_server_says_can_steer_neither_terminal_nor_page(form: Format) -> None:
    operation = Described(name=HOSTILE, description="", reads=None)
    made = await tried(Shop(), target(Origin.MCP, operation, name=HOSTILE))
    made.notebook.findings.append(Finding(operation=HOSTILE, check=Check.ANSWER, message=HOSTILE))
    text = RENDERERS[form](made.report())
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert form is Format.TEXT or "<script>" not in text
