"""Which files are documents, and of which kind: by their names, as kinds.toml has them."""

import re
import tomllib
from fnmatch import translate
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class DocumentKind(NamedTuple):
    """A kind of documents, and the module that reads them."""

    name: str
    reader: str


class _Rule(NamedTuple):
    kind: DocumentKind
    folders: tuple[str, ...]


def document_kind(directory: str, name: str) -> DocumentKind | None:
    """The kind of the document with a name in a directory; None for any other file."""
    rules = _rules_for(name)
    if not rules:
        return None
    around = f"/{directory.lower()}/"
    for kind, folders in rules:
        if not folders or any(f"/{folder}/" in around for folder in folders):
            return kind
    return None


@cache
def _rules_for(name: str) -> tuple[_Rule, ...]:
    lowered = name.lower()
    return tuple(rule for pattern, rule in _rules() if pattern.match(lowered))


@cache
def _rules() -> tuple[tuple[re.Pattern[str], _Rule], ...]:
    rows = tomllib.loads(files("drift.documents").joinpath("kinds.toml").read_text("utf-8"))["kind"]
    found = []
    for row in rows:
        globs = [*map(re.escape, row.get("names", ())), *map(translate, row.get("patterns", ()))]
        whole = "|".join(f"(?:{glob})\\Z" for glob in globs)
        kind = DocumentKind(row["name"], row["reader"])
        found.append((re.compile(whole), _Rule(kind, tuple(row.get("folders", ())))))
    return tuple(found)
