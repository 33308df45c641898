"""What a gate is given and what it gives back."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.conventions.picture import Picture, look
from drift.guards.changed_lines import Change
from drift.index import IndexReader
from drift.kernel.reading import read_file
from drift.project import Project
from drift.quality import Finding, Rule, against_baseline, in_order

if TYPE_CHECKING:
    from drift.quality.scope import Scope

Setting = bool | int | float | str | tuple[str, ...]
Settings = Mapping[str, Setting]

_MOST_BYTES: Final = 2_000_000


class Subject(NamedTuple):
    """What gates look at: a project, what changed in it (None: all of it counts), and what is known already."""

    reader: IndexReader
    project: Project
    today: date
    change: Change | None
    files: frozenset[str] | None = None
    """Only findings in these; None: in all."""
    known: Collection[str] = frozenset()
    """Ids of findings that are in the baseline."""
    check_cancelled: Callable[[], None] = lambda: None
    off: frozenset[str] = frozenset()
    """Rules that people's ratings switched off."""

    def picture(self) -> Picture:
        """The project's conventions; kept by their room while the index stays as it is."""
        return look(self.reader, self.project, self.today)

    def is_wanted(self, path: str, line: int) -> bool:
        """Whether a finding at a line is one of this run."""
        if self.files is not None and path not in self.files:
            return False
        return self.change is None or self.change.has_line(path, line)

    def told(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Findings in order, of the wanted files, each with what the baseline says of it."""
        ordered = in_order(
            each
            for each in findings
            if each.rule not in self.off and (self.files is None or each.file in self.files)
        )
        return against_baseline(ordered, self.known)

    def lines_of(self, path: str) -> list[str]:
        """The lines of a file; none where it cannot be read."""
        try:
            content = read_file(self.project.root, path, _MOST_BYTES)
        except OSError:
            return []
        return content.decode("utf-8", "replace").splitlines()

    @property
    def scope(self) -> "Scope":
        """The files as checks of thresholds take them."""
        from drift.quality.scope import choose_scope  # few policies have thresholds

        return choose_scope(self.reader, with_tests=False)


class Found(NamedTuple):
    """What a gate found: whether its limits are kept, in words and in numbers."""

    is_kept: bool
    message: str
    findings: tuple[Finding, ...] = ()
    details: Mapping[str, float | int | str] = {}
    rules: tuple[Rule, ...] = ()
    """Rules of findings that are not among those that Drift ships."""
    is_doubtful: bool = False
    """It is kept, and a person should look all the same."""


class Gate(NamedTuple):
    """A gate: what it is called, what can be set, with what holds where a policy does not say, and what runs it."""

    name: str
    title: str
    settings: Settings
    evaluate: Callable[[Subject, Settings], Found]


def new_ones(findings: Iterable[Finding]) -> list[Finding]:
    """Findings that are not in the baseline."""
    return [each for each in findings if each.baseline != "unchanged"]


def number(settings: Settings, name: str) -> float:
    """A setting that is a number."""
    value = settings[name]
    assert isinstance(value, int | float)
    return value


def words(settings: Settings, name: str) -> tuple[str, ...]:
    """A setting that is a list of texts."""
    value = settings[name]
    assert isinstance(value, tuple)
    return value
