"""Projects of .NET that others use by names which a build writes: `Projects.Shop_Web` of an Aspire host."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from drift.analyses.workspaces.shapes import Package
from drift.index import FileId, IndexReader

_BEGINNING: Final = "<Projects."
_NAMED: Final = re.compile(r"<Projects\.(\w{1,200})>")
_NO_LETTER: Final = re.compile(r"\W")


class PackageUse(NamedTuple):
    """A file's uses of a package."""

    file: FileId
    target: int | None
    line: int
    times: int
    for_types: int = 0


def generated_uses(reader: IndexReader, packages: Sequence[Package]) -> Iterator[PackageUse]:
    """The uses of projects by the class that a host of Aspire has for each it references."""
    projects: dict[str, list[int]] = {}
    for number, each in enumerate(packages):
        if each.ecosystem == "dotnet":
            for manifest in each.manifests:
                stem = manifest.rpartition("/")[2].rpartition(".")[0]
                projects.setdefault(_NO_LETTER.sub("_", stem), []).append(number)
    for one in reader.packages.type_arguments(_BEGINNING):
        for name in _NAMED.findall(one.name):
            found = projects.get(name, ())
            if len(found) == 1:
                yield PackageUse(one.source, found[0], one.line, one.times)
