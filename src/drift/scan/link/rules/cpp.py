"""C and C++: includes as files; what is declared in an included header is known by that declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import FileFacts, Import
from drift.scan.link.rules.folders import folder_of, resolve
from drift.scan.link.rules.nearness import nearest
from drift.scan.link.rules.plain import PlainRules
from drift.scan.link.rules.protocol import Destination

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_SUFFIXES: Final = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".tpp")


class CppRules(PlainRules):
    """Which file an include means: from the folder of the file, else the only or nearest with that end.

    Compilers know further folders to search; a file of the project whose path ends as written is what they
    would find there.
    """

    has_implicit_this = True
    builtin_prefix = "std."
    constructors = ()

    def __init__(self, sources: WatchedSources) -> None:
        super().__init__("cpp")
        self._files = frozenset(path for path in sources.paths() if path.endswith(_SUFFIXES))
        self._by_name: dict[str, list[str]] = {}
        for path in sorted(self._files):
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:  # noqa: ARG002  # the protocol's
        text = found.module
        if text[:1] not in {'"', "<"}:
            first = text.removeprefix("::").partition("::")[0]
            if first == "std":
                return Destination(external=text.replace("::", "."), external_package="std")
            return Destination(problem="namespaces are not followed")
        written = text.strip('"<>')
        beside = resolve(folder_of(path), written) if text.startswith('"') else None
        if beside in self._files:
            return Destination(file=beside)
        ends = [
            file for file in self._by_name.get(written.rpartition("/")[2], ()) if _ends_with(file, written)
        ]
        if ends:
            return Destination(file=nearest(path, ends))
        if text.startswith('"'):
            return Destination(problem=f"the project has no file {written}")
        return Destination(external=written, external_package=written)

    def space(self, path: str, facts: FileFacts, name: str) -> Destination | None:  # noqa: ARG002  # the protocol's
        return Destination(external="std", external_package="std") if name == "std" else None


def _ends_with(file: str, written: str) -> bool:
    tail = written
    while tail.startswith("../"):
        tail = tail.removeprefix("../")
    return file == tail or file.endswith(f"/{tail}")
