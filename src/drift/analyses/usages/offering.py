"""Whether others can install a part of the project: what an application exports, nobody outside of it uses.

What a build file says of itself counts first, then what only an application has beside it, then what the project's
other build files of its kind say.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.callables import public_evidence
from drift.analyses.usages.texts import Texts, project_texts
from drift.index.records import SymbolRecord

if TYPE_CHECKING:
    from drift.index import IndexReader

Verdict = Literal["application", "library"]

_ECOSYSTEMS: Final = {
    "python": "python", "javascript": "node", "typescript": "node", "php": "php", "go": "go", "java": "jvm",
    "kotlin": "jvm", "csharp": "dotnet", "c": "native", "cpp": "native",
}  # fmt: skip

_BY_HEADERS: Final = frozenset({"c", "cpp"})
"""Languages in which a header offers all that it declares to whoever has it."""


class _Kind(NamedTuple):
    first: Verdict
    files: tuple[str, ...]
    application: tuple[re.Pattern[str], ...]
    library: tuple[re.Pattern[str], ...]
    beside: frozenset[str]
    hidden: frozenset[str]
    otherwise: Verdict
    everywhere: tuple[re.Pattern[str], ...]
    is_nested: bool


class Offering:
    """Which folders of a project are part of an application."""

    def __init__(self, paths: Iterable[str], read: Callable[[str], str]) -> None:
        every = [path.rpartition("/")[::2] for path in paths]
        self._folders = {part for folder, _ in every for part in folder.split("/")}
        self._said: dict[str, dict[str, Verdict | None]] = {}
        self._offered: set[str] = set()  # kinds of which a build file offers what stands anywhere
        for name, kind in _kinds().items():
            marked = {folder for folder, file in every if file in kind.beside}
            said: dict[str, Verdict | None] = {}
            for folder, file in every:
                if any(fnmatchcase(file, pattern) for pattern in kind.files):
                    text = read(f"{folder}/{file}" if folder else file)
                    if any(pattern.search(text) for pattern in kind.everywhere):
                        self._offered.add(name)
                    verdict = _judge(kind, text) or ("application" if folder in marked else None)
                    # What only an application has says more than a build file, which may be there for a tool.
                    said[folder] = "application" if folder in marked else (said.get(folder) or verdict)
            for folder in marked - said.keys():
                said[folder] = "application"
            self._said[name] = said

    def is_application(self, symbol: SymbolRecord) -> bool:
        """Whether nobody outside the project can use what stands here."""
        ecosystem = _ECOSYSTEMS.get(symbol.language or "")
        if ecosystem is None or ecosystem in self._offered:
            return False
        kind = _kinds()[ecosystem]
        hidden = kind.hidden
        if hidden & self._folders:
            return not hidden.isdisjoint(symbol.path.split("/"))
        said = self._said[ecosystem]
        folder = symbol.path.rpartition("/")[0]
        while folder and (folder not in said or (kind.is_nested and said[folder] is None)):
            folder = folder.rpartition("/")[0]
        own = said.get(folder)
        if own is not None or not said:
            return own == "application"
        others = set(said.values()) - {None}
        return (others or {kind.otherwise}) == {"application"}


def read_offering(texts: Texts) -> Offering:
    """What the build files among the texts of a project say."""

    def read(path: str) -> str:
        found = texts.read(path)
        return found.content.decode("utf-8", "replace") if found is not None else ""

    return Offering(texts.paths(), read)


def offered_evidence(
    reader: "IndexReader", root: Path | None, symbols: Sequence[SymbolRecord]
) -> list[tuple[str, ...]]:
    """Why code outside the project may use each of the symbols; what a header of a program has is offered to nobody."""
    found = [public_evidence(reader, one) for one in symbols]
    is_native = any(said and one.language in _BY_HEADERS for one, said in zip(symbols, found, strict=True))
    if root is None or not is_native:
        return found
    offering = read_offering(project_texts(reader, root))
    return [
        () if one.language in _BY_HEADERS and offering.is_application(one) else said
        for one, said in zip(symbols, found, strict=True)
    ]


def _judge(kind: _Kind, text: str) -> Verdict | None:
    is_application = any(pattern.search(text) for pattern in kind.application)
    is_library = any(pattern.search(text) for pattern in kind.library)
    if is_application and is_library:
        return kind.first
    return "application" if is_application else "library" if is_library else None


@cache
def _kinds() -> dict[str, _Kind]:
    tables = tomllib.loads(files("drift.analyses.usages").joinpath("offering.toml").read_text("utf-8"))
    return {
        name: _Kind(
            table["first"],
            tuple(table["files"]),
            tuple(re.compile(each, re.MULTILINE) for each in table["application"]),
            tuple(re.compile(each, re.MULTILINE) for each in table["library"]),
            frozenset(table["beside"]),
            frozenset(table.get("hidden", ())),
            table["otherwise"],
            tuple(re.compile(each, re.MULTILINE) for each in table.get("everywhere", ())),
            table.get("nested", False),
        )
        for name, table in tables.items()
    }
