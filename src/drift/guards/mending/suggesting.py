"""Edits for what is wrong in a file, each applied to a text, parsed and checked again before it is offered.

What it does: looks for findings in a file as it is, tries the edits that may mend each, and keeps those after which the
finding is gone and nothing new is wrong.
Why it matters: a patch that applies saves more than advice, and a wrong one costs more.
Known limits: a finding that no edit mends safely comes with advice, marked as such.
"""

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from drift.analyses.usages.patching import make_patch
from drift.analyses.usages.renaming import plan_rename
from drift.guards.diffs import apply_diff
from drift.guards.mending.by_dimension import dimension_of
from drift.guards.mending.edits import EDITS, wished_name
from drift.guards.mending.local_names import is_put_together
from drift.guards.overlay import overlaid
from drift.guards.text_checks import Subject, check_text
from drift.guards.validation import covering_tests
from drift.index.path_text import path_to_text, text_to_path
from drift.kernel.errors import DriftError, invalid
from drift.kernel.reading import read_text
from drift.kernel.text import plural
from drift.languages.kinds import TYPE_KINDS
from drift.quality.findings import Finding, in_order
from drift.quality.rules import rules

if TYPE_CHECKING:
    from drift.conventions.picture import Picture
    from drift.index import IndexReader, SymbolRecord
    from drift.project import Project

Effort = Literal["trivial", "small", "medium", "large"]
Issue = Literal["outlier", "security", "coupling", "error-handling", "test-coverage", "pattern-violation"]

_MOST_BYTES: Final = 1_000_000
_MOST_TRIED: Final = 12
_MOST_LOOKED_AT: Final = 40
_SHORT_EDIT: Final = 2  # lines: one, or one and its import
_ISSUES: Final[dict[str, tuple[str, ...]]] = {
    "outlier": ("conventions/",),
    "pattern-violation": ("conventions/", "constraint/"),
    "security": ("security/", "constraint/must-have", "constraint/must-precede"),
    "coupling": ("constraint/must-separate", "constraint/must-colocate", "duplication/"),
    "error-handling": ("errors/", "async/", "constraint/must-propagate", "conventions/"),
    "test-coverage": ("testing/",),
}
_UNSURE: Final = frozenset({"public", "outside", "partial", "generated"})
"""What makes it possible that a rename does not reach all uses, or is undone."""
_SAID: Final = frozenset({"comment", "doc"})
"""Uses that nothing runs: a name that stays there breaks nothing."""
_WEIGHTS: Final = {"error": 3, "warning": 2, "info": 1}
_PRIORITIES: Final = {"error": "high", "warning": "medium", "info": "low"}


@dataclass(frozen=True, slots=True)
class SuggestionRow:
    """One suggestion. With `isEdit` the patch applies, the result parses and the finding is gone; else it is advice."""

    id: str
    title: str
    description: str
    priority: str
    category: str
    location: str
    is_edit: bool
    before: str | None
    after: str | None
    patch: str | None
    rationale: str
    related_pattern: str | None
    effort: Effort
    impact: str
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SuggestionsData:
    """What to change in a file, and how many findings there are in it."""

    file: str
    suggestions: tuple[SuggestionRow, ...]
    findings: int
    edits: int


def suggest_changes(
    reader: "IndexReader",
    project: "Project",
    picture: "Picture",
    *,
    target: str,
    issue: Issue | None,
    pattern: str | None,
    most: int,
) -> SuggestionsData:
    """Edits and advice for a file, or for one line of it as `path:line`; the gravest first."""
    path, line = _target(reader, target)
    try:
        text = read_text(project.root, path, _MOST_BYTES, follow_links=False)
    except (OSError, ValueError) as error:
        raise invalid("target", f"{target} cannot be read: {error}") from error
    trial = _Trial(
        reader, project, picture, path=path, text=text,
        asked=lambda one: _is_asked(one, issue, pattern) and (line is None or one.line <= line <= one.end_line),
    )  # fmt: skip
    # What may be mended comes first: of what is not tried, most would be advice in any case.
    found = sorted(trial.asked, key=lambda one: not trial.ways_of(one))
    rows = [trial.mend(one) for one in found[:_MOST_TRIED]]
    rows.sort(key=lambda row: not row.is_edit)
    kept = tuple(rows[:most])
    return SuggestionsData(path_to_text(path), kept, trial.count, sum(row.is_edit for row in kept))


def suggestions_summary(data: SuggestionsData) -> str:
    """One line about suggestions."""
    if not data.suggestions:
        return f"Nothing to change in {data.file}"
    advice = len(data.suggestions) - data.edits
    told = [plural(data.edits, "edit")] * bool(data.edits) + ([f"{advice} advice"] * bool(advice))
    return f"{' and '.join(told)} for {plural(data.findings, 'finding')} in {data.file}: {data.suggestions[0].title}"


def _target(reader: "IndexReader", target: str) -> tuple[str, int | None]:
    path, colon, line = target.rpartition(":")
    if colon and line.isdecimal():
        return text_to_path(path), int(line)
    if reader.files.at(target) is not None:
        return text_to_path(target), None
    found = reader.symbols.qualified(target, limit=1)
    if not found:
        raise invalid("target", f"{target} is neither a file of the project nor a symbol")
    return text_to_path(found[0].path), found[0].line


def _is_asked(found: Finding, issue: Issue | None, pattern: str | None) -> bool:
    if issue is not None and not found.rule.startswith(_ISSUES[issue]):
        return False
    named = {found.rule, *(str(value) for value in (found.evidence or {}).values())}
    return pattern is None or any(
        each == pattern or each.startswith((f"{pattern}:", f"{pattern}@")) for each in named
    )


_Way = tuple[str, dict[str, str]]
"""A title, and the texts after the edit by their paths."""


class _Trial:
    """A file as it is, and what becomes of it by edits."""

    def __init__(
        self, reader: "IndexReader", project: "Project", picture: "Picture", *,
        path: str, text: str, asked: Callable[[Finding], bool],
    ) -> None:  # fmt: skip
        self._reader, self._project, self._picture = reader, project, picture
        self._path, self._text = path, text
        # Findings and the edits for them are made of one reading: to read a text costs more than to look at it.
        with overlaid(project.root, reader, {path: text}) as overlay:
            subject = Subject(project.root, overlay, overlay.files[path], project, picture)
            findings = in_order(check_text(subject))
            self._known = Counter(one.id for one in findings)
            wanted = sorted(filter(asked, findings), key=lambda one: -_WEIGHTS[one.severity])
            self.count = len(wanted)
            self.asked = wanted[:_MOST_LOOKED_AT]
            """The gravest findings that were asked for."""
            self._ways = {(one.id, one.line): self._edits(subject, one) for one in self.asked}
        for one in self.asked:
            self._ways[one.id, one.line] += self._renames(one)

    def ways_of(self, found: Finding) -> list[_Way]:
        """What may mend a finding, and was not tried yet."""
        return self._ways[found.id, found.line]

    def mend(self, found: Finding) -> SuggestionRow:
        for title, after in self.ways_of(found):
            if self._is_better(after, found):
                return self._row(found, title, after)
        return self._advice(found)

    def _check(self, texts: dict[str, str]) -> list[Finding]:
        with overlaid(self._project.root, self._reader, texts) as overlay:
            return [
                one
                for path in texts
                for one in check_text(
                    Subject(self._project.root, overlay, overlay.files[path], self._project, self._picture)
                )
            ]

    def _edits(self, subject: Subject, found: Finding) -> list[_Way]:
        """The edits of this file that may mend a finding."""
        return [
            (title, {self._path: after})
            for edit in EDITS.get(found.rule, ())
            for title, after in edit(subject, found)
            if after != self._text
        ]

    def _renames(self, found: Finding) -> Iterator[_Way]:
        """The rename to the casing that the convention wants, in all files that use the name."""
        expected = str((found.evidence or {}).get("expected", ""))
        symbol = self._symbol(found)
        name = (
            wished_name(symbol.name, dimension_of(found), expected)
            if symbol is not None and found.rule == "conventions/deviation"
            else None
        )
        if symbol is None or name is None or name == symbol.name or not name.isidentifier():
            return
        try:
            plan = plan_rename(self._reader, self._project.root, symbol, name, certainty="likely")
        except DriftError:
            return
        if plan.is_blocked or plan.moves or any(one.kind in _UNSURE for one in plan.conflicts):
            return
        uses = [one for one in plan.changed if one.kind not in {"declaration", *_SAID}]
        # What nobody is seen to use is called by a name that is made at run time, or by somebody else.
        if not uses or is_put_together(symbol.name, self._text) or self._is_key(symbol):
            return
        if any(one.kind not in _SAID for one in plan.left):
            return
        made = make_patch(self._reader, plan)
        if made.refused or made.without_room or not made.diff:
            return
        yield f"Rename {symbol.name} to {name}", dict(self._applied(made.diff))

    def _is_key(self, symbol: "SymbolRecord") -> bool:
        """Whether a method is one of an object that is written out: whoever takes the object asks for its names."""
        parent = self._reader.symbols.get(symbol.parent_id) if symbol.parent_id is not None else None
        is_outside = parent is None or parent.kind not in TYPE_KINDS
        return symbol.kind == "method" and is_outside and symbol.language in {"javascript", "typescript"}

    def _symbol(self, found: Finding) -> "SymbolRecord | None":
        record = self._reader.files.at(path_to_text(self._path))
        if record is None:
            return None
        on_line = [
            one
            for one in self._reader.symbols.of_file(record.id)
            if one.line == found.line and one.kind != "module"
        ]
        return on_line[0] if len(on_line) == 1 else None

    def _applied(self, diff: str) -> Iterator[tuple[str, str]]:
        for part in ("\n" + diff).split("\n--- a/")[1:]:
            path = part.partition("\n")[0]
            before = read_text(self._project.root, text_to_path(path), _MOST_BYTES, follow_links=False)
            yield text_to_path(path), apply_diff(before, f"--- a/{part}")

    def _is_better(self, after: dict[str, str], found: Finding) -> bool:
        """Whether the finding is gone and nothing that counts is new, in all files that the edit changes."""
        now = Counter(
            one.id for one in self._check(after) if one.severity != "info" or one.rule == found.rule
        )
        before = self._known
        if len(after) > 1 or self._path not in after:
            before = Counter(one.id for one in self._check({path: self._read(path) for path in after}))
        return now[found.id] < before[found.id] and not any(count > before[id_] for id_, count in now.items())

    def _read(self, path: str) -> str:
        return (
            self._text
            if path == self._path
            else read_text(self._project.root, path, _MOST_BYTES, follow_links=False)
        )

    def _row(self, found: Finding, title: str, after: dict[str, str]) -> SuggestionRow:
        patch = "".join(unified(path, self._read(path), text) for path, text in sorted(after.items()))
        removed = [
            line[1:] for line in patch.split("\n") if line.startswith("-") and not line.startswith("---")
        ]
        added = [
            line[1:] for line in patch.split("\n") if line.startswith("+") and not line.startswith("+++")
        ]
        is_short = len(added) <= _SHORT_EDIT
        effort: Effort = "trivial" if is_short else "small" if len(after) == 1 else "medium"
        return self._describe(
            found, title, effort=effort, patch=patch, before="\n".join(removed), after="\n".join(added)
        )

    def _advice(self, found: Finding) -> SuggestionRow:
        return self._describe(found, f"Advice: {rules()[found.rule].help}", effort="small")

    def _describe(
        self, found: Finding, title: str, *, effort: Effort,
        patch: str | None = None, before: str | None = None, after: str | None = None,
    ) -> SuggestionRow:  # fmt: skip
        tests = _tests(self._reader, found)
        pattern = (found.evidence or {}).get("convention") or (found.evidence or {}).get("constraint")
        return SuggestionRow(
            found.id, title, found.message, _PRIORITIES[found.severity], found.rule,
            f"{found.file}:{found.line}", patch is not None, before, after, patch, rules()[found.rule].why,
            str(pattern) if pattern else None, effort, f"{plural(len(tests), 'test')} to run" if tests else "no test is seen to run it", tests,
        )  # fmt: skip


def _tests(reader: "IndexReader", found: Finding) -> tuple[str, ...]:
    record = reader.files.at(path_to_text(found.file))
    around = reader.symbols.at_line(record.id, found.line) if record is not None else None
    if around is None or around.kind == "module":
        return ()
    return tuple(f"{one.file}::{one.test}" for one in covering_tests(reader, (around.id,))[:5])


def unified(path: str, before: str, after: str) -> str:
    """A unified diff that git applies."""
    lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{path}", f"b/{path}")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(text: str) -> Sequence[str]:
    return [f"{line}\n" for line in text.split("\n")[:-1]] + (
        [text.rsplit("\n", maxsplit=1)[-1]] if not text.endswith("\n") and text else []
    )
