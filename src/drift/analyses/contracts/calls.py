"""All requests that a project makes, in whichever language."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.graphql_documents import Chosen, all_names, read_document
from drift.analyses.contracts.paths import data
from drift.analyses.contracts.records import ClientCall, TypeUse
from drift.analyses.contracts.script_calls import (
    Question,
    Read,
    Wrapped,
    each_wrapper,
    may_send,
    read_script,
)
from drift.index.ids import FileId
from drift.index.path_text import text_to_path
from drift.kernel.reading import ProjectFiles

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.contract_queries import NamedCall
    from drift.index.error_queries import ErrorFile

_SCRIPTS: Final = frozenset({"typescript", "javascript"})
_MOST_BYTES: Final = 2_000_000
_MOST_FILES: Final = 5_000
_VERB: Final = re.compile(r"(?i)get|post|put|patch|delete|head|options")
_ARGUMENT: Final = re.compile(r"""\(\s{0,9}["']([^"']{1,300})["']""")


def find_calls(
    reader: "IndexReader", root: Path, files: Mapping[int, "ErrorFile"]
) -> tuple[list[ClientCall], bool]:
    """Every request outside tests, and whether there were more files than are read."""
    words = reader.contracts.words()
    named = re.compile(data()["literal"]["names"])
    wanted = {number for number, text in words if may_send(text) or named.search(text)}
    calls = [
        call
        for call in reader.contracts.calls(wanted)
        if files[call.caller >> 16].role not in {"test", "vendored"}
    ]
    scripts = {call.caller >> 16 for call in calls if files[call.caller >> 16].language in _SCRIPTS}
    generated = re.compile(data()["script"]["generated"])
    scripts |= {number for number, path in reader.contracts.generated_files() if generated.search(path)}
    found = list(_script_calls(reader, root, files, sorted(scripts)[:_MOST_FILES]))
    found += _literal_calls(calls, files, named)
    found += _declared_calls(reader)
    return found, len(scripts) > _MOST_FILES


def _script_calls(
    reader: "IndexReader", root: Path, files: Mapping[int, "ErrorFile"], wanted: Iterable[int]
) -> Iterator[ClientCall]:
    constants, members = reader.contracts.constant_texts(), reader.contracts.member_texts()

    def outside(name: str, member: str | None) -> str | None:
        return constants.get(name) if member is None else members.get((name, member))

    numbers = {one.path: number for number, one in files.items()}
    with ProjectFiles(root) as opened:
        read: dict[str, Read] = {}
        for number in wanted:
            path = files[number].path
            source = _source(opened, path)
            read[path] = read_script(path, source, outside)
        wrapped = _wrapped(reader, files, numbers, read)
        for path, some in wrapped.items():
            read[path] = read_script(path, _source(opened, path), outside, some)
    registered = _registered(reader)
    for one in read.values():
        yield from (call for call in one.calls if (call.file, call.line) not in registered)
    yield from _graphql_calls(reader, root, read.values())


def _source(opened: ProjectFiles, path: str) -> bytes:
    try:
        return opened.read_beginning(text_to_path(path), _MOST_BYTES)
    except OSError:
        return b""


def _wrapped(
    reader: "IndexReader",
    files: Mapping[int, "ErrorFile"],
    numbers: Mapping[str, int],
    read: Mapping[str, Read],
) -> dict[str, list[Wrapped]]:
    """By file the calls of wrappers, as far as linking knows them."""
    wrappers = {}
    for path, wrapper in each_wrapper(read.items()):
        symbol = reader.symbols.at_line(FileId(numbers[path]), wrapper.line)
        if symbol is not None and symbol.name == wrapper.name:
            wrappers[symbol.id] = wrapper
    found: dict[str, list[Wrapped]] = defaultdict(list)
    for callee, caller, line in reader.contracts.callers(wrappers) if wrappers else ():
        file = files[caller >> 16]
        if file.role != "test" and file.language in _SCRIPTS:
            found[file.path].append(Wrapped(line, wrappers[callee]))
    return found


def _registered(reader: "IndexReader") -> set[tuple[str, int]]:
    """Where routes are registered: these calls send nothing."""
    entries = reader.facts.entry_points("http", limit=100_000)
    return {(one.symbol.path, one.line) for one in entries}


def _literal_calls(
    calls: Iterable["NamedCall"], files: Mapping[int, "ErrorFile"], named: re.Pattern[str]
) -> Iterator[ClientCall]:
    """Requests between services: of Python's requests and httpx, of C#, Go, Java, told by the first text they are given."""
    for call in calls:
        file = files[call.caller >> 16]
        if file.language in _SCRIPTS or call.literal is None:
            continue
        name = call.external or call.text
        found = named.search(name) or named.search(call.text)
        if found is None or "/" not in call.literal:
            continue
        verb = _VERB.match(found[1])
        method = verb[0].upper() if verb else "GET"
        library = found[0].replace("::", ".").partition(".")[0]
        yield ClientCall(method, _braced(call.literal), library, file.path, call.line, call.text)


def _braced(written: str) -> str:
    """An address with what is put into it in braces, whichever way the language writes that."""
    return re.sub(r"\$\{[^{}]{0,100}\}|%[sdv]|\{[^{}]{0,100}\}", "{…}", written)


def _graphql_calls(reader: "IndexReader", root: Path, read: Iterable[Read]) -> Iterator[ClientCall]:
    """What documents of GraphQL ask for, in scripts and in files of their own, each with all that it chooses."""
    asked: list[Question] = []
    fragments: dict[str, Chosen] = {}
    for script in read:
        asked += script.asked
        fragments.update(script.fragments)
    paths = [one.path for one in reader.documents.all() if one.kind == "graphql"]
    with ProjectFiles(root) as opened:
        for path in paths[:_MOST_FILES]:
            document = read_document(_source(opened, path).decode("utf-8", "replace"))
            fragments.update(document.fragments)
            asked += [Question(one, path, one.line, one.name or "(document)") for one in document.asked]
    for (operation, _, _, field, chosen), file, line, function in asked:
        names = all_names(chosen, fragments) if chosen is not None else ()
        known = names if names or chosen is None else None
        yield ClientCall(operation, f"/{field}", "graphql", file, line, function, chosen=known)


def _declared_calls(reader: "IndexReader") -> Iterator[ClientCall]:
    """Requests that methods of an interface declare."""
    table = data()["declared"]
    packages = reader.facts.external_packages()
    if not any(package.startswith(tuple(table["packages"])) for package in packages):
        return
    names = [name for name in reader.running.decorator_names() if name.rpartition(".")[2] in table["verbs"]]
    marked = reader.running.decorated(names)
    symbols = {one.id: one for one in reader.symbols.many({one.symbol_id for one in marked})}
    for one in marked:
        symbol, address = symbols[one.symbol_id], _ARGUMENT.search(one.text)
        if address is None or symbol.role == "test":
            continue
        body = next((each.type_text for each in symbol.parameters if "@Body" in (each.type_text or "")), None)
        yield ClientCall(
            table["verbs"][one.decorator.rpartition(".")[2]],
            address[1],
            "Retrofit",
            symbol.path,
            symbol.line,
            symbol.qualname,
            TypeUse(symbol.return_text, symbol.path) if symbol.return_text else None,
            TypeUse(body, symbol.path) if body else None,
        )
