"""Every regular expression of the package: those of modules, those of data files, those written where they are used."""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import drift

SOURCE = Path(drift.__file__).parent
_METHODS = frozenset({"search", "findall", "finditer", "sub", "subn", "split", "match", "fullmatch"})


class Found(NamedTuple):
    where: str
    pattern: re.Pattern
    methods: frozenset[str]


def list_patterns() -> Iterator[Found]:
    for module in _modules():
        path = Path(module.__file__)
        tree = tuple(ast.walk(ast.parse(path.read_text("utf-8"))))
        uses = _uses(tree)
        lazily = _methods_of_others(tree, vars(module).keys()) or {"search"}
        label = path.relative_to(SOURCE).as_posix()
        for name, value in list(vars(module).items()):
            for pattern in _patterns_in(value):
                yield Found(f"{label} {name}", pattern, frozenset(uses.get(name, {"search"})))
            # Rules of data files are read at first use, by functions that keep what they read.
            if getattr(value, "__module__", None) == module.__name__ and hasattr(value, "cache_info"):
                kept = value() if not inspect.signature(value).parameters else None
                for pattern in _patterns_in(kept):
                    yield Found(f"{label} {name}()", pattern, frozenset(lazily))
        for method, pattern, line in _written_in_place(tree):
            yield Found(f"{label}:{line}", pattern, frozenset({method}))


def _modules():
    for info in pkgutil.walk_packages([str(SOURCE)], "drift."):
        if info.name != "drift.__main__":
            yield importlib.import_module(info.name)


def _patterns_in(value, depth: int = 5) -> Iterator[re.Pattern]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, Mapping):
        for one in value.values():
            yield from _patterns_in(one, depth - 1)
    elif depth and isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from _patterns_in(one, depth - 1)
    elif depth and dataclasses.is_dataclass(value) and not isinstance(value, type):
        for one in dataclasses.fields(value):
            yield from _patterns_in(getattr(value, one.name), depth - 1)


def _uses(tree: Sequence[ast.AST]) -> dict[str, set[str]]:
    """Which methods of which names are used; a name used otherwise counts as searched with."""
    found: dict[str, set[str]] = {}
    counted: set[int] = set()
    for node in tree:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in _METHODS:
            found.setdefault(node.value.id, set()).add(node.attr)
            counted.add(id(node.value))
    for node in tree:
        is_read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        if is_read and id(node) not in counted:
            found.setdefault(node.id, set()).add("search")
    return found


def _methods_of_others(tree: Sequence[ast.AST], own: Collection[str]) -> set[str]:
    """The methods of patterns used on what is no name of the module's own; texts can be split, too."""
    return {
        node.func.attr
        for node in tree
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _METHODS - {"split"}
        and not (isinstance(node.func.value, ast.Name) and node.func.value.id in own)
    }


def _written_in_place(tree: Sequence[ast.AST]) -> Iterator[tuple[str, re.Pattern, int]]:
    for node in tree:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re"):
            continue
        given = node.args[0]
        if node.func.attr in _METHODS and isinstance(given, ast.Constant):
            yield node.func.attr, re.compile(given.value), node.lineno
