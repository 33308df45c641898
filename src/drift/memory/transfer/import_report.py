"""What an import did, and which records it could not take."""

from dataclasses import dataclass, field
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery

_MOST_FIELDS_TOLD: Final = 5


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """A record that was not taken: its place in the file, from 0."""

    index: int
    message: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class ImportData:
    """What became of the records, and in which store."""

    scope: str
    imported: int
    replaced: int
    skipped: int
    """Ids that were there already."""
    edges: int
    redacted: int
    """Secrets and personal data taken out."""
    errors: tuple[ImportProblem, ...] = ()


_MOST_TOLD: Final = 20


@dataclass(frozen=True, slots=True)
class RecordProblem:
    """A record that cannot be taken: its place among the records, from 0, its id if it has one, and why."""

    index: int
    id: str | None
    problem: str


@dataclass(slots=True)
class Taken:
    """What an import did."""

    added: int = 0
    replaced: int = 0
    skipped: int = 0
    edges: int = 0
    redacted: int = 0
    invalid: int = 0
    is_partial: bool = False
    """Whether it was stopped before all was written; the same import again takes the rest."""
    problems: list[RecordProblem] = field(default_factory=list)
    unread_fields: dict[str, int] = field(default_factory=dict)

    def note(self, index: int, record_id: object, problem: str) -> None:
        """Count a record that cannot be taken; the first ones are told."""
        self.invalid += 1
        if len(self.problems) < _MOST_TOLD:
            named = record_id[:100] if isinstance(record_id, str) else None
            self.problems.append(RecordProblem(index, named, problem))


def refused(taken: Taken) -> DriftError:
    """Nothing was imported because of these records."""
    first = min(taken.problems, key=lambda one: one.index)
    return DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"{taken.invalid:,} of the records cannot be taken, the first is number {first.index}: {first.problem}."
        " Nothing was imported",
        Recovery(
            hint="Correct the records named in `errors`, or set skipInvalid to take the others.",
            details={
                "errorCount": taken.invalid,
                "errors": [
                    {"index": one.index, "id": one.id, "message": one.problem} for one in taken.problems
                ],
            },
        ),
    )


def stopped_early(count: int) -> DriftError:
    """It was stopped while records were still being read, so none was written."""
    return DriftError(
        ErrorCode.CANCELLED,
        f"Stopped after {count:,} records were checked. Nothing was imported",
        Recovery(hint="Import the same again."),
    )


def stopped_midway(taken: Taken) -> DriftError:
    """It was stopped while records were being written: what is in the store, and how to get the rest."""
    return DriftError(
        ErrorCode.CANCELLED,
        f"Stopped: {taken.added + taken.replaced:,} memories of the import are kept, the others are not",
        Recovery(
            hint="Import the same again: what is there already is left alone.",
            details={"imported": taken.added, "replaced": taken.replaced},
        ),
    )


def interrupted(taken: Taken, error: DriftError) -> DriftError:
    """The store failed in the middle of an import: what is in it, and how to get the rest."""
    done = taken.added + taken.replaced
    if not done:
        return error
    way_out = error.recovery.hint or ""
    return DriftError(
        error.code,
        f"{error.message}. {done:,} memories of the import are kept, the others are not",
        Recovery(
            hint=f"{way_out} Then import the same again: what is there already is left alone.".strip(),
            details={"imported": taken.added, "replaced": taken.replaced},
        ),
    )


def say_unread(fields: dict[str, int]) -> tuple[str, ...]:
    if not fields:
        return ()
    told = ", ".join(f"{name} ({count:,} times)" for name, count in list(fields.items())[:_MOST_FIELDS_TOLD])
    return (f"A memory has no place for these fields, so they were left out: {told}",)
