"""How the code is arranged, in figures: `python benchmarks/shape.py`.

Not whether rules hold, which `lint-imports` and `tests/test_shape.py` tell, but how far the arrangement has come:
languages named outside of their folders, chains of imports, modules with one importer, doors, tests by name.
"""

import ast
import functools
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import grimp

from drift.languages.table import LANGUAGES

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "drift"
NAMES = frozenset(language.name for language in LANGUAGES)
FOLDERS_OF_LANGUAGES = ("languages/", "scan/link/languages/")
SHORT = 60


def main() -> int:
    graph = grimp.build_graph("drift", cache_dir=None)
    texts = {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in SOURCE.rglob("*.py")}
    named = [name for name, text in texts.items() if _is_outside(name) and _languages_in(text)]
    tables = sum(len(_languages_in(texts[name])) > 1 for name in named)
    print(f"modules                                          {len(texts)}")
    print(f"  outside languages/ that name a language        {len(named)}, {tables} of them several")
    print(f"  with one importer                              {sum(1 for _ in _lonely(graph))}")
    print(f"    under {SHORT} lines of these                     {_short(graph, texts)}")
    lines = Counter(
        "import" if _is_import(line) else "code" for text in texts.values() for line in text.splitlines()
    )
    print(f"  share of import lines                          {lines['import'] / lines.total():.1%}")
    print(f"longest chain of imports inside scan/link        {longest_chain(graph, 'drift.scan.link')}")
    past, through = entries(graph)
    print(
        f"imports of other rooms past their door           {past / (past + through):.0%} of {past + through}"
    )
    tested, all_tests = tests_named_after_modules(set(texts))
    print(f"tests named after their module                   {tested / all_tests:.0%} of {all_tests}")
    return 0


def _is_outside(name: str) -> bool:
    return not name.startswith(FOLDERS_OF_LANGUAGES)


def _languages_in(text: str) -> set[str]:
    constants = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str) and value in NAMES}


def _is_import(line: str) -> bool:
    return line.startswith(("import ", "from "))


def _lonely(graph: grimp.ImportGraph) -> Iterator[str]:
    for module in graph.modules:
        is_package = bool(graph.find_children(module))
        if not is_package and len(graph.find_modules_that_directly_import(module)) == 1:
            yield module


def _short(graph: grimp.ImportGraph, texts: dict[str, str]) -> int:
    paths = (module.removeprefix("drift.").replace(".", "/") + ".py" for module in _lonely(graph))
    return sum(texts[path].count("\n") < SHORT for path in paths if path in texts)


def longest_chain(graph: grimp.ImportGraph, room: str) -> int:
    """The most modules that import each other in a row; a module that is on the way already ends it."""
    inside = {module for module in graph.modules if module.startswith(f"{room}.")}
    groups = _circles(graph, inside)

    @functools.cache
    def below(group: frozenset[str]) -> int:
        imported = {
            one for module in group for one in graph.find_modules_directly_imported_by(module)
        } & inside
        return 1 + max((below(groups[one]) for one in imported if one not in group), default=0)

    sys.setrecursionlimit(10_000)
    return max(below(group) for group in set(groups.values()))


def _circles(graph: grimp.ImportGraph, inside: set[str]) -> dict[str, frozenset[str]]:
    """Each module with those that it imports and that import it, directly or through others."""
    above = {one: graph.find_upstream_modules(one) & inside for one in inside}
    return {one: frozenset({one} | {other for other in above[one] if one in above[other]}) for one in inside}


def entries(graph: grimp.ImportGraph) -> tuple[int, int]:
    """Imports of other rooms, the kernel apart: of modules in them, and of the rooms themselves."""
    found: Counter[bool] = Counter()
    for module in graph.modules:
        room = module.split(".")[1:2]
        for imported in graph.find_modules_directly_imported_by(module):
            parts = imported.split(".")
            if len(parts) > 1 and parts[1:2] != room and parts[1] != "kernel":
                found[len(parts) > 2] += 1
    return found[True], found[False]


def tests_named_after_modules(modules: set[str]) -> tuple[int, int]:
    """How many test modules are called after a module or folder of the code, and how many there are."""
    stems = {part for name in modules for part in Path(name).with_suffix("").parts}
    tests = [path for path in (ROOT / "tests").rglob("test_*.py") if "projects" not in path.parts]
    return sum(_subject(path) in stems for path in tests), len(tests)


def _subject(path: Path) -> str:
    """What the name of a test module names, without the room that its folder says again."""
    name = path.stem.removeprefix("test_")
    rooms = (path.parent.name, path.parent.name.removesuffix("s"))
    return next((name.removeprefix(f"{room}_") for room in rooms if name.startswith(f"{room}_")), name)


if __name__ == "__main__":
    sys.exit(main())
