"""The page beside an answer, in the reference host of the MCP Apps extension, with answers of a real server.

    drift scan PROJECT
    python benchmarks/answer_views.py PROJECT SYMBOL [--pictures FOLDER]

Brings `@modelcontextprotocol/ext-apps` from npm into a folder that is gone afterwards, and makes a host of its AppBridge, which
checks every message against the extension's schema. Starts `drift mcp analysis`, reads the page a tool names from the server,
calls the tool, and lets the host show the page in a sandboxed frame. Prints for each tool what the host heard and refused.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests/dashboard"))
sys.path.insert(0, str(Path(__file__).parent))
from first_minute import exchange, send
from headless_chromium import find_chromium, run_chromium

HOST_PACKAGES = ("@modelcontextprotocol/ext-apps@2.0.4", "esbuild@0.28.2")
UI = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
CLIENT = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"extensions": UI},
    "clientInfo": {"name": "answer-views", "version": "1"},
}
HOST = """
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
window.heard = [];
window.failures = [];
window.show = async (html, given, result, theme) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.width = 900;
  frame.height = 700;
  document.body.replaceChildren(frame);
  const bridge = new AppBridge(null, { name: "host", version: "1" }, { serverTools: {}, openLinks: {}, logging: {} }, { hostContext: { theme } });
  bridge.onerror = (error) => window.failures.push(String(error));
  bridge.onsizechange = (size) => { window.heard.push(["size", size]); if (size.height) frame.height = size.height; };
  bridge.oncalltool = async (params) => { window.heard.push(["call", params]); return result; };
  const ready = new Promise((resolve) => { bridge.oninitialized = () => { window.heard.push(["initialized", bridge.getAppVersion()]); resolve(); }; });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
  await ready;
  await bridge.sendToolInput({ arguments: given });
  await bridge.sendToolResult(result);
};
"""


def bring_host(folder: Path) -> Path:
    """A page with the reference host in it."""
    (folder / "package.json").write_text('{"private": true, "type": "module"}', "utf-8")
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(["npm", "install", *quiet, *HOST_PACKAGES], cwd=folder, check=True)
    (folder / "host.mjs").write_text(HOST, "utf-8")
    bundle = ["node_modules/.bin/esbuild", "host.mjs", "--bundle", "--format=iife", "--outfile=host.js"]
    subprocess.run([*bundle, "--log-level=error"], cwd=folder, check=True)
    page = folder / "host.html"
    page.write_text('<!DOCTYPE html><meta charset="utf-8"><body><script src="host.js"></script>', "utf-8")
    return page


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("symbol")
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    program = find_chromium()
    if program is None:
        sys.exit("no chromium here; DRIFT_CHROMIUM may name one")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("drift_context", {"intent": "understand_code", "focus": given.symbol}),
        ("drift_impact_analysis", {"target": given.symbol}),
        ("drift_graph", {"action": "central"}),
        ("analyze_health", {}),
    ]
    with tempfile.TemporaryDirectory() as scratch, run_chromium(program) as browser:
        host = bring_host(Path(scratch))
        command = [sys.executable, "-m", "drift", "mcp", "analysis", str(given.project), "--surface", "full"]
        server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        exchange(server, 1, "initialize", CLIENT)
        send(server, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        tools = {tool["name"]: tool for tool in exchange(server, 2, "tools/list", {})["tools"]}
        for number, (name, arguments) in enumerate(calls):
            address = tools[name].get("_meta", {}).get("ui", {}).get("resourceUri")
            told = exchange(server, 10 + 2 * number, "resources/read", {"uri": address})["contents"][0]
            result = exchange(server, 11 + 2 * number, "tools/call", {"name": name, "arguments": arguments})
            with browser.page(width=940, height=760) as page:
                page.order("Page.navigate", url=host.as_uri())
                page.wait_for("window.show")
                page.evaluate(
                    f"show({json.dumps(told['text'])}, {json.dumps(arguments)}, {json.dumps(result)}, 'light')"
                )
                page.wait_for("window.heard.some(([what, size]) => what === 'size' && size.height > 60)")
                page.evaluate(
                    "new Promise((resolve) => setTimeout(resolve, 400))"
                )  # until the frame is drawn, too
                heard = page.evaluate("window.heard.map(([what, more]) => `${what} ${JSON.stringify(more)}`)")
                print(f"{name}: {address} as {told['mimeType']}")
                print(f"  heard: {'; '.join(heard)[:200]}")
                print(
                    f"  refused: {page.evaluate('window.failures') or 'nothing'}; console: {page.complaints() or 'nothing'}"
                )
                if given.pictures:
                    page.shoot(given.pictures / f"{name}.png")
        assert server.stdin is not None
        server.stdin.close()
        server.wait(30)


if __name__ == "__main__":
    main()
