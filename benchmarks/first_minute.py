"""The first minute of somebody new: from the wheel to the first useful answer in a client, timed, with all that was printed.

    python benchmarks/first_minute.py PROJECT "where are the pings stored?" [--client claude-code]

Builds the wheel, and then, with an empty home and a fresh clone of the project: installs it as `pipx install` does (with
pipx, which is brought if it is not there; the time includes downloading what Drift needs), runs `drift install CLIENT`,
reads what that wrote as the client would, starts the server it names, speaks MCP to it over stdio and asks the question.
Nothing of the one who runs it is used but Python, git and pip's settings.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
# Where each client's entry is, and under which key.
CLIENTS = {"claude-code": (".mcp.json", "mcpServers"), "cursor": (".cursor/mcp.json", "mcpServers"), "vscode": (".vscode/mcp.json", "servers")}  # fmt: skip
KEPT = ("PIP_INDEX_URL", "PIP_CONFIG_FILE", "PIP_CERT", "SSL_CERT_FILE", "HTTPS_PROXY", "HTTP_PROXY", "LANG")


class Minute:
    """Runs one step after the other, and remembers how long each took."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.environ = environ
        self.steps: list[tuple[str, float, float]] = []

    def note(self, title: str, began: tuple[float, float]) -> None:
        ended = clocks()
        self.steps.append((title, ended[0] - began[0], ended[1] - began[1]))

    def step(self, title: str, command: list[str], cwd: Path) -> None:
        print(f"\n$ {title}", flush=True)
        began = clocks()
        done = subprocess.run(command, cwd=cwd, env=self.environ, capture_output=True, text=True, check=False)
        self.note(title, began)
        print(indent(done.stdout + done.stderr), flush=True)
        if done.returncode:
            sys.exit(f"{title} ended with {done.returncode}")

    def ask(self, entry: dict[str, Any], question: str, cwd: Path) -> None:
        """What a client does with the entry: start the server, shake hands, list, call."""
        began = clocks()
        command = [entry["command"], *entry.get("args", [])]
        print(f"\nthe client starts: {' '.join(command)}")
        environ = {**self.environ, **entry.get("env", {})}
        server = subprocess.Popen(
            command, cwd=cwd, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )  # fmt: skip
        client = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "first-minute", "version": "1"},
        }
        told = exchange(server, 1, "initialize", client)
        print(
            indent(
                f"{told['serverInfo']['name']} {told['serverInfo']['version']}\n{told.get('instructions', '')}"
            )
        )
        send(server, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        listed = exchange(server, 2, "tools/list", {})
        print(indent("tools: " + ", ".join(tool["name"] for tool in listed["tools"])))
        connected = time.monotonic() - began[0]
        asked = time.monotonic()
        call = {"name": "drift_context", "arguments": {"intent": "understand_code", "focus": question}}
        answer = exchange(server, 3, "tools/call", call)
        answered = time.monotonic() - asked
        print(f"\ndrift_context(focus={question!r})")
        print(indent(answer["content"][0]["text"]))
        assert server.stdin is not None
        server.stdin.close()
        server.wait(30)
        self.steps.append(("the client connects", connected, clocks()[1] - began[1]))
        self.steps.append(("the first answer", answered, 0.0))
        noise = server.stderr.read() if server.stderr else ""
        print(f"\non standard error: {noise.strip() or 'nothing'}")
        if answer.get("isError"):
            sys.exit("the first answer was an error")


def clocks() -> tuple[float, float]:
    """The time, and the processor time of all programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), used.ru_utime + used.ru_stime


def send(server: subprocess.Popen[str], message: dict[str, Any]) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()


def exchange(
    server: subprocess.Popen[str], number: int, method: str, params: dict[str, Any]
) -> dict[str, Any]:
    assert server.stdout is not None
    send(server, {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    for line in server.stdout:
        heard = json.loads(line)
        if heard.get("id") == number and "method" not in heard:
            if "error" in heard:
                sys.exit(f"{method}: {heard['error']}")
            result: dict[str, Any] = heard["result"]
            return result
    sys.exit(f"the server ended before it answered {method}: {server.stderr.read() if server.stderr else ''}")


def indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip().splitlines())


def quietly(*command: str, cwd: Path = ROOT) -> None:
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def prepare(scratch: Path, project: Path) -> tuple[Path, Path, Path]:
    """The wheel, pipx and a clone of the project; none of it is a part of the minute."""
    pip = (sys.executable, "-m", "pip")
    quietly(*pip, "wheel", "-qq", "--no-deps", "--no-build-isolation", "--wheel-dir", str(scratch), str(ROOT))
    quietly(sys.executable, "-m", "venv", str(scratch / "tools"))
    quietly(str(scratch / "tools/bin/pip"), "install", "-qq", "--disable-pip-version-check", "pipx")
    quietly("git", "clone", "-q", str(project), str(scratch / "project"))
    return next(scratch.glob("*.whl")), scratch / "tools/bin/pipx", scratch / "project"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("question")
    parser.add_argument("--client", choices=sorted(CLIENTS), default="claude-code")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        wheel, pipx, project = prepare(scratch, given.project.resolve())
        home = scratch / "home"
        home.mkdir()
        environ = {name: os.environ[name] for name in KEPT if name in os.environ}
        environ |= {"HOME": str(home), "PATH": f"{home}/.local/bin:/usr/local/bin:/usr/bin:/bin"}
        minute = Minute(environ)
        minute.step(
            f"pipx install {wheel.name}", [str(pipx), "install", "--python", sys.executable, str(wheel)], home
        )
        minute.step("drift", ["drift"], project)
        minute.step(f"drift install {given.client}", ["drift", "install", given.client], project)
        place, section = CLIENTS[given.client]
        entries = json.loads((project / place).read_text("utf-8"))[section]
        minute.ask(next(iter(entries.values())), given.question, project)
    print()
    print("   time  processor")
    for title, seconds, busy in minute.steps:
        print(f"{seconds:6.1f} s {f'{busy:6.1f} s' if busy else ' ' * 8}  {title}")
    wall, busy = (sum(step[at] for step in minute.steps) for at in (1, 2))
    print(
        f"{wall:6.1f} s {busy:6.1f} s  in all; the processor time of the answer counts as that of the connection"
    )


if __name__ == "__main__":
    main()
