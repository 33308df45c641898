"""The memory pages against what there is: the commands run, the table of types is the types."""

import io
import re
import shlex

from markdown_pages import DOCS, code_blocks, code_spans

from drift.cli.console import Console
from drift.cli.entry import run
from drift.cli.exits import Exit
from drift.memory.opened import close_stores
from drift.memory.types import memory_types
from drift.tools import all_tools

PAGE = DOCS / "memory.md"


def run_lines(block, folder):
    """What each command of a block says; `export` sets a variable for those behind it."""
    environ = {"HOME": str(folder / "home"), "DRIFT_HOME": str(folder / "home")}
    outputs = []
    try:
        for line in block.text.splitlines():
            words = shlex.split(line)
            if words[0] == "export":
                environ |= [words[1].split("=")]
                continue
            out, err = io.StringIO(), io.StringIO()
            code = run(words[1:], Console(io.StringIO(), out, err, environ, folder))
            assert code == Exit.OK, err.getvalue()
            outputs.append(out.getvalue())
    finally:
        close_stores()
    return outputs


def test_the_first_minute_works_as_it_is_written(tmp_path):
    saved, searched, context, _health = run_lines(code_blocks(PAGE, "sh")[0], tmp_path)

    (memory_id,) = re.findall(r"Saved as (m_\w+)", saved)
    assert memory_id in searched
    assert memory_id in context


def test_the_person_s_own_memories_work_as_it_is_written(tmp_path):
    added, searched, _exported = run_lines(code_blocks(PAGE, "sh")[1], tmp_path)

    (memory_id,) = re.findall(r"Added preference (m_\w+)", added)
    assert re.search(rf"{memory_id} .* user$", searched, re.MULTILINE)
    assert memory_id in (tmp_path / "mine.json").read_text("utf-8")
    assert (tmp_path / "home/user/.drift/memory/cortex.db").is_file()


def test_the_table_has_every_type_with_its_half_life():
    rows = re.findall(r"^\| `(\w+)` \| .+ \| (never|\d+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    half_lives = {name: one.half_life_days for name, one in memory_types().items()}

    assert {name: None if days == "never" else float(days) for name, days in rows} == half_lives


def test_every_tool_that_is_named_exists():
    named = {span for span in code_spans(PAGE) if re.fullmatch(r"drift_\w+|save_memory|recall", span)}

    assert len(named) > 15
    assert {name for name in named if all_tools().find(name) is None} == set()
