"""Access tokens of an OAuth 2.1 authorization server, for which Drift is the resource server."""

from drift.protocol.http.oauth.settings import OAuthSettings
from drift.protocol.http.oauth.verifier import OAuthTokens

__all__ = ["OAuthSettings", "OAuthTokens"]
