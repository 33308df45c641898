"""Which file `require` means: one beside, or one under a folder that Ruby looks in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.scan.link.destination_form import Destination
from drift.scan.link.folders import folder_of, resolve
from drift.scan.link.nearness import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

_SUFFIX: Final = ".rb"
# The folders that are put on the load path: of libraries, of tests, of what Rails loads by itself.
_LOADED: Final = frozenset({"lib", "test", "spec", "app", "features", "ext"})


class LoadPath:
    """The files of a project by what `require` may call them."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(path for path in paths if path.endswith(_SUFFIX))
        self._named: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            for name in _names(path):
                self._named.setdefault(name, []).append(path)

    def find(self, path: str, module: str) -> Destination:
        """Where the text behind `require` leads, from a file."""
        text = module.removesuffix(_SUFFIX)
        if text.startswith("."):
            found = resolve(folder_of(path), text + _SUFFIX)
            if found in self._paths:
                return Destination(file=found)
            return Destination(problem=f"the project has no file {module}")
        if text in self._named:
            return Destination(file=nearest(path, self._named[text]))
        package = text.partition("/")[0]
        return Destination(external=text.replace("/", "."), external_package=package or text)


def _names(path: str) -> list[str]:
    """A file's names from each folder above it that may be on the load path, and from the project itself."""
    text = path.removesuffix(_SUFFIX)
    parts = text.split("/")
    found = [text]
    for place, part in enumerate(parts[:-1]):
        if part in _LOADED:
            found.append("/".join(parts[place + 1 :]))
            if part == "app" and len(parts) > place + 2:
                found.append("/".join(parts[place + 2 :]))
    return found
