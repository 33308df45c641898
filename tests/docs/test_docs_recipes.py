"""The recipes do what they say: their files are put into a project, and Drift tells what they are for."""

import io
import re

import pytest
from markdown_pages import DOCS, code_blocks

from drift.cli.console import Console
from drift.cli.entry import run
from drift.cli.exits import Exit

PAGE = DOCS / "recipes-conventions.md"


def say(cwd, *words):
    out, err = io.StringIO(), io.StringIO()
    console = Console(io.StringIO(), out, err, {"HOME": str(cwd), "DRIFT_HOME": str(cwd / "home")}, cwd)
    code = run(list(words), console)
    return code, out.getvalue() + err.getvalue()


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    root = tmp_path_factory.mktemp("shop")
    for block in code_blocks(PAGE, "toml"):
        name = re.match(r"# (\S+)\n", block.text)[1]
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
    (root / "shop").mkdir()
    for number in range(6):
        (root / f"shop/part{number}.py").write_text(
            f"import sqlite3\nfrom datetime import datetime\n\n\ndef at{number}():\n    print(sqlite3)\n    return datetime.now()\n",
            "utf-8",
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRIFT_HOME", str(root / "home"))  # commands run in this process
        yield root


def test_each_own_rule_finds_what_it_is_for(shop):
    code, said = say(shop, "check", "--all", "--format", "json")

    assert code in (Exit.OK, Exit.FAILED), said
    for rule in ("no-print", "connections-in-storage", "module-has-test"):
        assert rule in said


def test_the_own_dimension_is_counted(shop):
    code, said = say(shop, "conventions")

    assert code == Exit.OK, said
    assert "The time is asked for with `datetime.now()`" in said
