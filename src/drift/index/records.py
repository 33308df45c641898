"""What the reader gives out: one tuple type for each kind of fact. schema.sql says what the fields mean."""

import json
from typing import NamedTuple

from drift.index.ids import CallId, FileId, SymbolId


class FileRecord(NamedTuple):
    """A file. `path` is text; `path_text.text_to_path` gives the name to open it by."""

    id: FileId
    path: str
    language: str | None
    role: str
    size: int
    mtime_ns: int
    hash: str
    code_lines: int | None
    comment_lines: int | None
    blank_lines: int | None
    status: str
    problem: str | None
    package: str | None


class ParameterRecord(NamedTuple):
    """A parameter of a function."""

    name: str
    kind: str = "plain"
    type_text: str | None = None
    default_text: str | None = None


class SymbolRecord(NamedTuple):
    """A symbol, with what is mostly asked of its file."""

    id: SymbolId
    path: str
    language: str | None
    role: str  # of the file
    parent_id: SymbolId | None
    kind: str
    name: str
    qualname: str
    line: int
    column: int
    end_line: int
    start_byte: int
    end_byte: int
    signature: str
    parameters_json: str | None
    return_text: str | None
    visibility: str
    modifier_text: str
    doc: str

    @property
    def parameters(self) -> tuple[ParameterRecord, ...]:
        """The parameters in order."""
        return tuple(ParameterRecord(*each) for each in json.loads(self.parameters_json or "[]"))

    @property
    def modifiers(self) -> tuple[str, ...]:
        """The modifiers, sorted."""
        return tuple(self.modifier_text.split())


class ComplexityRecord(NamedTuple):
    """What was counted in the code of a symbol."""

    symbol_id: SymbolId
    cyclomatic: int
    cognitive: int
    max_nesting: int
    code_lines: int
    operators: int
    distinct_operators: int
    operands: int
    distinct_operands: int


class SearchHit(NamedTuple):
    """A symbol that a search found; the higher the score the better it fits, within one search."""

    symbol: SymbolRecord
    score: float


class DecoratorRecord(NamedTuple):
    """A decorator, annotation or attribute."""

    symbol_id: SymbolId
    name: str
    text: str
    line: int


class BaseRecord(NamedTuple):
    """A parent of a class."""

    symbol_id: SymbolId
    text: str
    kind: str
    target_symbol_id: SymbolId | None
    external_name: str | None


class Neighbour(NamedTuple):
    """A symbol at the other end of a call, and the call."""

    symbol: SymbolRecord
    call_id: CallId
    line: int
    confidence: float
    reason: str


class CallRecord(NamedTuple):
    """A place where something is called."""

    id: CallId
    caller_id: SymbolId
    line: int
    column: int
    text: str
    argument_count: int
    kind: str
    outcome: str
    external_name: str | None


class EdgeRecord(NamedTuple):
    """One way a call may go."""

    callee_id: SymbolId
    caller_id: SymbolId
    call_id: CallId
    line: int
    confidence: float
    reason: str


class ImportRecord(NamedTuple):
    """An imported name, and the path of the file it stands in."""

    symbol_id: SymbolId
    path: str
    line: int
    module: str
    name: str | None
    alias: str | None
    is_reexport: bool
    is_type_only: bool
    target_file_id: FileId | None
    target_symbol_id: SymbolId | None
    is_external: bool
    external_package: str | None


class ReferenceRecord(NamedTuple):
    """A use that is no call, and the path of the file it stands in."""

    symbol_id: SymbolId
    path: str
    line: int
    column: int
    kind: str
    target_symbol_id: SymbolId
    confidence: float
    reason: str


class ConstantRecord(NamedTuple):
    """A literal, and the path of the file it stands in."""

    symbol_id: SymbolId
    path: str
    line: int
    kind: str
    value: str
    name: str | None
    times: int  # it stands in the symbol; the line is that of the first


class MemberRecord(NamedTuple):
    """An element of a constant list or table."""

    symbol_id: SymbolId
    line: int
    key: str | None
    value: str


class EnvironmentReadRecord(NamedTuple):
    """A read of an environment variable or a setting, and the path of the file it stands in."""

    symbol_id: SymbolId
    path: str
    line: int
    name: str
    default_text: str | None
    is_required: bool | None = None  # without one it fails


class EntryPointRecord(NamedTuple):
    """A symbol the outside world calls. `line` is in the file of the symbol it is registered at."""

    symbol: SymbolRecord
    kind: str
    detail: str
    line: int
    registered_at: SymbolId
    position: int


class GuardRecord(NamedTuple):
    """What stands before the handler of a route."""

    how: str  # as in `guards`; decorator: at the handler or its class; mount: where the router is mounted
    text: str  # as written
    symbol_id: SymbolId  # where it is said: the route's own, the handler, its class or one above that
    line: int | None  # in the file of that; None of mounts


class CommentRecord(NamedTuple):
    """A comment that is no doc comment."""

    file_id: FileId
    line: int
    end_line: int
    text: str


class HandlingRecord(NamedTuple):
    """A try region, a handler or a throw."""

    symbol_id: SymbolId
    line: int
    end_line: int
    kind: str
    types: tuple[str, ...]
    is_empty: bool
    variable: str | None
    traits: int  # of a handler: languages.facts.HandlingTrait


class ConstructRecord(NamedTuple):
    """A stretch of code that is more than names and calls."""

    symbol_id: SymbolId
    kind: str
    line: int
    end_line: int
    start_byte: int
    end_byte: int
    detail: str | None


class FieldRecord(NamedTuple):
    """A field of a type, with what it is called elsewhere."""

    symbol_id: SymbolId
    name: str
    type: str | None
    is_optional: bool
    wire_name: str | None
    column_name: str | None


class CallDetailRecord(NamedTuple):
    """More of a call: how it stands in the code, and the first text it is given."""

    id: CallId
    traits: int  # languages.facts.CallTrait
    keyword: str | None
    literal: str | None


class FingerprintRecord(NamedTuple):
    """A hash of normalised tokens and where they stand."""

    file_id: FileId
    hash: int
    line: int
    end_line: int
