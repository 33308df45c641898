import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from markdown_pages import DOCS, ROOT

from drift.kernel.errors import ErrorCode
from drift.project import settings_table
from drift.tools import all_tools

MANIFEST = "src/drift/tools/manifest.json"


def generate(root, *arguments):
    command = [sys.executable, str(root / "docs" / "generate.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(DOCS, tmp_path / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "README.md", tmp_path)
    (tmp_path / MANIFEST).parent.mkdir(parents=True)
    shutil.copy(ROOT / MANIFEST, tmp_path / MANIFEST)
    return tmp_path


def test_the_generated_pages_are_what_the_code_says():
    done = generate(ROOT, "--check")

    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def test_an_altered_page_is_found_and_written_anew(copy):
    page = copy / "docs" / "errors.md"
    current = page.read_text("utf-8")
    page.write_text(current.replace("CONFIG_INVALID", "CONFIG_INVALUD"), "utf-8")

    found, mended = generate(copy, "--check"), generate(copy)

    assert (found.returncode, mended.returncode) == (1, 0)
    assert "docs/errors.md" in found.stdout
    assert page.read_text("utf-8") == current


def test_a_wrong_option_changes_nothing(copy):
    (copy / "docs" / "errors.md").unlink()

    done = generate(copy, "--chekc")

    assert done.returncode == 2
    assert "--check" in done.stderr
    assert not (copy / "docs" / "errors.md").exists()


def test_a_page_that_lost_a_block_is_refused(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    from writers.blocks import fill_blocks  # not a package of the project: only its path makes it known

    with pytest.raises(ValueError, match="the generator makes"):
        fill_blocks("no blocks here", {"steps": "1. first"})


def test_text_around_a_block_stays_as_it_is(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    from writers.blocks import fill_blocks  # not a package of the project: only its path makes it known

    page = "before\n<!-- generated: steps -->\nold\n<!-- end -->\nafter\n"

    filled = fill_blocks(page, {"steps": r"new \1"})

    assert filled == "before\n<!-- generated: steps -->\n\nnew \\1\n\n<!-- end -->\nafter\n"
    assert fill_blocks(filled, {"steps": r"new \1"}) == filled


def test_every_setting_and_its_variables_are_documented():
    page = (DOCS / "configuration.md").read_text("utf-8")
    missing = [
        name for row in settings_table() for name in (row.key, *row.env_names) if f"`{name}`" not in page
    ]

    assert missing == []


def test_every_variable_the_code_reads_is_documented():
    page = (DOCS / "configuration.md").read_text("utf-8")
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    read = set(re.findall(r'"(DRIFT_[A-Z0-9_]*[A-Z0-9])"', source))

    assert {name for name in read if f"`{name}`" not in page} == set()


def test_every_error_code_is_documented():
    page = (DOCS / "errors.md").read_text("utf-8")

    assert [code for code in ErrorCode if f"| `{code}` |" not in page] == []


def test_every_tool_is_documented_with_all_its_arguments():
    page = (DOCS / "tools.md").read_text("utf-8")
    sections = dict(re.findall(r"^#### (\w+)\n(.*?)(?=^#|\Z)", page, re.DOTALL | re.MULTILINE))
    missing = [
        f"{tool.name} {parameter.wire}"
        for tool in all_tools()
        for parameter in tool.parameters
        if not parameter.is_page and f"`{parameter.wire}`" not in sections[tool.name]
    ]

    assert missing == []
    assert set(sections) == {tool.name for tool in all_tools()}


def test_the_rooms_of_the_architecture_page_are_the_layers_of_the_contract():
    page = (DOCS / "architecture.md").read_text("utf-8")
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ][0]
    rooms = re.findall(r"^\| `(\w+)` \|", page.partition("## The path")[0], re.MULTILINE)
    arrows = next(line for line in page.splitlines() if "-->" in line and "servers" in line)

    layers = [room for layer in contract["layers"] for room in layer.split(" | ")]
    assert rooms == layers
    assert re.findall(r"\w+", arrows) == layers
