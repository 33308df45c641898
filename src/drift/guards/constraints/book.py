"""The constraints of a project as its files say, and what was decided about mined ones."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from drift.guards.constraints.form import Constraint
from drift.guards.constraints.reading import ConstraintError, read_tables
from drift.kernel.files import locked, write_atomically
from drift.project import StateDir
from drift.project.rule_files import read_rule_files

DECIDED: Final = "constraints.toml"
_LOCK_SECONDS: Final = 10.0
_HEADER: Final = """\
# Constraints of this project that were approved or ignored. Review and commit it; `drift constraints` shows what they are.
# Drift writes this file anew with each decision: say why in `reason`, for comments are not kept. Write your own into another file.
"""


class Book(NamedTuple):
    """What is written: constraints by id, the project's own and decided ones, and what could not be read."""

    constraints: Mapping[str, Constraint]
    problems: tuple[str, ...]


def read_book(state: StateDir) -> Book:
    """What all files in .drift/rules/ say now."""
    found: dict[str, Constraint] = {}
    problems: list[str] = []
    for file in read_rule_files(state):
        if file.problem is not None:
            problems.append(f"{file.place}: {file.problem}")
        for each in read_tables(file.tables):
            if isinstance(each, ConstraintError):
                problems.append(f"{file.place}: {each}")
            elif each.id in found:
                problems.append(
                    f"{file.place}: there is a constraint {each.id} already, in {found[each.id].source}"
                )
            else:
                found[each.id] = _placed(each, file.place)
    return Book(found, tuple(problems))


def write_decided(state: StateDir, changed: Constraint) -> None:
    """Put a decided constraint into its file, in the place of the one of the same id."""
    state.ensure()
    path = state.check(state.rules / DECIDED)
    path.parent.mkdir(exist_ok=True)
    with locked(path, timeout_seconds=_LOCK_SECONDS):
        known = {
            id_: each for id_, each in read_book(state).constraints.items() if each.source == _place(DECIDED)
        }
        known[changed.id] = changed
        write_atomically(path, _HEADER + "".join(_entry(known[id_]) for id_ in sorted(known)))


def _place(name: str) -> str:
    return f".drift/rules/{name}"


def _placed(constraint: Constraint, place: str) -> Constraint:
    return Constraint(**{**_fields(constraint), "source": place})


def _fields(constraint: Constraint) -> dict[str, Any]:
    return {name: getattr(constraint, name) for name in Constraint.__slots__}


def _entry(constraint: Constraint) -> str:
    where = {key: list(value) for key, value in asdict(constraint.where).items() if value}
    counts = asdict(constraint.counts) if constraint.counts is not None else None
    lines = {
        "id": constraint.id,
        "status": constraint.status,
        "type": constraint.type,
        "category": constraint.category,
        "rule": constraint.rule,
        "severity": constraint.severity,
        "guidance": constraint.guidance,
        "by": constraint.by,
        "at": constraint.at,
        "reason": constraint.reason,
        "counts": counts,
        "where": where or None,
        constraint.predicate.name: {
            key: list(value) for key, value in constraint.predicate.values.items() if value
        },
    }
    told = "".join(f"{key} = {_toml(value)}\n" for key, value in lines.items() if value is not None)
    return f"\n[[constraint]]\n{told}"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    # A text or a list of texts in JSON is one in TOML, but for a character that JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
