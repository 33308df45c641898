"""What each language knows of names outside, as `outside.toml` has it. Only projects with the language pay for reading it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from drift.scan.link.outside_names import OutsideNames


@cache
def outside_names(language: str, closed: Iterable[str] = ()) -> OutsideNames:
    """What a language knows of names outside; `closed` adds packages that know nothing of others."""
    rows = _rows().get(language)
    if rows is None:
        return OutsideNames()
    held = {
        f"{owner}.{name}" if owner else name: kind
        for row in rows.get("held", ())
        for owner in row["of"]
        for name, kind in row.items()
        if name != "of"
    }
    return OutsideNames(
        is_closed=rows.get("is_closed", False),
        has_capital_types=rows["has_capital_types"],
        closed=tuple(f"{name}." for name in (*closed, *rows["closed"])),
        opened=tuple(f"{name}." for name in rows["opened"]),
        held=held,
        extended=tuple(f"{name}." for name in rows.get("extended", ())),
        own_members=frozenset(rows.get("own_members", ())),
        extensions=_extensions(rows.get("extension", ())),
    )


def _extensions(rows: Iterable[dict[str, Any]]) -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for row in rows:
        for name in row["names"]:
            found[name] = (*found.get(name, ()), (row["space"], row["of"]))
    return found


@cache
def bare_names(language: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """What frameworks give code by bare names: of each name the folders of such code with whose it is there."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for row in _rows().get(language, {}).get("bare", ()):
        for name in row["names"]:
            found[name] = (*found.get(name, ()), *((folder, row["of"]) for folder in row["folders"]))
    return found


@cache
def _rows() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("outside.toml").read_text("utf-8"))
