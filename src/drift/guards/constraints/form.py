"""What a constraint is: a predicate over a part of the project that every place there is to satisfy."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, NamedTuple, get_args

from drift.analyses.file_globs import PathGlob
from drift.dimensions import compiled_globs
from drift.quality import Severity

ConstraintType = Literal[
    "must_have", "must_not_have", "must_precede", "must_follow", "must_colocate", "must_separate", "must_wrap",
    "must_propagate", "cardinality", "data_flow", "naming", "structure",
]  # fmt: skip
ConstraintCategory = Literal[
    "api",
    "auth",
    "data",
    "errors",
    "testing",
    "security",
    "structural",
    "performance",
    "logging",
    "validation",
]
ConstraintStatus = Literal["discovered", "approved", "ignored", "custom", "stale"]
PredicateName = Literal[
    "uses", "calls", "order", "routes", "access", "names", "companion", "declares", "cause", "tests"
]  # fmt: skip
CATEGORIES: Final[tuple[ConstraintCategory, ...]] = get_args(ConstraintCategory)
TYPES: Final[tuple[ConstraintType, ...]] = get_args(ConstraintType)
PREDICATES: Final[tuple[PredicateName, ...]] = get_args(PredicateName)

Values = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Where:
    """Which files a constraint is about: patterns of paths to look at and to leave out, languages; empty is all."""

    files: Values = ()
    exclude: Values = ()
    languages: Values = ()

    def covers(self, path: str, language: str | None) -> bool:
        if self.languages and language not in self.languages:
            return False
        return (not self.files or fits_path(self.files, path)) and not fits_path(self.exclude, path)


@dataclass(frozen=True, slots=True)
class Predicate:
    """What has to hold: the name of an evaluator, and what it is asked about, lists of texts by their names."""

    name: PredicateName
    values: Mapping[str, Values] = field(default_factory=dict)

    def get(self, key: str) -> Values:
        return self.values.get(key, ())


@dataclass(frozen=True, slots=True)
class Counts:
    """Places that satisfy a constraint, all places it is about, and in how many files they are."""

    holding: int
    sites: int
    files: int


@dataclass(frozen=True, slots=True)
class Constraint:
    """An invariant. `rule` says it in a sentence; `counts` are those it was mined or approved with."""

    id: str
    type: ConstraintType
    category: ConstraintCategory
    rule: str
    predicate: Predicate
    where: Where = Where()
    severity: Severity = "warning"
    status: ConstraintStatus = "discovered"
    counts: Counts | None = None
    guidance: str | None = None
    source: str | None = None
    """The file it is written in, of one that people wrote or decided about."""
    by: str | None = None
    at: str | None = None
    reason: str | None = None


class Site(NamedTuple):
    """A place that a constraint is about, and whether it is satisfied there. `what` is what was seen."""

    file: str
    line: int
    end_line: int
    symbol: str | None
    holds: bool
    what: str


class CannotTellError(Exception):
    """The predicate cannot be evaluated here; the message says why."""


@lru_cache(maxsize=65_536)
def fits_path(patterns: Values, path: str) -> bool:
    """Whether one of some patterns fits a path."""
    return any(_path_glob(each).matches(path) for each in patterns)


@lru_cache(maxsize=2_048)
def _path_glob(pattern: str) -> PathGlob:
    return PathGlob(pattern)


@lru_cache(maxsize=65_536)
def fits_name(patterns: Values, name: str) -> bool:
    """Whether one of some patterns with `*` and `?` fits a whole name."""
    return compiled_globs(patterns).match(name) is not None
