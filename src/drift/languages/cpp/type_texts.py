"""Types of C++ as texts: what `std::map<std::string, T>` is when T is known."""

from __future__ import annotations

import re
from typing import Final

from drift.languages.cpp.declarators import path_form
from drift.languages.cpp.type_forms import held_type, is_known_template, pointed_type
from drift.languages.expressions import Expression

_MOST_LEVELS: Final = 6
_MOST_CHARACTERS: Final = 400
_NOISE: Final = re.compile(
    r"\b(?:class|const|constexpr|inline|mutable|static|struct|typename|virtual|volatile)\b|[&*]|\.\.\."
)
_PATH: Final = re.compile(r"\s*((?:::)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)\s*")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")


def type_of_text(text: str) -> Expression:
    """The type that a text names, as it is read from syntax; None for what is no path of names."""
    return _type_of(_NOISE.sub(" ", text[:_MOST_CHARACTERS]), _MOST_LEVELS)


def with_given(text: str, given: dict[str, str]) -> str:
    """A type with what is given for its variables."""
    return _WORD.sub(lambda word: given.get(word[0], word[0]), text[:_MOST_CHARACTERS])


def declared_text(text: str, name: str) -> str:
    """The type of a field or variable: what stands before its name."""
    place = max((one.start() for one in _WORD.finditer(text) if one[0] == name), default=-1)
    return text[:place] if place > 0 else text


def template_variables(signature: str) -> list[str]:
    """The names between the brackets of `template<class T, int N = 3>`, in their order."""
    head = signature.lstrip()
    if not head.startswith("template"):
        return []
    parts = _split(head[len("template") :].lstrip())[0]
    words = (_WORD.findall(part.partition("=")[0]) for part in parts)
    return [found[-1] if found else "" for found in words]


def _type_of(text: str, levels: int) -> Expression:
    found = _PATH.match(text)
    if found is None or not levels:
        return None
    names = [part.strip() for part in found[1].split("::")]
    behind = text[found.end() :]
    if not behind.startswith("<"):
        return None if behind.strip() else path_form(names)
    parts, rest = _split(behind)
    values = [_type_of(part, levels - 1) for part in parts]
    name, rest = names[-1], rest.strip()
    is_known = is_known_template(name, len(values))
    if rest:
        is_member = is_known and rest.startswith("::")
        return pointed_type(held_type(name, values), rest[2:].strip()) if is_member else None
    form = path_form(names)
    if not is_known:
        return form
    held = held_type(name, values)
    return held if names[0] == "std" and len(names) > 1 else ("own", form, held)


def _split(text: str) -> tuple[list[str], str]:
    """What stands between the commas of `<…>`, and what follows it."""
    level, begin = 0, 1
    parts: list[str] = []
    for place, sign in enumerate(text):
        if sign in "<(":
            level += 1
        elif sign in ">)":
            level -= 1
            if not level:
                parts.append(text[begin:place])
                return [one.strip() for one in parts if one.strip()], text[place + 1 :]
        elif sign == "," and level == 1:
            parts.append(text[begin:place])
            begin = place + 1
    return [], ""
