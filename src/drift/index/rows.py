"""The rows a scan gives to the index: plain tuples whose fields are the columns of schema.sql, in order.

`schema.sql` says what each column means. Texts that UTF-8 cannot hold are cleaned on the way in.
"""

from typing import NamedTuple

from drift.index.ids import CallId, FileId, FingerprintId, SymbolId


class FileRow(NamedTuple):
    """A row of `files`. The path is as the operating system names it, with `/` between its parts."""

    id: FileId
    path: str
    language: str | None
    role: str
    size: int
    mtime_ns: int
    hash: str
    code_lines: int | None = None
    comment_lines: int | None = None
    blank_lines: int | None = None
    status: str = "ok"
    problem: str | None = None
    package: str | None = None
    generation: int = 0


class SymbolRow(NamedTuple):
    """A row of `symbols`; `row_texts` makes the text of `parameters`."""

    id: SymbolId
    parent_id: SymbolId | None
    kind: str
    name: str
    qualname: str
    line: int
    column: int
    end_line: int
    start_byte: int
    end_byte: int
    signature: str = ""
    parameters: str | None = None
    return_text: str | None = None
    visibility: str = "public"
    modifiers: str = ""
    doc: str = ""
    cyclomatic: int | None = None
    cognitive: int | None = None
    max_nesting: int | None = None
    code_lines: int | None = None
    operators: int | None = None
    distinct_operators: int | None = None
    operands: int | None = None
    distinct_operands: int | None = None


class DecoratorRow(NamedTuple):
    """A row of `decorators`."""

    symbol_id: SymbolId
    position: int
    name: str
    text: str
    line: int


class BaseRow(NamedTuple):
    """A row of `bases`."""

    symbol_id: SymbolId
    position: int
    text: str
    kind: str = "extends"
    target_symbol_id: SymbolId | None = None
    external_name: str | None = None


class ImportRow(NamedTuple):
    """A row of `imports`."""

    symbol_id: SymbolId
    position: int
    line: int
    module: str
    name: str | None = None
    alias: str | None = None
    is_reexport: bool = False
    is_type_only: bool = False
    target_file_id: FileId | None = None
    target_symbol_id: SymbolId | None = None
    is_external: bool = False
    external_package: str | None = None


class CallRow(NamedTuple):
    """A row of `calls`."""

    id: CallId
    caller_id: SymbolId
    line: int
    column: int
    text: str
    argument_count: int = 0
    kind: str = "call"
    outcome: str = "unknown"
    external_name: str | None = None


class EdgeRow(NamedTuple):
    """A row of `edges`."""

    callee_id: SymbolId
    caller_id: SymbolId
    call_id: CallId
    line: int
    confidence: float
    reason: str


class ReferenceRow(NamedTuple):
    """A row of `refs`."""

    symbol_id: SymbolId
    position: int
    line: int
    column: int
    kind: str
    target_symbol_id: SymbolId
    confidence: float
    reason: str


class OverrideRow(NamedTuple):
    """A row of `overrides`."""

    overrider_id: SymbolId
    method_id: SymbolId


class ConstantRow(NamedTuple):
    """A row of `constants`."""

    symbol_id: SymbolId
    position: int
    line: int
    kind: str
    value: str
    name: str | None = None
    times: int = 1


class MemberRow(NamedTuple):
    """A row of `members`."""

    symbol_id: SymbolId
    position: int
    line: int
    key: str | None
    value: str


class EnvironmentReadRow(NamedTuple):
    """A row of `environment_reads` or `setting_reads`."""

    symbol_id: SymbolId
    position: int
    line: int
    name: str
    default_text: str | None = None
    is_required: bool | None = None


class CommentRow(NamedTuple):
    """A row of `comments`."""

    file_id: FileId
    position: int
    line: int
    end_line: int
    text: str


class HandlingRow(NamedTuple):
    """A row of `handlings`; `row_texts` makes the text of `types`."""

    symbol_id: SymbolId
    position: int
    line: int
    end_line: int
    kind: str
    types: str | None = None
    is_empty: bool = False
    variable: str | None = None
    traits: int = 0


class ConstructRow(NamedTuple):
    """A row of `constructs`."""

    symbol_id: SymbolId
    position: int
    kind: str
    line: int
    end_line: int
    start_byte: int
    end_byte: int
    detail: str | None = None


class FieldRow(NamedTuple):
    """A row of `fields`."""

    symbol_id: SymbolId
    type: str | None = None
    is_optional: bool = False
    wire_name: str | None = None
    column_name: str | None = None


class CallDetailRow(NamedTuple):
    """A row of `call_details`."""

    id: CallId
    traits: int
    keyword: str | None = None
    literal: str | None = None


class EntryPointRow(NamedTuple):
    """A row of `entry_points`."""

    symbol_id: SymbolId
    position: int
    kind: str
    detail: str = ""
    line: int = 0
    method: str | None = None
    path: str | None = None
    guards: str | None = None


class GuardRow(NamedTuple):
    """A row of `guards`."""

    symbol_id: SymbolId
    position: int
    line: int
    how: str
    text: str
    entry: int | None = None


class HandlerRow(NamedTuple):
    """A row of `handlers`."""

    symbol_id: SymbolId
    position: int
    handler_id: SymbolId


class RouterRow(NamedTuple):
    """A row of `routers`."""

    symbol_id: SymbolId
    position: int
    router_id: SymbolId


class MountRow(NamedTuple):
    """A row of `mounts`."""

    symbol_id: SymbolId
    position: int
    kind: str
    prefix: str
    file: str = ""
    router_id: SymbolId | None = None
    into_id: SymbolId | None = None
    guards: str | None = None


class FingerprintRow(NamedTuple):
    """A row of `fingerprints`; `ids.fingerprint_id` makes its id."""

    id: FingerprintId
    hash: int
    line: int
    end_line: int


class SiteRow(NamedTuple):
    """A row of `sites`; dimension and variant are given as texts, and the index numbers them."""

    file_id: FileId
    position: int
    line: int
    end_line: int
    dimension: str
    variant: str


class SearchRow(NamedTuple):
    """A row of `search`; `words.search_row` makes it from a symbol."""

    rowid: SymbolId
    name: str
    qualname: str
    path: str
    doc: str


Value = str | int | float | bytes | None
Rows = tuple[tuple[Value, ...], ...]
"""Rows of one table: of the type with its name, or plain tuples of the same values, which cost less to make."""

CallValues = tuple[int, int, int, int, str, int, str, str, str | None]
EdgeValues = tuple[int, int, int, int, float, str]
ReferenceValues = tuple[int, int, int, int, str, int, float, str]


class FileRows(NamedTuple):
    """What extraction says of one file. Every row belongs to the file: its ids are in the file's ranges."""

    file: FileRow
    symbols: Rows = ()
    search: Rows = ()  # of every symbol that shall be found by its words
    decorators: Rows = ()
    constants: Rows = ()
    members: Rows = ()
    environment_reads: Rows = ()
    setting_reads: Rows = ()
    comments: Rows = ()
    handlings: Rows = ()
    entry_points: Rows = ()
    guards: Rows = ()
    fingerprints: Rows = ()
    constructs: Rows = ()
    call_details: Rows = ()
    fields: Rows = ()
    sites: Rows = ()
    elements: Rows = ()
    markup_bindings: Rows = ()
    documents: Rows = ()
    document_items: Rows = ()
    packed: bytes = b""
    provides: bytes = b""


class LinkRows(NamedTuple):
    """What linking says of one file: where its imports, parents, calls and references lead.

    Texts and confidences of calls, edges and references are given as they are; the index numbers them.
    """

    file_id: FileId
    imports: Rows = ()
    bases: Rows = ()
    calls: tuple[CallValues, ...] = ()
    edges: tuple[EdgeValues, ...] = ()
    references: tuple[ReferenceValues, ...] = ()
    overrides: Rows = ()
    handlers: Rows = ()
    routers: Rows = ()
    mounts: Rows = ()
    traces: bytes = b""
