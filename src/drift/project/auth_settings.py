"""Settings of `drift serve` about access tokens of an authorization server."""

from dataclasses import dataclass
from typing import Literal

from drift.project import values
from drift.project.setting_rows import setting

ADDRESS = values.text(
    "an https address, or http on this machine, or empty for none",
    r"((https://[^\s/?#@]{1,260}|http://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?)(/[^\s?#]{0,1000})?)?",
    most=1500,
)
_AUDIENCE = values.text("a name that tokens are made for", r"\S+", most=500)
_ALGORITHM = values.text("RS256, PS256, ES256 (or 384, 512) or EdDSA", r"(RS|PS|ES)(256|384|512)|EdDSA")
_CLAIM = values.text("a claim's name", r"[A-Za-z0-9_:./-]+")


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """Whose access tokens `drift serve` takes."""

    issuer: str = setting(
        ADDRESS,
        "OAuth authorization server whose tokens are taken; empty for none",
        default="",
        repository="no",
    )
    method: Literal["jwt", "introspection", "both"] = setting(
        values.choice("jwt", "introspection", "both"),
        "How tokens are checked: by signature, by asking the server, or both",
        default="jwt",
        repository="no",
    )
    audience: tuple[str, ...] = setting(
        values.text_list(_AUDIENCE),
        "What tokens may be made for besides the server's own address",
        default=(),
        repository="no",
    )
    jwks_url: str = setting(
        ADDRESS, "Where the issuer's keys are; empty: as its metadata says", default="", repository="no"
    )
    introspection_url: str = setting(
        ADDRESS,
        "Where the issuer is asked about a token; empty: as its metadata says",
        default="",
        repository="no",
    )
    client_id: str = setting(
        values.text(most=500), "Drift's own name where it asks about a token", default="", repository="no"
    )
    client_secret_file: str = setting(
        values.project_path(may_be_empty=True),
        "File with the secret that goes with it; empty for none",
        default="",
        repository="no",
    )
    algorithms: tuple[str, ...] = setting(
        values.text_list(_ALGORITHM),
        "Signatures that are believed",
        default=("RS256", "PS256", "ES256", "EdDSA"),
        repository="no",
    )
    clock_skew_seconds: int = setting(
        values.integer(0, 300), "How far the issuer's clock may be off", default=30, repository="no"
    )
    strict: bool = setting(
        values.boolean(),
        "Take only tokens marked as access tokens, as RFC 9068 wants it; false for older servers",
        default=True,
        repository="no",
    )
    scope_claim: str = setting(
        _CLAIM, "Claim that holds the scopes; some servers call it scp", default="scope", repository="no"
    )
