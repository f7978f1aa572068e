"""JSON Web Tokens (RFC 7519): keys from PEM, secret or key set, and claims from a token.

The only module that knows PyJWT; importing it needs the extra `afford[jwt]`. It keeps nothing and asks no clock:
expiry is for the caller to judge. No error carries any part of a token or a key.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Final, TypeAlias, cast

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from jwt.algorithms import AllowedPublicKeys
from jwt.types import Options

from afford.authentication.authenticator import UnrecognisedError
from afford.authentication.keys import VerificationKey
from afford.errors import CredentialsError

Material: TypeAlias = AllowedPublicKeys | bytes

ASYMMETRIC: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
SHARED: Final = ("HS256", "HS384", "HS512")

_FETCH_SECONDS: Final = 5.0
# Some issuers sit behind filters that turn Python's own user agent away.
_FETCH_HEADERS: Final = {"Accept": "application/json", "User-Agent": "afford"}

_OPTIONS: Final[Options] = {
    "require": ["exp", "sub", "iss", "aud"],
    # Judged by the caller's clock, every time and not only at the first sight of a token.
    "verify_exp": False,
    "verify_nbf": False,
    # Says how old a token is and not whether it is good (RFC 7519 section 4.1.6); issuers' clocks run ahead.
    "verify_iat": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unverified:
    """What a token says of itself, to find the key by; nothing in it is to be believed."""

    kid: str | None
    algorithm: str
    issuer: object


def peek(token: str) -> Unverified:
    """What the token says of itself.

    Raises:
        UnrecognisedError: it is not a JSON Web Token.
    """
    try:
        content = jwt.decode_complete(token, options={"verify_signature": False})
    except jwt.PyJWTError:
        raise UnrecognisedError("the bearer token is not a JSON Web Token") from None
    header = cast("dict[str, object]", content["header"])
    payload = cast("dict[str, object]", content["payload"])
    kid, algorithm = header.get("kid"), header.get("alg")
    return Unverified(
        kid=kid if isinstance(kid, str) else None,
        algorithm=algorithm if isinstance(algorithm, str) else "",
        issuer=payload.get("iss"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMaker:
    """Makes keys that accept one issuer's tokens for one audience."""

    issuer: str
    audience: str
    algorithms: tuple[str, ...] | None = None
    """Allowed signature algorithms; None: every asymmetric one that fits the key, `HS256` for a secret."""

    def check(self, *, secret: bool) -> None:
        """Refuse algorithms that the kind of key must never be used with (RFC 8725 sections 3.1 and 3.2).

        Raises:
            ValueError: the list is empty or names one that is unknown, unsafe or meant for the other kind of key.
        """
        if self.algorithms is None:
            return
        allowed = SHARED if secret else ASYMMETRIC
        if not self.algorithms or not set(self.algorithms) <= set(allowed):
            kind = "a shared secret" if secret else "a public key or a key set"
            raise ValueError(f"algorithms= may only list these for {kind}: {', '.join(allowed)}")

    def from_configured(self, key: str | bytes) -> VerificationKey:
        """The key that an operator configured: a public key as PEM, or a shared secret.

        Raises:
            ValueError: the key or the algorithms cannot be used.
        """
        encoded = key.encode() if isinstance(key, str) else key
        is_pem = encoded.lstrip().startswith(b"-----BEGIN")
        self.check(secret=not is_pem)
        if is_pem:
            material = _public_key(encoded)
            candidates = self.algorithms or ASYMMETRIC
        else:
            material = encoded
            candidates = self.algorithms or SHARED[:1]
        fitting = _fitting(candidates, material)
        if not fitting or (self.algorithms is not None and fitting != frozenset(self.algorithms)):
            raise ValueError(
                f"key= cannot be used with {', '.join(candidates)}; give a public key as PEM (RSA: 2048 bits or more), "
                "or a shared secret as long as the hash, 32 bytes for HS256 (RFC 7518 section 3.2)"
            )
        return self._key(None, fitting, b"configured", material)

    def fetch(self, url: str) -> Sequence[VerificationKey]:
        """The usable keys of the key set at `url` (RFC 7517 section 5). Blocks for seconds at worst.

        Raises:
            Exception: of many kinds, when the set cannot be had or has no usable key.
        """
        client = jwt.PyJWKClient(url, cache_jwk_set=False, timeout=_FETCH_SECONDS, headers=_FETCH_HEADERS)
        document = cast("dict[str, object]", client.fetch_data())
        entries = document.get("keys")
        if not isinstance(entries, list):
            raise ValueError("the answer is not a JSON Web Key Set")  # noqa: TRY004 - it is the value that is wrong
        keys = [key for entry in cast("list[object]", entries) if (key := self._from_set(entry)) is not None]
        if not keys:
            raise ValueError("the key set has no key that verifies signatures")
        return keys

    def _from_set(self, entry: object) -> VerificationKey | None:
        """The key of one entry, None for one that is not a public key for signatures."""
        if not isinstance(entry, dict):
            return None
        fields = cast("dict[str, object]", entry)
        kid, bound = fields.get("kid"), fields.get("alg")
        allowed = self.algorithms or ASYMMETRIC
        candidates = allowed if bound is None else tuple(name for name in allowed if name == bound)
        if not candidates or not isinstance(kid, str | None) or not _is_public_and_signs(fields):
            return None
        try:
            material = cast("Material", jwt.PyJWK(fields).key)
        except jwt.PyJWTError:
            return None
        fitting = _fitting(candidates, material)
        if not fitting:
            return None
        fingerprint = sha256(json.dumps(fields, sort_keys=True).encode()).digest()
        return self._key(kid, fitting, fingerprint, material)

    def _key(
        self, kid: str | None, algorithms: frozenset[str], fingerprint: bytes, material: Material
    ) -> VerificationKey:
        decode = partial(self._decode, material, sorted(algorithms))
        return VerificationKey(kid=kid, algorithms=algorithms, fingerprint=fingerprint, decode=decode)

    def _decode(self, material: Material, algorithms: list[str], token: str) -> dict[str, object]:
        try:
            return jwt.decode(
                token, material, algorithms=algorithms, issuer=self.issuer, audience=self.audience, options=_OPTIONS
            )
        except jwt.MissingRequiredClaimError as error:
            reason = f"the token has no {error.claim!r} claim"
        except jwt.PyJWTError as error:
            # The class says what is wrong; the text may quote the token.
            reason = f"the token is not good: {type(error).__name__}"
        raise CredentialsError(reason)


def _public_key(pem: bytes) -> Material:
    try:
        return cast("Material", load_pem_public_key(pem))
    except (ValueError, UnsupportedAlgorithm):
        raise ValueError("key= is PEM but not a public key; give the one that starts with BEGIN PUBLIC KEY") from None


def _is_public_and_signs(fields: dict[str, object]) -> bool:
    """Whether an entry is a public key for signatures (RFC 7517 sections 4.2 and 4.3).

    A set must not hold secrets or private keys: whoever can read it could sign.
    """
    operations = fields.get("key_ops", ["verify"])
    return (
        fields.get("kty") in ("RSA", "EC", "OKP")
        and "d" not in fields
        and fields.get("use", "sig") == "sig"
        and isinstance(operations, list)
        and "verify" in operations
    )


def _fitting(names: Sequence[str], material: Material) -> frozenset[str]:
    """Those algorithms that the key is of the right kind, curve and length for."""
    return frozenset(name for name in names if _fits(name, material))


def _fits(name: str, material: Material) -> bool:
    algorithm = jwt.get_algorithm_by_name(name)
    try:
        return algorithm.check_key_length(algorithm.prepare_key(material)) is None
    except (TypeError, jwt.InvalidKeyError):
        return False
