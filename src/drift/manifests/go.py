"""go.mod, go.sum and go.work: modules, and what holds them together."""

import re
from typing import Final, NamedTuple

from drift.manifests.contents import Contents, Declared, Described, Locked, Membership

_GO_LINE: Final = re.compile(
    r"(?P<name>[^\s/]+\.[^\s]{1,300}|[^\s]{1,300}/[^\s]{1,300})\s+(?P<version>v\S{1,100})(?P<rest>.*)"
)

_MODULE: Final = re.compile(r'^[ \t]*module[ \t]+"?([^\s"]+)', re.MULTILINE)
_REPLACED: Final = re.compile(
    r"^[ \t]*(?:replace[ \t]+)?(\S++)(?:[ \t]+v\S++)?[ \t]+=>[ \t]+(\.\.?/\S*|\.)", re.MULTILINE
)


class GoModule(NamedTuple):
    """The import path of a module, and the modules that it takes from folders instead."""

    path: str | None
    replaced: tuple[tuple[str, str], ...]


def read_go_module(text: str) -> GoModule:
    """What a go.mod says of import paths."""
    named = _MODULE.search(text)
    return GoModule(named[1] if named else None, tuple((one[1], one[2]) for one in _REPLACED.finditer(text)))


def parse_go_mod(text: str) -> Contents:
    """`require` lines; those marked indirect are locked, not declared."""
    declared: list[Declared] = []
    locked: list[Locked] = []
    block = ""
    for raw in text.splitlines():
        line = raw.strip()
        word, _, rest = line.partition(" ")
        if line.endswith("("):
            block = word
            continue
        block = "" if line == ")" else block
        wanted = line if block == "require" else rest.strip() if word == "require" else ""
        if found := _GO_LINE.match(wanted):
            locked.append(Locked(found["name"], found["version"]))
            if "indirect" not in found["rest"]:
                declared.append(Declared(found["name"], found["version"]))
    own = read_go_module(text).path
    return Contents(tuple(declared), tuple(locked), (own,) if own else ())


def parse_go_sum(text: str) -> Contents:
    """Every module that was ever looked at; go.mod says which are used."""
    fields = (line.split() for line in text.splitlines())
    rows = {each[0]: each[1] for each in fields if len(each) >= 2 and not each[1].endswith("/go.mod")}  # noqa: PLR2004 - name and version
    return Contents(locked=tuple(Locked(name, version) for name, version in rows.items()))


def describe_go_mod(text: str) -> Described | None:
    """The module of a go.mod. Its version is a tag, which no file has."""
    contents = parse_go_mod(text)
    if not contents.own_names:
        return None
    return Described(
        contents.own_names[0],
        None,
        None,
        "go",
        contents.declared,
        tuple(path for _, path in read_go_module(text).replaced),
    )


def members_of_go_work(text: str) -> Membership | None:
    """`use` lines and blocks."""
    paths: list[str] = []
    is_inside = False
    for raw in text.splitlines():
        words = raw.partition("//")[0].split()
        if words[:1] == ["use"]:
            words = words[1:]
            is_inside = words[:1] == ["("]
            paths += [one for one in words if one not in {"(", ")"}][:1]
        elif is_inside:
            paths += [one for one in words if one != ")"][:1]
        is_inside = is_inside and ")" not in words
    found = tuple(dict.fromkeys(one.strip('"`') for one in paths))
    return Membership("go", found) if found else None
