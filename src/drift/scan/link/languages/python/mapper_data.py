"""What is known of object-relational mappers: `models.toml`, read once."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from drift.languages.facts import Symbol


class Mapper(NamedTuple):
    """What is known of mappers, as the data has it."""

    models: tuple[str, ...]
    packages: tuple[str, ...]
    managers: frozenset[str]
    sets: tuple[str, ...]
    kind: str
    element: frozenset[str]
    same: frozenset[str]
    paired: frozenset[str]
    other: frozenset[str]
    fetching: frozenset[str]
    listing: frozenset[str]
    views: dict[str, tuple[dict[str, str], ...]]
    home: dict[str, str]
    user_models: frozenset[str]
    user_parents: tuple[str, ...]

    @property
    def methods(self) -> frozenset[str]:
        """All methods of managers and query sets."""
        return self.element | self.same | self.paired | self.other


@cache
def mapper() -> Mapper:
    rows: dict[str, Any] = tomllib.loads(files(__package__).joinpath("models.toml").read_text("utf-8"))
    views: dict[str, tuple[dict[str, str], ...]] = {}
    for row in rows["views"]:
        views[row["method"]] = (*views.get(row["method"], ()), row)
    return Mapper(
        models=tuple(rows["models"]),
        packages=tuple(f"{name}." for name in rows["packages"]),
        managers=frozenset(rows["managers"]),
        sets=tuple(rows["sets"]),
        kind=rows["kind"],
        element=frozenset(rows["element"]),
        same=frozenset(rows["same"]),
        paired=frozenset(rows["paired"]),
        other=frozenset(rows["other"]),
        fetching=frozenset(rows["fetching"]),
        listing=frozenset(rows["listing"]),
        views=views,
        home=rows["home"],
        user_models=frozenset(rows["user_models"]),
        user_parents=tuple(rows["user_parents"]),
    )


def is_user_model(symbol: Symbol) -> bool:
    """Whether a class names one of those among its parents that classes of users descend from."""
    return any(base.text.endswith(mapper().user_parents) for base in symbol.bases)
