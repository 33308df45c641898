"""Texts that ask a database or an API for something: they are kept longer than other texts."""

import re
from typing import Final

MOST_QUERY_CHARACTERS: Final = 4_000

_SQL: Final = re.compile(
    r"\s{0,200}(?:--[^\n]{0,200}\n\s{0,200}){0,5}\(?\s{0,20}(?:"
    r"SELECT\s(?=.{0,2000}?\bFROM\b)"
    r"|WITH\s(?=.{0,200}?\bAS\s{0,20}(?:NOT\s{1,20})?(?:MATERIALIZED\s{1,20})?\()"
    r"|INSERT\s{1,20}(?:OR\s{1,20}\w{1,20}\s{1,20}|IGNORE\s{1,20})?INTO\s|REPLACE\s{1,20}INTO\s|MERGE\s{1,20}INTO\s"
    r"|UPDATE\s(?=.{0,400}?\bSET\s)|DELETE\s{1,20}FROM\s|TRUNCATE\s{1,20}TABLE\s"
    r"|(?:CREATE|ALTER|DROP)\s{1,20}(?:(?:OR|REPLACE|TEMP|TEMPORARY|UNIQUE|MATERIALIZED|VIRTUAL)\s{1,20}){0,3}"
    r"(?:TABLE|VIEW|INDEX|FUNCTION|PROCEDURE|TRIGGER|TYPE|SCHEMA|SEQUENCE|DATABASE|EXTENSION|POLICY)\s)",
    re.IGNORECASE | re.DOTALL,
)
_GRAPHQL: Final = re.compile(
    r"\s{0,200}(?:#[^\n]{0,200}\n\s{0,200}){0,5}(?:query|mutation|subscription|fragment)\b[^{]{0,1000}\{"
)


def kept_query(text: str) -> str | None:
    """A query without the secrets in it, at most 4,000 characters; None for any other text."""
    if _SQL.match(text) is None and _GRAPHQL.match(text) is None:
        return None
    from drift.kernel.redaction import redact  # long to load, and few files have a long query

    return redact(text[:MOST_QUERY_CHARACTERS]).text[:MOST_QUERY_CHARACTERS]
