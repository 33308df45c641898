"""Facts as rows of the index: what extraction found, numbered the way the index numbers it."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from drift.documents import Document
from drift.index.ids import FileId, call_id, fingerprint_id, symbol_id
from drift.index.path_text import path_to_text
from drift.index.row_texts import encode_attributes, encode_parameters, encode_types
from drift.index.rows import FileRow, FileRows, Rows, Value
from drift.index.words import search_values
from drift.kernel.text import cut_between
from drift.languages.facts import Complexity, EnvironmentRead, FileFacts, Symbol
from drift.languages.fields import type_fields
from drift.languages.overruns import LEFT_OUT
from drift.scan.link.exported_facts import shared_keys_of
from drift.scan.link.reading import read_facts
from drift.scan.link.traces import pack_keys
from drift.scan.numbering import Identity, number_symbols, symbol_ids
from drift.scan.packing import pack_facts
from drift.scan.routes import split_route

# SQLite keeps numbers up to this in two bytes less than longer ones; the chance that two of a million hashes
# become one is below 1 %.
_HASH_MASK: Final = (1 << 47) - 1
_COMPONENT: Final = "component"  # the kind of document that a component with a style sheet is
_METHODS_OUTSIDE_CLASSES: Final = frozenset({"c", "cpp", "go"})
_NOTHING_COUNTED: Final = (None,) * len(Complexity._fields)


class Task(NamedTuple):
    """A file to be read: its number in the index, and what discovery knows of it.

    `former` are the symbols the index knows it to have, by number: they keep their numbers. `overrun` says of a
    file that brought a worker down how; only its beginning is to be read. `content` is the text of a file that is
    not on disk, or not like this: its facts come back whole.
    """

    file_id: FileId
    path: str
    language: str | None
    role: str
    size: int
    mtime_ns: int
    former: tuple[Identity, ...] = ()
    overrun: str = ""
    content: bytes | None = None


def describe(task: Task, facts: FileFacts, content_hash: str) -> FileRows:
    """The rows of a file that was read, as plain tuples: there are hundreds of thousands of them."""
    file = task.file_id
    linkable = read_facts(facts)
    names = qualified_names(facts)
    numbers = number_symbols(facts, names, task.former)
    first_fingerprint, first_call = fingerprint_id(file, 0), call_id(file, 0)
    # Both refuse a file with too many.
    symbol_id(file, len(facts.symbols) - 1)
    fingerprint_id(file, max(len(facts.fingerprints) - 1, 0))
    ids = symbol_ids(file, numbers or range(len(facts.symbols)))
    return FileRows(
        file=_file_row(task, facts, content_hash),
        symbols=_symbol_rows(facts, ids, names),
        search=_search_rows(facts, ids, names, path=path_to_text(task.path)),
        decorators=tuple(
            (ids[number], position, *decorator)
            for number, symbol in enumerate(facts.symbols)
            for position, decorator in enumerate(symbol.decorators)
        ),
        constants=_constant_rows(facts, ids),
        members=tuple((ids[each.symbol], position, *each[1:]) for position, each in enumerate(facts.members)),
        environment_reads=_read_rows(facts.environment_reads, ids),
        setting_reads=_read_rows(facts.setting_reads, ids),
        comments=tuple((file, position, *each) for position, each in enumerate(facts.comments)),
        handlings=_handling_rows(facts, ids),
        entry_points=_entry_rows(facts, ids),
        guards=tuple(
            (ids[each.symbol], position, each.line, each.how, each.text, each.entry)
            for position, each in enumerate(facts.guards)
        ),
        fingerprints=tuple(
            [
                (place, hashed & _HASH_MASK, line, end_line)
                for place, (hashed, line, end_line) in enumerate(facts.fingerprints, first_fingerprint)
            ]
        ),
        constructs=tuple(
            [
                (ids[scope], position, kind, line, end_line, start, end, detail)
                for position, (scope, line, end_line, kind, start, end, detail) in enumerate(facts.constructs)
            ]
        ),
        call_details=tuple([(first_call + number, *rest) for number, *rest in facts.call_details]),
        fields=tuple([(ids[number], *rest) for number, *rest in type_fields(facts)]),
        sites=tuple([(file, position, *each) for position, each in enumerate(facts.sites)]),
        elements=tuple(
            [
                (ids[scope], *_element_row(position, rest))
                for position, (scope, *rest) in enumerate(facts.elements)
            ]
        ),
        markup_bindings=tuple(
            [(ids[each.scope], position, *each[1:]) for position, each in enumerate(facts.markup_bindings)]
        ),
        documents=((file, _COMPONENT),) if facts.styles else (),
        document_items=tuple([(file, position, *each) for position, each in enumerate(facts.styles)]),
        packed=pack_facts(linkable, numbers, is_whole=task.content is not None),
        provides=pack_keys(shared_keys_of(task.path, linkable)),
    )


def _read_rows(reads: tuple[EnvironmentRead, ...], ids: list[int]) -> Rows:
    return tuple(
        (ids[each.scope], position, each.line, each.name, each.default_text, each.is_required)
        for position, each in enumerate(reads)
    )


def _entry_rows(facts: FileFacts, ids: list[int]) -> Rows:
    """What stands before a route where its router is mounted is told when routes are joined."""
    return tuple(
        (
            ids[each.symbol],
            position,
            each.kind,
            each.detail,
            each.line,
            *split_route(each.kind, each.detail),
            None,
        )
        for position, each in enumerate(facts.entry_points)
    )


def _handling_rows(facts: FileFacts, ids: list[int]) -> Rows:
    return tuple(
        (
            ids[each.scope],
            position,
            each.line,
            each.end_line,
            each.kind,
            encode_types(each.types),
            each.is_empty,
            each.variable,
            each.traits,
        )
        for position, each in enumerate(facts.handlings)
    )


def describe_plain(task: Task, content_hash: str) -> FileRows:
    """The rows of a file that is known but not read as code, such as a build file."""
    row = FileRow(
        task.file_id, task.path, task.language, task.role, task.size, task.mtime_ns, content_hash
    )  # fmt: skip
    return FileRows(file=row)


def describe_document(task: Task, document: Document, content_hash: str) -> FileRows:
    """The rows of a file that configures the project or describes its data."""
    file = task.file_id
    plain = describe_plain(task, content_hash)
    status = "partial" if document.problem else "ok"
    return plain._replace(
        file=plain.file._replace(status=status, problem=document.problem),
        documents=((file, document.kind),),
        document_items=tuple((file, position, *each) for position, each in enumerate(document.items)),
        elements=tuple(
            (symbol_id(file, 0), *_element_row(position, each))
            for position, each in enumerate(document.elements)
        ),
    )


def _element_row(position: int, told: Sequence[Any]) -> tuple[Value, ...]:
    line, tag, identity, classes, attributes = told
    return position, line, tag, identity, classes, encode_attributes(attributes)


def describe_skipped(task: Task, reason: str) -> FileRows:
    """The row of a file that is left alone, so that the next scan need not look at it again."""
    return describe_failure(task, reason, status="skipped")


def describe_failure(task: Task, problem: str, *, status: str = "failed", content_hash: str = "") -> FileRows:
    """The rows of a file that gave nothing, with the reason."""
    row = FileRow(
        task.file_id, task.path, task.language, task.role, task.size, task.mtime_ns, content_hash,
        status=status, problem=problem,
    )  # fmt: skip
    return FileRows(file=row)


def qualified_names(facts: FileFacts) -> list[str]:
    """Each symbol's dotted name in its file; parents stand before their members.

    A method that stands outside of its class has the class in its name, as `Cart::total` and `func (c *Cart) Total`.
    """
    names: list[str] = []
    for symbol in facts.symbols:
        outer = names[symbol.parent] if symbol.parent > 0 else ""
        owner = _outside_owner(facts, symbol)
        if owner:
            outer = f"{outer}.{owner}" if outer and not f"{owner}.".startswith(f"{outer}.") else owner
        names.append(f"{outer}.{symbol.name}" if outer else symbol.name)
    return names


def _outside_owner(facts: FileFacts, symbol: Symbol) -> str:
    """The class that the receiver of a method names, without its parameters and pointers; else nothing."""
    if facts.language not in _METHODS_OUTSIDE_CLASSES or symbol.kind not in {"method", "constructor"}:
        return ""
    if not symbol.parameters or symbol.parameters[0].kind != "receiver":
        return ""
    if symbol.parent > 0 and facts.symbols[symbol.parent].kind != "namespace":
        return ""  # it stands in the class
    text = cut_between(symbol.parameters[0].type_text or "", "<[", ">]")
    return text.strip("*& ()").replace("::", ".")


def judge_facts(facts: FileFacts) -> tuple[str, str | None]:
    """The status of a file that was read, and the problem where it has one."""
    if not facts.problems:
        return "ok", None
    first = next((each for each in facts.problems if each.message.endswith(LEFT_OUT)), facts.problems[0])
    more = f" and {len(facts.problems) - 1} more" if len(facts.problems) > 1 else ""
    return "partial", f"line {first.line}: {first.message}{more}"


def _file_row(task: Task, facts: FileFacts, content_hash: str) -> FileRow:
    status, problem = judge_facts(facts)
    return FileRow(
        id=task.file_id,
        path=task.path,
        language=task.language,
        role=task.role,
        size=task.size,
        mtime_ns=task.mtime_ns,
        hash=content_hash,
        code_lines=facts.code_lines,
        comment_lines=facts.comment_lines,
        blank_lines=facts.blank_lines,
        status=status,
        problem=problem,
        package=facts.package or None,
    )


def _symbol_rows(facts: FileFacts, ids: list[int], names: list[str]) -> Rows:
    return tuple(
        (
            ids[number],
            ids[symbol.parent] if symbol.parent >= 0 else None,
            symbol.kind,
            symbol.name,
            names[number],
            symbol.line,
            symbol.column,
            symbol.end_line,
            symbol.start_byte,
            symbol.end_byte,
            symbol.signature,
            encode_parameters(
                tuple([(p.name, p.kind, p.type_text, p.default_text) for p in symbol.parameters])
            )
            if symbol.parameters
            else None,
            symbol.return_text,
            symbol.visibility,
            " ".join(symbol.modifiers),
            symbol.doc,
            *(symbol.complexity or _NOTHING_COUNTED),
        )
        for number, symbol in enumerate(facts.symbols)
    )


def _search_rows(facts: FileFacts, ids: list[int], names: list[str], *, path: str) -> Rows:
    return tuple(
        [
            search_values(each, kind=s.kind, name=s.name, qualname=name, path=path, doc=s.doc)
            for each, s, name in zip(ids, facts.symbols, names, strict=True)
        ]
    )


def _constant_rows(facts: FileFacts, ids: list[int]) -> Rows:
    """A literal once for each symbol it stands in: tests alone repeat some of them dozens of times."""
    found: dict[tuple[int, str, str, str | None], tuple[int, int]] = {}
    repeated: Counter[tuple[int, str, str, str | None]] = Counter()
    for position, (scope, line, kind, value, name) in enumerate(facts.constants):
        key = (scope, kind, value, name)
        if key in found:
            repeated[key] += 1
        else:
            found[key] = (position, line)
    return tuple(
        [
            (ids[key[0]], position, line, *key[1:], 1 + repeated[key] if key in repeated else 1)
            for key, (position, line) in found.items()
        ]
    )
