"""Which files are documents, and of which kind: by their names, as kinds.toml has them."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple


class DocumentKind(NamedTuple):
    """A kind of documents, and the module that reads them."""

    name: str
    reader: str


_PREFIX: Final = re.compile(r"(?:\$\{[\w.-]{1,100}:)?(/?[\w.~-]{1,100}(?:/[\w.~-]{1,100}){0,8})/?\}?")


class _Rule(NamedTuple):
    kind: DocumentKind
    folders: tuple[str, ...]


_Form = tuple[str, str, str]
"""A name as it is before its star, the star if there is one, and what follows."""


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


def route_prefix(setting: str, value: str) -> tuple[str, str] | None:
    """The path that a setting puts before all routes, and where among such paths; None for any other setting."""
    place = _prefixes().get(setting)
    found = _PREFIX.fullmatch(value.strip().strip("\"'")) if place is not None else None
    return (found[1], place) if found is not None and place is not None else None


@cache
def _prefixes() -> dict[str, str]:
    table = tomllib.loads(files("drift.documents").joinpath("kinds.toml").read_text("utf-8"))[
        "route_prefixes"
    ]
    return {name: place for place, names in table.items() for name in names}


@cache
def _rules_for(name: str) -> tuple[_Rule, ...]:
    lowered = name.lower()
    endings, rules = _rules()
    if not lowered.endswith(endings):  # nearly all files are told by this alone
        return ()
    return tuple(rule for forms, rule in rules if any(_fits(lowered, form) for form in forms))


def _fits(name: str, form: _Form) -> bool:
    head, star, tail = form
    if not star:
        return name == head
    return len(name) >= len(head) + len(tail) and name.startswith(head) and name.endswith(tail)


@cache
def _rules() -> tuple[tuple[str, ...], tuple[tuple[tuple[_Form, ...], _Rule], ...]]:
    """All endings that a document can have, and the rules with their names taken apart at the star."""
    rows = tomllib.loads(files("drift.documents").joinpath("kinds.toml").read_text("utf-8"))["kind"]
    found = []
    for row in rows:
        written = (*row.get("names", ()), *row.get("patterns", ()))
        if any(each.count("*") > 1 for each in written):
            raise ValueError(f"kinds.toml: {row['name']} has a pattern with more than one star")
        kind = DocumentKind(row["name"], row["reader"])
        forms = tuple(each.partition("*") for each in written)
        found.append((forms, _Rule(kind, tuple(row.get("folders", ())))))
    endings = {tail if star else head for forms, _ in found for head, star, tail in forms}
    return tuple(endings), tuple(found)
