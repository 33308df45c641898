"""Rules about who may touch which table or module: `.drift/rules/boundaries.toml`, or the same as JSON.

    [[boundary]]
    id = "cards-only-in-payments"
    description = "Cards are touched by payments alone."
    tables = ["cards", "card_*"]
    operations = ["read", "write", "delete"]
    allowed_paths = ["shop/payments/**"]
    severity = "error"

`fields` narrows to fields by name, `modules` speaks of files instead of tables: who uses what is in them. Rules come from
strangers: what they may say is bounded, and their patterns take linear time.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast, get_args

from drift.analyses.data_access import AccessPoint, DataMap, Operation
from drift.analyses.file_globs import PathGlob
from drift.index import IndexReader
from drift.project import StateDir
from drift.project.rule_files import read_rule_files

BoundarySeverity = Literal["error", "warning", "info"]

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,60}")
_NAME: Final = re.compile(r"[A-Za-z_*][\w.*-]{0,100}")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MOST_RULES: Final = 200
_MOST_VALUES: Final = 200
_MOST_TEXT: Final = 1_000
_MIN_CONFIDENCE: Final = 0.5
_KEYS: Final = frozenset(
    {
        "id",
        "description",
        "tables",
        "fields",
        "operations",
        "modules",
        "allowed_paths",
        "exclude_paths",
        "severity",
        "enabled",
    }
)


class BoundaryRuleError(ValueError):
    """A text that is no rule; the message says which one and why."""


@dataclass(frozen=True, slots=True)
class BoundaryRule:
    """Who may touch what."""

    id: str
    description: str
    tables: tuple[str, ...]
    fields: tuple[str, ...]
    operations: tuple[Operation, ...]
    modules: tuple[PathGlob, ...]
    allowed: tuple[PathGlob, ...]
    excluded: tuple[PathGlob, ...]
    severity: BoundarySeverity

    def allows(self, path: str) -> bool:
        """Whether a file may do it, or is not spoken of."""
        return any(each.matches(path) for each in (*self.allowed, *self.excluded))


@dataclass(frozen=True, slots=True)
class Crossing:
    """A place that does what a rule forbids it."""

    rule: BoundaryRule
    file: str
    line: int
    symbol: str | None
    told: str


def read_boundary_rules(state: StateDir) -> tuple[BoundaryRule, ...]:
    """The rules of a project. Raises BoundaryRuleError for one that is wrong: one that is left out would pass."""
    found: dict[str, BoundaryRule] = {}
    for file in read_rule_files(state):
        listed = file.tables.get("boundary")
        if file.problem is not None and file.name.startswith("boundaries"):
            raise BoundaryRuleError(f"{file.place}: {file.problem}")
        if listed is None:
            continue
        if not isinstance(listed, list) or len(listed) > _MOST_RULES:
            raise BoundaryRuleError(f"{file.place}: boundary must be a list of at most {_MOST_RULES} rules")
        for number, table in enumerate(listed, 1):
            try:
                rule = _rule(table)
            except BoundaryRuleError as error:
                raise BoundaryRuleError(f"{file.place}: boundary {number}: {error}") from error
            if rule is None:
                continue
            if rule.id in found:
                raise BoundaryRuleError(f"{file.place}: there is another boundary {rule.id}")
            found[rule.id] = rule
    return tuple(found.values())


def _rule(table: Any) -> BoundaryRule | None:
    if not isinstance(table, dict):
        raise BoundaryRuleError("it must be a table")
    row = {_HUMP.sub("_", str(key)).lower(): value for key, value in table.items()}
    unknown = sorted(set(row) - _KEYS)
    if unknown:
        raise BoundaryRuleError(f"unknown keys: {', '.join(unknown)[:200]}")
    id_, description = row.get("id"), row.get("description", "")
    if not isinstance(id_, str) or not _ID.fullmatch(id_):
        raise BoundaryRuleError("id must be small letters, digits and dashes")
    if not isinstance(description, str) or len(description) > _MOST_TEXT:
        raise BoundaryRuleError(f"description must be a text of at most {_MOST_TEXT} characters")
    severity, enabled = row.get("severity", "error"), row.get("enabled", True)
    if severity not in get_args(BoundarySeverity) or not isinstance(enabled, bool):
        raise BoundaryRuleError(
            f"severity must be one of {', '.join(get_args(BoundarySeverity))}, enabled true or false"
        )
    rule = _made(id_, description, row, cast("BoundarySeverity", severity))
    return rule if enabled else None


def _made(id_: str, description: str, row: Mapping[str, Any], severity: BoundarySeverity) -> BoundaryRule:
    operations = _texts(row, "operations")
    known = get_args(Operation)
    for each in operations:
        if each not in known:
            raise BoundaryRuleError(f"operations: {each[:40]} is none of {', '.join(known)}")
    rule = BoundaryRule(
        id_,
        description,
        _names(row, "tables"),
        _names(row, "fields"),
        cast("tuple[Operation, ...]", operations),
        tuple(map(PathGlob, _texts(row, "modules"))),
        tuple(map(PathGlob, _texts(row, "allowed_paths"))),
        tuple(map(PathGlob, _texts(row, "exclude_paths"))),
        severity,
    )
    if not (rule.tables or rule.fields or rule.modules):
        raise BoundaryRuleError("it needs tables, fields or modules")
    return rule


def _texts(row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = row.get(key, [])
    if not isinstance(value, list) or len(value) > _MOST_VALUES:
        raise BoundaryRuleError(f"{key} must be a list of at most {_MOST_VALUES} texts")
    if not all(isinstance(each, str) and 0 < len(each) <= _MOST_TEXT for each in value):
        raise BoundaryRuleError(f"{key} must be a list of texts")
    return tuple(value)


def _names(row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    names = _texts(row, key)
    for name in names:
        if not _NAME.fullmatch(name):
            raise BoundaryRuleError(f"{key}: {name[:60]!r} is no name; * at either end stands for anything")
    return tuple(name.lower() for name in names)


def fits(pattern: str, name: str) -> bool:
    """Whether a name fits a pattern, of which * at either end stands for anything."""
    wanted, found = pattern.strip("*"), name.lower()
    if pattern.startswith("*") and pattern.endswith("*"):
        return wanted in found
    if pattern.startswith("*"):
        return found.endswith(wanted)
    return found.startswith(wanted) if pattern.endswith("*") else found == wanted


def find_crossings(reader: IndexReader, data: DataMap, rules: Iterable[BoundaryRule]) -> Iterator[Crossing]:
    """Every place that a rule forbids, by rule."""
    for rule in rules:
        if rule.tables or rule.fields:
            for point in data.points:
                if _is_spoken_of(rule, point) and not rule.allows(point.file):
                    target = point.table or "data"
                    told = (
                        f"{point.symbol} does {point.operation} on {target}, which {rule.id} leaves to others"
                    )
                    yield Crossing(rule, point.file, point.line, point.symbol, told)
        if rule.modules:
            yield from _uses(reader, rule)


def _is_spoken_of(rule: BoundaryRule, point: AccessPoint) -> bool:
    if rule.operations and point.operation not in rule.operations:
        return False
    names = [name for name in (point.table, point.model) if name]
    if rule.tables and not any(fits(pattern, name) for pattern in rule.tables for name in names):
        return False
    return not rule.fields or any(fits(pattern, name) for pattern in rule.fields for name in point.fields)


def _uses(reader: IndexReader, rule: BoundaryRule) -> Iterator[Crossing]:
    seen: set[tuple[str, str]] = set()
    for one in reader.dependencies.between_files(min_confidence=_MIN_CONFIDENCE, with_tests=False):
        is_target = any(each.matches(one.target_path) for each in rule.modules)
        is_inside = any(each.matches(one.path) for each in rule.modules)
        if not is_target or is_inside or rule.allows(one.path) or (one.path, one.target_path) in seen:
            continue
        seen.add((one.path, one.target_path))
        yield Crossing(
            rule,
            one.path,
            one.line,
            None,
            f"{one.path} uses {one.target_path}, which {rule.id} leaves to others",
        )
