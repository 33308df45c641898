"""The page beside an answer, in a host that speaks as the extension says."""

import json
from importlib import resources

import pytest

pytestmark = pytest.mark.slow

# A host as the extension describes it: the page lives in a sandboxed frame and hears of the world by messages alone.
HOST = """<!DOCTYPE html><html><body><iframe sandbox="allow-scripts" width="700" height="600"></iframe><script>
window.heard = []; window.size = null;
const frame = document.querySelector("iframe");
const post = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
addEventListener("message", ({ data }) => {
  heard.push(data.method || "answer");
  if (data.method === "ui/initialize") post({ id: data.id, result: { protocolVersion: data.params.protocolVersion,
    hostInfo: { name: "test", version: "1" }, hostCapabilities: { serverTools: {} }, hostContext: { theme: "dark" } } });
  if (data.method === "ui/notifications/initialized") post({ method: "ui/notifications/tool-result", params: RESULT });
  if (data.method === "ui/notifications/size-changed") window.size = data.params;
});
frame.srcdoc = PAGE;
</script></body></html>"""
EVIL = "<img src=x onerror=parent.postMessage('hacked','*')>"
IMPACT = {
    "target": EVIL,
    "risk": {"level": "high", "score": 61, "reasons": [{"points": 30, "reason": "12 users"}]},
    "counts": {"direct": 2, "transitive": 1, "tests": 1},
    "users": [
        {"symbol": "pay", "file": "shop/<b>.py", "line": 3, "depth": 1},
        {"symbol": "main", "file": "app.py", "line": 9, "depth": 2},
    ],
    "tests": [{"test": "test_pay", "file": "tests/test_pay.py", "line": 1, "depth": 1}],
}
HEALTH = {"score": None, "parts": [{"part": "tests", "score": None, "reason": "no tests were found"}]}


def open_host(page, tmp_path, result):
    html = HOST
    answer = (resources.files("drift.servers") / "views" / "answer.html").read_text("utf-8")
    for name, value in (("RESULT", result), ("PAGE", answer)):
        html = html.replace(name, json.dumps(value).replace("</", "<\\/"))
    (tmp_path / "host.html").write_text(html)
    page.order("Page.navigate", url=(tmp_path / "host.html").as_uri())


def test_a_host_is_greeted_gives_the_answer_and_hears_how_large_it_is(chromium, tmp_path):
    with chromium.page() as page:
        open_host(page, tmp_path, {"content": [], "structuredContent": {"data": IMPACT}})
        page.wait_for("window.size !== null && window.size.height > 100")
        heard = page.evaluate("window.heard")

        assert heard[0] == "ui/initialize"
        assert "ui/notifications/initialized" in heard
        assert "hacked" not in heard


def test_what_the_page_draws_for_each_kind_of_answer(chromium, tmp_path):
    # Without a sandbox the same page can be looked into.
    with chromium.page() as page:
        answer = (resources.files("drift.servers") / "views" / "answer.html").read_text("utf-8")
        (tmp_path / "answer.html").write_text(answer)
        page.order("Page.navigate", url=(tmp_path / "answer.html").as_uri())
        page.wait_for("typeof show === 'function'")

        def draw(result):
            page.evaluate(
                f"host = {{ hostCapabilities: {{ serverTools: {{}} }} }}; show({json.dumps(result)})"
            )
            return page.evaluate("document.querySelector('main').innerText")

        impact = draw({"structuredContent": {"data": IMPACT}})
        buttons = page.evaluate("[...document.querySelectorAll('button')].map((one) => one.innerText)")
        images = page.evaluate("document.querySelectorAll('img').length")
        page.evaluate(
            "window.request = async (method, call) => { window.called = [method, call];"
            f" return {{ structuredContent: {{ data: {json.dumps(HEALTH)} }} }}; }};"
            " document.querySelector('button').click()"
        )
        page.wait_for("document.querySelector('h1').innerText.startsWith('Health')")
        called = page.evaluate("window.called")
        health = draw({"structuredContent": {"data": HEALTH}})
        failed = draw({"isError": True, "content": [{"type": "text", "text": "Error [X]: no"}]})

        assert EVIL in impact
        assert images == 0
        assert buttons == ["pay", "main"]
        assert "high risk, 61 of 100" in impact
        assert "through 1 other" in impact
        assert "Health is not known" in health
        assert called == [
            "tools/call",
            {
                "name": "drift_tool",
                "arguments": {"name": "drift_impact_analysis", "args": {"target": "shop/<b>.py:3"}},
            },
        ]
        assert failed == "Error [X]: no"
