"""Content beyond JSON: pictures, sound and whole documents that an answer, a resource or a prompt carries.

Plain frozen values; how they travel is each surface's business (MCP specification, "Content").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, Literal, TypeAlias, TypeVar

ValueT = TypeVar("ValueT")


@dataclass(frozen=True, slots=True)
class Image:
    """A picture."""

    data: bytes
    """The file's own bytes; surfaces encode them."""
    mime_type: str = "image/png"


@dataclass(frozen=True, slots=True)
class Audio:
    """A sound."""

    data: bytes
    mime_type: str = "audio/wav"


@dataclass(frozen=True, slots=True)
class Embedded:
    """A document that travels inside an answer, under its own URI."""

    uri: str
    data: str | bytes
    """Text, or the bytes of a binary file."""
    mime_type: str | None = None


Content: TypeAlias = Image | Audio | Embedded
"""What can stand beside a value, or be the whole answer."""

CONTENT_TYPES: Final = (Image, Audio, Embedded)


# Without slots: in Python 3.11 a frozen generic with slots cannot be made as `Result[T](...)`.
@dataclass(frozen=True)
class Result(Generic[ValueT]):
    """A value with content beside it: MCP clients get both, every other surface the value.

    The contract is that of the value: `-> Result[Report]` publishes the schema of `Report`.
    """

    value: ValueT
    content: Sequence[Content] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    content: str | Content
    role: Literal["user", "assistant"] = "user"
