"""Who may read the page and decide on it: alone on a machine, and shared behind tokens."""

import http.client
import json
from contextlib import contextmanager
from threading import Event, Thread

import pytest
from mcp.server.auth.provider import AccessToken
from page_checks import barriers
from watched_project import Served, served_at

from drift.dashboard import Inquiry, guarded_page, own_door, token_door
from drift.protocol.http.app import create_app
from drift.protocol.http.serve import HttpServer
from drift.protocol.http.settings import HttpSettings, Mount
from drift.registry import ServerName, Surface
from drift.servers import BLUEPRINTS, assemble

RULES = ".drift/rules/conventions.toml"
READER, WRITER, STRANGER = "reader-token", "writer-token", "stranger-token"
SCOPES = {READER: ["drift:read"], WRITER: ["drift:read", "drift:write", "drift:memory"]}


class Tokens:
    async def verify_token(self, token):
        if token not in SCOPES:
            return None
        return AccessToken(token=token, client_id=token.partition("-")[0], scopes=SCOPES[token])


@contextmanager
def shared_at(place, *, has_tokens):
    """The server of a team, with the page at its `/`."""
    settings = HttpSettings(port=0)
    server = assemble(BLUEPRINTS[ServerName.ANALYSIS], Surface("entry"), at=place.at)
    mount = Mount("/analysis", server.mcp, server.tools.required_scopes, frozenset({"drift:read"}))
    inquiry = Inquiry(place.at)
    app = create_app(
        [mount],
        settings=settings,
        verifier=Tokens() if has_tokens else None,
        health=lambda: {"status": "ok"},
        metrics=str,
        page=lambda gate, drain: guarded_page(
            inquiry, drain, own_door(may_write=False) if gate is None else token_door(gate)
        ),
    )
    running = HttpServer(app, settings)
    ready = Event()
    thread = Thread(target=running.run, args=(lambda _server: ready.set(),))
    thread.start()
    assert ready.wait(300)
    try:
        yield Served(running.url, running.port)
    finally:
        running.stop()
        thread.join()
        inquiry.close()
        server.runtime.close()


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def post(served, body, headers):
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=300)
    connection.request("POST", "/api/decide", json.dumps(body), headers)
    reply = connection.getresponse()
    found = reply.status, json.loads(reply.read())
    connection.close()
    return found


@pytest.fixture
def decided(place):
    """A project that decides something, and the decision to be made about it."""
    for number in range(8):
        place.write(f"part{number}.py", f"class Part{number}Error(Exception):\n    pass\n")
    place.scan()
    evidence = {"files": ["part0.py", "part1.py", "part2.py"], "snippets": ["class Part0Error(Exception):"]}
    place.call(ServerName.ANALYSIS, "drift_patterns_list")
    return {
        "action": "approve",
        "patternId": "errors/exception-suffix:python",
        "evidence": {**evidence, "reasoning": "All errors of the parts are told by their names. " * 3},
    }


def test_a_page_that_only_reads_takes_no_decision(place, decided):
    with served_at(place) as served:
        session = served.get("/api/session").json
        status, said = post(served, decided, {"x-drift-key": "guessed"})

    assert session == {"mayWrite": False, "key": None}
    assert (status, "only reads" in said["error"]) == (403, True)
    assert not (place.root / RULES).exists()


def test_a_decision_needs_the_key_that_the_page_alone_knows(place, decided):
    with served_at(place, may_write=True) as served:
        key = served.get("/api/session").json["key"]
        without = post(served, decided, {})
        foreign = post(served, decided, {"x-drift-key": key, "Sec-Fetch-Site": "cross-site"})
        other_host = post(served, decided, {"x-drift-key": key, "Host": "evil.example"})
        assert not (place.root / RULES).exists()
        status, said = post(served, decided, {"x-drift-key": key})

    assert [without[0], foreign[0], other_host[0]] == [403, 403, 421]
    assert (status, said["problem"]) == (200, None)
    assert "errors/exception-suffix" in (place.root / RULES).read_text("utf-8")


@pytest.mark.parametrize(
    "change",
    [
        {"action": "bulk_approve"},
        {"patternId": 7},
        {"evidence": "none"},
        {"more": 1},
        {"evidence": {"reasoning": "x" * 200_000}},
    ],
)
def test_what_is_no_decision_is_refused(place, decided, change):
    with served_at(place, may_write=True) as served:
        key = served.get("/api/session").json["key"]
        status, _said = post(served, {**decided, **change}, {"x-drift-key": key})

    assert status == 400
    assert not (place.root / RULES).exists()


def test_browsers_get_the_page_of_a_shared_server_and_programs_the_list(place):
    with shared_at(place, has_tokens=False) as served:
        page = served.get("/", headers={"Accept": "text/html,*/*"})
        listed = served.get("/", headers={"Accept": "application/json"})
        script = served.get("/dashboard.js")
        status = served.ask("status")

    assert "text/html" in page.headers["content-type"]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert listed.json["servers"] == {"drift-analysis": "/analysis"}
    assert (script.status, status.json["problem"]) == (200, None)


def test_behind_tokens_nothing_of_the_project_is_told_to_strangers(place):
    place.scan()
    place.remember("The importer runs before midnight")
    with shared_at(place, has_tokens=True) as served:
        assert served.get("/", headers={"Accept": "text/html"}).status == 200
        for path in (
            "/api/status",
            "/api/map",
            "/api/session",
            "/tools.json",
            "/activity",
            "/api/memory/list",
        ):
            assert served.get(path).status == 401
            assert served.get(path, headers=bearer(STRANGER)).status == 401
        assert served.get("/api/map", headers=bearer(READER)).json["problem"] is None
        for path in ("/api/memory/list", "/api/memory"):
            refused = served.get(path, headers=bearer(READER)).json
            assert refused["problem"]["code"] == "FORBIDDEN"
            assert "importer" not in json.dumps(refused)
        assert served.get("/api/memory/list", headers=bearer(WRITER)).data["memories"]


def test_behind_tokens_only_who_may_write_decides(place, decided):
    with shared_at(place, has_tokens=True) as served:
        assert served.get("/api/session", headers=bearer(READER)).json == {"mayWrite": False, "key": None}
        key = served.get("/api/session", headers=bearer(WRITER)).json["key"]
        reader = post(served, decided, {"x-drift-key": key, **bearer(READER)})
        writer = post(served, decided, {"x-drift-key": key, **bearer(WRITER)})

    assert reader[0] == 403
    assert writer[1]["problem"] is None


@pytest.mark.slow
def test_a_person_approves_a_convention_on_the_page(place, decided, chromium, axe):
    with served_at(place, may_write=True) as served, chromium.page() as page:
        page.open(f"{served.url}/#conventions/errors/exception-suffix:python")
        page.wait_for("document.querySelector('.decide textarea')")
        assert not axe or barriers(page, axe) == []
        page.evaluate("document.querySelector('.decide textarea').focus()")
        page.type(decided["evidence"]["reasoning"])
        page.evaluate("document.querySelector('.decide button').click()")
        page.wait_for(
            "[...document.querySelectorAll('.badge')].some((each) => each.textContent === 'approved')"
        )

        assert page.complaints() == []
    assert "approved" in (place.root / RULES).read_text("utf-8")


@pytest.mark.slow
def test_a_shared_page_asks_for_a_token_and_shows_itself_to_who_has_one(place, chromium, axe):
    place.scan()
    with shared_at(place, has_tokens=True) as served, chromium.page() as page:
        page.order("Page.navigate", url=f"{served.url}/#overview")
        page.wait_for("document.querySelector('[data-view=token] input')")
        assert not axe or barriers(page, axe) == []
        page.type(READER)
        page.press("Enter")
        page.wait_for("document.querySelector('main h1').textContent === 'Overview'")
        page.wait_for("document.querySelector('main').innerText.includes('up to date')")
        page.evaluate("location.hash = '#activity'")
        page.wait_for("document.querySelector('main').innerText.includes('Calls are not counted')")
