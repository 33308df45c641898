"""What things outside a project have: of Python's own library, as the interpreter that runs here has it.

Nothing of the project is loaded. A project may be of a newer Python than this one: what is missing here is to be told of
only where something like it is there.
"""

import tomllib
from collections.abc import Collection
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module, resources
from inspect import isclass, ismodule


def members_outside(language: str, name: str) -> Collection[str] | None:
    """The members of a module or class outside, or of its objects; None where they are not known."""
    return _members(name) if language == "python" and not name.startswith("?") else None


def is_made_member(language: str, name: str, *, of_class: bool = False) -> bool:
    """Whether a name has the form of members that frameworks make of the fields of a class, or that each class has itself."""
    known = _data()
    made = (*known.get(f"{language}_made", ()), *(known.get(f"{language}_classes", ()) if of_class else ()))
    return any(fnmatchcase(name, pattern) for pattern in made)


@cache
def _data() -> dict[str, list[str]]:
    text = (resources.files("drift.guards") / "outside_members.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def _modules() -> frozenset[str]:
    return frozenset(_data()["python"])


@cache
def _members(name: str) -> frozenset[str] | None:
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        module = ".".join(parts[:count])
        if module in _modules():
            return _reach(module, parts[count:])
    return None


def _reach(module: str, path: list[str]) -> frozenset[str] | None:
    try:
        found: object = import_module(module)
    except ImportError:  # of a system that lacks it
        return None
    for part in path:
        if not isclass(found) and not ismodule(found):
            return None
        found = getattr(found, part, None)
        found = getattr(found, "__origin__", found)  # typing.Mapping is collections.abc.Mapping
    if not (isclass(found) or ismodule(found)) or "__getattr__" in dir(found):
        return None
    return frozenset(dir(found))
