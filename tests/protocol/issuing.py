"""An authorization server's side of things: keys, and tokens good and bad."""

import base64
import json
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

ISSUER = "https://login.example/realm"
RESOURCE = "https://drift.example"
NOW = 1_900_000_000
HEADER = {"typ": "at+jwt", "alg": "RS256", "kid": "main"}
CLAIMS = {
    "iss": ISSUER,
    "aud": f"{RESOURCE}/analysis",
    "sub": "ada",
    "client_id": "editor",
    "jti": "1",
    "iat": NOW - 60,
    "exp": NOW + 600,
    "scope": "openid drift:read drift:write other",
}


@cache
def rsa_key(name: str = "main", bits: int = 2048) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, bits)


@cache
def ec_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def public_jwk(key: Any, **members: str) -> dict[str, Any]:
    kind = jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
    found = {**kind.to_jwk(key.public_key(), as_dict=True), **members}
    found.pop("key_ops", None)
    return found


def public_pem(key: rsa.RSAPrivateKey) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def key_set() -> dict[str, Any]:
    return {
        "keys": [
            public_jwk(rsa_key(), kid="main", use="sig", alg="RS256"),
            public_jwk(ec_key(), kid="curve", use="sig"),
            {"kty": "oct", "kid": "shared", "k": encode(b"secret"), "alg": "HS256"},
            public_jwk(rsa_key("sealing"), kid="sealing", use="enc"),
            public_jwk(rsa_key("weak", 1024), kid="weak"),
        ]
    }


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def sign(header: bytes, claims: bytes, key: rsa.RSAPrivateKey | None = None) -> str:
    """A token over any bytes at all, with a right signature."""
    signed = f"{encode(header)}.{encode(claims)}"
    signature = (key or rsa_key()).sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{signed}.{encode(signature)}"


def token(*, header: dict[str, Any] | None = None, key: Any = None, **claims: Any) -> str:
    """A token with the usual claims but for those given; None leaves one out."""
    said = {name: value for name, value in {**CLAIMS, **claims}.items() if value is not None}
    head = {name: value for name, value in {**HEADER, **(header or {})}.items() if value is not None}
    return sign(json.dumps(head).encode(), json.dumps(said).encode(), key)


class Answers:
    """What an authorization server answers, by address; a list is used up one by one."""

    def __init__(self, **by_ending: Any) -> None:
        self.by_ending = by_ending
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []

    async def get(self, url: str) -> dict[str, Any]:
        return self._answer(url)

    async def post_form(self, url: str, form: bytes, headers: dict[str, str]) -> dict[str, Any]:
        self.headers.append(dict(headers))
        return self._answer(url)

    async def close(self) -> None:
        pass

    def _answer(self, url: str) -> dict[str, Any]:
        self.asked.append(url)
        found = self.by_ending[url.rpartition("/")[2]]
        if isinstance(found, Exception):
            raise found
        return found
