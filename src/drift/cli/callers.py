"""Whom `drift serve` lets in: the bearers of a file of tokens, and those an authorization server vouches for."""

import logging
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.project import Project

if TYPE_CHECKING:
    # The protocol library takes a second to import; settings need none of it.
    from drift.protocol.http.oauth import OAuthSettings
    from drift.protocol.http.tokens import Verifier

logger = logging.getLogger(__name__)

_MOST_SECRET_BYTES: Final = 4_096
_OTHERS_MAY_ACCESS: Final = stat.S_IRWXG | stat.S_IRWXO


def find_verifier(project: Project, tokens: Path | None) -> "Verifier | None":
    """What judges tokens; None where nobody is asked for one. Raises CONFIG_INVALID."""
    # Imported here: they bring the protocol library.
    from drift.protocol.http.tokens import EitherTokens, StaticTokens

    static = None if tokens is None else StaticTokens.from_file(tokens)
    settings = read_oauth_settings(project)
    if settings is None:
        return static
    # The extra `team` brings what it needs, and only who sets an issuer needs it.
    from drift.protocol.http.oauth import OAuthTokens

    return EitherTokens(static, OAuthTokens(settings))


def read_oauth_settings(project: Project) -> "OAuthSettings | None":
    """The authorization server of the settings, if there is one."""
    auth = project.config.mcp.auth
    if not auth.issuer:
        return None
    if not project.config.mcp.http_public_url:
        # Tokens are made for an address; one that every caller may name in its Host header would be good for any.
        raise _unset("mcp.http_public_url", "mcp.auth.issuer needs the address that tokens are made for")
    if auth.method != "jwt" and not auth.client_id:
        raise _unset("mcp.auth.client_id", "who asks about tokens must say who they are")
    from drift.protocol.http.oauth import OAuthSettings  # see above

    return OAuthSettings(
        issuer=auth.issuer,
        method=auth.method,
        jwks_url=auth.jwks_url,
        introspection_url=auth.introspection_url,
        client_id=auth.client_id,
        client_secret=_read_secret(project.path_of("mcp.auth.client_secret_file"))
        if auth.client_secret_file
        else "",
        algorithms=auth.algorithms,
        clock_skew_seconds=auth.clock_skew_seconds,
        is_strict=auth.strict,
        scope_claim=auth.scope_claim,
    )


def _read_secret(path: Path) -> str:
    try:
        with path.open("rb") as file:
            secret = file.read(_MOST_SECRET_BYTES + 1)
            mode = os.fstat(file.fileno()).st_mode
    except OSError as error:
        raise _unset("mcp.auth.client_secret_file", f"it cannot be read ({error.strerror})") from error
    if os.name == "posix" and mode & _OTHERS_MAY_ACCESS:
        logger.warning("Secret file %s is open to other users; run: chmod 600 %s", path, path)
    try:
        text = secret.decode().strip()
    except UnicodeDecodeError:
        text = ""
    if not text or not text.isprintable() or len(secret) > _MOST_SECRET_BYTES:
        raise _unset("mcp.auth.client_secret_file", "it must hold one line of text")
    return text


def _unset(key: str, why: str) -> DriftError:
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"{key}: {why}",
        Recovery(hint=f"Set {key}; docs/team.md shows how.", details={"key": key}),
    )
