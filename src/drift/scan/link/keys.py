"""Names for the pieces of facts that links are made of, short enough to keep by the thousand.

What linking a file reads is kept as such keys. A change of a file is a change of some keys, and only the files
that read one of those are linked again. Two pieces with one key cost a needless look, never a missed one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from zlib import crc32

GLOBAL_FUNCTIONS: Final = "\0functions"
"""The space of functions that every file of a project sees by their bare names."""

GLOBAL_VARIABLES: Final = "\0variables"
"""The space of variables that functions of any file of a PHP project may ask for."""


_PRESENCE: Final = 0x9E3779B9  # any number that tells the two kinds of keys apart


def _key(kind: str, *parts: str) -> int:
    return crc32("\0".join((kind, *parts)).encode("utf-8", "surrogatepass"))


def interface_key(path: str, symbol: str) -> int:
    """What a symbol shows of itself: kind, parameters, types, parents."""
    return _key("interface", path, symbol)


def name_key(path: str, scope: str, name: str) -> int:
    """What a name is given in a file, class or namespace."""
    return name_key_in(names_key(path, scope), name)


def names_key(path: str, scope: str) -> int:
    """The beginning that the keys of all names in a file, class or namespace share."""
    return _key("name", path, scope, "")


def name_key_in(names: int, name: str) -> int:
    """The key of a name, by their common beginning: a checksum can be carried on."""
    return crc32(name.encode("utf-8", "surrogatepass"), names)


def members_key(path: str, scope: str) -> int:
    """Which names a class has."""
    return _key("members", path, scope)


def body_key(path: str, function: str) -> int:
    """What a function binds and gives back."""
    return _key("body", path, function)


def calls_key(path: str, name: str) -> int:
    """The calls in a file of what has that name."""
    return _key("calls", path, name)


def stores_key(path: str, name: str) -> int:
    """The members of that name that a file gives to objects from outside."""
    return _key("stores", path, name)


def stars_key(path: str) -> int:
    """What a file imports whole."""
    return _key("stars", path)


def exports_key(path: str) -> int:
    """What a script exports other than by the names of its declarations."""
    return _key("exports", path)


def override_key(path: str, method: str) -> int:
    """The methods that override one."""
    return _key("override", path, method)


def fixture_key(path: str, name: str) -> int:
    """The test fixtures of that name in a file."""
    return _key("fixture", path, name)


def presence_key(key: int) -> int:
    """Whether the project has anything at all of what a key asked of the whole project names."""
    return key ^ _PRESENCE


def stem_key(stem: str) -> int:
    """The files of that name, in whatever folder, with whatever suffix."""
    return _key("stem", stem)


@lru_cache(maxsize=1 << 16)  # the same few names begin most imports, and are built in
def part_key(part: str) -> int:
    """The files and folders that an import may name by that part of its text."""
    return _key("part", part)


# The following are asked of the whole project: which files have it?


def space_key(language: str, space: str, name: str) -> int:
    """A name that a package or namespace declares."""
    return _key("space", language, space, name)


def package_key(language: str, package: str) -> int:
    """A package that files declare to be of."""
    return _key("package", language, package)


def around_key(language: str, package: str) -> int:
    """A package that has files, in itself or in packages inside it."""
    return _key("around", language, package)


def type_key(language: str, name: str) -> int:
    """A type of that name, nested or not."""
    return _key("type", language, name)


def sharing_key(language: str) -> int:
    """An import that holds for more files than the one it stands in."""
    return _key("sharing", language)


def method_key(language: str, name: str) -> int:
    """A method or property of that name."""
    return _key("method", language, name)


def accessor_key(language: str, name: str) -> int:
    """A property of that name which is read like a field and has code of its own."""
    return _key("accessor", language, name)


def made_key(language: str, name: str) -> int:
    """A member of that name that the body of a class has a call make, which may be a descriptor."""
    return _key("made", language, name)


def given_below_key(language: str, name: str) -> int:
    """A member of that name that a class with parents gives itself or its objects: code of a parent may ask for it."""
    return _key("given below", language, name)


def setting_key(language: str, name: str) -> int:
    """A table of a file that says under this key, by a text, what is meant: a class or a function by its full name."""
    return _key("setting", language, name)


def mixing_key(language: str, name: str) -> int:
    """A class that names one of that name among several parents, of which each may use what another has.

    Of PHP a class that uses a trait of that name, of Go a struct that embeds a type of that name.
    """
    return _key("mixing", language, name)


def handling_key(language: str, name: str) -> int:
    """A class or method that handles what a framework is handed of a class of that name."""
    return _key("handling", language, name)


def connecting_key(language: str, name: str) -> int:
    """A place that connects a signal of that name with what it runs."""
    return _key("connecting", language, name)


def asking_key(language: str, name: str) -> int:
    """An interface whose methods begin, by the alphabet, with one of that name."""
    return _key("asking", language, name)


def trait_method_key(language: str, name: str) -> int:
    """A method of that name of a trait."""
    return _key("trait method", language, name)


def receiver_key(language: str, type_name: str) -> int:
    """A method that stands outside its class, of a class of that name."""
    return _key("receiver", language, type_name)


def related_key(name: str) -> int:
    """A member of that name that a model has of another, or gives another which it leads to."""
    return _key("related", name)


def user_model_key() -> int:
    """A class of users, as a setting may name it."""
    return _key("user model")
