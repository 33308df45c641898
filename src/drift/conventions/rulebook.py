"""What people decided about conventions, and the project's own dimensions: files in .drift/rules/ that are reviewed and committed.

`conventions.toml` there holds what was approved or ignored; every other TOML file with a list of `sites` is a dimension of the
project. All of it comes with the repository: what is wrong is named and left out, and nothing of it is run.
"""

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, NamedTuple, get_args

from drift.conventions.finders import fits
from drift.dimensions import Dimension, read_own_dimensions, shipped_dimensions
from drift.kernel.files import locked, write_atomically
from drift.languages.sites import find_query_problem
from drift.project import Project, StateDir
from drift.state import find_switched_off

Decided = Literal["approved", "ignored"]
DECISIONS: Final = "conventions.toml"
_MOST_BYTES: Final = 1_000_000
_LOCK_SECONDS: Final = 10.0
_HEADER: Final = """\
# What was decided about the conventions of this project. Review and commit it; `drift conventions` shows what they are.
# Drift writes this file anew with each decision: say why in `reason`, for comments are not kept.
"""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about a convention. One for `errors/exception-suffix` is for all languages and scopes of it."""

    id: str
    status: Decided
    variant: str | None = None
    rule: str | None = None
    by: str | None = None
    at: str | None = None
    reason: str | None = None
    followed: int | None = None
    sites: int | None = None
    excepted: tuple[str, ...] = field(default=())
    """Patterns of paths that may do otherwise."""


class Rulebook(NamedTuple):
    """The decisions of a project, all dimensions that count there, and what of its files could not be read."""

    decisions: Mapping[str, Decision]
    own: tuple[Dimension, ...]
    problems: tuple[str, ...]
    digest: str
    scanned: str
    """The digest of the project's own dimensions that a scan looks for."""
    off: frozenset[str] = frozenset()
    """Dimensions that are switched off, since what they said was of no use."""

    @property
    def dimensions(self) -> dict[str, Dimension]:
        """Those that Drift brings and those of the project, by id."""
        return {**shipped_dimensions(), **{each.id: each for each in self.own}}

    @property
    def counting(self) -> dict[str, Dimension]:
        """Those of them that are not switched off."""
        return {id_: each for id_, each in self.dimensions.items() if id_ not in self.off}

    def decision_on(self, convention: str) -> Decision | None:
        """The decision about a convention: on itself, else on its dimension in all scopes, else in all languages."""
        without_scope = convention.partition("@")[0]
        dimension = without_scope.partition("#")[0].partition(":")[0]
        named = (convention, without_scope, dimension)
        return next((self.decisions[each] for each in named if each in self.decisions), None)


def read_rulebook(state: StateDir) -> Rulebook:
    """The rulebook as its files say now."""
    read = read_own_dimensions(state)
    problems = list(read.problems)
    own = []
    for each in read.dimensions:
        problem = find_query_problem(each)
        if problem is None:
            own.append(each)
        else:
            problems.append(f"{each.id}: {problem}")
    decisions: dict[str, Decision] = {}
    text = ""
    try:
        text = state.read(state.rules / DECISIONS, _MOST_BYTES).decode("utf-8")
        decisions = read_decisions(text)
    except FileNotFoundError:
        pass
    except (OSError, TypeError, ValueError) as error:
        problems.append(f".drift/rules/{DECISIONS}: {error}")
    digest = hashlib.blake2b(repr((text, [(each.id, each) for each in own])).encode(), digest_size=16)
    return Rulebook(decisions, tuple(own), tuple(problems), digest.hexdigest(), read.digest)


def read_whole_rulebook(project: Project) -> Rulebook:
    """The rulebook, and what is switched off."""
    rulebook = read_rulebook(project.state)
    off = find_switched_off(project.stores.state_db) & rulebook.dimensions.keys()
    return (
        rulebook._replace(off=off, digest=f"{rulebook.digest} {' '.join(sorted(off))}") if off else rulebook
    )


def read_decisions(text: str) -> dict[str, Decision]:
    """The decisions in a text. Raises ValueError where it is of another form."""
    listed = tomllib.loads(text).get("convention", [])
    if not isinstance(listed, list):
        raise TypeError("convention: must be a list of tables")
    found = {}
    for table in listed:
        decision = _decision(table)
        found[decision.id] = decision
    return found


def write_decisions(state: StateDir, changed: Iterable[Decision], dropped: Iterable[str] = ()) -> None:
    """Put decisions into the file, in the place of those about the same conventions."""
    state.ensure()
    path = state.check(state.rules / DECISIONS)
    path.parent.mkdir(exist_ok=True)
    with locked(path, timeout_seconds=_LOCK_SECONDS):
        known = read_decisions(state.read(path, _MOST_BYTES).decode("utf-8")) if path.exists() else {}
        known |= {each.id: each for each in changed}
        for each in dropped:
            known.pop(each, None)
        write_atomically(path, _HEADER + "".join(_entry(known[id_]) for id_ in sorted(known)))


def is_excepted(decision: Decision | None, path: str) -> bool:
    """Whether a decision lets a file do otherwise."""
    return decision is not None and fits(decision.excepted, path)


def _decision(table: Any) -> Decision:
    if not isinstance(table, dict) or not isinstance(table.get("id"), str):
        raise TypeError("convention: each has an id")
    if table.get("status") not in get_args(Decided):
        raise ValueError(f"convention {table['id']}: status must be one of {', '.join(get_args(Decided))}")
    texts = {key: table.get(key) for key in ("variant", "rule", "by", "at", "reason")}
    excepted = table.get("except", [])
    are_texts = all(each is None or isinstance(each, str) for each in texts.values())
    if not are_texts or not isinstance(excepted, list) or not all(isinstance(each, str) for each in excepted):
        raise TypeError(
            f"convention {table['id']}: what is said of it must be texts, `except` a list of patterns"
        )
    numbers = {
        key: table.get(key) if isinstance(table.get(key), int) else None for key in ("followed", "sites")
    }
    return Decision(table["id"], table["status"], excepted=tuple(excepted), **texts, **numbers)


def _entry(decision: Decision) -> str:
    values = {("except" if key == "excepted" else key): value for key, value in asdict(decision).items()}
    lines = [
        f"{key} = {json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)}"
        for key, value in values.items()
        if value not in (None, ())
    ]
    return "\n[[convention]]\n" + "\n".join(lines) + "\n"
