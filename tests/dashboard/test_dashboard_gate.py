"""Who may ask, and what browsers are told."""

from importlib.resources import files

import pytest

from drift.dashboard.gate import CONTENT_SECURITY_POLICY
from drift.dashboard.question_list import QUESTIONS

PATHS = ("/", "/dashboard.js", "/dashboard.css", "/elements.js", "/map.js", "/icon.svg", "/tools.json")


@pytest.fixture
def served(serve):
    return serve()


def assert_guarded(reply):
    assert reply.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["x-frame-options"] == "DENY"
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in reply.headers
    assert "server" not in reply.headers


def test_every_answer_carries_the_policy_also_a_refusal(served):
    for path in (*PATHS, "/api/status"):
        reply = served.get(path)
        assert reply.status == 200
        assert_guarded(reply)
    for reply in (
        served.get("/nowhere"),
        served.get("/api/nothing"),
        served.get("/api/status", surprise=1),
        served.get("/", method="POST"),
        served.get("/", headers={"Host": "evil.example"}),
        served.get("/api/status", headers={"Sec-Fetch-Site": "cross-site"}),
    ):
        assert reply.status >= 400
        assert_guarded(reply)


def test_the_policy_lets_nothing_in_that_is_not_the_pages_own():
    rules = dict(rule.split(" ", 1) for rule in CONTENT_SECURITY_POLICY.split("; "))

    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert "unsafe" not in CONTENT_SECURITY_POLICY


def test_the_page_has_no_script_or_style_inside(served):
    page = served.get("/").body.decode()

    assert "<script>" not in page
    assert "<style" not in page
    assert " style=" not in page
    assert " onclick" not in page
    assert "http:" not in page
    assert "https:" not in page


@pytest.mark.parametrize("path", ["/dashboard.js", "/elements.js", "/views.js"])
def test_scripts_never_make_markup_of_text(served, path):
    script = served.get(path).body.decode()

    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "DOMParser",
    ):
        assert word not in script


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("path", ["/", "/tools.json", "/api/status"])
def test_only_reading_methods_are_answered(served, method, path):
    assert served.get(path, method=method).status == 405


def test_head_answers_like_get_without_a_body(served):
    reply = served.get("/tools.json", method="HEAD")

    assert reply.status == 200
    assert reply.headers["content-type"] == "application/json"
    assert reply.body == b""


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8787", "127.0.0.1.evil.example", "", "localhost@evil"]
)
def test_a_name_that_was_bound_to_this_machine_by_others_is_refused(served, host):
    assert served.get("/api/status", headers={"Host": host}).status in {400, 421}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_the_names_of_this_machine_are_answered(served, host):
    assert served.get("/api/packs", headers={"Host": f"{host}:{served.port}"}).status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_web_pages_cannot_make_it_work_but_may_link_to_it(served, site):
    assert served.get("/api/status", headers={"Sec-Fetch-Site": site}).status == 403
    assert served.get("/tools.json", headers={"Sec-Fetch-Site": site}).status == 403
    assert served.get("/", headers={"Sec-Fetch-Site": site}).status == 200


def test_a_foreign_origin_is_refused(served):
    assert served.get("/api/status", headers={"Origin": "https://evil.example"}).status == 403


@pytest.mark.parametrize("name", ["", "drift_scan", "status/", "../status", "memory/delete", "%2e%2e/status"])
def test_nothing_can_be_asked_that_is_not_in_the_table(served, name):
    assert name not in QUESTIONS
    assert served.get(f"/api/{name}").status == 404


def test_a_wrong_address_is_told_what_is_wrong(served):
    reply = served.get("/api/memory/search", q="x", limit="many")

    assert reply.status == 400
    assert reply.json["code"] == "INVALID_ARGUMENT"
    assert reply.json["message"].startswith("limit:")


def test_the_page_is_light_and_reads_no_markup():
    folder = files("drift.dashboard").joinpath("page")
    texts = {one.name: one.read_text("utf-8") for one in folder.iterdir() if one.is_file()}
    scripts = {name: text for name, text in texts.items() if name.endswith(".js")}

    assert sum(len(text.encode()) for text in texts.values()) < 400_000
    assert {name: text.count("\n") for name, text in scripts.items() if text.count("\n") > 400} == {}
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "DOMParser",
        "http:",
    ):
        assert [
            name for name, text in scripts.items() if way in text.replace("http://www.w3.org/2000/svg", "")
        ] == []
