"""The shape of the code base: sizes, names and habits that may get better and never worse."""

import ast
import importlib.util
import io
import re
import statistics
import tokenize
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import grimp
import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "drift"
MODULES = sorted(SOURCE.rglob("*.py"))
# Sample projects are written for Drift to read, and break every rule somewhere.
NOT_OURS = frozenset({"node_modules", "projects"})
TESTS = [path for path in sorted((ROOT / "tests").rglob("*.py")) if not NOT_OURS.intersection(path.parts)]
SCRIPTS = [*TESTS, *sorted((ROOT / "docs").rglob("*.py")), *sorted((ROOT / "benchmarks").rglob("*.py"))]

MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 60
MAX_FUNCTION_LINES_P90 = 25
MAX_DEPTH = 4  # parts of a path under drift/
# What a language means in linking is a folder in the room of linking, which is one of scanning.
DEEP_ROOM, MAX_DEPTH_THERE = ("scan", "link", "languages"), 5
VAGUE_NAMES = {"base", "common", "helpers", "manager", "misc", "util", "utils"}

# `noqa: CODE reason` and `type: ignore[code] reason`; the reason has two words at least.
_SUPPRESSION = re.compile(r"#\s*(?:ruff:\s*)?(?:noqa\b|type:\s*ignore\b)")
_EXPLAINED = re.compile(
    r"#\s*(?:noqa:\s*[A-Z]+[0-9]+(?:,\s*[A-Z]+[0-9]+)*|type:\s*ignore\[[a-z, -]+\])"
    r"\s*(?:#|--?|\()\s*\w+\W+\w+",
)


def name_of(path):
    return path.relative_to(ROOT).as_posix()


class Module(NamedTuple):
    """What the rules below want to know of a module, gathered in one walk over its tree."""

    lines: int
    functions: list[tuple[str, int, int]]  # name, line, length in lines
    prints: list[int]
    opens: list[int]


@cache
def look_at(path):
    text = path.read_text("utf-8")
    module = Module(len(text.splitlines()), [], [], [])
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            module.functions.append((node.name, node.lineno, length))
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id == "print":
                module.prints.append(node.lineno)
            if opens_a_file(node):
                module.opens.append(node.lineno)
    return module


def comments_in(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def suppressions_in(path):
    text = path.read_text("utf-8")
    if not _SUPPRESSION.search(text):  # telling comments from strings takes longer than all the rest
        return []
    return [(line, comment) for line, comment in comments_in(text) if _SUPPRESSION.search(comment)]


def test_there_is_code_to_look_at():
    assert len(MODULES) > 50


def test_no_module_is_longer_than_anyone_reads():
    lengths = {name_of(path): look_at(path).lines for path in MODULES}

    assert {name: lines for name, lines in lengths.items() if lines > MAX_MODULE_LINES} == {}


def test_no_function_is_longer_than_a_screen():
    long = {
        f"{name_of(path)}:{line} {name}": length
        for path in MODULES
        for name, line, length in look_at(path).functions
        if length > MAX_FUNCTION_LINES
    }

    assert long == {}


def test_nine_functions_in_ten_are_short():
    lengths = [length for path in MODULES for _name, _line, length in look_at(path).functions]

    assert statistics.quantiles(lengths, n=10)[-1] <= MAX_FUNCTION_LINES_P90


def test_modules_and_rooms_are_called_by_what_they_hold():
    vague = [
        name_of(path) for path in MODULES if VAGUE_NAMES & {path.stem, *path.relative_to(SOURCE).parts[:-1]}
    ]

    assert vague == []


def most_depth(parts):
    return MAX_DEPTH_THERE if parts[: len(DEEP_ROOM)] == DEEP_ROOM else MAX_DEPTH


def test_nothing_lies_deeper_than_its_room_allows():
    parts = {name_of(path): path.relative_to(SOURCE).parts for path in MODULES}

    assert [name for name, found in parts.items() if len(found) > most_depth(found)] == []


def test_every_suppression_has_a_code_and_a_reason():
    unexplained = [
        f"{name_of(path)}:{line} {comment}"
        for path in (*MODULES, *SCRIPTS)
        for line, comment in suppressions_in(path)
        if not _EXPLAINED.search(comment)
    ]

    assert unexplained == []


@pytest.mark.parametrize(
    ("comment", "is_explained"),
    [
        ("# noqa: FBT001 - an argument on the wire", True),
        ("# noqa: FBT001, FBT002 - an argument on the wire", True),
        ("# noqa: S104  (names to leave out, not to bind)", True),
        ("# type: ignore[arg-type] # the membership test has proved it", True),
        ("# noqa", False),
        ("# noqa: S104", False),
        ("# noqa: S104 -", False),
        ("# noqa: S104 - reason", False),
        ("# type: ignore", False),
        ("# type: ignore[arg-type]", False),
        ("# ruff: noqa", False),
    ],
)
def test_the_check_of_suppressions_tells_reasons_from_none(tmp_path, comment, is_explained):
    module = tmp_path / "sample.py"
    module.write_text(f"value = 1  {comment}\n")

    found = suppressions_in(module)

    assert found
    assert all(_EXPLAINED.search(text) for _line, text in found) is is_explained


def test_every_ignored_lint_rule_has_a_reason_beside_it():
    bare = [
        line.strip()
        for line in (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
        if re.fullmatch(r'\s+"[A-Z]+[0-9]*",\s*', line)
    ]

    assert bare == []


def test_only_the_command_line_prints():
    printing = [
        f"{name_of(path)}:{line}"
        for path in MODULES
        if path.relative_to(SOURCE).parts[0] != "cli"
        for line in look_at(path).prints
    ]

    assert printing == []


def test_every_room_has_its_place_in_the_import_contract():
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ][0]
    rooms = {path.parent.name for path in SOURCE.glob("*/__init__.py")}

    assert contract["exhaustive"]
    assert rooms == {room for layer in contract["layers"] for room in layer.split(" | ")}


def test_every_test_module_has_a_name_of_its_own():
    # Tests are no package, so pytest can import only one module of each name.
    stems = [path.stem for path in TESTS]

    assert sorted({stem for stem in stems if stems.count(stem) > 1 and stem != "conftest"}) == []


# Modules that open files in another way than `kernel/reading.py`, and why none of these is a file of a project.
OPENS_FILES = {
    "catalog/files.py": "flushes a folder it has written to",
    "cli/clients/change.py": "settings of a client, which a person asked to change",
    "cli/commands/call.py": "arguments in a file that a person names",
    "cli/commands/instructions_store.py": "a text that a person names",
    "cli/commands/memory_hook.py": "the log of the hook, in Drift's home",
    "cli/entry.py": "the null device",
    "index/publish.py": "an index it has just built",
    "index/writer.py": "an index it builds",
    "kernel/data_files.py": "tables that come with the package",
    "kernel/files.py": "writes and locks",
    "kernel/holding.py": "a store it has just put back",
    "cli/callers.py": "the secret that a person names",
    "kernel/reading.py": "the one door",
    "memory/embeddings/model_files.py": "a model that the user has installed",
    "project/acceptance.py": "what was accepted, in Drift's home",
    "memory/transfer/accepting.py": "its own copy of a store, in a room of its own",
    "project/leftovers.py": "the list of projects, and what was dismissed, in Drift's home",
    "project/machine.py": "the key in Drift's home",
    "project/moving.py": "a store it has just copied, in Drift's home",
    "project/pointer.py": "the roots of projects, in Drift's home",
    "project/projects.py": "the list of projects in Drift's home",
    "protocol/http/tokens.py": "the list of tokens that a person names",
    "protocol/stdio/descriptors.py": "the null device",
    "scan/exchange.py": "its own copy of a snapshot, in a folder of its own",
    "scan/snapshot_stores.py": "files of a store, and its own in a folder of the store",
    "scan/limits.py": "what the system says of this process",
}
_READS = frozenset({"read_text", "read_bytes"})


def opens_a_file(call):
    """Whether a module opens a file by itself here; data of the package is asked for through `files`."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "open"
    if not isinstance(function, ast.Attribute) or function.attr not in {"open", *_READS}:
        return False
    owner = ast.unparse(function.value)
    if function.attr in _READS:
        return not ("files(" in owner or owner.startswith("folder.joinpath("))
    first = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
    return owner == "os" or isinstance(first, str)


def test_files_of_a_project_are_opened_by_one_door():
    found = {path.relative_to(SOURCE).as_posix(): lines for path in MODULES if (lines := look_at(path).opens)}

    assert {name: lines for name, lines in found.items() if name not in OPENS_FILES} == {}
    assert sorted(set(OPENS_FILES) - set(found)) == []


MAX_TOOL_LINES = 12  # of a tool's body: a tool is a row, and what it does belongs to the room it asks
# Those that are longer still. A number may fall and never rise; nothing is added.
LONG_TOOLS = {
    "catalog_discover": 23,
    "drift_batch": 14,
    "drift_context": 20,
    "drift_grounding_check": 16,
    "drift_imports": 16,
    "drift_memory_add": 30,
    "drift_memory_conflicts": 16,
    "drift_memory_consolidate": 23,
    "drift_memory_contradictions": 29,
    "drift_memory_discover": 14,
    "drift_memory_embed": 15,
    "drift_memory_export": 22,
    "drift_memory_feedback": 13,
    "drift_memory_get": 20,
    "drift_memory_graph": 18,
    "drift_memory_health": 27,
    "drift_memory_hygiene": 29,
    "drift_memory_import": 18,
    "drift_memory_ingest": 19,
    "drift_memory_learn": 15,
    "drift_memory_path": 32,
    "drift_memory_query": 17,
    "drift_memory_search": 33,
    "drift_memory_stash": 25,
    "drift_memory_suggest": 13,
    "drift_memory_update": 23,
    "drift_memory_validate": 45,
    "drift_pack": 28,
    "drift_projects": 25,
    "drift_similar": 17,
    "drift_test_topology": 15,
    "drift_type": 16,
    "feedback_list": 15,
    "instructions_health": 27,
    "instructions_import": 16,
    "instructions_inspect": 14,
    "instructions_query": 21,
    "instructions_search": 13,
    "recall": 16,
    "save_memory": 23,
}
# Tool modules that import inside functions, and why; all others are loaded with the first call of one of their tools.
LAZY_TOOL_MODULES = {
    "tools/catalogs/access.py": "a server's start asks it for names, before there is a catalog",
    "tools/catalogs/joining.py": "a project without instructions pays nothing for them",
    "tools/memories/access.py": "the context asks it for paths, where there may be no memories",
    "tools/overview.py": "a project without an index pays nothing for reading one",
}


def tools_in(path):
    """The functions of a module that a decorator makes tools, each with the lines of its body."""
    for node in ast.parse(path.read_text("utf-8")).body:
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if is_function and any("tool" in ast.unparse(each).partition("(")[0] for each in node.decorator_list):
            first = node.body[1] if ast.get_docstring(node) else node.body[0]
            yield node.name, (node.end_lineno or 0) - first.lineno + 1


def test_a_tool_is_a_row_and_a_dozen_lines():
    lengths = dict(found for path in MODULES if "tools" in path.parts for found in tools_in(path))
    long = {name: lines for name, lines in lengths.items() if lines > MAX_TOOL_LINES}

    assert len(lengths) > 100
    assert {name: lines for name, lines in long.items() if lines > LONG_TOOLS.get(name, MAX_TOOL_LINES)} == {}
    assert sorted(set(LONG_TOOLS) - set(long)) == []


def test_tool_modules_import_at_the_top():
    lazy = set()
    for path in (SOURCE / "tools").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if is_function and any(isinstance(each, ast.Import | ast.ImportFrom) for each in ast.walk(node)):
                lazy.add(path.relative_to(SOURCE).as_posix())

    assert lazy == set(LAZY_TOOL_MODULES)


# How far the arrangement has come, as `benchmarks/shape.py` counts it: these may get better and never worse.
LEAST_TESTS_BY_NAME = 0.5  # of the test modules, that are called after what they test
MOST_PAST_DOORS = 0.7  # of imports of other rooms, that do not go through the room's `__init__`
MOST_IN_A_ROW = 17  # modules of linking that import each other


@cache
def arrangement():
    place = ROOT / "benchmarks" / "shape.py"
    spec = importlib.util.spec_from_file_location("shape_figures", place)
    figures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figures)
    return figures


def test_tests_are_called_after_what_they_test():
    names = {path.relative_to(SOURCE).as_posix() for path in MODULES}
    named, tests = arrangement().tests_named_after_modules(names)

    assert named / tests >= LEAST_TESTS_BY_NAME


def test_rooms_are_entered_by_their_doors_more_and_more():
    graph = grimp.build_graph("drift", cache_dir=None)
    past, through = arrangement().entries(graph)

    assert past / (past + through) <= MOST_PAST_DOORS
    assert arrangement().longest_chain(graph, "drift.scan.link") <= MOST_IN_A_ROW
