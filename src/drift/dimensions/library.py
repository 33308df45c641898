"""The dimensions that Drift brings: every TOML file in the folders of this room, one folder for each category."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from drift.dimensions.form import CATEGORIES, Dimension
from drift.dimensions.reading import DimensionError, read_dimension


@cache
def shipped_dimensions() -> Mapping[str, Dimension]:
    """All dimensions by id, sorted."""
    return {id_: _read(id_) for id_ in _texts()}


def queried_dimensions(language: str) -> tuple[Dimension, ...]:
    """Those with a query for a language, the others unread: a worker that starts looks for these alone."""
    named = [id_ for id_, text in _texts().items() if "query = " in text and language in text]
    read = map(_read, named)
    return tuple(
        each for each in read if any(rule.query and language in rule.languages for rule in each.sites)
    )


@cache
def _texts() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for category in CATEGORIES:
        folder = files("drift.dimensions").joinpath(category)
        for path in folder.iterdir() if folder.is_dir() else ():
            if path.name.endswith(".toml"):
                id_ = f"{category}/{path.name.removesuffix('.toml')}"
                found[id_] = folder.joinpath(path.name).read_text(encoding="utf-8")
    return dict(sorted(found.items()))


@cache
def _read(id_: str) -> Dimension:
    try:
        return read_dimension(_texts()[id_], name=id_)
    except DimensionError as error:
        raise DimensionError(f"dimensions/{id_}.toml: {error}") from error
