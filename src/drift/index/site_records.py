"""What conventions are mined from, as the reader gives it out: facts in bulk. schema.sql says what the fields mean."""

from typing import NamedTuple

from drift.index.ids import FileId


class SiteFile(NamedTuple):
    """A file as conventions see it."""

    id: FileId
    path: str
    language: str | None
    role: str
    generation: int
    code_lines: int


class NotedSite(NamedTuple):
    """A site that the scan noted."""

    file_id: FileId
    line: int
    end_line: int
    dimension: str
    variant: str


class SiteSymbol(NamedTuple):
    """A symbol in bulk; the names of its fields are those of `symbols`."""

    file_id: FileId
    line: int
    end_line: int
    id: int
    kind: str
    name: str
    visibility: str
    modifiers: str
    doc: str
    return_text: str | None
    signature: str
    parameters: str | None
    owner_kind: str | None
    owner: str | None


class SiteClass(NamedTuple):
    """A type in bulk."""

    file_id: FileId
    line: int
    end_line: int
    id: int
    kind: str
    name: str
    modifiers: str


class SiteBase(NamedTuple):
    """A parent of a type."""

    symbol_id: int
    text: str
    kind: str
    target: int | None
    external_name: str | None


class SiteCall(NamedTuple):
    """A call in bulk; what is called is a word."""

    file_id: FileId
    line: int
    end_line: int
    written: int
    external: int | None
    kind: str
    arguments: int
    traits: int
    keyword: str | None
    literal: str | None


class SiteImport(NamedTuple):
    """An import in bulk."""

    file_id: FileId
    line: int
    end_line: int
    module: str
    name: str | None
    alias: str | None
    is_reexport: int
    is_type_only: int
    is_external: int
    package: str | None
    target_file: int | None


class SiteDecorator(NamedTuple):
    """A decorator in bulk."""

    file_id: FileId
    line: int
    end_line: int
    name: str
    written: str
    kind: str
    symbol: str


class SiteEntry(NamedTuple):
    """An entry point in bulk."""

    file_id: FileId
    line: int
    end_line: int
    kind: str
    detail: str
    method: str | None
    name: str
    doc: str
    owner_kind: str | None


class SiteTop(NamedTuple):
    """What stands at the top of a file."""

    file_id: FileId
    kind: str
    name: str
    visibility: str
    modifiers: str


class SiteHandling(NamedTuple):
    """A handler, throw or check in bulk."""

    file_id: FileId
    line: int
    end_line: int
    kind: str
    types: str | None
    is_empty: int
    variable: str | None
    traits: int


class SiteRead(NamedTuple):
    """A read of a variable in bulk."""

    file_id: FileId
    line: int
    end_line: int
    name: str
    default: str | None
    scope_kind: str


class SiteComment(NamedTuple):
    """A comment in bulk."""

    file_id: FileId
    line: int
    end_line: int
    text: str


class SiteConstruct(NamedTuple):
    """A construct in bulk."""

    file_id: FileId
    line: int
    end_line: int
    kind: str
    detail: str | None


class SiteField(NamedTuple):
    """A field in bulk."""

    file_id: FileId
    line: int
    end_line: int
    name: str
    type: str | None
    is_optional: int
    wire_name: str | None
    column: str | None
    owner_id: int
    owner: str


class SiteConstant(NamedTuple):
    """A literal in bulk."""

    file_id: FileId
    line: int
    end_line: int
    kind: str
    value: str
    name: str | None


class SiteItem(NamedTuple):
    """An item of a document in bulk."""

    file_id: FileId
    line: int
    end_line: int
    document: str
    kind: str
    name: str
    owner: str | None
    type: str | None
    method: str | None
    path: str | None
