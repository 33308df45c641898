"""Imports, one for each line and module."""

from collections.abc import Iterator
from typing import Final

from drift.conventions.finders.form import Finder, Source, fits_none, fits_one, is_one, is_true
from drift.index.site_queries import Run
from drift.index.site_records import SiteImport

_RELATIVE: Final = ("./", "../", ".\\", "super::", "self::")


def _rows(source: Source, run: Run) -> Iterator[SiteImport]:
    seen: tuple[int, int, str] | None = None
    for row in source.sites.imports(run):
        key = (row.file_id, row.line, row.module)
        if key != seen:
            yield row
        seen = key


def _form(row: SiteImport) -> str:
    if row.name == "*":
        return "star"
    if row.alias and row.name is not None and row.name not in {row.alias, "default"}:
        return "alias"
    return "module" if row.name is None else "names"


def _style(row: SiteImport) -> str:
    if row.module in {".", ".."} or row.module.startswith(_RELATIVE):
        return "relative"
    # Python writes `.models`; a package of npm may begin with a dot only before a slash.
    return "relative" if row.module.startswith(".") else "absolute"


def _depth(row: SiteImport) -> str | None:
    if _style(row) == "absolute":
        return None
    if "/" in row.module or row.module in {".", ".."}:
        return str(row.module.split("/").count(".."))
    if "::" in row.module:
        return str(row.module.split("::").count("super"))
    return str(len(row.module) - len(row.module.lstrip(".")) - 1)


IMPORTS: Final = Finder(
    rows=_rows,
    texts={
        "module": lambda row: row.module,
        "package": lambda row: row.package,
        "form": _form,
        "style": _style,
        "depth": _depth,
        "alias": lambda row: row.alias if row.alias != row.name and row.alias else "",
        "name": lambda row: row.name or "",
    },
    tests={
        "modules": fits_one(lambda row: row.module),
        "not_names": fits_none(lambda row: row.name),
        "packages": fits_one(lambda row: row.package),
        "not_packages": fits_none(lambda row: row.package),
        "origin": is_one(lambda row: "outside" if row.is_external else "inside" if row.target_file else ""),
        "forms": is_one(_form),
        "reexport": is_true(lambda row: row.is_reexport),
        "type_only": is_true(lambda row: row.is_type_only),
    },
)
