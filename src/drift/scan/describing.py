"""Facts as rows of the index: what extraction found, numbered the way the index numbers it."""

from typing import NamedTuple

from drift.index.ids import FileId, symbol_id
from drift.index.rows import (
    CommentRow,
    ConstantRow,
    DecoratorRow,
    EntryPointRow,
    EnvironmentReadRow,
    FileRow,
    FileRows,
    FingerprintRow,
    HandlingRow,
    SymbolRow,
    encode_parameters,
    encode_types,
)
from drift.languages.facts import FileFacts, Symbol
from drift.scan.packing import pack_facts


class Task(NamedTuple):
    """A file to be read: its number in the index, and what discovery knows of it."""

    file_id: FileId
    path: str
    language: str | None
    role: str
    size: int
    mtime_ns: int


def describe(task: Task, facts: FileFacts, content_hash: str) -> FileRows:
    """The rows of a file that was read."""
    file = task.file_id
    names = qualified_names(facts)
    return FileRows(
        file=_file_row(task, facts, content_hash),
        symbols=tuple(_symbol_row(file, n, s, names[n]) for n, s in enumerate(facts.symbols)),
        decorators=tuple(
            DecoratorRow(symbol_id(file, number), position, *decorator)
            for number, symbol in enumerate(facts.symbols)
            for position, decorator in enumerate(symbol.decorators)
        ),
        constants=tuple(
            ConstantRow(symbol_id(file, each.scope), position, each.line, each.kind, each.value, each.name)
            for position, each in enumerate(facts.constants)
        ),
        environment_reads=tuple(
            EnvironmentReadRow(symbol_id(file, each.scope), position, each.line, each.name, each.default_text)
            for position, each in enumerate(facts.environment_reads)
        ),
        comments=tuple(CommentRow(file, position, *each) for position, each in enumerate(facts.comments)),
        handlings=tuple(
            HandlingRow(
                symbol_id(file, each.scope),
                position,
                each.line,
                each.end_line,
                each.kind,
                encode_types(each.types),
                each.is_empty,
            )
            for position, each in enumerate(facts.handlings)
        ),
        entry_points=tuple(
            EntryPointRow(symbol_id(file, each.symbol), position, each.kind, each.detail, each.line)
            for position, each in enumerate(facts.entry_points)
        ),
        fingerprints=tuple(
            FingerprintRow(file, position, *each) for position, each in enumerate(facts.fingerprints)
        ),
        packed=pack_facts(facts),
    )


def describe_plain(task: Task, content_hash: str) -> FileRows:
    """The rows of a file that is known but not read as code, such as a build file."""
    row = FileRow(
        task.file_id, task.path, task.language, task.role, task.size, task.mtime_ns, content_hash
    )  # fmt: skip
    return FileRows(file=row)


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
    """Each symbol's dotted name in its file; parents stand before their members."""
    names: list[str] = []
    for symbol in facts.symbols:
        outer = names[symbol.parent] if symbol.parent > 0 else ""
        names.append(f"{outer}.{symbol.name}" if outer else symbol.name)
    return names


def _file_row(task: Task, facts: FileFacts, content_hash: str) -> FileRow:
    first = facts.problems[0] if facts.problems else None
    more = f" and {len(facts.problems) - 1} more" if len(facts.problems) > 1 else ""
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
        status="partial" if first else "ok",
        problem=f"line {first.line}: {first.message}{more}" if first else None,
        package=facts.package or None,
    )


def _symbol_row(file: FileId, number: int, symbol: Symbol, qualname: str) -> SymbolRow:
    parameters = encode_parameters((p.name, p.kind, p.type_text, p.default_text) for p in symbol.parameters)
    return SymbolRow(
        symbol_id(file, number),
        symbol_id(file, symbol.parent) if symbol.parent >= 0 else None,
        symbol.kind,
        symbol.name,
        qualname,
        symbol.line,
        symbol.column,
        symbol.end_line,
        symbol.start_byte,
        symbol.end_byte,
        symbol.signature,
        parameters,
        symbol.return_text,
        symbol.visibility,
        " ".join(symbol.modifiers),
        symbol.doc,
        *(symbol.complexity or (None,) * 8),
    )
