import subprocess
import sys

import pytest

from drift.scan import scan

# None is needed to find out that nothing has changed, and each takes longer to load than that takes.
HEAVY = "drift.scan.intake", "drift.scan.link", "drift.scan.pool", "tree_sitter", "pathspec"
PROGRAM = f"""
import sys
from pathlib import Path
from drift.scan import scan
print(scan(Path(sys.argv[1])).mode)
print(*sorted(name for name in {HEAVY!r} if name in sys.modules))
"""


def scan_apart(root):
    """How a scan in a process of its own went, and what it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(root)], capture_output=True, text=True, check=True, timeout=300
    )
    mode, loaded = done.stdout.splitlines()
    return mode, loaded.split()


@pytest.fixture
def project(tmp_path):
    (tmp_path / "shop.py").write_text("def price():\n    return 1\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    scan(tmp_path)
    return tmp_path


def test_a_scan_with_nothing_to_do_loads_neither_linker_nor_parsers(project):
    assert scan_apart(project) == ("none", [])


def test_a_scan_with_something_to_do_loads_the_linker_and_leaves_parsers_to_its_workers(project):
    (project / "shop.py").write_text("def price():\n    return 2\n\n\ndef tax():\n    return 3\n")

    mode, loaded = scan_apart(project)

    assert mode == "update"
    assert {"drift.scan.intake", "drift.scan.link"} <= set(loaded)
    assert "tree_sitter" not in loaded
