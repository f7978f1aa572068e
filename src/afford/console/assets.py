"""The files of the page, read once; the same bytes for everybody. They hold nothing of any application."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from afford.surfaces.asgi import Header
from afford.surfaces.http.message import NO_SNIFF, Response
from afford.surfaces.wire import entity_tag, is_match

_FOLDER: Final = Path(__file__).parent / "page"
_INDEX: Final = "/index.html"
_TYPES: Final = {
    ".css": b"text/css; charset=utf-8",
    ".html": b"text/html; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".svg": b"image/svg+xml",
    ".txt": b"text/plain; charset=utf-8",
}
_POLICY: Final = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    b"frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
SAFETY: Final[tuple[Header, ...]] = (
    NO_SNIFF,
    (b"content-security-policy", _POLICY),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""Header fields of whatever a browser may show as a page of ours."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One file."""

    media_type: bytes
    body: bytes
    tag: str

    def response(self, if_none_match: str | None) -> Response:
        """The file, or 304 where the browser has it already; it always asks, so that no release mixes with another."""
        headers = [(b"etag", self.tag.encode("ascii")), (b"cache-control", b"no-cache"), *SAFETY]
        if if_none_match is not None and is_match(if_none_match, self.tag):
            return Response(304, headers, b"")
        return Response(200, [(b"content-type", self.media_type), *headers], self.body)


def read_assets() -> dict[str, Asset]:
    """Every file by its path below the console; the index is at the console's own path."""
    assets = dict(_found())
    return {**assets, "": assets[_INDEX]}


def moved_to_index() -> Response:
    """Where the path with a slash at its end leads: file names are relative to the one without."""
    return Response(308, [(b"location", b"../console"), (b"cache-control", b"no-cache"), *SAFETY], b"")


def _found() -> Iterator[tuple[str, Asset]]:
    for path in sorted(_FOLDER.rglob("*")):
        media_type = _TYPES.get(path.suffix)
        if media_type is not None and path.is_file():
            body = path.read_bytes()
            yield f"/{path.relative_to(_FOLDER).as_posix()}", Asset(media_type, body, entity_tag(body))
