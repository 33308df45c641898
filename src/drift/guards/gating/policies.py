"""Policies: which gates run, what each allows, and when all of them together have passed. Data, shipped or the project's own.

An own policy is `.drift/rules/policies/NAME.toml`, in the form of those in `drift/guards/policies`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, get_args

from drift.guards.gating.form import Gate, Setting, Settings
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import list_files
from drift.kernel.similar import similar_names
from drift.project import StateDir

Aggregation = Literal["any", "all", "weighted", "threshold"]

DEFAULT: Final = "default"
BY_BRANCH: Final = "branch"
FOLDER: Final = "policies"
_SHIPPED: Final = ("default", "strict", "relaxed", "ci-fast", "thresholds", "security")
_KEYS: Final = frozenset({"title", "branches", "aggregation", "min_score", "required", "gates"})
_OF_EVERY_GATE: Final[Settings] = {"blocking": True, "weight": 1}
_MOST_BYTES: Final = 100_000
_MOST_SCORE: Final = 100
_LEAST_SCORE: Final = 70


@dataclass(frozen=True, slots=True)
class Policy:
    """Which gates run and how their outcomes come together."""

    name: str
    title: str
    gates: Mapping[str, Settings]
    """What is set for each gate, whatever the policy leaves out filled in."""
    aggregation: Aggregation = "any"
    min_score: float = _LEAST_SCORE
    required: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()


class PolicyError(ValueError):
    """A text that is no policy; the message says where and why."""


def policy_names() -> tuple[str, ...]:
    """The policies that Drift ships."""
    return _SHIPPED


def find_policy(
    state: StateDir, name: str, gates: Mapping[str, Gate], *, branch: str | None = None
) -> Policy:
    """The policy of a name, the project's own first; `branch` as a name chooses by the branch."""
    own = own_policies(state)
    wanted = name.removesuffix(".toml").rpartition("/")[2]
    if wanted == BY_BRANCH and wanted not in own:
        return _of_branch(branch or "", gates)
    if wanted in own:
        return _read_own(state, wanted, gates)
    if wanted in _SHIPPED:
        return read_policy(_shipped_text(wanted), wanted, gates)
    known = [*_SHIPPED, BY_BRANCH, *own]
    raise DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"policy: {name!r} is not known; known are {', '.join(known)}",
        Recovery(
            hint=f"Own policies are files in .drift/rules/{FOLDER}/.",
            similar=tuple(similar_names(wanted, known)),
            details={"argument": "policy"},
        ),
    )


def own_policies(state: StateDir) -> list[str]:
    """The names of the project's own policies."""
    folder = (state.rules / FOLDER).relative_to(state.root).as_posix()
    try:
        names = list_files(state.root, folder)
    except OSError:
        return []
    return sorted(each.removesuffix(".toml") for each in names if each.endswith(".toml"))


def read_policy(text: str, name: str, gates: Mapping[str, Gate]) -> Policy:
    """The policy that a text describes. Raises PolicyError."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"it is no TOML: {error}") from error
    _only(tables, _KEYS, "the policy")
    given = tables.get("gates")
    if not isinstance(given, dict) or not given:
        raise PolicyError("gates: must be tables, one for each gate that runs")
    _only(given, gates, "gates")
    aggregation = tables.get("aggregation", "any")
    if aggregation not in get_args(Aggregation):
        raise PolicyError(f"aggregation: must be one of {', '.join(get_args(Aggregation))}")
    required = _texts(tables.get("required", []), "required")
    for each in required:
        if each not in given:
            raise PolicyError(f"required: {each} is no gate of this policy")
    score = tables.get("min_score", _LEAST_SCORE)
    if not isinstance(score, int | float) or isinstance(score, bool) or not 0 <= score <= _MOST_SCORE:
        raise PolicyError("min_score: must be a number from 0 to 100")
    return Policy(
        name,
        str(tables.get("title", name)),
        {key: _settings(key, table, gates[key]) for key, table in given.items()},
        aggregation,
        float(score),
        required,
        _texts(tables.get("branches", []), "branches"),
    )


def _settings(name: str, table: Any, gate: Gate) -> Settings:
    if not isinstance(table, dict):
        raise PolicyError(f"gates.{name}: must be a table")
    known = {**_OF_EVERY_GATE, **gate.settings}
    _only(table, known, f"gates.{name}")
    return {
        key: _value(f"gates.{name}.{key}", table.get(key, default), default) for key, default in known.items()
    }


def _value(place: str, value: Any, default: Setting) -> Setting:
    """A value of the form that the default has."""
    if isinstance(default, tuple):
        return value if isinstance(value, tuple) else _texts(value, place)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise PolicyError(f"{place}: must be true or false")
        return value
    if isinstance(default, str):
        if not isinstance(value, str):
            raise PolicyError(f"{place}: must be a text")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise PolicyError(f"{place}: must be a number that is not negative")
    return value


def _texts(value: Any, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise PolicyError(f"{place}: must be a list of texts")
    return tuple(value)


def _only(table: Mapping[str, Any], known: Any, place: str) -> None:
    for key in table:
        if key not in known:
            near = similar_names(key, sorted(known))
            meant = f"; did you mean {near[0]}?" if near else ""
            raise PolicyError(f"{place}: {key} is not known{meant}")


@cache
def _shipped_text(name: str) -> str:
    return files("drift.guards").joinpath(FOLDER, f"{name}.toml").read_text("utf-8")


def _of_branch(branch: str, gates: Mapping[str, Gate]) -> Policy:
    """The shipped policy whose branches the name fits, else the default one."""
    for name in _SHIPPED:
        policy = read_policy(_shipped_text(name), name, gates)
        if any(fnmatchcase(branch, pattern) for pattern in policy.branches):
            return policy
    return read_policy(_shipped_text(DEFAULT), DEFAULT, gates)


def _read_own(state: StateDir, name: str, gates: Mapping[str, Gate]) -> Policy:
    place = f".drift/rules/{FOLDER}/{name}.toml"
    try:
        text = state.read(state.rules / FOLDER / f"{name}.toml", _MOST_BYTES).decode("utf-8")
        return read_policy(text, name, gates)
    except (OSError, ValueError) as error:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            f"{place}: {error}",
            Recovery(hint="docs/ci.md tells what a policy may say."),
        ) from error
