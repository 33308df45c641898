"""What tests replace: modules, functions and classes, inside the project and outside.

Known limits: what is replaced is read from the text of the call, so a target kept in a variable is not known.
"""

import re
from collections.abc import Callable, Iterable
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.testing.signs import TargetForm, load_signs
from drift.analyses.testing.suites import Suites
from drift.index.ids import FileId, SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

ReadText = Callable[[str], str]
"""The text of a file of the project, empty where it cannot be read."""

_STRING: Final = re.compile(r"""\(\s*[rbuf]?(["'`])(?P<text>[^"'`\n]{1,300})\1""")
_ARGUMENTS: Final = re.compile(
    r"\(\s*(?P<first>[\w.$\\]{1,200})(?:::class|\.class)?\s*(?:,\s*[\"'](?P<member>\w{1,100})[\"'])?"
)
_TYPE: Final = re.compile(r"(?:Mock|Of|For|ForPartsOf|Fake)<\s*(?P<name>[\w.]{1,200})")
_SEPARATOR: Final = re.compile(r"::|\\|\.")
_FOLLOWING: Final = 400
_MOST_TARGETS: Final = 200
_VALUED: Final = re.compile(
    r"\b(?:return_value|side_effect|mockReturnValue|mockResolvedValue|thenReturn|willReturn|Returns|andReturn|returns)\b"
)
_IMPLEMENTED: Final = re.compile(
    r"\b(?:side_effect|new=|mockImplementation|callsFake|thenAnswer|willReturnCallback|Callback|=>|function|lambda)"
)
_SCRIPT_ENDINGS: Final = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", "/index.ts", "/index.js")


class Mock(NamedTuple):
    """A replacement. `targets` are the symbols of the project it replaces; `is_external` is None where nothing tells."""

    file_id: FileId
    path: str
    line: int
    scope: SymbolId
    call: str
    kind: str
    target: str | None
    is_external: bool | None
    targets: frozenset[SymbolId]
    has_implementation: bool
    returns_value: bool


def find_mocks(
    reader: "IndexReader", suites: Suites, files: Iterable[FileId], read: ReadText
) -> tuple[Mock, ...]:
    """The replacements in these test files, in the order of files and lines."""
    places = {one.id: one.path for one in reader.graph.file_places(sorted(set(files) & suites.files))}
    records = {file: reader.files.get(file) for file in places}
    languages = {file: record.language or "" for file, record in records.items() if record is not None}
    signs = load_signs()
    words = reader.testing.call_texts(list(places))
    kinds = set(languages.values())
    chosen = {word: text for word, text in words.items() if any(signs.mock_of(each, text) for each in kinds)}
    written: list[_Place] = []
    for call in reader.testing.calls_written(list(places), chosen) if chosen else ():
        file = file_of_symbol(call.caller_id)
        sign = signs.mock_of(languages.get(file, ""), call.text)
        if sign is not None:
            written.append(
                _Place(file, places[file], call.line, call.caller_id, call.text, sign.kind, sign.target)
            )
    for mark in reader.testing.decorations(list(places)):
        file = file_of_symbol(mark.symbol_id)
        decorator = signs.mark_of(languages.get(file, ""), mark.name)
        if decorator is not None:
            written.append(
                _Place(
                    file, places[file], mark.line, mark.symbol_id, mark.name, decorator.kind, decorator.target
                )
            )
    resolve = _Targets(reader)
    texts = {
        place.path: read(place.path).splitlines() for place in {each.path: each for each in written}.values()
    }
    found = [_mock(resolve, place, texts[place.path]) for place in written]
    unique = {(one.file_id, one.line, one.call.rpartition(".")[2]): one for one in found}
    return tuple(sorted(unique.values(), key=lambda one: (one.path, one.line)))


def _mock(resolve: "_Targets", place: "_Place", lines: list[str]) -> Mock:
    text = "\n".join(lines[place.line - 1 : place.line + 4])[:_FOLLOWING]
    start = text.find(place.call)
    after = text[start + len(place.call) :] if start >= 0 else text
    target = _target(place.form, place.call, after)
    is_external, targets = resolve.find(place, target) if target else (None, frozenset())
    return Mock(
        *place[:6],
        target,
        is_external,
        targets,
        has_implementation=_IMPLEMENTED.search(after) is not None,
        returns_value=_VALUED.search(after) is not None,
    )


def _target(form: TargetForm, call: str, after: str) -> str | None:
    """What a call replaces, as its text says it."""
    if form == "type":
        named = _TYPE.search(call)
        return named["name"] if named else None
    if form == "receiver":
        return re.split(r"::|\.", call)[0].rpartition("\\")[2]
    if form == "name":
        return re.split(r"::|\.", call)[-1 if not call.endswith(("new", "default")) else -2]
    if form == "none":
        return None
    quoted = _STRING.match(after)
    if quoted and form != "member":
        return quoted["text"]
    given = _ARGUMENTS.match(after)
    if given is None:
        return quoted["text"] if quoted else None
    first = given["first"].removesuffix(".class")
    return f"{first}.{given['member']}" if given["member"] else first


class _Place(NamedTuple):
    """Where a replacement is written, and how."""

    file_id: FileId
    path: str
    line: int
    scope: SymbolId
    call: str
    kind: str
    form: TargetForm


def _ends_in(symbol: "SymbolRecord", parts: list[str]) -> bool:
    """Whether the names before the last are those around the symbol: classes, its file, folders."""
    stem = symbol.path.rpartition(".")[0] or symbol.path
    around = [*stem.split("/"), *symbol.qualname.split(".")][:-1]
    wanted = parts[:-1]
    return symbol.kind != "module" and (not wanted or around[-len(wanted) :] == wanted)


class _Targets:
    """Finds what a mock's target is in the project; each once."""

    def __init__(self, reader: "IndexReader") -> None:
        self._reader = reader
        self._known: dict[tuple[str, str, str], tuple[bool | None, frozenset[SymbolId]]] = {}

    def find(self, place: _Place, target: str) -> tuple[bool | None, frozenset[SymbolId]]:
        """Whether the target is outside the project, and the symbols it is inside."""
        key = (place.path, place.kind, target)
        if key not in self._known:
            is_module = place.kind == "module"
            self._known[key] = self._module(place.path, target) if is_module else self._symbol(place, target)
        return self._known[key]

    def _module(self, path: str, target: str) -> tuple[bool | None, frozenset[SymbolId]]:
        if not target.startswith("."):
            return (
                (True, frozenset()) if not target.startswith(("@/", "~/", "src/")) else (False, frozenset())
            )
        base = normpath(join(dirname(path), target)).removesuffix(".js")
        for ending in _SCRIPT_ENDINGS:
            record = self._reader.files.at(f"{base}{ending}")
            if record is not None:
                return False, frozenset(one.id for one in self._reader.symbols.of_file(record.id))
        return False, frozenset()

    def _symbol(self, place: _Place, target: str) -> tuple[bool | None, frozenset[SymbolId]]:
        parts = [part for part in _SEPARATOR.split(target) if part]
        named = self._reader.symbols.named(parts[-1], limit=_MOST_TARGETS) if parts else []
        found = [one for one in named if one.role != "test" and _ends_in(one, parts)]
        if not found and "." in target:
            found = self._imported(target)
        if not found:
            return self._is_outside(place, target), frozenset()
        ids = [one.id for one in found[:_MOST_TARGETS]]
        return False, frozenset(self._reader.graph.inside(ids))

    def _is_outside(self, place: _Place, target: str) -> bool | None:
        """Whether a name the project does not have is one of outside; a variable may be anything."""
        first = target.partition(".")[0]
        for one in self._reader.facts.imports_of(place.file_id):
            if (one.alias or one.name or one.module) == first:
                return one.is_external
        is_path = place.form == "string" and "." in target
        return True if is_path or first[:1].isupper() or "\\" in target else None

    def _imported(self, target: str) -> "list[SymbolRecord]":
        """A name patched where it is used, `shop.api.total`, is the one that file imports."""
        module, _, name = target.rpartition(".")
        record = self._reader.files.at(f"{module.replace('.', '/')}.py")
        if record is None:
            return []
        ids = [
            one.target_symbol_id
            for one in self._reader.facts.imports_of(record.id)
            if (one.alias or one.name) == name and one.target_symbol_id is not None
        ]
        return list(self._reader.symbols.many(ids))
