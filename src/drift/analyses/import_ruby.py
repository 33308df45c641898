"""Imports in Ruby: nothing where constants are loaded by their names, else `require` as the files around write it."""

import posixpath
from typing import Final

from drift.analyses.import_choice import Choice
from drift.analyses.import_forms import PlainImport, Statement, Written
from drift.analyses.import_surroundings import Surroundings
from drift.analyses.import_votes import elect, say
from drift.analyses.source_text import read_lines
from drift.index import IndexReader
from drift.index.ids import file_of_symbol

_COMPUTED: Final = 0.7
_RAILS: Final = ("config/application.rb", "config/environment.rb")
_LIBRARY: Final = "lib/"
_MOST_LINES: Final = 500
_EAGER: Final = ("autoload_lib", "autoload_paths", "eager_load_paths")


def write_ruby(reader: IndexReader, around: Surroundings, choice: Choice) -> Written | str:
    """`require "shop/cart"`, `require_relative "cart"`."""
    symbol = choice.symbol
    whole = choice.member or symbol.qualname
    use_as = whole.replace(".", "::") if "." in whole else None
    if symbol.path == around.path:
        return Written(None, "declared in this file", 1.0, use_as)
    home = _loaded_from(reader, around, symbol.path)
    if home is not None:
        return Written(None, f"Rails loads it from {home} by its name", 1.0, use_as)
    file = file_of_symbol(symbol.id)
    known = next((one for one in around.own if one.target_file_id == file), None)
    if known is not None:
        return Written(None, f"{known.module} is required already on line {known.line}", 1.0, use_as)
    required = [one for one in reader.facts.importers_of_file(file) if one.path != symbol.path]
    seen = elect(
        required, lambda one: None if one.module.startswith(".") else one.module, folder=around.folder
    )
    if seen is not None:
        module, vote = seen
        reason = say(vote, "files that require it write so")
        return Written(Statement(PlainImport(f'require "{module}"'), symbol.name), reason, vote.share, use_as)
    inner = _in_library(symbol.path)
    if inner is not None and not around.path.startswith(_LIBRARY):
        reason = f"from its place below {_LIBRARY}"
        return Written(Statement(PlainImport(f'require "{inner}"'), symbol.name), reason, _COMPUTED, use_as)
    path = posixpath.relpath(symbol.path.removesuffix(".rb"), around.folder or ".")
    reason = "no file requires it by a path that fits here; from its place"
    return Written(
        Statement(PlainImport(f'require_relative "{path}"'), symbol.name), reason, _COMPUTED, use_as
    )


def _loaded_from(reader: IndexReader, around: Surroundings, path: str) -> str | None:
    """The folder from which a loader takes the file without being asked, `app/models`."""
    parts = path.split("/")
    settings = next((one for one in _RAILS if reader.files.at(one) is not None), None)
    if settings is None or path.startswith(("spec/", "test/")):
        return None
    if "app" in parts[:-2]:
        at = parts.index("app")
        return "/".join(parts[: at + 2])
    if path.startswith(_LIBRARY):
        text = "\n".join(read_lines(around.root, settings, first=1, count=_MOST_LINES))
        return "lib" if any(word in text for word in _EAGER) and "lib" in text else None
    return None


def _in_library(path: str) -> str | None:
    return path.removeprefix(_LIBRARY).removesuffix(".rb") if path.startswith(_LIBRARY) else None
