"""Whether others can install a part of the project: what an application exports, nobody outside of it uses.

What a build file says of itself counts first, then what only an application has beside it, then what the project's
other build files of its kind say.
"""

import re
import tomllib
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

from drift.analyses.usages.texts import Texts
from drift.index.records import SymbolRecord

Verdict = Literal["application", "library"]

_ECOSYSTEMS: Final = {
    "python": "python", "javascript": "node", "typescript": "node", "php": "php", "go": "go", "java": "jvm",
    "kotlin": "jvm", "csharp": "dotnet",
}  # fmt: skip


class _Kind(NamedTuple):
    first: Verdict
    files: tuple[str, ...]
    application: tuple[re.Pattern[str], ...]
    library: tuple[re.Pattern[str], ...]
    beside: frozenset[str]
    hidden: frozenset[str]
    otherwise: Verdict


class Offering:
    """Which folders of a project are part of an application."""

    def __init__(self, paths: Iterable[str], read: Callable[[str], str]) -> None:
        every = [path.rpartition("/")[::2] for path in paths]
        self._folders = {part for folder, _ in every for part in folder.split("/")}
        self._said: dict[str, dict[str, Verdict | None]] = {}
        for name, kind in _kinds().items():
            marked = {folder for folder, file in every if file in kind.beside}
            said: dict[str, Verdict | None] = {}
            for folder, file in every:
                if any(fnmatchcase(file, pattern) for pattern in kind.files):
                    text = read(f"{folder}/{file}" if folder else file)
                    verdict = _judge(kind, text) or ("application" if folder in marked else None)
                    # What only an application has says more than a build file, which may be there for a tool.
                    said[folder] = "application" if folder in marked else (said.get(folder) or verdict)
            for folder in marked - said.keys():
                said[folder] = "application"
            self._said[name] = said

    def is_application(self, symbol: SymbolRecord) -> bool:
        """Whether nobody outside the project can use what stands here."""
        ecosystem = _ECOSYSTEMS.get(symbol.language or "")
        if ecosystem is None:
            return False
        hidden = _kinds()[ecosystem].hidden
        if hidden & self._folders:
            return not hidden.isdisjoint(symbol.path.split("/"))
        said = self._said[ecosystem]
        folder = symbol.path.rpartition("/")[0]
        while folder not in said and folder:
            folder = folder.rpartition("/")[0]
        own = said.get(folder)
        if own is not None or not said:
            return own == "application"
        others = set(said.values()) - {None}
        return (others or {_kinds()[ecosystem].otherwise}) == {"application"}


def read_offering(texts: Texts) -> Offering:
    """What the build files among the texts of a project say."""

    def read(path: str) -> str:
        found = texts.read(path)
        return found.content.decode("utf-8", "replace") if found is not None else ""

    return Offering(texts.paths(), read)


def _judge(kind: _Kind, text: str) -> Verdict | None:
    is_application = any(pattern.search(text) for pattern in kind.application)
    is_library = any(pattern.search(text) for pattern in kind.library)
    if is_application and is_library:
        return kind.first
    return "application" if is_application else "library" if is_library else None


@cache
def _kinds() -> dict[str, _Kind]:
    tables = tomllib.loads(files("drift.analyses.dead_code").joinpath("offering.toml").read_text("utf-8"))
    return {
        name: _Kind(
            table["first"],
            tuple(table["files"]),
            tuple(re.compile(each, re.MULTILINE) for each in table["application"]),
            tuple(re.compile(each, re.MULTILINE) for each in table["library"]),
            frozenset(table["beside"]),
            frozenset(table.get("hidden", ())),
            table["otherwise"],
        )
        for name, table in tables.items()
    }
