"""Gates: what must hold of a catalog as a whole, written down in `gates.json` beside the instructions.

A gate counts the instructions that fit `where` and compares the count; gates can be joined:

    {"gates": [
      {"id": "owned", "severity": "error", "op": "==", "value": 0,
       "where": {"and": [{"requirement": ["mandatory", "critical"]}, {"owner": "unowned"}]}},
      {"id": "alive", "severity": "warning",
       "or": [{"op": "<", "value": 10}, {"not": {"op": ">", "value": 0, "where": {"isOverdue": true}}}]}
    ]}

In `where` a field has a value, any of several, or thresholds such as {"priority": {"<=": 20}}.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from drift.catalog.entry import FIELD_OF, Instruction
from drift.catalog.files import InstructionFiles, UnreadableFileError
from drift.catalog.reading import BOM
from drift.catalog.refusals import refuse
from drift.catalog.settings import CatalogSettings
from drift.kernel.depth import json_depth_exceeds
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.similar import similar_names


@dataclass(frozen=True, slots=True)
class GateSummary:
    """Gates that do not hold."""

    errors: int
    warnings: int
    total: int


GATES_FILE: Final = "gates.json"
_MOST_BYTES: Final = 200_000
_MOST_GATES: Final = 200
_MOST_CONDITIONS: Final = 2_000  # each is asked of every instruction
_DEEPEST: Final = 12
_MOST_VALUE: Final = 1e15  # far above any count, and exact in every client's numbers
_SEVERITIES: Final = ("error", "warning", "info")
_OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}
_JOINTS: Final = ("and", "or", "not")

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether one gate holds. A joined gate has no count and no value of its own."""

    id: str
    passed: bool
    count: int | None
    op: str
    value: float | None
    severity: Severity
    description: str | None = None


class GateReport(NamedTuple):
    """All gates, and how many of them fail as errors and as warnings."""

    results: tuple[GateResult, ...]
    errors: int
    warnings: int
    total: int


def evaluate_gates(directory: Path, instructions: Sequence[Instruction], *, now: str) -> GateReport:
    """The gates of a directory against its instructions; none where there is no gates.json.

    Raises INVALID_ARGUMENT naming the gate and what is wrong with it.
    """
    results = tuple(_evaluate(gate, instructions, now) for gate in _read_gates(directory / GATES_FILE))
    failed = [result.severity for result in results if not result.passed]
    return GateReport(results, failed.count("error"), failed.count("warning"), len(results))


def _evaluate(gate: Mapping[str, Any], instructions: Sequence[Instruction], now: str) -> GateResult:
    name, severity = gate.get("id"), gate.get("severity", "error")
    if not isinstance(name, str) or not name:
        raise _wrong("a gate without an id")
    if severity not in _SEVERITIES:
        raise _wrong(f"{name}: severity must be one of {', '.join(_SEVERITIES)}")
    passed, count = _holds(gate, instructions, now, name)
    joint = next((each for each in _JOINTS if each in gate), None)
    description = gate.get("description")
    return GateResult(
        name,
        passed,
        count,
        joint or gate["op"],
        None if joint else gate["value"],
        severity,
        description if isinstance(description, str) else None,
    )


def _holds(
    gate: Mapping[str, Any], instructions: Sequence[Instruction], now: str, name: str
) -> tuple[bool, int | None]:
    if not isinstance(gate, Mapping):
        raise _wrong(f"{name}: a condition must be an object")
    if "not" in gate:
        return not _holds(gate["not"], instructions, now, name)[0], None
    for joint, combine in (("and", all), ("or", any)):
        if joint in gate:
            return combine(
                _holds(part, instructions, now, name)[0] for part in _parts(gate[joint], name)
            ), None
    compare, value = _OPERATORS.get(str(gate.get("op"))), gate.get("value")
    if compare is None:
        raise _wrong(f"{name}: op must be one of {' '.join(_OPERATORS)}")
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) <= _MOST_VALUE:
        raise _wrong(f"{name}: value must be a number")
    where = gate.get("where", {})
    count = sum(_fits(each, where, now, name) for each in instructions)
    return compare(count, value), count


def _fits(instruction: Instruction, where: object, now: str, name: str) -> bool:
    if not isinstance(where, Mapping):
        raise _wrong(f"{name}: where must be an object")
    return all(_fits_one(instruction, key, wanted, now, name) for key, wanted in where.items())


def _fits_one(instruction: Instruction, key: str, wanted: object, now: str, name: str) -> bool:
    if key == "and":
        return all(_fits(instruction, part, now, name) for part in _parts(wanted, name))
    if key == "or":
        return any(_fits(instruction, part, now, name) for part in _parts(wanted, name))
    if key == "not":
        return not _fits(instruction, wanted, now, name)
    actual = _value_of(instruction, key, now, name)
    if isinstance(wanted, Mapping):
        return all(_compares(actual, op, bound, name) for op, bound in wanted.items())
    choices = wanted if isinstance(wanted, list) else [wanted]
    return any(each in choices for each in actual) if isinstance(actual, tuple) else actual in choices


def _value_of(instruction: Instruction, key: str, now: str, name: str) -> Any:
    if key == "isOverdue":
        return instruction.is_overdue(now)
    if key == "isDeprecated":
        return instruction.is_deprecated
    # `category` reads better of one.
    field = FIELD_OF.get("categories" if key == "category" else key)
    if field is None:
        near = similar_names(key, FIELD_OF)
        raise _wrong(f"{name}: {key[:60]!a} is no field" + (f"; {near[0]} is" if near else ""))
    return getattr(instruction, field)


def _compares(actual: object, op: str, bound: object, name: str) -> bool:
    compare = _OPERATORS.get(op)
    if compare is None:
        raise _wrong(f"{name}: {op[:20]!a} is no comparison")
    if actual is None:
        return False
    measured = len(actual) if isinstance(actual, tuple) else actual
    try:
        return compare(measured, bound)
    except TypeError:
        raise _wrong(f"{name}: a {type(bound).__name__} cannot be compared with this field") from None


def _parts(given: object, name: str) -> list[Any]:
    if not isinstance(given, list) or not given:
        raise _wrong(f"{name}: and/or need a list of conditions")
    return given


def _read_gates(path: Path) -> list[Mapping[str, Any]]:
    import orjson  # 20 ms, and a start that touches no file needs none of it

    try:
        # As instructions are read: not through a link, and without waiting for a pipe.
        content, _ = InstructionFiles(path.parent, CatalogSettings()).read(path.name)
    except FileNotFoundError:
        return []
    except UnreadableFileError as error:
        raise _wrong(f"cannot be read: {error.reason}") from error
    if len(content) > _MOST_BYTES:
        raise _wrong(f"is larger than {_MOST_BYTES:,} bytes")
    if json_depth_exceeds(content, _DEEPEST):
        raise _wrong(f"nests deeper than {_DEEPEST} levels")
    try:
        found = orjson.loads(content.removeprefix(BOM))
    except orjson.JSONDecodeError as error:
        raise _wrong(f"is not JSON in UTF-8: {error.msg}, line {error.lineno}") from None
    gates = found.get("gates") if isinstance(found, dict) else found
    if not isinstance(gates, list) or not all(isinstance(gate, dict) for gate in gates):
        raise _wrong("must hold a list of gates")
    if len(gates) > _MOST_GATES:
        raise _wrong(f"has more than {_MOST_GATES} gates")
    if _count_conditions(gates) > _MOST_CONDITIONS:
        raise _wrong(f"has more than {_MOST_CONDITIONS:,} conditions")
    return gates


def _count_conditions(value: object) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_count_conditions, value.values()))
    return sum(map(_count_conditions, value)) if isinstance(value, list) else 0


def _wrong(problem: str) -> DriftError:
    return refuse(
        GATES_FILE,
        problem,
        code=ErrorCode.CONFIG_INVALID,
        hint=f"Correct {GATES_FILE} beside the instructions.",
    )


@dataclass(frozen=True, slots=True)
class GatesData:
    """Every gate of gates.json."""

    generated_at: str
    results: tuple[GateResult, ...]
    summary: GateSummary
