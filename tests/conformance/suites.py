"""The official suites as functions: run one against a URL and read what it found."""

import json
import os
import re
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NODE = HERE / "node_modules/node/bin/node"
INSPECTOR = HERE / "node_modules/.bin/mcp-inspector"

_RESULT_DIR = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z")
_URL = re.compile(r"http://(?:localhost|127\.0\.0\.1):(?P<port>\d+)")
_LISTED = re.compile(r"^\s+- (?P<scenario>[\w/.-]+)(?P<side> \[(?:client|server)\])?")


def require_node() -> None:
    """Skip without the npm packages, or fail where they are promised to be there."""
    if NODE.exists() and INSPECTOR.exists():
        return
    message = "the npm packages are missing; run tests/conformance/install.sh"
    if os.environ.get("DRIFT_REQUIRE_NODE") == "1":
        pytest.fail(message)
    pytest.skip(message)


@dataclass(frozen=True)
class Suite:
    """One suite at one version, with the choice of its scenarios."""

    package: str
    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        return " ".join((self.package, *self.arguments))

    def command(self, *arguments: str) -> list[str]:
        return [str(NODE), str(HERE / "node_modules" / self.package / "dist/index.js"), *arguments]


STABLE = Suite("conformance-0.1", ("--suite", "all"))
ALPHA_2025 = Suite("conformance-0.2", ("--requirements", "2025-11-25"))
ALPHA_2026 = Suite("conformance-0.2", ("--requirements", "2026-07-28"))
SUITES = (STABLE, ALPHA_2025, ALPHA_2026)


@dataclass(frozen=True)
class Tally:
    """How the checks of one scenario came out."""

    passed: int
    failed: int
    messages: tuple[str, ...]

    @property
    def has_passed(self) -> bool:
        """A scenario whose checks were all skipped or mere warnings has shown nothing."""
        return self.passed > 0 and self.failed == 0


def run_suite(suite: Suite, url: str, output: Path) -> dict[str, Tally]:
    """What each scenario came to."""
    command = suite.command("server", "--url", url, *suite.arguments, "-o", str(output))
    # The exit code is no help: it is 0 for scenarios that checked nothing.
    subprocess.run(command, check=False, capture_output=True, timeout=300)
    return {_scenario_of(checks.parent): _read_checks(checks) for checks in output.glob("*/checks.json")}


def listed_scenarios(suite: Suite) -> set[str]:
    """The server scenarios a suite says it has, so that none is left out unnoticed."""
    asked = suite.arguments if suite.arguments[0] == "--requirements" else ()
    listing = subprocess.run(
        suite.command("list", "--server", *asked), check=True, capture_output=True, text=True, timeout=300
    ).stdout
    # With --requirements the client scenarios are listed, too: in a paragraph of their own or marked.
    paragraphs = [part for part in listing.split("\n\n") if not part.startswith("Client scenarios")]
    found = (_LISTED.match(line) for part in paragraphs for line in part.splitlines())
    return {match["scenario"] for match in found if match and match["side"] != " [client]"}


def _scenario_of(directory: Path) -> str:
    match = _RESULT_DIR.fullmatch(directory.name)
    assert match is not None, f"the suite names its results in a new way: {directory.name}"
    return match["scenario"]


def _read_checks(path: Path) -> Tally:
    checks = json.loads(path.read_text())
    count = Counter(check["status"] for check in checks)
    notable = [check for check in checks if check["status"] not in ("SUCCESS", "INFO")]
    messages = tuple(
        f"{check['status']} {check['id']}: {check.get('errorMessage', '')[:300]}" for check in notable
    )
    return Tally(count["SUCCESS"], count["FAILURE"], messages)


def find_unexplained(results: dict[str, Tally], reasons: dict[str, str]) -> dict[str, Tally]:
    """Scenarios that did not pass although nothing says that they cannot apply."""
    return {name: tally for name, tally in results.items() if not tally.has_passed and name not in reasons}


def find_stale(results: dict[str, Tally], reasons: dict[str, str]) -> list[str]:
    """Scenarios said not to apply that pass after all, or that the suite no longer has."""
    return [name for name in reasons if name not in results or results[name].has_passed]


def read_not_applicable(path: Path = HERE / "not_applicable.yml") -> dict[str, dict[str, str]]:
    """Reasons by suite and scenario. The file is YAML of two levels, which needs no library to read."""
    found: dict[str, dict[str, str]] = {}
    section: dict[str, str] = {}
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, _, value = line.strip().partition(":")
        if not line.startswith(" "):
            assert not value, f"a suite has scenarios below it: {line}"
            section = found.setdefault(name.strip('"'), {})
        else:
            assert value.strip(), f"a scenario needs its reason: {line}"
            section[name] = value.strip()
    return found


@contextmanager
def serving(command: list[str], environ: dict[str, str] | None = None) -> Iterator[str]:
    """The address of a server program, taken from the first URL it prints; it is stopped at the end."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environ
    ) as process:
        assert process.stdout is not None
        try:
            printed = []
            while (url := _URL.search(line := process.stdout.readline())) is None:
                printed.append(line)
                assert line, f"the server did not start: {''.join(printed)}"
            # A log that nobody reads would fill the pipe and stop the server.
            threading.Thread(target=process.stdout.read, daemon=True).start()
            # The suite's check against DNS rebinding needs the name, not the address.
            yield f"http://localhost:{url['port']}"
        finally:
            process.terminate()
            process.wait(timeout=300)
