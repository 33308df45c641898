"""Calls of a member nothing is known of, settled by the only method of that name in the project, or the only family.

Right in nine of ten cases on traced code, so such a target has that confidence. Names that built-in values
have too prove nothing and are left alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_of
from drift.scan.link.keys import method_key
from drift.scan.link.overriding import MOST_OVERRIDERS, overriders_of
from drift.scan.roles import role_rules

UNIQUE_NAME_CONFIDENCE: Final = 0.9
FAMILY_CONFIDENCE: Final = 0.5
"""Of the method that others override, which run in its place as often."""

LONE_ATTRIBUTE_CONFIDENCE: Final = 0.25
"""Where the name is that of an attribute and nothing but the name speaks for its class."""

_MOST_FILES: Final = 4  # that a family of methods which override one of them is looked for in

_EVERYDAY: Final = frozenset(
    name
    for kind in (str, bytes, list, dict, set, tuple, int, float, frozenset, bytearray, memoryview, object, type)
    for name in dir(kind)
) | {
    "read", "write", "close", "open", "flush", "seek", "readline", "readlines", "writelines", "fileno",
    "send", "throw", "next", "map", "filter", "reduce", "forEach", "push", "shift", "slice", "concat",
    "then", "catch", "finally", "call", "apply", "bind", "toString", "equals", "hashCode", "length", "size",
    "contains", "add", "put", "start", "stop", "run", "join", "group", "match", "search", "execute", "commit",
    "cursor", "fetchone", "fetchall", "connect", "now", "today", "submit", "result", "wait", "set", "acquire",
    "release", "exists", "is_file", "is_dir", "mkdir", "read_text", "write_text", "resolve", "unlink", "iterdir",
    "has", "delete", "on", "off", "once", "emit", "some", "every", "includes", "test", "exec", "trim", "addEventListener",
    "string", "str", "c_str", "data", "begin", "end", "empty", "push_back", "emplace_back", "first", "second",
    "get", "reset", "swap", "erase", "back", "front", "value", "lock", "unlock", "all", "race", "reject", "log", "warn", "error", "info", "debug", "querySelector", "appendChild",
}  # fmt: skip


# What many libraries call the methods of what they give.
_OF_LIBRARIES: Final = frozenset(
    {
        "build", "cancel", "complete", "configure", "count", "create", "dispose", "find", "finish", "flatten", "handle",
        "init", "insert", "list", "load", "make", "name", "navigate", "order_by", "parse", "patch", "post", "process",
        "query", "raw", "refresh", "register", "reload", "remove", "render", "save", "select", "serialize", "show",
        "status", "store", "subscribe", "toJSON", "transform", "type", "update", "url", "user",
        "validate", "write_row",
    }
)  # fmt: skip


def is_of_libraries(name: str) -> bool:
    """Whether a method of something outside is as likely to have that name as one of the project."""
    return name in _OF_LIBRARIES


def is_everyday(name: str) -> bool:
    """Whether built-in values have a method of that name too, so that it proves nothing."""
    return name in _EVERYDAY


def only_method(analysis: Analysis, scope: int, name: str) -> int | None:
    """The only method of that name in the project, or the one that all others of the name override.

    None where there are more, the name is an everyday one, or only tests have it and the code at hand is none.
    """
    program = analysis.program
    table = program.table_of(scope)
    language = table.facts.language
    if name in _EVERYDAY or name in program.semantics_of(language).everyday_methods:
        return None
    found: tuple[int, ...] = analysis.cached(("only", language, name), _find_only, language, name)
    if not found:
        return None
    is_of_tests = is_test_file(program.table_of(found[0]).path, language) and not is_test_file(
        table.path, language
    )
    return None if is_of_tests else found[0]


@lru_cache(maxsize=4096)
def is_test_file(path: str, language: str) -> bool:
    """Whether a file is one of tests."""
    directory, _, name = path.rpartition("/")
    return role_rules().role_of(directory, name, language) == "test"


def _find_only(analysis: Analysis, language: str, name: str) -> tuple[int, ...]:
    program = analysis.program
    paths = program.providing(method_key(language, name))
    has_families = program.semantics_of(language).has_method_families
    if not 0 < len(paths) <= (_MOST_FILES if has_families else 1):
        return ()
    methods = [
        table.first + number
        for table in program.tables_at(paths)
        for number, symbol in enumerate(table.symbols)
        if symbol.name == name
        and program.symbol(table.first + number).kind == "method"
        and class_of(analysis, table.first + number) is not None
    ]
    if len(methods) <= 1:
        return tuple(methods)
    return _overridden_by_all(analysis, methods) if has_families else ()


def _overridden_by_all(analysis: Analysis, methods: list[int]) -> tuple[int, ...]:
    """The method that all others override: whichever runs, it runs in the place of that one."""
    if len(methods) > MOST_OVERRIDERS + 1:
        return ()
    for method in methods:
        if {method, *overriders_of(analysis, method)}.issuperset(methods):
            return (method,)
    return ()
