"""Pages of lists that are kept for callers who see the same."""

from __future__ import annotations

from afford.surfaces.mcp.pages import Pages

PAGE = b"12345"


def test_a_page_is_found_under_what_it_shows_and_where_it_begins() -> None:
    pages, one, other = Pages(), object(), object()
    pages.keep(one, None, b"first")
    pages.keep(one, "b", b"second")
    assert (pages.get(one, None), pages.get(one, "b"), pages.get(other, None)) == (b"first", b"second", None)


def test_beyond_the_bound_the_least_recently_used_is_forgotten() -> None:
    pages, shown = Pages(most=2 * 300), object()
    for after in ("a", "b"):
        pages.keep(shown, after, PAGE)
    assert pages.get(shown, "a") is not None
    pages.keep(shown, "c", PAGE)
    assert [pages.get(shown, after) for after in ("a", "b", "c")] == [PAGE, None, PAGE]


def test_a_page_larger_than_the_bound_is_not_kept_and_one_that_is_kept_again_counts_once() -> None:
    pages, shown = Pages(most=2 * 300), object()
    pages.keep(shown, "a", b"x" * 600)
    for _ in range(5):
        pages.keep(shown, "b", PAGE)
    pages.keep(shown, "c", PAGE)
    assert [pages.get(shown, after) for after in ("a", "b", "c")] == [None, PAGE, PAGE]


def test_made_up_places_cannot_fill_the_memory() -> None:
    pages, shown = Pages(most=10_000), object()
    for number in range(1000):
        pages.keep(shown, f"{number}", b"")
    assert sum(pages.get(shown, f"{number}") is not None for number in range(1000)) < 50
