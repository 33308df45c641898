"""The engines that run pages, and how each writes expressions: engines.toml."""

import re
import tomllib
from functools import cache, lru_cache
from importlib import resources
from typing import Final, NamedTuple

_HEAD: Final = 200_000  # bytes that are looked through for signs of an engine


class Hole(NamedTuple):
    """What opens an expression, and what closes it."""

    opening: bytes
    closing: bytes


class Engine(NamedTuple):
    """How pages of one engine name what the code has; `languages` is None for any."""

    name: str
    endings: tuple[str, ...]
    signs: tuple[bytes, ...]
    languages: frozenset[str] | None
    holes: tuple[Hole, ...]
    blocks: tuple[Hole, ...]
    comments: tuple[Hole, ...]
    attributes: tuple[bytes, ...]
    sigils: tuple[bytes, ...]
    directives: tuple[bytes, ...]
    hides: bytes
    has_bare_members: bool
    has_lines_of_code: bool
    binding: tuple[bytes, ...]
    has_components: bool


class _Table(NamedTuple):
    engines: tuple[Engine, ...]
    open_endings: tuple[str, ...]
    other_words: tuple[bytes, ...]
    other_paths: re.Pattern[str]


@cache
def _table() -> _Table:
    table = tomllib.loads((resources.files("drift.analyses.usages") / "engines.toml").read_text("utf-8"))

    def holes(row: dict[str, list[list[str]]], key: str) -> tuple[Hole, ...]:
        return tuple(Hole(opening.encode(), closing.encode()) for opening, closing in row.get(key, ()))

    engines = tuple(
        Engine(
            row["name"],
            tuple(row.get("endings", ())),
            tuple(each.encode() for each in row.get("signs", ())),
            frozenset(row["languages"]) if "languages" in row else None,
            holes(row, "holes"),
            holes(row, "blocks"),
            holes(row, "comments"),
            tuple(each.encode() for each in row.get("attributes", ())),
            tuple(each.encode() for each in row.get("sigils", ())),
            tuple(each.encode() for each in row.get("directives", ())),
            row.get("hides", "").encode(),
            row.get("bare") == "members",
            row.get("lines", False),
            tuple(each.encode() for each in row.get("binding", ())),
            row.get("components", False),
        )
        for row in table["engine"]
    )
    others = table["others"]
    words = tuple(each.encode() for each in others["words"])
    return _Table(engines, tuple(table["open"]), words, re.compile("|".join(others["paths"])))


@lru_cache(maxsize=64)
def engines_of(path: str, content: bytes) -> tuple[Engine, ...] | None:
    """The engines that a page is run by, as far as its name and its signs tell; none for a page without expressions.

    None for a page that a tool of its own fills, as charts and skeletons are: its words are none of the project's code.

    Two engines do not share what opens an expression: the first that shows has it.
    """
    name = path.rpartition("/")[2].lower()
    table, head = _table(), content[:_HEAD]
    if table.other_paths.search(path.lower()) or any(word in head for word in table.other_words):
        return None
    by_name = next((one for one in table.engines if name.endswith(one.endings or ("\0",))), None)
    found = [by_name] if by_name is not None and not name.endswith(table.open_endings) else []
    taken = {hole for one in found for hole in (*one.holes, *one.blocks)}
    is_open = not found
    for one in table.engines:
        if one in found or not any(sign in head for sign in one.signs):
            continue
        if not is_open and not one.attributes:
            continue  # the ending names the engine; in the browser another may run what is left
        free = one._replace(
            holes=tuple(hole for hole in one.holes if is_open and hole not in taken),
            blocks=tuple(hole for hole in one.blocks if is_open and hole not in taken),
        )
        if free.holes or free.blocks or free.attributes:
            found.append(free)
            taken |= {*free.holes, *free.blocks}
    return tuple(found)
