"""A project of its own for every test, the dashboard about it, and one browser for all."""

import os
from contextlib import ExitStack
from pathlib import Path

import pytest
from headless_chromium import find_chromium, run_chromium
from watched_project import Place, served_at


@pytest.fixture
def place(tmp_path, monkeypatch):
    home, root = tmp_path / "home", tmp_path / "<img src=x onerror=hacked=1>"
    home.mkdir()
    root.mkdir()
    environ = {"HOME": str(home), "DRIFT_HOME": str(home / ".drift"), "PATH": os.environ["PATH"]}
    monkeypatch.setenv("DRIFT_HOME", environ["DRIFT_HOME"])  # the dashboard runs in this process
    place = Place(root.resolve(), environ)
    place.write("pyproject.toml", '[project]\nname = "shop"\n')
    place.write("shop.py", "def total(cart):\n    return sum(cart)\n")
    return place


@pytest.fixture
def serve(place):
    """Begin to serve the place, once it holds what a test wants."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(served_at(place))


@pytest.fixture(scope="session")
def chromium():
    program = find_chromium()
    if program is None:
        if os.environ.get("DRIFT_REQUIRE_CHROMIUM"):
            pytest.fail("DRIFT_REQUIRE_CHROMIUM is set and there is no chromium")
        pytest.skip("no chromium here; DRIFT_CHROMIUM may name one")
    with run_chromium(program) as browser:
        yield browser


@pytest.fixture(scope="session")
def axe():
    """The script that looks for what shuts people out; installed with the other suites."""
    script = Path(__file__).parent.parent / "conformance/node_modules/axe-core/axe.min.js"
    if not script.exists() and os.environ.get("DRIFT_REQUIRE_NODE") == "1":
        pytest.fail("axe-core is missing; run tests/conformance/install.sh")
    return script.read_text("utf-8") if script.exists() else None
