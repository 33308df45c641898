"""Constraints and boundaries as people write them in .drift/rules/, checked before anything believes them.

[layers]
web = ["src/web/**"]

[[boundary]]
from = "web"
never = ["src/db/**", "sqlalchemy"]

[[constraint]]
id = "own/orders-are-logged"
type = "must_have"
category = "logging"
rule = "Every function of orders logs"
where = { files = ["src/orders/**"] }
calls = { must = ["logger.*"] }
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast, get_args

from drift.guards.constraints.form import (
    CATEGORIES,
    PREDICATES,
    TYPES,
    Constraint,
    ConstraintStatus,
    Counts,
    Predicate,
    PredicateName,
    Values,
    Where,
)
from drift.kernel.similar import similar_names
from drift.quality import Severity

_MOST_VALUES: Final = 500
_MOST_CHARACTERS: Final = 2_000
_TEXTS: Final = ("guidance", "by", "at", "reason")
_PLAIN: Final = (
    "id", "type", "category", "rule", "where", "severity", "status", "counts", *_TEXTS
)  # fmt: skip
_WHERE: Final = ("files", "exclude", "languages")
_BOUNDARY: Final = (
    "id",
    "from",
    "never",
    "only",
    "calls",
    "tables",
    "rule",
    "severity",
    "guidance",
    "reason",
)
_STATUSES: Final = ("custom", "approved", "ignored")
# What each predicate may be asked about, and of which it needs one at least.
_KEYS: Final[dict[PredicateName, tuple[Values, Values]]] = {
    "uses": (("never", "only", "with"), ("never", "only")),
    "calls": (("never", "instead", "must", "functions"), ("never", "must")),
    "order": (("first", "then", "same"), ("first",)),
    "routes": (("guards", "methods", "paths", "except", "open", "times"), ("guards", "times")),
    "access": (("tables", "in", "classes"), ("in", "classes")),
    "names": (("patterns", "parents", "kinds", "bases", "decorators"), ("patterns", "parents")),
    "companion": (("is", "classes", "times"), ("is",)),
    "declares": (("kinds", "patterns", "parents", "times"), ("kinds", "patterns", "parents")),
    "cause": ((), ()),
    "tests": (("functions",), ()),
}


class ConstraintError(ValueError):
    """What is written is no constraint; the message says which part and why."""


def read_tables(tables: Mapping[str, Any]) -> Iterator[Constraint | ConstraintError]:
    """The constraints of a file's tables; what is wrong with one does not keep the others from counting."""
    layers = tables.get("layers", {})
    for key, read in (("constraint", _read_constraint), ("boundary", _read_boundary)):
        listed = tables.get(key, [])
        if not isinstance(listed, list):
            yield ConstraintError(f"{key}: must be a list of tables: write [[{key}]]")
            continue
        for number, table in enumerate(listed, 1):
            try:
                yield read(table, number, layers if isinstance(layers, dict) else {})
            except ConstraintError as error:
                named = table.get("id") if isinstance(table, dict) else None
                yield ConstraintError(f"{key} {named or number}: {error}")


def _read_constraint(table: Any, number: int, layers: Mapping[str, Any]) -> Constraint:  # noqa: ARG001 - as boundaries are read
    checked = _table(table, (*_PLAIN, *PREDICATES))
    given = [name for name in PREDICATES if name in checked]
    if len(given) != 1:
        raise ConstraintError(f"it has to have one of {', '.join(PREDICATES)}, and has {len(given)}")
    texts = {key: _text(checked, key) for key in _TEXTS}
    return Constraint(
        _needed(checked, "id"),
        _one_of(checked, "type", TYPES),
        _one_of(checked, "category", CATEGORIES),
        _needed(checked, "rule"),
        _predicate(given[0], checked[given[0]]),
        _where(checked.get("where", {})),
        _one_of(checked, "severity", get_args(Severity), "error"),
        cast("ConstraintStatus", _one_of(checked, "status", _STATUSES, "custom")),
        _counts(checked.get("counts")),
        **texts,
    )


def _read_boundary(table: Any, number: int, layers: Mapping[str, Any]) -> Constraint:
    checked = _table(table, _BOUNDARY)
    inside = _paths(checked, "from", layers)
    if not inside:
        raise ConstraintError("from: is missing: a layer of [layers], or patterns of paths")
    parts = [key for key in ("never", "only", "calls", "tables") if key in checked]
    if not parts or (len(parts) > 1 and parts != ["never", "only"]):
        raise ConstraintError(
            "it has to have one of never, only, calls and tables, or never with only: one boundary, one rule"
        )
    told = checked["from"] if isinstance(checked["from"], str) else ", ".join(inside)
    values: dict[str, Values] = {key: _paths(checked, key, layers) for key in parts}
    if "tables" in values:
        where, name = Where(), "access"
        predicate = {"tables": values["tables"], "in": inside}
        rule = f"{', '.join(values['tables'])} only in {told}"
    elif "calls" in values:
        where, name, predicate = Where(files=inside), "calls", {"never": values["calls"]}
        rule = f"{told} calls none of {', '.join(values['calls'])}"
    else:
        where, name, predicate = Where(files=inside), "uses", values
        rule = f"{told} uses " + " and ".join(_told(key, values[key]) for key in parts)
    return Constraint(
        _text(checked, "id") or f"boundary/{told}-{number}",
        "data_flow" if name == "access" else "must_separate",
        "data" if name == "access" else "structural",
        _text(checked, "rule") or rule,
        Predicate(cast("PredicateName", name), predicate),
        where,
        _one_of(checked, "severity", get_args(Severity), "error"),
        "custom",
        guidance=_text(checked, "guidance"),
        reason=_text(checked, "reason"),
    )


def _told(key: str, values: Values) -> str:
    return f"nothing of {', '.join(values)}" if key == "never" else f"only {', '.join(values)}"


def _predicate(name: PredicateName, table: Any) -> Predicate:
    known, needed = _KEYS[name]
    checked = _table(table, known, f"{name}: ")
    values = {key: _values(checked[key], f"{name}.{key}") for key in checked}
    if needed and not any(values.get(key) for key in needed):
        raise ConstraintError(f"{name}: one of {', '.join(needed)} has to be given")
    if name == "order" and not (values.get("first") and values.get("then")):
        raise ConstraintError("order: first and then have to be given")
    return Predicate(name, values)


def _where(table: Any) -> Where:
    checked = _table(table, _WHERE, "where: ")
    return Where(**{key: _values(checked[key], f"where.{key}") for key in checked})


def _counts(table: Any) -> Counts | None:
    if table is None:
        return None
    checked = _table(table, ("holding", "sites", "files"), "counts: ")
    numbers = [checked.get(key, 0) for key in ("holding", "sites", "files")]
    if not all(isinstance(each, int) and not isinstance(each, bool) and each >= 0 for each in numbers):
        raise ConstraintError("counts: holding, sites and files are numbers")
    return Counts(*numbers)


def _table(table: Any, known: tuple[str, ...], where: str = "") -> dict[str, Any]:
    if not isinstance(table, dict):
        raise ConstraintError(f"{where}must be a table")
    for key in table:
        if key not in known:
            near = similar_names(str(key), known, limit=1)
            raise ConstraintError(
                f"{where}{key} is not known" + (f"; did you mean {near[0]}?" if near else "")
            )
    return table


def _values(value: Any, name: str) -> Values:
    listed = [value] if isinstance(value, str) else value
    is_fine = isinstance(listed, list) and len(listed) <= _MOST_VALUES
    if not is_fine or not all(isinstance(each, str) and len(each) <= _MOST_CHARACTERS for each in listed):
        raise ConstraintError(f"{name}: must be a text or a list of at most {_MOST_VALUES} texts")
    return tuple(listed)


def _paths(table: Mapping[str, Any], key: str, layers: Mapping[str, Any]) -> Values:
    """Patterns, those of a layer in the place of its name."""
    return tuple(
        pattern
        for each in _values(table.get(key, []), key)
        for pattern in (_values(layers[each], f"layers.{each}") if each in layers else (each,))
    )


def _text(table: Mapping[str, Any], key: str) -> str | None:
    value = table.get(key)
    if value is not None and (not isinstance(value, str) or len(value) > _MOST_CHARACTERS):
        raise ConstraintError(f"{key}: must be a text of at most {_MOST_CHARACTERS} characters")
    return value


def _needed(table: Mapping[str, Any], key: str) -> str:
    value = _text(table, key)
    if not value:
        raise ConstraintError(f"{key}: is missing")
    return value


def _one_of(table: Mapping[str, Any], key: str, choices: tuple[Any, ...], default: str | None = None) -> Any:
    value = table.get(key, default)
    if value not in choices:
        raise ConstraintError(f"{key}: must be one of {', '.join(choices)}")
    return value
