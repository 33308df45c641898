"""What stands around declared code: variables of the environment, comments, constructs, documents."""

from collections.abc import Iterable
from typing import Final

from drift.conventions.finders.form import Finder, Source, fits_one, is_one
from drift.index.site_queries import Run
from drift.index.site_records import SiteConstruct

_CODE: Final = frozenset({"function", "method", "constructor"})


def _constructs(source: Source, run: Run) -> Iterable[SiteConstruct]:
    kinds = {kind for rule in source.rules for kind in rule.where.get("kinds", ())}
    return source.sites.constructs(run, kinds)


ENVIRONMENT: Final = Finder(
    rows=lambda source, run: source.sites.reads(run),
    texts={
        "name": lambda row: row.name,
        "prefix": lambda row: row.name.partition("_")[0],
        "default": lambda row: "without" if row.default is None else "with",
        "where": lambda row: "function" if row.scope_kind in _CODE else "module",
    },
    tests={"names": fits_one(lambda row: row.name)},
)

COMMENTS: Final = Finder(
    rows=lambda source, run: source.sites.comments(run),
    texts={"text": lambda row: row.text.strip()},
    tests={"texts": fits_one(lambda row: row.text.strip())},
)

CONSTRUCTS: Final = Finder(
    rows=_constructs,
    kind_of=lambda row: str(row.kind),
    texts={"kind": lambda row: row.kind, "detail": lambda row: row.detail or ""},
    tests={"details": fits_one(lambda row: row.detail)},
)

DOCUMENTS: Final = Finder(
    rows=lambda source, run: source.sites.items(run),
    texts={
        "name": lambda row: row.name,
        "type": lambda row: row.type or "",
        "path": lambda row: row.path,
        "method": lambda row: row.method,
        "owner": lambda row: row.owner or "",
    },
    tests={"documents": is_one(lambda row: row.document), "items": is_one(lambda row: row.kind)},
)
