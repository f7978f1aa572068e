"""The console's page in a real browser, over real sockets: what a developer does with it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.e2e.console.conftest import HOTELING, TOKEN, WORKSHOP, Served, console
from tests.node_packages import installed

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect

Open = Callable[..., "Page"]
PAGES = {
    "Operations": "operations",
    "Calls": "calls",
    "State & resources": "state",
    "Entities & screens": "places",
    "Cost": "cost",
}


def gone_to(page: Page, name: str) -> None:
    page.get_by_role("navigation").get_by_role("link", name=name).click()
    page.get_by_role("heading", name=name, exact=True).wait_for()


def operation(page: Page, name: str, tab: str = "") -> Locator:
    """The part about one operation, perhaps at one of its tabs."""
    page.get_by_role("region", name="Everything declared").get_by_role("link", name=name).first.click()
    part = page.get_by_role("region", name=name)
    part.get_by_role("heading", name=name).wait_for()
    if tab:
        part.get_by_role("tab", name=tab).click()
    return part


def looking_as(page: Page, identity: str, *roles: str) -> None:
    page.get_by_label("Look as").select_option("account")
    page.get_by_label("Id of the account").fill(identity)
    page.get_by_label("Id of the account").press("Enter")
    for role in ("guest", "staff"):
        page.get_by_role("checkbox", name=role).set_checked(role in roles)


def call(served: Served, method: str, name: str, **options: object) -> httpx.Response:
    return httpx.request(method, f"{served.base}/{name}", headers={"Authorization": f"Bearer {TOKEN}"}, **options)


@pytest.mark.requirement("CONS-07")
def test_every_page_opens_by_its_link_and_says_where_one_is(hoteling: Served, opened: Open) -> None:
    page = opened(hoteling)
    for name, path in PAGES.items():
        gone_to(page, name)
        assert page.url == f"{hoteling.base}/console#/{path}"
        expect(page).to_have_title(f"{name} · Istanbul hotels · console")
        expect(page.get_by_role("navigation").locator("[aria-current=page]")).to_contain_text(name)
        if name != "Operations":
            expect(page.get_by_role("heading", level=1)).to_be_focused()


@pytest.mark.requirement("CONS-03")
def test_the_token_leaves_the_address_at_once(hoteling: Served, opened: Open) -> None:
    page = opened(hoteling)
    assert TOKEN not in page.url
    assert page.evaluate("history.length") <= 2


@pytest.mark.requirement("CONS-07")
def test_a_room_is_booked_by_hand(hoteling: Served, opened: Open) -> None:
    page = opened(hoteling)
    part = operation(page, "check_availability", "Try it")
    part.get_by_role("button", name="Fill in example").click()
    part.get_by_role("button", name="Call", exact=True).click()
    rooms = json.loads(part.get_by_role("region", name="Answer").text_content() or "")
    part = operation(page, "book_room", "Try it")
    part.get_by_label("room_id").fill(str(rooms[0]["room_id"]))
    part.get_by_label("check_in").fill("2030-06-12")
    part.get_by_label("check_out").fill("2030-06-15")
    part.get_by_role("button", name="Call", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert page.get_by_role("dialog").count() == 0
    part.get_by_role("button", name="Call", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Call it").click()
    booked = json.loads(part.get_by_role("region", name="Answer").text_content() or "")
    assert booked["status"] == "confirmed"
    mine = call(hoteling, "GET", "my_bookings").json()
    assert booked["booking_id"] in {booking["booking_id"] for booking in mine}
    gone_to(page, "Calls")
    row = page.get_by_role("row").filter(has_text="book_room").first
    assert "ok" in (row.text_content() or "")
    assert "guest-1" in (row.text_content() or "")


@pytest.mark.requirement("CONS-07")
def test_calls_of_others_appear_while_one_looks_on(hoteling: Served, opened: Open) -> None:
    page = opened(hoteling, "calls")
    call(hoteling, "GET", "hotel_detail", params={"property_id": 24})
    page.get_by_role("row").filter(has_text="hotel_detail").first.wait_for()
    call(hoteling, "GET", "hotel_detail", params={"property_id": 0})
    refused = page.get_by_role("row").filter(has_text="bad_request").first
    refused.wait_for()
    refused.get_by_role("button").click()
    assert page.get_by_role("region", name="Arguments of the call").text_content() == '{\n  "property_id": 0\n}'
    page.get_by_label("Outcome").select_option("ok")
    page.get_by_label("Operation").fill("hotel_detail")
    rows = page.locator("tbody tr")
    expect(rows.filter(has_not_text="hotel_detail")).to_have_count(0)
    expect(rows.filter(has_text="bad_request")).to_have_count(0)
    page.get_by_role("button", name="Pause").click()
    shown = rows.count()
    call(hoteling, "GET", "hotel_detail", params={"property_id": 24})
    page.get_by_label("Outcome").select_option("")
    page.get_by_role("button", name="Go on").click()
    expect(rows).not_to_have_count(shown)


@pytest.mark.requirement("CONS-10")
def test_of_many_calls_the_page_keeps_the_last(workshop: Served, opened: Open) -> None:
    page = opened(workshop)
    known = {"at": 0, "operation": "shelf", "caller": None, "door": "agent", "surface": "http", "agent": True}
    told = [{**known, "code": "ok", "ms": 1, "trace": None, "arguments": {}, "number": it} for it in range(1, 1201)]
    messages = [json.dumps({"calls": told[at : at + 300], "missed": 7}) for at in range(0, 1200, 300)]
    streams = iter(["".join(f"event: calls\ndata: {message}\n\n" for message in messages)])
    page.route("**/api/events?*", lambda route: route.fulfill(body=next(streams, ":\n\n")))
    page.reload()
    gone_to(page, "Calls")
    page.get_by_text("The last 500 are kept").wait_for()
    page.get_by_text("28 calls came faster").wait_for()
    page.get_by_text("The newest 200 of 500 are shown").wait_for()
    assert page.locator("tbody tr").count() == 200


@pytest.mark.requirement("CONS-07")
def test_shared_state_is_shown_as_it_changes(workshop: Served, opened: Open) -> None:
    page = opened(workshop, "state")
    page.get_by_role("button", name="afford://state/forge").click()
    content = page.get_by_role("region", name="Content")
    before = json.loads(content.text_content() or "")["degrees"]
    call(workshop, "POST", "heat", json={"by": 5})
    expect(content).to_contain_text(str(before + 5))
    call(workshop, "POST", "heat", json={"by": 5})
    expect(content).to_contain_text(str(before + 10))
    page.get_by_label("URI to read").fill("workshop://sheets/7")
    page.get_by_role("button", name="Read", exact=True).click()
    page.get_by_text("Sheet 7", exact=True).wait_for()


@pytest.mark.requirement("CONS-04")
def test_another_role_sees_another_list_and_the_page_says_why(hoteling: Served, opened: Open) -> None:
    page = opened(hoteling)
    part = operation(page, "occupancy")
    part.get_by_text("the rule roles('staff') does not allow this caller").wait_for()
    looking_as(page, "staff-1", "staff")
    part.get_by_text("Offered to staff-1 (staff)").wait_for()
    page.get_by_label("Look as").select_option("anonymous")
    part.get_by_text("Not offered to an anonymous agent").wait_for()
    operation(page, "close_season").get_by_text("access:").wait_for()
    looking_as(page, "staff-1", "staff")
    page.get_by_role("region", name="close_season").get_by_text("exposed:").wait_for()
    gone_to(page, "Entities & screens")
    expect(page.get_by_role("row").filter(has_text="Occupancy")).not_to_contain_text("not shown")
    gone_to(page, "Cost")
    page.get_by_role(
        "img", name=re.compile(r"Tokens by caller: anonymous [\d,]+; .*staff-1 \(staff\) [\d,]+")
    ).wait_for()


@pytest.mark.requirement("CONS-07")
def test_every_view_of_an_operation_is_there(hoteling: Served, opened: Open) -> None:
    page = opened(hoteling)
    part = operation(page, "search_hotels")
    described = part.get_by_role("figure")
    assert "Link header" in (described.filter(has_text="HTTP").first.text_content() or "")
    assert "next_cursor" in (described.filter(has_text="MCP").first.text_content() or "")
    assert "one of" in (part.locator(".tree li").filter(has_text="neighbourhood").first.text_content() or "")
    part.get_by_role("tab", name="Documents").click()
    for document, words in {
        "Schema catalog": '"input_schema"',
        "MCP tool": '"inputSchema"',
        "OpenAPI path": '"operationId"',
    }.items():
        part.get_by_role("tab", name=document).click()
        assert words in (part.get_by_role("region", name=document).text_content() or "")
    part = operation(page, "my_bookings")
    part.locator(".finding").first.wait_for()


@pytest.mark.requirement("CONS-07")
def test_a_refused_call_marks_the_fields_and_goes_to_the_first(workshop: Served, opened: Open) -> None:
    page = opened(workshop)
    part = operation(page, "forge_piece", "Try it")
    part.get_by_role("textbox", name="name", exact=True).fill("x")
    part.get_by_label("width").fill("0")
    part.get_by_role("button", name="Call", exact=True).click()
    part.get_by_text("bad_request", exact=True).wait_for()
    wrong = part.locator("[aria-invalid=true]")
    assert {field.get_attribute("data-pointer") for field in wrong.all()} >= {"/name", "/size/width", "/metal"}
    expect(part.locator("[data-pointer='/name']")).to_be_focused()


@pytest.mark.requirement("CONS-07")
def test_a_form_sends_every_kind_of_input(workshop: Served, opened: Open) -> None:
    page = opened(workshop)
    part = operation(page, "forge_piece", "Try it")
    part.get_by_role("textbox", name="name", exact=True).fill("Hinge")
    part.get_by_label("width").fill("12")
    part.get_by_label("metal").select_option(label="steel")
    part.get_by_label("Kind of outline").select_option(label='shape "square"')
    part.get_by_label("side").fill("3")
    part.get_by_role("button", name="Add marks").click()
    part.get_by_label("marks 1").fill("A")
    part.get_by_role("button", name="Add one more marks").click()
    part.get_by_label("marks 2").fill("B")
    part.get_by_label("due").fill("2030-06-12")
    part.get_by_label("polished").select_option(label="true")
    part.get_by_label("weight").fill("1.5")
    part.get_by_role("button", name="Call", exact=True).click()
    part.get_by_role("region", name="Answer").wait_for()
    answer = json.loads(part.get_by_role("region", name="Answer").text_content() or "")
    assert answer["wish"] == {
        "name": "Hinge",
        "size": {"width": 12, "unit": "mm"},
        "metal": "steel",
        "outline": {"shape": "square", "side": 3},
        "marks": ["A", "B"],
        "due": "2030-06-12",
        "polished": True,
        "weight": 1.5,
    }


@pytest.mark.requirement("CONS-07")
def test_arguments_can_be_written_as_json(workshop: Served, opened: Open) -> None:
    page = opened(workshop)
    part = operation(page, "heat", "Try it")
    part.get_by_role("button", name="Write JSON").click()
    part.get_by_label("Arguments as JSON").fill('{"by": ')
    assert part.get_by_role("button", name="Call", exact=True).is_disabled()
    part.get_by_label("Arguments as JSON").fill('{"by": 0}')
    part.get_by_role("button", name="Call", exact=True).click()
    assert int(part.get_by_role("region", name="Answer").text_content() or "") >= 20


@pytest.mark.requirement("CONS-07")
def test_tools_prompts_and_questions_are_tried_as_well(workshop: Served, opened: Open) -> None:
    page = opened(workshop)
    part = operation(page, "ring_bell", "Try it")
    part.get_by_role("button", name="Call", exact=True).click()
    assert part.get_by_role("region", name="Answer").text_content() == '"ding"'
    part = operation(page, "prompt:plan", "Try it")
    part.get_by_label("hours").fill("3")
    part.get_by_role("button", name="Call", exact=True).click()
    assert "Plan 3 hours." in (part.get_by_role("region", name="Answer").text_content() or "")
    page.get_by_label("Look as").select_option("account")
    page.get_by_role("checkbox", name="smith").check()
    part = operation(page, "sign", "Try it")
    part.get_by_role("group", name="A person is asked: Who signs for today?").get_by_label("name").fill("Ann")
    part.get_by_role("button", name="Call", exact=True).click()
    assert part.get_by_role("region", name="Answer").text_content() == '"signed by Ann"'


@pytest.mark.requirement("CONS-07")
def test_a_failure_shows_its_trace_and_nothing_of_the_exception(workshop: Served, opened: Open) -> None:
    page = opened(workshop)
    part = operation(page, "breaks", "Try it")
    part.get_by_role("button", name="Call", exact=True).click()
    trace = part.get_by_text("as in the log").locator("code").text_content()
    assert "hammer" not in (page.content())
    gone_to(page, "Calls")
    page.get_by_role("button", name="breaks").first.click()
    page.get_by_role("definition").filter(has_text=trace or "-").first.wait_for()


@pytest.mark.requirement("CONS-07")
def test_the_texts_for_other_surfaces_make_the_same_call(hoteling: Served, opened: Open) -> None:
    page = opened(hoteling)
    part = operation(page, "search_hotels", "Try it")
    part.get_by_role("button", name="Fill in example").click()
    part.get_by_label("limit").fill("3")
    part.get_by_role("button", name="Call", exact=True).click()
    answer = json.loads(part.get_by_role("region", name="Answer").text_content() or "")
    curl = shlex.split((part.get_by_role("region", name="The call for HTTP").text_content() or "").replace("\\\n", ""))
    assert httpx.get(curl[-1], headers={"Authorization": f"Bearer {TOKEN}"}).json() == answer
    part.get_by_role("tab", name="MCP").click()
    sent = json.loads(part.get_by_role("region", name="The call for MCP").text_content() or "")
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    sent["params"]["_meta"] = meta
    fields = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "search_hotels"}
    fields |= {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
    told = httpx.post(f"{hoteling.base}/mcp", json=sent, headers=fields).json()
    assert told["result"]["structuredContent"]["rows"] == answer
    part.get_by_role("tab", name="Shell").click()
    words = shlex.split(part.get_by_role("region", name="The call for Shell").text_content() or "")
    assert words[:4] == ["afford", "call", "APP", "search_hotels"]
    command = [sys.executable, "-m", "afford", "call", str(HOTELING), *words[3:], "--json"]
    ran = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "HOTELING_DATABASE": "sqlite+aiosqlite://"},
    )
    assert json.loads(ran.stdout) == answer


@pytest.mark.requirement("CONS-09")
def test_texts_of_the_app_are_text(workshop: Served, opened: Open) -> None:
    page = opened(workshop)
    operation(page, "forge_piece").get_by_text("What it is called. <img src=x").first.wait_for()
    part = operation(page, "shelf", "Try it")
    part.get_by_role("button", name="Call", exact=True).click()
    part.get_by_text("sold out <img src=x").first.wait_for()
    for name in PAGES:
        gone_to(page, name)
        assert page.locator("img[src=x]").count() == 0
        assert page.evaluate("document.title") != "owned"


@pytest.mark.requirement("CONS-02")
def test_without_a_token_the_page_asks_for_one(hoteling: Served, browser: object, opened: Open) -> None:
    page = opened(hoteling)
    fresh = page.context.browser.new_context().new_page()
    fresh.goto(f"{hoteling.base}/console")
    fresh.get_by_role("alert").get_by_text("nothing to see").wait_for()
    fresh.get_by_label("Token").fill(TOKEN)
    fresh.get_by_role("button", name="Open").click()
    fresh.get_by_role("heading", name="Operations", exact=True).wait_for()
    fresh.context.close()


@pytest.mark.requirement("CONS-07")
def test_a_page_finds_the_server_again_after_a_restart(tmp_path: Path, browser: object, opened: Open) -> None:
    with console(WORKSHOP, folder=tmp_path) as first:
        page = opened(first, "calls", forgives="ERR_")
        call(first, "POST", "heat", json={})
        page.get_by_role("row").filter(has_text="heat").wait_for()
    page.get_by_text("Reconnecting").wait_for()
    with console(WORKSHOP, folder=tmp_path, port=first.port) as second:
        page.get_by_text("Live", exact=True).wait_for()
        assert page.get_by_role("row").filter(has_text="heat").count() == 0
        call(second, "GET", "shelf")
        page.get_by_role("row").filter(has_text="shelf").wait_for()


SHOP = """
from afford import App, anyone

app = App("shop", title="Shop", access=anyone())


@app.action(description="Order one loaf for tomorrow morning.")
def order() -> str:
    return "done"
"""


@pytest.mark.requirement("CONS-03")
@pytest.mark.requirement("CONS-07")
def test_the_development_server_opens_it_and_an_edit_is_seen_at_once(tmp_path: Path, opened: Open) -> None:
    file = tmp_path / "shop.py"
    file.write_text(SHOP, encoding="utf-8")
    command = [sys.executable, "-m", "afford", "dev", "shop.py", "--port", "0"]
    variables = {**os.environ, "AFFORD_INSTANCES_DIR": str(tmp_path / "instances"), "COLUMNS": "200"}
    variables["PYTHONPATH"] = os.pathsep.join(sys.path)
    with subprocess.Popen(command, cwd=tmp_path, env=variables, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = next(found.group() for line in process.stdout if (found := re.search(r"http\S+#token=\S+", line)))
            page = opened(Served(address), forgives="Failed to load")
            operation(page, "order", "Try it").get_by_role("button", name="Call", exact=True).click()
            page.get_by_role("region", name="Answer").wait_for()
            file.write_text(SHOP.replace("def order", "def order_bread"), encoding="utf-8")
            page.get_by_role("link", name="order_bread").wait_for()
        finally:
            process.terminate()


AXE = "axe-core/axe.min.js"


@pytest.mark.requirement("CONS-08")
def test_axe_finds_no_violation_on_any_page(hoteling: Served, workshop: Served, opened: Open) -> None:
    found: dict[str, object] = {}
    page = opened(hoteling)

    def judged(name: str) -> None:
        # The driver runs it beside the page, whose policy would refuse a script of strangers.
        for scheme, rules in {"light": "{}", "dark": "{runOnly: ['color-contrast']}"}.items():
            page.emulate_media(color_scheme=scheme)
            told = page.evaluate(f"axe.run(document, {{resultTypes: ['violations'], ...{rules}}})")["violations"]
            if told:
                found[f"{name}, {scheme}"] = [(it["id"], [node["html"] for node in it["nodes"]]) for it in told]

    axe = (installed(Path(__file__).parent / "packages") / AXE).read_text(encoding="utf-8")
    page.evaluate(axe)
    judged("operations")
    operation(page, "search_hotels")
    judged("operation")
    operation(page, "occupancy")
    judged("hidden")
    part = operation(page, "book_room", "Try it")
    part.get_by_label("room_id").fill("x")
    part.get_by_role("button", name="Call", exact=True).click()
    judged("dialog")
    page.get_by_role("button", name="Call it").click()
    part.get_by_text("bad_request", exact=True).wait_for()
    judged("refused")
    part.get_by_role("tab", name="Documents").click()
    judged("documents")
    for name in list(PAGES)[1:]:
        gone_to(page, name)
        if name == "Calls":
            page.locator("tbody button").first.click()
        if name == "State & resources":
            page.get_by_role("button", name="hotels://rules").click()
            page.get_by_role("region", name="Content").wait_for()
        judged(name)
    page = opened(workshop)
    page.evaluate(axe)
    operation(page, "forge_piece", "Try it").get_by_role("button", name="Add marks").click()
    judged("form")
    assert found == {}


@pytest.mark.requirement("CONS-08")
def test_everything_can_be_done_by_keyboard(hoteling: Served, opened: Open) -> None:
    page = opened(hoteling)
    keyboard = page.keyboard

    def focused() -> str:
        return page.evaluate("(document.activeElement.textContent || document.activeElement.id).trim()")

    def tab_to(text: str) -> None:
        for _ in range(80):
            keyboard.press("Tab")
            if focused().startswith(text):
                return
        raise AssertionError(f"the tab key does not come to {text}")

    keyboard.press("Tab")
    assert focused() == "Skip to the content"
    keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    tab_to("book_room")
    keyboard.press("Enter")
    expect(page.locator("#operation")).to_be_focused()
    tab_to("What agents read")
    keyboard.press("ArrowRight")
    assert focused() == "Try it"
    tab_to("Fill in example")
    keyboard.press("Enter")
    tab_to("Call")
    keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    expect(page.get_by_role("button", name="Call", exact=True)).to_be_focused()
    keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    tab_to("Call it")
    keyboard.press("Enter")
    expect(page.locator(".outcome")).to_be_focused()


@pytest.mark.requirement("CONS-08")
@pytest.mark.parametrize("width", [360, 768])
def test_on_a_small_screen_nothing_is_cut_off(hoteling: Served, opened: Open, width: int) -> None:
    page = opened(hoteling)
    page.set_viewport_size({"width": width, "height": 740})
    places = [*PAGES.values(), "operations/book_room", "operations/search_hotels/try", "operations/book_room/documents"]
    for place in places:
        page.goto(f"{hoteling.base}/console#/{place}")
        expect(page.locator("main [aria-busy]")).to_have_count(0)
        expect(page.locator("#operation")).to_have_count(int("/" in place))
        assert page.evaluate("document.documentElement.scrollWidth") <= width, place


@pytest.mark.requirement("CONS-08")
def test_colours_follow_the_system_until_somebody_chooses(hoteling: Served, opened: Open) -> None:
    page = opened(hoteling, color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Colours: system").click()
    page.get_by_role("button", name="Colours: dark").click()
    assert page.evaluate(ground) != dark
    page.reload()
    page.get_by_role("button", name="Colours: light").wait_for()
    assert page.evaluate(ground) != dark
