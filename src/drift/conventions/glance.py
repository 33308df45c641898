"""How conventions stood when they were counted last, for answers that must not wait for a count: a file in Drift's home, derived.

It holds a few counts, and of each file what it follows and where it does otherwise.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from drift.analyses.file_standing import FileStanding
from drift.kernel.files import write_atomically
from drift.kernel.reading import read_file
from drift.project import Project

if TYPE_CHECKING:
    from drift.conventions.gathering import Found
    from drift.conventions.mining import Convention, Mined
    from drift.conventions.rulebook import Decision, Rulebook

_MOST_BYTES: Final = 100_000_000
_MOST_RULE_BYTES: Final = 1_000_000
_FORM: Final = 1
_MOST_SHOWN: Final = 12
_COUNT: Final = "drift_patterns_list or `drift conventions` counts them"


@dataclass(frozen=True, slots=True)
class ConventionCounts:
    """How conventions stood when they were counted last; all null where they were not. `reason` says so, or that code changed since."""

    conventions: int | None = None
    approved: int | None = None
    stale: int | None = None
    undecided: int | None = None
    outliers: int | None = None
    switched_off: tuple[str, ...] | None = None
    reason: str | None = None


class Counted(Protocol):
    """What is asked of the conventions of a project: a `Picture`, which keeps itself here."""

    @property
    def mined(self) -> "Mined": ...
    @property
    def rulebook(self) -> "Rulebook": ...
    def status_of(self, convention: "Convention") -> str: ...
    def outliers(self, convention: "Convention") -> "list[Found]": ...
    def path_of(self, site: "Found") -> str: ...
    def gone(self) -> "list[Decision]": ...


class _File(NamedTuple):
    follows: tuple[int, ...]
    deviates: tuple[tuple[int, int], ...]
    """Number of the rule, and line."""


class Glance(NamedTuple):
    """What was counted last."""

    counts: ConventionCounts
    rules: tuple[tuple[str, str, str], ...] = ()
    """Id, rule and category."""
    files: Mapping[str, Any] = {}

    def standing(self, path: str) -> FileStanding | None:
        """How a file stands; None where it decides nothing that is counted."""
        if path not in self.files:
            return FileStanding(reason=self.counts.reason) if self.counts.reason else None
        found = self._file(path)
        return FileStanding(
            tuple(self.rules[number][1] for number in found.follows[:_MOST_SHOWN]) or None,
            tuple(f"{path}:{line} {self.rules[number][1]}" for number, line in found.deviates[:_MOST_SHOWN])
            or None,
            self.counts.reason,
        )

    def pattern_count(self, path: str) -> int | None:
        """By how many conventions a file decides; None where that was not counted."""
        if not self.rules:
            return None
        return len(self._numbers(path))

    def categories(self, path: str) -> tuple[str, ...]:
        """The categories of these conventions."""
        return tuple(sorted({self.rules[number][2] for number in self._numbers(path)}))

    def deviating(self, path: str) -> float:
        """The share of its conventions that a file does not follow everywhere."""
        found = self._file(path)
        return (
            len({number for number, _ in found.deviates}) / len(self._numbers(path))
            if found.deviates
            else 0.0
        )

    def _numbers(self, path: str) -> frozenset[int]:
        found = self._file(path)
        return frozenset((*found.follows, *(number for number, _ in found.deviates)))

    def _file(self, path: str) -> _File:
        follows, deviates = self.files.get(path, ((), ()))
        return _File(tuple(follows), tuple((number, line) for number, line in deviates))


def read_glance(project: Project, generation: int) -> Glance:
    """What was counted last, with a word where it is not of this state of the index or of the rules."""
    path = _path(project)
    try:
        told = json.loads(read_file(path.parent, path.name, _MOST_BYTES))
        if told["form"] != _FORM:
            raise ValueError("of another form")
        counts = ConventionCounts(
            **{**told["counts"], "switched_off": tuple(told["counts"]["switched_off"]) or None}
        )
        rules = tuple((id_, rule, category) for id_, rule, category in told["rules"])
        found = Glance(counts, rules, dict(told["files"]))
        is_current = told["generation"] == generation and told["decided"] == _decided(project)
    except (OSError, ValueError, TypeError, KeyError):
        return Glance(ConventionCounts(reason=f"not counted yet: {_COUNT}"))
    if is_current:
        return found
    return found._replace(counts=replace(counts, reason=f"counted before the last change: {_COUNT}"))


def keep_glance(project: Project, picture: Counted, generation: int) -> None:
    """Keep what was counted, unless there is no home to keep it in."""
    if project.stores.home is None:
        return
    glance = glance_of(picture)
    told = {
        "form": _FORM,
        "generation": generation,
        "decided": _decided(project),
        "counts": {
            "conventions": glance.counts.conventions,
            "approved": glance.counts.approved,
            "stale": glance.counts.stale,
            "undecided": glance.counts.undecided,
            "outliers": glance.counts.outliers,
            "switched_off": glance.counts.switched_off or (),
        },
        "rules": glance.rules,
        "files": glance.files,
    }
    path = _path(project)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(path, json.dumps(told, separators=(",", ":")))
    except OSError:
        return  # the next process counts for itself


def glance_of(picture: Counted) -> Glance:
    """The same of conventions that are at hand."""
    follows: dict[str, set[int]] = {}
    deviates: dict[str, list[tuple[int, int]]] = {}
    rules: list[tuple[str, str, str]] = []
    statuses = [picture.status_of(each) for each in picture.mined.conventions]
    outliers = 0
    for convention, status in zip(picture.mined.conventions, statuses, strict=True):
        if status == "ignored":
            continue
        number = len(rules)
        rules.append((convention.id, convention.rule, convention.dimension.category))
        for site in convention.sites:
            if site.variant == convention.variant:
                follows.setdefault(picture.path_of(site), set()).add(number)
        for site in picture.outliers(convention):
            outliers += 1
            deviates.setdefault(picture.path_of(site), []).append((number, site.line))
    counts = ConventionCounts(
        len(picture.mined.conventions),
        sum(each == "approved" for each in statuses),
        sum(each == "stale" for each in statuses) + len(picture.gone()),
        len(picture.mined.undecided),
        outliers,
        tuple(sorted(picture.rulebook.off)) or None,
    )
    files = {
        path: (sorted(follows.get(path, ())), sorted(deviates.get(path, ())))
        for path in {*follows, *deviates}
    }
    return Glance(counts, tuple(rules), files)


def glance_stamp(project: Project, environ: Mapping[str, str]) -> str:  # noqa: ARG001 - what every stamp is given
    """Another text whenever conventions were counted again."""
    try:
        found = _path(project).stat()
    except OSError:
        return ""
    return f"{found.st_mtime_ns}:{found.st_size}"


def _path(project: Project) -> Path:
    return project.stores.folder / "conventions.json"


def _decided(project: Project) -> str:
    """Another text whenever other decisions are written down."""
    try:
        text = project.state.read(project.state.rules / "conventions.toml", _MOST_RULE_BYTES)
    except OSError:
        return ""
    return hashlib.blake2b(text, digest_size=16).hexdigest()
