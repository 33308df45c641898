"""What other domains say about a package: sections, each from a domain of its own.

A domain joins in with one `PackageSection`: its name, and a function from the package to rows, the most important
first. Those that stand on the index alone are in `SECTIONS`; whoever asks for a description may give more.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from drift.analyses.workspaces.rows import SectionRow
from drift.analyses.workspaces.shapes import Package
from drift.index import IndexReader
from drift.index.package_queries import FileSize


class PackageSubject(NamedTuple):
    """What sections speak about: the package, its files, the index to ask."""

    reader: IndexReader
    package: Package
    files: Sequence[FileSize]


class PackageSection(NamedTuple):
    """A domain's part in the description of a package."""

    name: str
    gather: Callable[[PackageSubject], Iterator[SectionRow]]


def gather_environment(subject: PackageSubject) -> Iterator[SectionRow]:
    """Environment variables that product code of the package reads, each once."""
    own = {each.path for each in subject.files if each.role != "test"}
    told: set[str] = set()
    for read in subject.reader.facts.environment_reads():
        if read.path in own and read.name not in told:
            told.add(read.name)
            default = f"else {read.default_text}" if read.default_text else "no default"
            yield SectionRow(read.name, default, f"{read.path}:{read.line}")


def gather_problems(subject: PackageSubject) -> Iterator[SectionRow]:
    """Files of the package that could not be read whole, so that the answer may miss what they hold."""
    for each in subject.files:
        if each.language and each.problem:
            yield SectionRow(each.path, each.problem, each.path)


SECTIONS: Final[tuple[PackageSection, ...]] = (
    PackageSection("environment", gather_environment),
    PackageSection("problems", gather_problems),
)


def gather_sections(
    subject: PackageSubject, sections: Sequence[PackageSection], *, rows: int
) -> Mapping[str, tuple[SectionRow, ...]]:
    """Up to `rows` of each section; those without any are left out."""
    gathered = {each.name: tuple(islice(each.gather(subject), rows)) for each in sections}
    return {name: found for name, found in gathered.items() if found}
