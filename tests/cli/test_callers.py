"""Whom `drift serve` lets in, as the settings say it."""

import asyncio
import hashlib
import json

import pytest

from drift.cli.callers import find_verifier, read_oauth_settings
from drift.kernel.errors import DriftError, ErrorCode
from drift.project import open_project
from drift.protocol.http.refusals import TokenRefusedError

ISSUER = {
    "DRIFT_MCP_AUTH_ISSUER": "https://login.example",
    "DRIFT_MCP_HTTP_PUBLIC_URL": "https://drift.example",
}


def project_with(tmp_path, **settings):
    return open_project(tmp_path, {"DRIFT_HOME": str(tmp_path / "home"), **settings})


def test_without_an_issuer_nobody_is_asked(tmp_path):
    assert find_verifier(project_with(tmp_path), None) is None


def test_the_settings_say_how_tokens_are_judged(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hush\n")
    secret.chmod(0o600)
    asking = {
        "DRIFT_MCP_AUTH_METHOD": "both",
        "DRIFT_MCP_AUTH_CLIENT_ID": "drift",
        "DRIFT_MCP_AUTH_CLIENT_SECRET_FILE": str(secret),
        "DRIFT_MCP_AUTH_ALGORITHMS": "ES256",
    }

    found = read_oauth_settings(project_with(tmp_path, **ISSUER, **asking))

    assert (found.issuer, found.method, found.client_secret) == ("https://login.example", "both", "hush")
    assert found.algorithms == ("ES256",)


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"DRIFT_MCP_HTTP_PUBLIC_URL": ""}, "mcp.http_public_url"),
        ({"DRIFT_MCP_AUTH_METHOD": "introspection"}, "mcp.auth.client_id"),
        ({"DRIFT_MCP_AUTH_CLIENT_SECRET_FILE": "/nowhere"}, "mcp.auth.client_secret_file"),
        ({"DRIFT_MCP_AUTH_CLIENT_SECRET_FILE": "/dev/null"}, "mcp.auth.client_secret_file"),
        ({"DRIFT_MCP_AUTH_ISSUER": "http://login.example"}, "mcp.auth.issuer"),
        ({"DRIFT_MCP_AUTH_ISSUER": "https://"}, "mcp.auth.issuer"),
        ({"DRIFT_MCP_AUTH_ISSUER": "/login"}, "mcp.auth.issuer"),
        ({"DRIFT_MCP_AUTH_ALGORITHMS": "RS256,HS256"}, "mcp.auth.algorithms"),
        ({"DRIFT_MCP_AUTH_ALGORITHMS": "none"}, "mcp.auth.algorithms"),
    ],
)
def test_what_would_let_anybody_in_is_no_setting(tmp_path, settings, key):
    with pytest.raises(DriftError) as refused:
        find_verifier(project_with(tmp_path, **{**ISSUER, **settings}), None)

    assert refused.value.code is ErrorCode.CONFIG_INVALID
    assert key in refused.value.message


def test_tokens_of_a_file_are_taken_beside_those_of_a_server(tmp_path):
    file = tmp_path / "tokens.json"
    entry = {"sha256": hashlib.sha256(b"known").hexdigest(), "subject": "ci", "scopes": ["drift:read"]}
    file.write_text(json.dumps([entry]))
    file.chmod(0o600)
    verifier = find_verifier(project_with(tmp_path, **ISSUER), file)

    assert asyncio.run(verifier.verify_token("known")).subject == "ci"
    with pytest.raises(TokenRefusedError):
        asyncio.run(verifier.verify_token("unknown"))
