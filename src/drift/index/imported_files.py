"""Which files of a project run which others when they are imported."""

from typing import Final

# TypeScript leaves out at run time what is imported and named in types alone, whether the import says so or not. A class
# stays: a decorator beside it may keep it.
_TYPE_USE: Final = "(SELECT words.id FROM words WHERE words.text = 'type')"
IMPORTED: Final = f"""
    WITH named AS MATERIALIZED (
        SELECT DISTINCT refs.symbol_id >> 16 AS file_id, refs.target_symbol_id AS target_id
        FROM refs JOIN files ON files.id = refs.symbol_id >> 16 AND files.language = 'typescript'
        JOIN symbols ON symbols.id = refs.target_symbol_id AND symbols.kind IN ('function', 'constant', 'variable')
        WHERE refs.kind = {_TYPE_USE} AND refs.symbol_id >> 16 <> refs.target_symbol_id >> 16
    ), erased AS MATERIALIZED (
        SELECT file_id, target_id FROM named WHERE NOT EXISTS (
            SELECT 1 FROM refs WHERE target_symbol_id = target_id AND refs.symbol_id >> 16 = file_id
                AND refs.kind <> {_TYPE_USE}
        ) AND NOT EXISTS (
            SELECT 1 FROM edges WHERE callee_id = target_id
                AND caller_id BETWEEN file_id << 16 AND (file_id << 16) + 65535
        )
    )
    SELECT DISTINCT imports.symbol_id, imports.target_file_id FROM imports
    JOIN files ON files.id = imports.symbol_id >> 16
    LEFT JOIN symbols ON symbols.id = imports.target_symbol_id
    WHERE imports.target_file_id IS NOT NULL AND imports.is_type_only = 0 AND NOT (
        files.language = 'typescript' AND imports.is_reexport = 0 AND imports.target_symbol_id IS NOT NULL
        AND (symbols.kind IN ('interface', 'type')
            OR (imports.symbol_id >> 16, imports.target_symbol_id) IN (SELECT file_id, target_id FROM erased))
    )
"""  # noqa: S608 - our own names
