"""Who was let in: what host, origin and credentials decided, found out once for as long as they decide alike.

Clients repeat these header fields with every request. Where nothing but them decides, the decision is kept under them,
and the next request with the same fields is not judged again. Of credentials only digests are held. Knows nothing of
how anything is decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2s
from typing import Final, TypeAlias

from afford.authentication import AuthenticatorChain
from afford.caller import Caller, Surface
from afford.manifest import Manifest
from afford.request import Request
from afford.runtime import Runtime
from afford.surfaces.asgi import Header, Scope
from afford.surfaces.http.message import JSON, NO_SNIFF, NO_STORE

Fields: TypeAlias = tuple[object, ...]
"""What decides about a request to a surface, in a form that can be looked up; empty: more than its header fields do."""

_MAX_KEPT: Final = 4096
"""Admissions kept; with more, all are forgotten and found out again."""


@dataclass(frozen=True, slots=True)
class Admission:
    """A caller that may come in, and what follows for every answer."""

    runtime: Runtime
    epoch: object
    """The runtime's epoch that the manifest belongs to."""
    caller: Caller
    manifest: Manifest
    """What the caller is offered over HTTP, where no provider of tools is asked, so that it lasts for the epoch."""
    vary: tuple[Header, ...]
    """Names the headers that were read to find out who calls (RFC 9110 section 12.5.5); empty: none were."""
    headers: tuple[Header, ...]
    """Of every answer of an operation."""


def admission(runtime: Runtime, caller: Caller, vary: tuple[Header, ...]) -> Admission:
    """The admission of a caller, with what it is offered now."""
    headers = (JSON, NO_STORE, NO_SNIFF, *vary)
    return Admission(runtime, runtime.epoch, caller, runtime.manifest(caller), vary, headers)


class Admissions:
    """Admissions by the header fields that decided them."""

    __slots__ = ("_credentials", "_kept")

    def __init__(self, chain: AuthenticatorChain) -> None:
        """Start with none; none are ever kept where a function, a clock or another service has a say."""
        self._kept: dict[Fields, Admission] = {}
        # What comes in a cookie is judged by the method, too.
        is_decisive = chain.is_fixed and "cookie" not in chain.reads
        self._credentials = tuple(name.encode("latin-1") for name in sorted(chain.reads)) if is_decisive else None

    def recall(self, scope: Scope, request: Request, surface: Surface) -> Admission | Fields:
        """What was decided about the same fields before, if it still holds; else the fields, to keep a decision under.

        Args:
            scope: of the request.
            request: the same as everyone else sees it.
            surface: what it wants to reach.
        """
        sent = request.fields
        if self._credentials is None or len(sent) < len(scope["headers"]):
            # A field that came twice may be two opinions, which takes more than looking it up.
            return ()
        host, origin = sent.get(b"host"), sent.get(b"origin")
        fields: Fields = (surface, scope.get("server"), scope.get("root_path"), host, origin)
        for name in self._credentials:
            value = sent.get(name)
            if value is not None:
                fields += name, blake2s(value).digest()
        try:
            known = self._kept.get(fields)
        except TypeError:
            # A server that says in a list where it is: that cannot be looked up.
            return ()
        return known if known is not None and known.runtime.is_current(known.epoch) else fields

    def keep(self, fields: Fields, admitted: Admission) -> None:
        """Remember what the fields decided; does nothing where they are empty."""
        if not fields:
            return
        if len(self._kept) >= _MAX_KEPT:
            self._kept.clear()
        self._kept[fields] = admitted
