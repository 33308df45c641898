"""Which authorization server is trusted, and how its tokens are judged."""

from dataclasses import dataclass
from typing import Literal

Method = Literal["jwt", "introspection", "both"]


@dataclass(frozen=True, slots=True)
class OAuthSettings:
    """One authorization server."""

    issuer: str
    method: Method = "jwt"
    """`jwt` believes signatures, `introspection` asks the server, `both` does the one and then the other."""
    jwks_url: str = ""
    introspection_url: str = ""
    """Both are looked up in the server's metadata where they are empty."""
    client_id: str = ""
    client_secret: str = ""
    """What Drift calls itself when it asks about a token."""
    algorithms: tuple[str, ...] = ("RS256",)
    """Only such as a public key checks: with a shared secret every resource could make tokens."""
    clock_skew_seconds: int = 30
    is_strict: bool = True
    """Whether tokens must be marked as access tokens and carry all that RFC 9068 wants."""
    scope_claim: str = "scope"
