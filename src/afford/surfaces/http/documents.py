"""The fixed documents, written once per set of callers that see the same, and served with entity tags."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import orjson

from afford.errors import JsonObject
from afford.manifest import Manifest
from afford.surfaces.asgi import Header
from afford.surfaces.http.message import NO_SNIFF, Response
from afford.surfaces.wire import entity_tag, is_match

_MAX_KEPT: Final = 64
"""Documents kept as bytes; at 10,000 operations one may have many megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document under a fixed name."""

    project: Callable[[Manifest, str], JsonObject]
    """From the manifest, and from the path or URL under which the application is reached (empty: the root)."""
    media_type: str = "application/json"
    is_public: bool = False
    """The same for everybody, so anybody may keep it."""
    headers: tuple[Header, ...] = ()


class Documents:
    """Serves documents by name."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        """Take the documents by path below the root."""
        self._documents = documents
        self._kept: OrderedDict[tuple[str, str, object, int], tuple[bytes, str]] = OrderedDict()

    def serves(self, name: str) -> bool:
        """Whether there is a document of that name."""
        return name in self._documents

    def response(
        self, name: str, base: str, manifest: Manifest, if_none_match: str | None, vary: tuple[Header, ...]
    ) -> Response:
        """The document, or 304 where the client has it already; `base` is where the application is reached."""
        document = self._documents[name]
        body, tag = self._written(name, base, document, manifest)
        control = b"public, max-age=60" if document.is_public else b"private, no-cache"
        headers: list[Header] = [
            (b"etag", tag.encode("ascii")),
            (b"cache-control", control),
            NO_SNIFF,
            *document.headers,
        ]
        if not document.is_public:
            headers.extend(vary)
        if if_none_match is not None and is_match(if_none_match, tag):
            return Response(304, headers, b"")
        return Response(200, [(b"content-type", document.media_type.encode("ascii")), *headers], body)

    def _written(self, name: str, base: str, document: Document, manifest: Manifest) -> tuple[bytes, str]:
        shared = manifest.shared_by
        if shared is None:
            body = orjson.dumps(document.project(manifest, base))
            return body, entity_tag(body)
        key = (name, base, shared, manifest.epoch)
        known = self._kept.get(key)
        if known is None:
            body = orjson.dumps(document.project(manifest, base))
            known = self._kept[key] = (body, entity_tag(body))
            if len(self._kept) > _MAX_KEPT:
                self._kept.popitem(last=False)
        return known
