"""afford: declare each operation once; serve it to agents, programs, pages and shells, fail-closed.

Importing this package loads no web framework, no MCP package and no database driver; names are loaded when used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from afford.access import Rule, anyone, claim, roles, signed_in
    from afford.app import App, find_agent_doc_gaps
    from afford.authentication import ApiKeys, Authenticator, JWTBearer
    from afford.caller import Caller, Door, Principal, Surface
    from afford.catalog.model import Catalog
    from afford.declare.call import Call, SyncCall
    from afford.declare.content import Audio, Embedded, Image, Message, Result
    from afford.declare.feature import Feature
    from afford.declare.pages import Page, PageRequest
    from afford.declare.problems import Problem
    from afford.declare.questions import Ask
    from afford.declare.states import SharedState
    from afford.declare.tools import Tool
    from afford.declare.vocabulary import DOC, Agent, Example, Kind, Paging, Reach, Risk, Safety
    from afford.errors import (
        CatalogError,
        Code,
        ConflictError,
        CredentialsError,
        DeclarationError,
        Diagnostic,
        Failure,
        Fault,
        ForbiddenError,
        InvalidInputError,
        NotFoundError,
        Refusal,
        UnavailableError,
    )
    from afford.execute.outcome import CallRecord
    from afford.manifest import Explanation, Manifest
    from afford.request import Request
    from afford.schema.markers import Choices, Identifier, Secret, UserText

_HOMES: Final = {
    "access": ("Rule", "anyone", "claim", "roles", "signed_in"),
    "app": ("App", "find_agent_doc_gaps"),
    "authentication": ("ApiKeys", "Authenticator", "JWTBearer"),
    "caller": ("Caller", "Door", "Principal", "Surface"),
    "catalog.model": ("Catalog",),
    "declare.call": ("Call", "SyncCall"),
    "declare.content": ("Audio", "Embedded", "Image", "Message", "Result"),
    "declare.feature": ("Feature",),
    "declare.pages": ("Page", "PageRequest"),
    "declare.problems": ("Problem",),
    "declare.questions": ("Ask",),
    "declare.states": ("SharedState",),
    "declare.tools": ("Tool",),
    "declare.vocabulary": ("DOC", "Agent", "Example", "Kind", "Paging", "Reach", "Risk", "Safety"),
    "errors": (
        "CatalogError",
        "Code",
        "ConflictError",
        "CredentialsError",
        "DeclarationError",
        "Diagnostic",
        "Failure",
        "Fault",
        "ForbiddenError",
        "InvalidInputError",
        "NotFoundError",
        "Refusal",
        "UnavailableError",
    ),
    "execute.outcome": ("CallRecord",),
    "manifest": ("Explanation", "Manifest"),
    "request": ("Request",),
    "schema.markers": ("Choices", "Identifier", "Secret", "UserText"),
}
_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "DOC",
    "Agent",
    "ApiKeys",
    "App",
    "Ask",
    "Audio",
    "Authenticator",
    "Call",
    "CallRecord",
    "Caller",
    "Catalog",
    "CatalogError",
    "Choices",
    "Code",
    "ConflictError",
    "CredentialsError",
    "DeclarationError",
    "Diagnostic",
    "Door",
    "Embedded",
    "Example",
    "Explanation",
    "Failure",
    "Fault",
    "Feature",
    "ForbiddenError",
    "Identifier",
    "Image",
    "InvalidInputError",
    "JWTBearer",
    "Kind",
    "Manifest",
    "Message",
    "NotFoundError",
    "Page",
    "PageRequest",
    "Paging",
    "Principal",
    "Problem",
    "Reach",
    "Refusal",
    "Request",
    "Result",
    "Risk",
    "Rule",
    "Safety",
    "Secret",
    "SharedState",
    "Surface",
    "SyncCall",
    "Tool",
    "UnavailableError",
    "UserText",
    "anyone",
    "claim",
    "find_agent_doc_gaps",
    "roles",
    "signed_in",
]


def __getattr__(name: str) -> object:
    """Load a public name from its home when it is first used (PEP 562)."""
    if name == "__version__":
        # Looked up when asked for: reading package metadata costs more than the rest of this module.
        return import_module("importlib.metadata").version("afford")
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'afford' has no attribute {name!r}")
    value: object = getattr(import_module(f"afford.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Public names."""
    return [*__all__, "__version__"]
