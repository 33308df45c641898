"""Under which names texts that are no code speak of a symbol: its own, those of its accessors, and its name in full."""

import re
import string
import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from drift.index import SymbolRecord
from drift.languages.kinds import TYPE_KINDS

_MEMBERS: Final = frozenset({"method", "property", "field"})
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_STEPS: Final = re.compile(r"[.\\:/#$]++")
_CHAIN: Final = (string.ascii_letters + string.digits + "_.\\:/#$").encode()
_LONGEST_CHAIN: Final = 300
_FEW: Final = 2  # parts of a name: many keys of settings have as many
_INNER_FILES: Final = frozenset({"__init__", "index", "mod"})


class _Accessor(NamedTuple):
    languages: frozenset[str]
    before: str
    after: str
    form: str


@cache
def _accessors() -> tuple[_Accessor, ...]:
    table = tomllib.loads((resources.files("drift.analyses.usages") / "spoken.toml").read_text("utf-8"))
    return tuple(
        _Accessor(frozenset(one["languages"]), one.get("before", ""), one.get("after", ""), one["form"])
        for one in table["accessor"]
    )


@cache
def _hidden() -> frozenset[str]:
    table = tomllib.loads((resources.files("drift.analyses.usages") / "spoken.toml").read_text("utf-8"))
    return frozenset(table["hidden"]["languages"])


@cache
def _setting() -> dict[str, str]:
    table = tomllib.loads((resources.files("drift.analyses.usages") / "spoken.toml").read_text("utf-8"))
    return dict(table["setting"])


def is_setter(symbol: SymbolRecord) -> bool:
    """Whether a method runs only where a page sets a member: in a field of a form."""
    before = _setting().get(symbol.language or "")
    return before is not None and symbol.kind == "method" and symbol.name.startswith(before)


def is_hidden(symbol: SymbolRecord, path: str) -> bool:
    """Whether a page cannot name a member, because only its class can; a page beside the class is a part of it."""
    if symbol.visibility != "private" or symbol.language not in _hidden():
        return False
    return _stem(symbol.path) != _stem(path)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def spoken_names(symbol: SymbolRecord) -> Iterator[str]:
    """The words by which an expression of a page may mean the symbol."""
    yield symbol.name
    if symbol.kind not in _MEMBERS:
        return
    for one in _accessors():
        if symbol.language not in one.languages:
            continue
        said = symbol.name.removeprefix(one.before).removesuffix(one.after)
        if len(said) + len(one.before) + len(one.after) != len(symbol.name) or not said:
            continue
        if one.before and not said[0].isupper():
            continue
        spoken = _HUMP.sub("_", said).lower() if one.form == "snake" else f"{said[0].lower()}{said[1:]}"
        if spoken != symbol.name:
            yield spoken


def full_names(symbol: SymbolRecord, package: str | None) -> Iterator[tuple[str, ...]]:
    """The parts of the names that lead to the symbol from outside its file: by its package, and by its path."""
    inside = tuple(symbol.qualname.split("."))
    if package:
        yield (*(each for each in _STEPS.split(package) if each), *inside)
    folders, _, file = symbol.path.rpartition("/")
    stem = file.partition(".")[0]
    steps = tuple(each for each in folders.split("/") if each)
    yield (*steps, *inside) if stem in _INNER_FILES else (*steps, stem, *inside)


def names_in_full(content: bytes, end: int, symbol: SymbolRecord, names: Collection[tuple[str, ...]]) -> bool:
    """Whether the word that ends at a byte closes one of these names of the symbol, far enough that nothing else has it.

    `shop.cli:main` and `cli:main` are `main` of `src/shop/cli.py`; `cli.main` may be a key of anything.
    """
    window = content[max(end - _LONGEST_CHAIN, 0) : end]
    chain = window[len(window.rstrip(_CHAIN)) :].decode("utf-8", "replace")
    written = tuple(each for each in _STEPS.split(chain) if each)
    is_telling = len(written) > _FEW or symbol.kind in TYPE_KINDS or ":" in chain
    return is_telling and len(written) > 1 and any(name[-len(written) :] == written for name in names)
