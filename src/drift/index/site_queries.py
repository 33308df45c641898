"""What conventions are mined from: sites that scans noted, and facts in bulk that finders look through.

Every question is about a run of files, from the first to the last id, so that one asked after an edit reads one file.
"""

import json
from collections.abc import Iterable
from typing import Any, Final, cast

from drift.index.link_words import word_text
from drift.index.selection import Selection, as_list
from drift.index.site_records import (
    NotedSite,
    SiteBase,
    SiteCall,
    SiteClass,
    SiteComment,
    SiteConstant,
    SiteConstruct,
    SiteDecorator,
    SiteEntry,
    SiteField,
    SiteFile,
    SiteHandling,
    SiteImport,
    SiteItem,
    SiteRead,
    SiteSymbol,
    SiteTop,
)

Run = tuple[int, int]
"""The first and the last of some files that follow each other."""
WHOLE: Final[Run] = (0, (1 << 40) - 1)

_FILES: Final = "SELECT id, path, language, role, generation, coalesce(code_lines, 0) FROM files"
_SITES: Final = f"""
    SELECT file_id, line, end_line, {word_text("dimension")}, {word_text("variant")} FROM sites
    WHERE file_id BETWEEN ? AND ? ORDER BY file_id, position
"""  # noqa: S608 - our own names
_IN_RUN: Final = "BETWEEN ?1 << 16 AND (?2 << 16) + 65535"
_CALLS_IN_RUN: Final = "BETWEEN ?1 << 20 AND (?2 << 20) + 1048575"
_SYMBOLS: Final = f"""
    SELECT symbols.file_id, symbols.line, symbols.end_line, symbols.id, symbols.kind, symbols.name,
        symbols.visibility, symbols.modifiers, symbols.doc, symbols.return_text, symbols.signature, symbols.parameters,
        parents.kind, parents.name
    FROM symbols LEFT JOIN symbols AS parents ON parents.id = symbols.parent_id
    WHERE symbols.id {_IN_RUN} AND symbols.kind <> 'module'
"""  # noqa: S608 - our own names
_CLASSES: Final = f"""
    SELECT file_id, line, end_line, id, kind, name, modifiers FROM symbols
    WHERE kind IN ('class', 'struct', 'interface', 'trait', 'enum', 'type') AND id {_IN_RUN} ORDER BY id
"""  # noqa: S608 - our own names
_BASES: Final = f"""
    SELECT symbol_id, text, kind, target_symbol_id, external_name FROM bases
    WHERE symbol_id {_IN_RUN} ORDER BY symbol_id, position
"""  # noqa: S608 - our own names
_CLASSES_OF: Final = """
    SELECT file_id, line, end_line, id, kind, name, modifiers FROM symbols
    WHERE id IN (SELECT value FROM json_each(?))
"""
_BASES_OF: Final = """
    SELECT symbol_id, text, kind, target_symbol_id, external_name FROM bases
    WHERE symbol_id IN (SELECT value FROM json_each(?)) ORDER BY symbol_id, position
"""
_DECORATED_CLASSES: Final = f"""
    SELECT decorators.symbol_id, decorators.name FROM decorators CROSS JOIN symbols ON symbols.id = decorators.symbol_id
    WHERE decorators.symbol_id {_IN_RUN} AND symbols.kind IN ('class', 'struct', 'interface', 'trait', 'enum', 'type')
"""  # noqa: S608 - our own names
_FILES_BELOW: Final = """
    WITH RECURSIVE below (id) AS (
        SELECT id FROM symbols WHERE file_id IN (SELECT value FROM json_each(?))
            AND kind IN ('class', 'struct', 'interface', 'trait', 'enum', 'type')
        UNION SELECT bases.symbol_id FROM below JOIN bases ON bases.target_symbol_id = below.id
    )
    SELECT DISTINCT id >> 16 FROM below
"""
_CALL_WORDS: Final = f"""
    SELECT id, text FROM words WHERE id IN (
        SELECT external_name FROM calls WHERE id {_CALLS_IN_RUN} AND external_name IS NOT NULL
        UNION SELECT text FROM calls WHERE id {_CALLS_IN_RUN}
    )
"""  # noqa: S608 - our own names
_CALLS: Final = f"""
    SELECT calls.id >> 20, calls.line, calls.line, calls.text, calls.external_name, {word_text("calls.kind")},
        calls.argument_count, coalesce(call_details.traits, 0), call_details.keyword, call_details.literal
    FROM calls LEFT JOIN call_details ON call_details.id = calls.id
    WHERE calls.id {_CALLS_IN_RUN} AND (calls.external_name IN (SELECT value FROM json_each(?3))
        OR (calls.external_name IS NULL AND calls.text IN (SELECT value FROM json_each(?3))))
    ORDER BY calls.id
"""  # noqa: S608 - our own names
_IMPORTS: Final = f"""
    SELECT symbol_id >> 16, line, line, module, name, alias, is_reexport, is_type_only, is_external, external_package,
        target_file_id
    FROM imports WHERE symbol_id {_IN_RUN} ORDER BY symbol_id >> 16, position
"""  # noqa: S608 - our own names
_DECORATORS: Final = f"""
    SELECT decorators.symbol_id >> 16, decorators.line, decorators.line, decorators.name, decorators.text, symbols.kind,
        symbols.name
    FROM decorators CROSS JOIN symbols ON symbols.id = decorators.symbol_id WHERE decorators.symbol_id {_IN_RUN}
"""  # noqa: S608 - our own names
_ENTRIES: Final = f"""
    SELECT entry_points.symbol_id >> 16, entry_points.line, entry_points.line, entry_points.kind, entry_points.detail,
        entry_points.method, symbols.name, symbols.doc, parents.kind
    FROM entry_points
    LEFT JOIN handlers USING (symbol_id, position)
    CROSS JOIN symbols ON symbols.id = coalesce(handlers.handler_id, entry_points.symbol_id)
    LEFT JOIN symbols AS parents ON parents.id = symbols.parent_id
    WHERE entry_points.symbol_id {_IN_RUN} ORDER BY entry_points.symbol_id >> 16, entry_points.position
"""  # noqa: S608 - our own names
_TOPS: Final = f"""
    SELECT symbols.file_id, symbols.kind, symbols.name, symbols.visibility, symbols.modifiers FROM symbols
    JOIN symbols AS parents ON parents.id = symbols.parent_id
    WHERE parents.kind IN ('module', 'namespace') AND symbols.id {_IN_RUN} ORDER BY symbols.id
"""  # noqa: S608 - our own names
_HANDLINGS: Final = f"""
    SELECT symbol_id >> 16, line, end_line, kind, types, is_empty, variable, traits FROM handlings
    WHERE symbol_id {_IN_RUN} ORDER BY symbol_id >> 16, position
"""  # noqa: S608 - our own names
_READS: Final = f"""
    SELECT environment_reads.symbol_id >> 16, environment_reads.line, environment_reads.line, environment_reads.name,
        environment_reads.default_text, symbols.kind
    FROM environment_reads CROSS JOIN symbols ON symbols.id = environment_reads.symbol_id
    WHERE environment_reads.symbol_id {_IN_RUN}
"""  # noqa: S608 - our own names
_COMMENTS: Final = "SELECT file_id, line, end_line, text FROM comments WHERE file_id BETWEEN ? AND ?"
_EXCUSES: Final = f"{_COMMENTS} AND instr(text, ?3)"
_CONSTRUCTS: Final = f"""
    SELECT symbol_id >> 16, line, end_line, kind, detail FROM constructs WHERE symbol_id {_IN_RUN}
        AND kind IN (SELECT value FROM json_each(?3))
"""  # noqa: S608 - our own names
_FIELDS: Final = f"""
    SELECT fields.symbol_id >> 16, symbols.line, symbols.end_line, symbols.name, fields.type, fields.is_optional,
        fields.wire_name, fields.column_name, parents.id, parents.name
    FROM fields CROSS JOIN symbols ON symbols.id = fields.symbol_id
    CROSS JOIN symbols AS parents ON parents.id = symbols.parent_id
    WHERE fields.symbol_id {_IN_RUN}
"""  # noqa: S608 - our own names
_CONSTANTS: Final = f"""
    SELECT symbol_id >> 16, line, line, kind, value, name FROM constants WHERE symbol_id {_IN_RUN}
"""  # noqa: S608 - our own names
_ITEMS: Final = """
    SELECT document_items.file_id, line, line, documents.kind, document_items.kind, name, owner, type, method, path
    FROM document_items JOIN documents USING (file_id) WHERE document_items.file_id BETWEEN ? AND ?
"""


class SiteQueries:
    """Facts in bulk, and the sites that the scan noted."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def files(self) -> list[SiteFile]:
        """Every file, with the state of the index that changed it last."""
        return list(map(SiteFile._make, self._selection.rows(_FILES)))

    def noted(self, run: Run = WHOLE) -> list[NotedSite]:
        """The sites of the run's files, in the order of the text."""
        return self._made(NotedSite, _SITES, run)

    def symbols(self, run: Run) -> list[SiteSymbol]:
        return self._made(SiteSymbol, _SYMBOLS, run)

    def classes(self, run: Run) -> list[SiteClass]:
        """The types of the run's files."""
        return self._made(SiteClass, _CLASSES, run)

    def bases(self, run: Run) -> list[SiteBase]:
        """The parents of these types."""
        return self._made(SiteBase, _BASES, run)

    def files_below(self, files: Iterable[int]) -> list[int]:
        """The files with types that descend from types of some files, these among them."""
        return [found for (found,) in self._selection.rows(_FILES_BELOW, (as_list(files),))]

    def classes_of(self, ids: Iterable[int]) -> list[SiteClass]:
        """Some types."""
        return list(map(SiteClass._make, self._selection.rows(_CLASSES_OF, (as_list(ids),))))

    def bases_of(self, ids: Iterable[int]) -> list[SiteBase]:
        """The parents of some types."""
        return list(map(SiteBase._make, self._selection.rows(_BASES_OF, (as_list(ids),))))

    def class_decorators(self, run: Run) -> list[tuple[int, str]]:
        """The decorators of the run's types, by symbol."""
        return cast("list[tuple[int, str]]", self._selection.rows(_DECORATED_CLASSES, run))

    def call_words(self, run: Run) -> list[tuple[int, str]]:
        """Whatever is called in the run's files, by word: full names of what is outside, all others as written."""
        return cast("list[tuple[int, str]]", self._selection.rows(_CALL_WORDS, run))

    def calls(self, run: Run, words: Iterable[int]) -> list[SiteCall]:
        """The calls of one of these words."""
        return list(map(SiteCall._make, self._selection.rows(_CALLS, (*run, as_list(words)))))

    def imports(self, run: Run) -> list[SiteImport]:
        return self._made(SiteImport, _IMPORTS, run)

    def decorators(self, run: Run) -> list[SiteDecorator]:
        return self._made(SiteDecorator, _DECORATORS, run)

    def entries(self, run: Run) -> list[SiteEntry]:
        return self._made(SiteEntry, _ENTRIES, run)

    def tops(self, run: Run) -> list[SiteTop]:
        """What stands at the top of the run's files."""
        return self._made(SiteTop, _TOPS, run)

    def handlings(self, run: Run) -> list[SiteHandling]:
        return self._made(SiteHandling, _HANDLINGS, run)

    def reads(self, run: Run) -> list[SiteRead]:
        return self._made(SiteRead, _READS, run)

    def comments(self, run: Run) -> list[SiteComment]:
        return self._made(SiteComment, _COMMENTS, run)

    def comments_with(self, run: Run, mark: str) -> list[SiteComment]:
        """The comments with a text in them."""
        return list(map(SiteComment._make, self._selection.rows(_EXCUSES, (*run, mark))))

    def constructs(self, run: Run, kinds: Iterable[str]) -> list[SiteConstruct]:
        """The constructs of some kinds."""
        rows = self._selection.rows(_CONSTRUCTS, (*run, json.dumps(sorted(kinds))))
        return list(map(SiteConstruct._make, rows))

    def fields(self, run: Run) -> list[SiteField]:
        return self._made(SiteField, _FIELDS, run)

    def constants(self, run: Run) -> list[SiteConstant]:
        return self._made(SiteConstant, _CONSTANTS, run)

    def items(self, run: Run) -> list[SiteItem]:
        return self._made(SiteItem, _ITEMS, run)

    def _made(self, record: Any, query: str, run: Run) -> list[Any]:
        return list(map(record._make, self._selection.rows(query, run)))
