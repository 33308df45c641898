"""The statements of many files in one row, so that a place is a number and a clone a run of numbers."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from drift.quality.clones.statements import Statements


class CodeFile(NamedTuple):
    """A file that clones are looked for in."""

    path: str
    role: str
    statements: Statements
    file_id: int = 0
    language: str = ""


class Fragment(NamedTuple):
    """Some statements of a file in a row, the last one included; numbers are those of the corpus."""

    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    def overlaps(self, other: "Fragment") -> bool:
        """Whether the two have a statement in common."""
        return self.first <= other.last and other.first <= self.last


class Corpus:
    """All statements by number, with a number of none between two files."""

    def __init__(self, files: Sequence[CodeFile]) -> None:
        self.files = files
        self.starts = list(accumulate((len(one.statements) + 1 for one in files), initial=0))[:-1]
        gap = (0,)
        self.sizes = list(chain.from_iterable(chain(one.statements.sizes, gap) for one in files))
        self.depths = list(chain.from_iterable(chain(one.statements.depths, gap) for one in files))
        self.texts = list(chain.from_iterable(chain(one.statements.texts, gap) for one in files))
        self.shapes = list(chain.from_iterable(chain(one.statements.shapes, gap) for one in files))
        self._sums = [0, *accumulate(self.sizes)]

    def file_number(self, place: int) -> int:
        """Which of the files a statement is in."""
        return bisect_right(self.starts, place) - 1

    def file_of(self, place: int) -> CodeFile:
        """The file a statement is in."""
        return self.files[self.file_number(place)]

    def tokens(self, fragment: Fragment) -> int:
        """How many tokens the statements have."""
        return self._sums[fragment.last + 1] - self._sums[fragment.first]

    def lines(self, fragment: Fragment) -> tuple[int, int]:
        """The first and the last line of the statements."""
        number = self.file_number(fragment.first)
        start, statements = self.starts[number], self.files[number].statements
        return statements.lines[fragment.first - start], statements.end_lines[fragment.last - start]

    def inside(self, number: int, first_line: int, last_line: int) -> Fragment | None:
        """The statements of a file that begin on some of its lines."""
        lines, start = self.files[number].statements.lines, self.starts[number]
        first, behind = bisect_left(lines, first_line), bisect_right(lines, last_line)
        return Fragment(start + first, start + behind - 1) if behind > first else None

    def operands(self, place: int) -> Sequence[int]:
        """The names and literals of a statement, in order."""
        number = self.file_number(place)
        local = place - self.starts[number]
        return self.files[number].statements.operands_of(local, local)

    def operands_of(self, fragment: Fragment) -> Sequence[int]:
        """The names and literals of all its statements, in order."""
        number = self.file_number(fragment.first)
        start = self.starts[number]
        return self.files[number].statements.operands_of(fragment.first - start, fragment.last - start)


def label_repeated(numbers: Sequence[int]) -> list[int]:
    """Small labels for the numbers that stand more than once, and for each other place a negative one of its own."""
    counts = Counter(numbers)
    counts[0] = 1  # stands between files
    labels: dict[int, int] = {}
    return [
        labels.setdefault(number, len(labels) + 1) if counts[number] > 1 else -1 - place
        for place, number in enumerate(numbers)
    ]
