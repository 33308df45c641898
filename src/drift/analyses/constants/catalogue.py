"""Every constant of a project with its kind, category and value; what is secret in a value is not shown.

What it does: joins declarations of constants, members of enumerations and enumerations with the literals that are
their values and with what lists and tables hold.
Why it matters: who needs a limit, a status or a path finds the one there is instead of writing another.
Known limits: a value is known where it is one literal; of anything computed the text of the declaration is shown.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

from drift.analyses.index_cache import PerState
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.literal_queries import HeldValue, NamedValue
from drift.index.records import SymbolRecord
from drift.kernel.redaction import redact
from drift.kernel.words import split_words

Kind = Literal[
    "primitive", "enum", "enum_member", "object", "array", "computed", "class_constant", "interface_constant"
]
Category = Literal[
    "security",
    "feature_flag",
    "api",
    "status",
    "error",
    "limit",
    "config",
    "regex",
    "path",
    "env",
    "uncategorised",
]

_TYPES: Final[dict[str, Kind]] = {
    "class": "class_constant",
    "struct": "class_constant",
    "trait": "class_constant",
    "interface": "interface_constant",
    "enum": "enum_member",
}
_VALUE: Final = re.compile(r"(?<![=!<>:])(?::=|=)(?![=>~])")
_PLAIN: Final = re.compile(r"-?\d{1,20}(?:\.\d{1,20})?|true|false|True|False")
_QUOTED: Final = re.compile(r"""(["'`])([^"'`\\]{0,200})\1""")
_MOST_VALUE: Final = 120


@dataclass(frozen=True, slots=True)
class ConstantRow:
    """A constant. `value` is its literal, or as written where it is computed; without what is secret in it."""

    id: str
    name: str
    kind: Kind
    category: Category
    value: str | None
    file: str
    line: int
    is_exported: bool
    language: str | None = None


class Constant(NamedTuple):
    """A constant as the index has it. `literal` is null where the value is no single literal."""

    symbol: SymbolRecord
    kind: Kind
    category: Category
    literal: NamedValue | None
    written: str | None

    @property
    def id(self) -> str:
        """Path and qualified name, which stay while lines move."""
        return f"{self.symbol.path}#{self.symbol.qualname}"

    @property
    def is_exported(self) -> bool:
        return is_exported(self.symbol)

    @property
    def shown(self) -> str | None:
        """The value without secrets."""
        return shown_value(self.symbol.name, self.written)

    def row(self) -> ConstantRow:
        one = self.symbol
        return ConstantRow(
            self.id, one.qualname, self.kind, self.category, self.shown, one.path, one.line,
            self.is_exported, one.language,
        )  # fmt: skip


class _CategoryRule(NamedTuple):
    name: Category
    words: frozenset[str]
    value: re.Pattern[str] | None


@cache
def _category_rules() -> tuple[_CategoryRule, ...]:
    rows = tomllib.loads(files("drift.analyses.constants").joinpath("categories.toml").read_text("utf-8"))
    return tuple(
        _CategoryRule(
            row["name"], frozenset(row["words"]), re.compile(row["value"]) if "value" in row else None
        )
        for row in rows["category"]
    )


def category_of(name: str, value: str | None) -> Category:
    """What a constant is about: the first category that its name speaks of, else one that its value has the form of."""
    words = {each.lower() for each in split_words(name)}
    rules = _category_rules()
    for rule in rules:
        if not rule.words.isdisjoint(words):
            return rule.name
    for rule in rules:
        if value and rule.value is not None and rule.value.fullmatch(value):
            return rule.name
    return "uncategorised"


def is_exported(symbol: SymbolRecord) -> bool:
    """Whether other files may use it: said so, or public where nothing has to be said."""
    if symbol.language in {"javascript", "typescript"}:
        return "exported" in symbol.modifiers or symbol.qualname != symbol.name
    return symbol.visibility == "public"


def shown_value(name: str, written: str | None) -> str | None:
    """A value without what is secret in it, the name beside it taken into account."""
    if not written:
        return None
    before = f"{name} = "
    told = redact(f"{before}{written}").text.removeprefix(before)
    return told if len(told) <= _MOST_VALUE else f"{told[:_MOST_VALUE]}…"


_read: Final = PerState[tuple[Constant, ...]]()


def read_constants(reader: IndexReader) -> tuple[Constant, ...]:
    """All constants, by file and place; read once for each state of the index."""
    return _read.get(reader, lambda: _read_all(reader))


def _read_all(reader: IndexReader) -> tuple[Constant, ...]:
    symbols = [*reader.literals.declared(), *reader.symbols.of_kind("enum", limit=-1)]
    values: dict[tuple[SymbolId, str], list[NamedValue]] = defaultdict(list)
    for each in reader.literals.named_values():
        values[each.holder, each.name].append(each)
    owners = {one.id: one.kind for one in reader.symbols.many(_owners(symbols))}
    held: dict[SymbolId, list[HeldValue]] = defaultdict(list)
    for item in reader.literals.held_by(one.id for one in symbols):
        held[item.constant].append(item)
    found = [
        _constant(
            one,
            owners.get(one.parent_id, "") if one.parent_id is not None else "",
            values.get((one.parent_id, one.name), []) if one.parent_id is not None else [],
            held.get(one.id, []),
        )
        for one in symbols
    ]
    return tuple(sorted(found, key=lambda each: (each.symbol.path, each.symbol.line, each.symbol.qualname)))


def _owners(symbols: Iterable[SymbolRecord]) -> list[SymbolId]:
    return sorted({one.parent_id for one in symbols if one.parent_id is not None})


def _constant(symbol: SymbolRecord, owner: str, values: list[NamedValue], held: list[HeldValue]) -> Constant:
    written = written_value(symbol.signature)
    literal = _literal(written, values)
    quoted = _QUOTED.fullmatch(written) if written else None
    text = literal.value if literal is not None else quoted[2] if quoted else written
    kind: Kind
    if symbol.kind == "enum":
        kind, text = "enum", None
    elif owner in _TYPES:
        kind = _TYPES[owner]
    elif held:
        kind = "object" if any(each.key is not None for each in held) else "array"
    else:
        kind = "primitive" if literal is not None or quoted or _is_plain(written) else "computed"
    return Constant(symbol, kind, category_of(symbol.name, literal.value if literal else None), literal, text)


def written_value(signature: str) -> str | None:
    """What stands behind the sign of equality of a declaration."""
    parts = _VALUE.split(signature, maxsplit=1)
    return parts[1].strip().rstrip(";,").strip() or None if len(parts) > 1 else None


def _is_plain(written: str | None) -> bool:
    """A number so plain that the index does not list it, or a truth value."""
    return written is not None and _PLAIN.fullmatch(written) is not None


def _literal(written: str | None, values: list[NamedValue]) -> NamedValue | None:
    """The literal that is all of the value."""
    if len(values) != 1:
        return None
    one = values[0]
    if written is None:
        return one
    bare = written.strip("\"'`") if one.kind == "string" else written
    return one if bare.lstrip("+-") == one.value.lstrip("+-") or bare[:-1] == one.value else None
