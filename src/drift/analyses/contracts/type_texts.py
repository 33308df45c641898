"""Types as they are written: what they hold, the parts they have, what a value of one is on the wire."""

import re
from typing import Final

from drift.analyses.contracts.paths import data

MOST_DEPTH: Final = 8
NULL: Final = re.compile(r"\b(?:null|None|Optional)\b|\?\Z")
GENERIC: Final = re.compile(r"\A([\w.$\\]{1,100})\s{0,9}[<\[](.{1,300})[>\]]\Z", re.DOTALL)
_MEMBER: Final = re.compile(r"(?:readonly )?[\"']?[\w$]{1,100}[\"']?\??: ")
_NOTHING: Final = re.compile(
    r"\s{0,9}\|\s{0,9}(?:null|undefined|None)\b|\b(?:null|undefined|None)\s{0,9}\|\s{0,9}"
)


def unwrap(text: str) -> tuple[str | None, bool]:
    """A type without what only holds it, and whether there are many; None for one that says nothing."""
    words, is_list = data()["types"], False
    bare = text.strip().lstrip("?")
    for _ in range(MOST_DEPTH):
        bare = _NOTHING.sub("", bare).strip().rstrip("?").strip()
        if bare.endswith("[]"):
            bare, is_list = bare[:-2].strip().removeprefix("(").removesuffix(")"), True
            continue
        generic = GENERIC.match(bare)
        name = re.split(r"[.\\]", generic[1])[-1] if generic else ""
        if generic is None or name not in {*words["through"], *words["many"]}:
            break
        bare, is_list = split_type(generic[2], ",")[0], is_list or name in words["many"]
    bare = bare.removeprefix("readonly ").removeprefix("typeof ").strip("*& ")
    if "|" not in bare:
        bare = bare.strip("\"'")  # a name that stands for a type that comes later
    is_said = bare and bare not in words["unknown"] and bare != "{}"
    return (bare if is_said else None), is_list


def split_type(text: str, marks: str) -> list[str]:
    """The parts between marks that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for place, mark in enumerate(text):
        if mark in "<([{":
            depth += 1
        elif mark in ">)]}":
            depth -= 1
        elif mark in marks and depth <= 0:
            parts.append(text[start:place].strip())
            start = place + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def split_members(text: str) -> list[str]:
    """The members of a type that is written out; new lines between them have become blanks."""
    found: list[str] = []
    for part in split_type(text, ";,"):
        depth, start = 0, 0
        for place, mark in enumerate(part):
            depth += (mark in "<([{") - (mark in ">)]}")
            if mark == " " and depth <= 0 and ":" in part[start:place] and _MEMBER.match(part, place + 1):
                found.append(part[start:place].strip())
                start = place + 1
        found.append(part[start:].strip())
    return found


def kind_of(text: str | None) -> str | None:
    """What a value of a type is on the wire: text, number, truth, list, object; None where that is not known."""
    if text is None:
        return None
    bare, is_list = unwrap(text)
    if is_list:
        return "list"
    if bare is None:
        return None
    if bare[:1] in "\"'" or all(part[:1] in "\"'" for part in split_type(bare, "|")):
        return "text"
    name = re.split(r"[.\\]", bare)[-1]
    return next((kind for kind, names in data()["primitives"].items() if name in names), None)


def is_primitive(name: str) -> bool:
    """Whether a type has no fields of its own."""
    return any(name in names for names in data()["primitives"].values())


def camel_case(name: str) -> str:
    """A name in snake case as JSON mostly has it."""
    first, *rest = name.split("_")
    return first + "".join(each[:1].upper() + each[1:] for each in rest)
