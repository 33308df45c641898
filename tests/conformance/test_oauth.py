"""The whole way to a token and back: a certified provider, the official client, and `drift serve` between them."""

import asyncio
import re
import socket
import sys
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata
from suites import HERE, NODE, serving

from drift.protocol.http.oauth import OAuthSettings, OAuthTokens
from drift.protocol.http.refusals import Reason, TokenRefusedError

pytestmark = [pytest.mark.node, pytest.mark.slow]

CALLBACK = "http://127.0.0.1:1/callback"
_ACTION = re.compile(r'<form[^>]{1,200}action="([^"]{1,400})"')
_PROMPT = re.compile(r'name="prompt" value="(\w{1,20})"')


@pytest.fixture(scope="module")
def issuer(_node):
    with serving([str(NODE), str(HERE / "provider.mjs"), CALLBACK]) as url:
        yield url


@pytest.fixture(scope="module")
def drift(issuer, project, environ):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = {"DRIFT_MCP_AUTH_ISSUER": issuer, "DRIFT_MCP_HTTP_PUBLIC_URL": f"http://localhost:{port}"}
    command = [sys.executable, "-m", "drift", "serve", str(project), "--port", str(port), "--surface", "full"]
    with serving(command, {**environ, **settings}) as url:
        yield url


class Memory:
    """Where the client keeps what it was given."""

    tokens = None

    def __init__(self, issuer):
        self.client = OAuthClientInformationFull(
            client_id="editor", redirect_uris=[CALLBACK], issuer=issuer, token_endpoint_auth_method="none"
        )

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Person:
    """Somebody at a browser who signs in and agrees to everything."""

    def __init__(self):
        self.asked = []
        self._came_back = {}

    async def visit(self, url):
        self.asked.append({name: values[0] for name, values in parse_qs(urlsplit(url).query).items()})
        async with httpx2.AsyncClient() as browser:
            page = await browser.get(url)
            while not (page.is_redirect and page.headers["location"].startswith(CALLBACK)):
                page = await self._go_on(browser, page)
        self._came_back = parse_qs(urlsplit(page.headers["location"]).query)
        assert "code" in self._came_back, self._came_back

    async def _go_on(self, browser, page):
        if page.is_redirect:
            return await browser.get(urljoin(str(page.url), page.headers["location"]))
        action, prompt = _ACTION.search(page.text), _PROMPT.search(page.text)
        assert action is not None, page.text[:2000]
        assert prompt is not None, page.text[:2000]
        form = {"prompt": prompt[1], "login": "ada", "password": "any"}
        return await browser.post(urljoin(str(page.url), action[1]), data=form)

    async def return_code(self):
        return AuthorizationCodeResult(
            **{name: self._came_back[name][0] for name in ("code", "state", "iss")}
        )


async def use(url, auth, kept):
    """Call as a reader, as somebody who needs more, and after a while."""
    async with (
        httpx2.AsyncClient(auth=auth, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        read = await client.call_tool("drift_capabilities", {})
        seen = {tool.name for tool in (await client.list_tools()).tools}
        first = kept.tokens
        more = await client.call_tool("drift_cache_clear", {})
        second = kept.tokens
        auth.context.token_expiry_time = 1.0  # as if its time were over
        again = await client.call_tool("drift_capabilities", {})
    return read, seen, more, again, (first, second, kept.tokens)


def test_a_client_finds_the_server_signs_in_steps_up_and_refreshes(issuer, drift):
    url = f"{drift}/analysis"
    person, kept = Person(), Memory(issuer)
    metadata = OAuthClientMetadata(redirect_uris=[CALLBACK])
    auth = OAuthClientProvider(url, metadata, kept, person.visit, person.return_code)

    read, seen, more, again, tokens = asyncio.run(use(url, auth, kept))

    assert [each.is_error for each in (read, more, again)] == [False] * 3
    assert "drift_capabilities" in seen
    assert "drift_cache_clear" not in seen  # a reader is not shown what only an administrator may do
    assert [asked["resource"] for asked in person.asked] == [url, url]
    assert [asked["code_challenge_method"] for asked in person.asked] == ["S256", "S256"]
    assert "drift:admin" not in person.asked[0]["scope"]
    assert "drift:admin" in person.asked[1]["scope"]
    assert len({each.access_token for each in tokens}) == 3
    assert len(person.asked) == 2  # the third token came without anybody being asked

    header = {"authorization": f"Bearer {tokens[2].access_token}"}
    elsewhere = httpx2.post(f"{drift}/memory", headers=header, json={})
    assert elsewhere.status_code == 401  # the token is for one part of the server alone


def test_a_revoked_token_is_no_longer_taken(issuer):
    settings = OAuthSettings(issuer, "introspection", client_id="drift", client_secret="drift secret")
    robot = ("robot", "robot-secret")
    form = {"grant_type": "client_credentials", "resource": "urn:drift", "scope": "drift:read"}
    token = httpx2.post(f"{issuer}/token", auth=robot, data=form).json()["access_token"]

    async def ask():
        verifier = OAuthTokens(settings)  # with no answer kept
        try:
            return await verifier.verify_token(token)
        finally:
            await verifier.close()

    access = asyncio.run(ask())
    httpx2.post(f"{issuer}/token/revocation", auth=robot, data={"token": token})

    assert (access.subject, access.scopes, access.claims["aud"]) == ("robot", ["drift:read"], ["urn:drift"])
    with pytest.raises(TokenRefusedError) as refused:
        asyncio.run(ask())
    assert refused.value.reason is Reason.INACTIVE
