"""The dimensions that Drift brings: every TOML file in the folders of this room, one folder for each category."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from drift.dimensions.form import CATEGORIES, Dimension
from drift.dimensions.reading import DimensionError, read_dimension


@cache
def shipped_dimensions() -> Mapping[str, Dimension]:
    """All dimensions by id, sorted."""
    found: dict[str, Dimension] = {}
    for category in CATEGORIES:
        folder = files("drift.dimensions").joinpath(category)
        if not folder.is_dir():
            continue
        for path in sorted(folder.iterdir(), key=lambda each: each.name):
            if path.name.endswith(".toml"):
                id_ = f"{category}/{path.name.removesuffix('.toml')}"
                found[id_] = _read(folder.joinpath(path.name).read_text(encoding="utf-8"), id_)
    return dict(sorted(found.items()))


def _read(text: str, id_: str) -> Dimension:
    try:
        return read_dimension(text, name=id_)
    except DimensionError as error:
        raise DimensionError(f"dimensions/{id_}.toml: {error}") from error
