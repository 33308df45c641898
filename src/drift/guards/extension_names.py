"""Methods that a project adds to types outside, by their names."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from drift.analyses.index_cache import PerState
from drift.guards.slips import is_slip
from drift.index import IndexReader
from drift.kernel.similar import similar_names
from drift.kernel.words import split_words

_OF_PACKAGES: Final = frozenset(
    {"add", "use", "map", "with", "configure", "where", "order", "select", "has", "is", "on"}
)
"""Verbs that packages begin whole families of methods with: AddSwagger, AddSwaggerGen."""
_SAME: Final = (
    frozenset({"to", "as", "into"}),
    frozenset({"get", "fetch", "load", "read", "find", "search"}),
    frozenset({"create", "make", "build", "new"}),
    frozenset({"remove", "delete", "clear", "drop"}),
    frozenset({"append", "add", "insert", "register"}),
    frozenset({"parse", "decode", "write", "save", "store", "serialize"}),
)
"""Verbs that are taken for each other."""
_SAID_ENOUGH: Final = 2  # words, with the verb
_BEGINNING: Final = 2  # letters that a name shares with one that differs in a letter behind them

_by_sign: Final = PerState[Mapping[str, tuple[str, ...]]]()


def nearest_extension(reader: IndexReader, name: str) -> str | None:
    """The added method that somebody may have meant who wrote a name that nothing is known of."""
    known = _by_sign.get(reader, lambda: _signs(reader))
    alike = {each for sign in _signs_of(name) for each in known.get(sign, ()) if may_mean(name, each)}
    return next(iter(similar_names(name, alike, 1)), min(alike, default=None))


def is_extension(reader: IndexReader, name: str) -> bool:
    """Whether the project adds a method of that name to types outside."""
    return name in _by_sign.get(reader, lambda: _signs(reader)).get(f"{name[:_BEGINNING].lower()}…", ())


def may_mean(name: str, known: str) -> bool:
    """Whether a name is a slip of a method, and not one that comes with a package: those share words, too."""
    words, others = split_words(name), split_words(known)
    if name == known or not is_slip(name, known):
        return False
    if len(words) != len(others):
        # A package has hardly a method that begins with all the words of one of the project.
        is_own = len(others) > _SAID_ENOUGH and words[: len(others)] == others
        return (is_own or words[0] not in _OF_PACKAGES) and "async" not in {*words} ^ {*others}
    if words[0] == others[0] or words[1:] != others[1:]:
        return True
    # Another verb: one that means the same, or before words that say enough.
    is_same = any({words[0], others[0]} <= each for each in _SAME)
    return words[0] not in _OF_PACKAGES and (is_same or len(words) > _SAID_ENOUGH)


def _signs(reader: IndexReader) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name in reader.symbols.names_with("method", "extension"):
        for sign in _signs_of(name):
            found[sign].append(name)
    return {sign: tuple(names) for sign, names in found.items()}


def _signs_of(name: str) -> set[str]:
    """What a slip has in common with what was meant: the words behind its verb, or how it begins."""
    return {" ".join(split_words(name)[1:]) or name.lower(), f"{name[:_BEGINNING].lower()}…"}
