"""Small files of an index, for tests: `sample_file(1)` has a class with two methods and a function."""

from pathlib import Path

from drift.index import IndexReader, IndexWriter, Layer
from drift.index.document_rows import ElementRow, MarkupBindingRow
from drift.index.ids import FileId, SymbolId, call_id, fingerprint_id, symbol_id
from drift.index.path_text import path_to_text
from drift.index.row_texts import encode_parameters, encode_types
from drift.index.rows import (
    BaseRow,
    CallDetailRow,
    CallRow,
    CommentRow,
    ConstantRow,
    ConstructRow,
    DecoratorRow,
    EdgeRow,
    EntryPointRow,
    EnvironmentReadRow,
    FieldRow,
    FileRow,
    FileRows,
    FingerprintRow,
    GuardRow,
    HandlingRow,
    ImportRow,
    LinkRows,
    MemberRow,
    OverrideRow,
    ReferenceRow,
    SearchRow,
    SymbolRow,
)
from drift.index.words import search_row

LAYERS = frozenset({Layer.FILES, Layer.SYMBOLS, Layer.CALLS})
WORD_COLUMNS = {"calls": {4, 6, 7, 8}, "edges": {5}, "refs": {4, 7}}
MODULE, CLASS, SAVE, LOAD, FUNCTION = range(5)


def sid(file: int, number: int) -> SymbolId:
    return symbol_id(FileId(file), number)


def sample_file(file: int, *, path: str | None = None, mark: str = "", role: str = "source") -> FileRows:
    described = FileRow(
        FileId(file), path or f"shop/part_{file}.py", "python", role, 120, 1_000, f"{file:032x}",
        40, 3, 7, package=mark or None,
    )  # fmt: skip
    symbols = _symbols(file)
    return FileRows(
        described,
        symbols=symbols,
        search=sample_search(symbols, described.path),
        decorators=(DecoratorRow(sid(file, SAVE), 0, "app.route", '@app.route("/save")', 9),),
        constants=(
            ConstantRow(sid(file, MODULE), 0, 2, "string", "https://shop.example/api", "API_URL"),
            ConstantRow(sid(file, LOAD), 1, 21, "number", "3600"),
        ),
        environment_reads=(EnvironmentReadRow(sid(file, LOAD), 0, 22, "SHOP_TOKEN", '"none"'),),
        comments=(CommentRow(FileId(file), 0, 4, 4, "keep in step with the web shop"),),
        handlings=(
            HandlingRow(sid(file, LOAD), 0, 23, 24, "catch", encode_types(["OSError"]), is_empty=True),
        ),
        entry_points=(
            EntryPointRow(sid(file, SAVE), 0, "http", "POST /save", 9, "POST", "/save", '["tenant"]'),
        ),
        fingerprints=(
            FingerprintRow(fingerprint_id(FileId(file), 0), 4711, 20, 25),
            FingerprintRow(fingerprint_id(FileId(file), 1), file, 5, 9),
        ),
        setting_reads=(EnvironmentReadRow(sid(file, LOAD), 0, 23, "shop.url", None, is_required=True),),
        members=(MemberRow(sid(file, FUNCTION), 0, 3, "admin", "1"),),
        guards=(
            GuardRow(sid(file, SAVE), 0, 9, "argument", "signed_in", 0),
            GuardRow(sid(file, CLASS), 1, 6, "attribute", "permission_classes = [IsOwner]"),
        ),
        constructs=(ConstructRow(sid(file, LOAD), 0, "loop", 21, 24, 300, 380),),
        elements=(
            ElementRow(sid(file, LOAD), 0, 22, "img", "logo", "wide high", '[["alt","Shop"],["hidden"]]'),
        ),
        markup_bindings=(
            MarkupBindingRow(sid(file, LOAD), 0, 22, "TextBox", "Text", "binding", "Name", "TwoWay", "Upper"),
        ),
        fields=(FieldRow(sid(file, LOAD), "str", True, "loadedBy", None),),
        call_details=(CallDetailRow(call_id(FileId(file), 0), 16, None, "shop.json"),),
        packed=b"facts of %d" % file,
        provides=b"provided by %d" % file,
    )


def sample_search(symbols: tuple[SymbolRow, ...], path: str) -> tuple[SearchRow, ...]:
    return tuple(
        search_row(s.id, kind=s.kind, name=s.name, qualname=s.qualname, path=path_to_text(path), doc=s.doc)
        for s in symbols
    )


def _symbols(file: int) -> tuple[SymbolRow, ...]:
    module = sid(file, MODULE)
    owner = sid(file, CLASS)
    parameters = encode_parameters((("self", "receiver", None, None), ("depth", "plain", "int", "1")))
    return (
        SymbolRow(module, None, "module", f"part_{file}", f"part_{file}", 1, 0, 40, 0, 900),
        SymbolRow(owner, module, "class", "OrderStore", "OrderStore", 5, 0, 30, 80, 700, doc="Keeps orders."),
        SymbolRow(
            sid(file, SAVE), owner, "method", "saveOrder", "OrderStore.saveOrder", 10, 4, 18, 120, 300,
            "def saveOrder(self, depth: int = 1) -> None", parameters, "None", "public", "async exported",
            "Write an order to the café's ledger.", 3, 2, 1, 8, 20, 6, 30, 12,
        ),
        SymbolRow(sid(file, LOAD), owner, "method", "load", "OrderStore.load", 20, 4, 28, 310, 500),
        SymbolRow(sid(file, FUNCTION), module, "function", f"helper_{file}", f"helper_{file}", 32, 0, 38, 710, 890),
    )  # fmt: skip


def sample_links(file: int, target: int) -> LinkRows:
    """`load` and `helper` of a file call `saveOrder` of the target, whose class the file's class extends."""
    calls = (
        CallRow(call_id(FileId(file), 0), sid(file, LOAD), 21, 8, "store.saveOrder", 1, "call", "resolved"),
        CallRow(
            call_id(FileId(file), 1), sid(file, LOAD), 22, 8, "os.getenv", 1, "call", "external", "os.getenv"
        ),
        CallRow(call_id(FileId(file), 2), sid(file, FUNCTION), 33, 4, "saveOrder", 1, "call", "ambiguous"),
    )
    callee = sid(target, SAVE)
    return LinkRows(
        FileId(file),
        imports=(
            ImportRow(
                sid(file, MODULE), 0, 1, f"shop.part_{target}", "OrderStore",
                target_file_id=FileId(target), target_symbol_id=sid(target, CLASS),
            ),
            ImportRow(sid(file, MODULE), 1, 2, "os", is_external=True, external_package="os"),
        ),
        bases=(BaseRow(sid(file, CLASS), 0, "OrderStore", "extends", sid(target, CLASS)),),
        calls=calls,
        edges=(
            EdgeRow(callee, sid(file, LOAD), calls[0].id, 21, 0.95, "import"),
            EdgeRow(callee, sid(file, FUNCTION), calls[2].id, 33, 0.5, "name"),
            EdgeRow(sid(file, SAVE), sid(file, FUNCTION), calls[2].id, 33, 0.5, "name"),
        ),
        references=(ReferenceRow(sid(file, LOAD), 0, 25, 12, "type", sid(target, CLASS), 0.9, "import"),),
        overrides=(OverrideRow(sid(file, SAVE), callee),),
        traces=b"%d leads to %d" % (file, target),
    )  # fmt: skip


def build(path: Path, files: int = 3) -> None:
    """An index of files 1 to `files`, each linked to the one before it, the first to the last."""
    with IndexWriter(path) as writer, writer.rebuild(LAYERS) as transaction:
        for file in range(1, files + 1):
            transaction.add_file(sample_file(file))
        for file in range(1, files + 1):
            transaction.set_links(sample_links(file, file - 1 or files))


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table but meta, words in place of their numbers, to compare two indexes."""
    import sqlite3
    from contextlib import closing

    tables = (
        "files", "symbols", "decorators", "bases", "imports", "calls", "edges", "refs", "constants",
        "environment_reads", "comments", "handlings", "entry_points", "fingerprints", "file_facts", "overrides", "constructs", "elements", "markup_bindings", "call_details", "fields", "guards", "members", "setting_reads",
    )  # fmt: skip
    with closing(sqlite3.connect(path)) as connection:
        words = dict(connection.execute("SELECT id, text FROM words"))
        dumped = {table: list(connection.execute(f"SELECT * FROM {table}")) for table in tables}
    # The last column of a file is which state of the index it was put in for.
    dumped["files"] = [row[:-1] for row in dumped["files"]]
    for table, columns in WORD_COLUMNS.items():
        dumped[table] = [
            tuple(words[v] if n in columns and v is not None else v for n, v in enumerate(row))
            for row in dumped[table]
        ]
    return {table: sorted(rows, key=repr) for table, rows in dumped.items()}


def searched(path: Path, query: str) -> list[str]:
    with IndexReader(path) as reader:
        return [hit.symbol.qualname for hit in reader.symbols.search(query)]
