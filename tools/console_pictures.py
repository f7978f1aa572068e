"""Take the pictures of the console that the documentation shows, from the hotel example in a real browser.

    python tools/console_pictures.py

Needs Playwright and Chromium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.e2e.console.conftest import FLAGS, HOTELING, console  # noqa: E402 - found beside this folder, not in it

FOLDER: Final = ROOT / "docs" / "console"


def operations(page: Page) -> None:
    """What agents read of one operation."""
    page.get_by_role("link", name="search_hotels").first.click()
    page.get_by_role("figure").first.wait_for()


def form(page: Page) -> None:
    """A booking that was made by hand."""
    page.get_by_role("link", name="book_room").first.click()
    page.get_by_role("tab", name="Try it").click()
    page.get_by_role("button", name="Fill in example").click()
    page.get_by_role("button", name="Call", exact=True).click()
    page.get_by_role("button", name="Call it").click()
    page.get_by_role("region", name="Answer").wait_for()
    page.get_by_role("region", name="Answer").scroll_into_view_if_needed()


def calls(page: Page) -> None:
    """The calls of a while, one of them unfolded."""
    for name in ("hotel_detail", "my_bookings", "search_hotels"):
        page.get_by_role("link", name=name).first.click()
        page.get_by_role("tab", name="Try it").click()
        page.get_by_role("button", name="Call", exact=True).click()
        page.locator(".outcome .badge").first.wait_for()
    page.get_by_role("link", name="Calls").click()
    page.get_by_role("button", name="hotel_detail").click()


def cost(page: Page) -> None:
    """Tokens by caller."""
    page.get_by_role("link", name="Cost").click()
    page.get_by_role("img", name="Tokens by caller").wait_for()


PICTURES: Final[dict[str, tuple[str, Callable[[Page], None]]]] = {
    "operations": ("light", operations),
    "form": ("dark", form),
    "calls": ("light", calls),
    "cost": ("dark", cost),
}


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        console(HOTELING, "guest-1", "guest", folder=Path(folder)) as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, (scheme, show) in PICTURES.items():
            context = browser.new_context(
                viewport={"width": 1180, "height": 760},
                color_scheme="dark" if scheme == "dark" else "light",
                reduced_motion="reduce",
            )
            page = context.new_page()
            page.goto(served.page)
            page.get_by_role("region", name="Everything declared").get_by_role("link").first.wait_for()
            show(page)
            page.wait_for_timeout(200)
            page.screenshot(path=FOLDER / f"{name}.png")
            context.close()
        browser.close()
    print(f"written: {', '.join(f'{name}.png' for name in PICTURES)}")


if __name__ == "__main__":
    main()
