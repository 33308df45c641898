"""Property tests here check results, never speed: the machines that run them are shared."""

import gc
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cluster import fresh_schema, make_cluster
from drift.catalog import Catalog
from drift.catalog.damage import fill_digests
from drift.kernel.sharing import Place, share, unshare
from drift.memory import Memory, MemoryStore
from drift.scan import ScanOptions, scan
from store_places import catalog_db, memory_db

# No test may touch what the person who runs them keeps: whatever asks for a home gets this one.
_HOME = tempfile.mkdtemp(prefix="drift-tests-")
os.environ["HOME"] = _HOME
os.environ["USERPROFILE"] = _HOME
os.environ["DRIFT_HOME"] = f"{_HOME}/.drift"
# A test's project must not start from the index of another test.
os.environ["DRIFT_SCAN_REUSE"] = "false"

# A shell starts what runs in its background deaf to Ctrl-C, and so would be all that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# CI counts the lines that the tests themselves run. What they start, they start as users do: uncounted.
_COUNTING = {name: value for name, value in os.environ.items() if name.startswith("SLIPCOVER_")}
if "PYTEST_XDIST_WORKER" in os.environ:
    for _name in _COUNTING:
        del os.environ[_name]

# Each run at a desk looks elsewhere; CI looks at the same examples each time, so that a change is what it blames.
settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ
)
settings.load_profile("untimed")

PYTHON_PROJECT = Path(__file__).parent / "projects" / "python"
# The memories that the examples of tools name.
EXAMPLE_MEMORIES = (
    ("m_1hf3c8z0kq7w2x9", "incident", "Double charges"),
    ("m_1hf3c8z0kq7e5v1", "environment", "Staging"),
)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect tests, but no garbage: all of them stay, and looking through them took longer than making them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish():
    os.environ.update(_COUNTING)


def pytest_unconfigure():
    shutil.rmtree(_HOME, ignore_errors=True)


@pytest.fixture(scope="session")
def cluster():
    """A PostgreSQL server; skipped where it is not installed."""
    made = make_cluster()
    yield made
    made.end()


def pytest_generate_tests(metafunc):
    """Run the tests of stores on both engines, in modules that say so; not those that look into a file, or take long."""
    if "engine" in metafunc.fixturenames and getattr(metafunc.module, "ON_BOTH_ENGINES", False):
        is_alone = metafunc.function.__name__ in getattr(metafunc.module, "ON_SQLITE_ALONE", ())
        metafunc.parametrize("engine", ["sqlite"] if is_alone else ["sqlite", "postgres"], indirect=True)


@pytest.fixture
def engine(request):
    """What stores run on: SQLite, unless the module says otherwise, or whoever runs the tests another for all."""
    return getattr(request, "param", os.environ.get("DRIFT_TEST_ENGINE", "sqlite"))


@pytest.fixture
def keep_on(engine, request):
    """Have the stores of the given names and paths kept on the engine of the test; in one schema of its own."""
    kept = []
    if engine == "sqlite":
        yield lambda **_paths: None
        return
    address, schema = request.getfixturevalue("cluster").address(), fresh_schema()

    def keep(**paths):
        for name, path in paths.items():
            kept.append(path)
            share(path, Place(address, f"{schema}_{name}", name))

    yield keep
    unshare(kept)


@pytest.fixture(scope="session")
def example_shop(tmp_path_factory):
    """The project that the examples of tools speak of: scanned, with a commit, memories and instructions.

    Tests that write take a copy.
    """
    root = tmp_path_factory.mktemp("examples") / "shop"
    shutil.copytree(PYTHON_PROJECT, root)
    # Tools for React are listed where there is TypeScript.
    (root / "page.tsx").write_text("export const Page = () => useState(1);\n")
    git = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@example.com"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
        subprocess.run([*git, *words], check=True)
    scan(root, ScanOptions(jobs=0))
    _keep_memories(root)
    _keep_instructions(root)
    return root


def _keep_memories(root):
    memories = [
        Memory(id=each, type=kind, title=title, recorded_at_ms=1, updated_at_ms=1)
        for each, kind, title in EXAMPLE_MEMORIES
    ]
    with closing(MemoryStore(memory_db(root), now_ms=lambda: 1)) as store:
        store.add_many(memories, actor="tests")


def _keep_instructions(root):
    with closing(Catalog.open(root, {})) as catalog:
        catalog.add({"id": "use-uv", "body": "Install packages with uv."}, lax=True)
        kept = catalog.feedback.submit(kind="issue", severity="low", title="Slow", description="It is slow.")
    with closing(sqlite3.connect(catalog_db(root))) as store, store:
        store.execute("UPDATE feedback SET id = 'fb_0a1b' WHERE id = ?", [kept.id])
        fill_digests(store)
