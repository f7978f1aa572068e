"""The origin around a mounted application: discovery documents at the root, and an index.

`Site` serves a whole origin for `afford serve`; `root_documents` gives the same documents to a host application.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import orjson

from afford.errors import Code, JsonObject, failure
from afford.surfaces.asgi import Receive, Scope, Send
from afford.surfaces.http.message import (
    BASE,
    NO_SNIFF,
    Response,
    base_path,
    method_not_allowed,
    problem_response,
    relative_path,
    send_response,
)
from afford.surfaces.http.surface import HttpSurface

_PUBLIC: Final = (b"cache-control", b"public, max-age=60")


def urls(mount: str, base: str, *, mcp: bool) -> dict[str, str]:
    """Every URL of a mounted application, by what it is.

    Args:
        mount: path of the application, such as `/agent`; empty at the root.
        base: scheme and host in front of it; empty for origin-relative URLs.
        mcp: whether it serves MCP.
    """
    known = {
        "root": f"{base}{mount}/",
        "schema": f"{base}{mount}/schema",
        "manifest": f"{base}{mount}/manifest",
        "openapi": f"{base}{mount}/openapi.json",
        "health": f"{base}{mount}/health",
    }
    return {**known, "mcp": f"{base}{mount}/mcp"} if mcp else known


def root_documents(
    mount: str, base: str, title: str, *, mcp: bool, issuers: Sequence[str] = ()
) -> Mapping[str, tuple[str, JsonObject]]:
    """Documents at the origin root: path to media type and content.

    `api-catalog` is RFC 9727 with an RFC 9264 link set; `afford.json` names every URL. Where tokens of an authorization
    server are accepted, RFC 9728 metadata of the MCP endpoint says so, under its path-inserted name; it needs to name
    the endpoint by its whole URL, so it is there only where `base` is known.
    """
    known = urls(mount, base, mcp=mcp)
    described: JsonObject = {
        "anchor": known["root"],
        "service-desc": [{"href": known["openapi"], "type": "application/json"}],
        "service-meta": [
            {"href": known["schema"], "type": "application/json"},
            {"href": known["manifest"], "type": "application/json"},
        ],
        "status": [{"href": known["health"], "type": "application/json"}],
    }
    documents: dict[str, tuple[str, JsonObject]] = {
        "/.well-known/api-catalog": ("application/linkset+json", {"linkset": [described]}),
        "/.well-known/afford.json": ("application/json", {"title": title, "urls": dict(known)}),
    }
    if issuers and base and "mcp" in known:
        resource: JsonObject = {
            "resource": known["mcp"],
            "resource_name": title,
            "authorization_servers": [*issuers],
            "bearer_methods_supported": ["header"],
        }
        documents[f"/.well-known/oauth-protected-resource{mount}/mcp"] = ("application/json", resource)
    return documents


class Site:
    """An ASGI application for a whole origin: root documents, an index, and the application under its path."""

    def __init__(self, surface: HttpSurface, *, mount: str, public_url: str | None, title: str) -> None:
        """Serve `surface` under `mount`.

        Args:
            surface: the application.
            mount: path it is served under, such as `/agent`; empty for the root.
            public_url: where the mounted application is reached from outside; makes URLs absolute.
            title: the application's title, for the index.
        """
        self._surface = surface
        self._mount = mount.rstrip("/")
        base = (public_url or "").removesuffix("/").removesuffix(self._mount)
        documents = dict(root_documents(self._mount, base, title, mcp=surface.serves_mcp, issuers=surface.issuers))
        if self._mount:
            documents["/"] = documents["/.well-known/afford.json"]
        self._documents = {path: (kind, orjson.dumps(content)) for path, (kind, content) in documents.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI event stream."""
        if scope["type"] != "http":
            await self._surface(scope, receive, send)
            return
        path = relative_path(scope)
        if path in self._documents:
            await self._document(scope, send, path)
        elif path == self._mount or path.startswith(f"{self._mount}/"):
            # The path is set without `root_path`, so the application still decides about hosts itself.
            below = {"path": path[len(self._mount) :], "root_path": "", BASE: base_path(scope) + self._mount}
            await self._surface({**scope, **below}, receive, send)
        else:
            told = failure(Code.NOT_FOUND, "there is nothing here", fix=f"start at {self._mount or '/'}")
            await send_response(send, problem_response(told), scope["method"])

    async def _document(self, scope: Scope, send: Send, path: str) -> None:
        refused = self._surface.refuse(scope)
        if refused is None and scope["method"] not in ("GET", "HEAD"):
            refused = method_not_allowed("GET", "HEAD")
        if refused is not None:
            response = problem_response(refused)
        else:
            kind, body = self._documents[path]
            headers = [(b"content-type", kind.encode("ascii")), _PUBLIC, NO_SNIFF]
            response = Response(200, headers, body)
        await send_response(send, response, scope["method"])
