"""Calls of a member nothing is known of, settled by the only method of that name in the project.

Right in nine of ten cases on traced code, so such a target has that confidence. Names that built-in values
have too prove nothing and are left alone.
"""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_of
from drift.scan.link.keys import method_key

UNIQUE_NAME_CONFIDENCE: Final = 0.9

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


def only_method(analysis: Analysis, language: str, name: str) -> int | None:
    """The only method of that name in the project; None where there are more, or the name is an everyday one."""
    if name in _EVERYDAY:
        return None
    found: tuple[int, ...] = analysis.keep(("only", language, name), _find_only, language, name)
    return found[0] if found else None


def _find_only(analysis: Analysis, language: str, name: str) -> tuple[int, ...]:
    program = analysis.program
    paths = program.providing(method_key(language, name))
    if len(paths) != 1:
        return ()
    table = next(iter(program.tables_at(paths)))
    methods = [
        table.first + number
        for number, symbol in enumerate(table.symbols)
        if symbol.name == name
        and program.symbol(table.first + number).kind == "method"
        and class_of(analysis, table.first + number) is not None
    ]
    return tuple(methods) if len(methods) == 1 else ()
