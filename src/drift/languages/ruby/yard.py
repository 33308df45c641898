"""The types that YARD comments and Sorbet signatures state: `@param cart [Cart]`, `@return [Array<Item>, nil]`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.expressions import either_of, list_of

if TYPE_CHECKING:
    from drift.languages.expressions import Expression

_TAG: Final = re.compile(r"^[ \t]{0,40}@(param|return|option)\b(.*)$", re.MULTILINE)
_PARAM: Final = re.compile(
    r"(?:[*&]{0,2}(?P<before>\w{1,60})\s{1,9})?\[(?P<types>[^\]\[]{0,200}+(?:\[[^\]\[]{0,200}+\][^\]\[]{0,200}+){0,4}+)\]"
    r"(?:\s{0,9}[*&]{0,2}(?P<after>\w{1,60}))?"
)
_NAME: Final = re.compile(r"(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*\Z")
_GENERIC: Final = re.compile(r"(?P<name>[\w:]+)\s*<(?P<inner>.*)>\Z")
_BUILT_IN: Final = {
    "Array": ("literal", "list"), "Boolean": ("literal", "bool"), "Float": ("literal", "float"),
    "Hash": ("literal", "dict"), "Integer": ("literal", "int"), "String": ("literal", "str"),
    "Symbol": ("literal", "str"), "TrueClass": ("literal", "bool"), "FalseClass": ("literal", "bool"),
}  # fmt: skip
_LISTS: Final = frozenset({"Array", "Enumerable", "Set", "Enumerator"})
_NOTHING: Final = frozenset({"Object", "BasicObject", "NilClass", "Proc"})
_MOST_ALTERNATIVES: Final = 8
_MOST_DEPTH: Final = 4


class Promise(NamedTuple):
    """A type as written and as read."""

    text: str
    type: Expression


def read_promises(doc: str) -> dict[str, Promise]:
    """What a doc comment states of each parameter, and under `return` of the result."""
    if "@" not in doc:
        return {}
    found: dict[str, Promise] = {}
    for tag in _TAG.finditer(doc):
        match = _PARAM.search(tag[2][:500])
        if match is None or tag[1] == "option":
            continue
        name = "return" if tag[1] == "return" else match["before"] or match["after"]
        if name:
            found.setdefault(name, Promise(match["types"][:200], read_type(match["types"])))
    return found


def read_type(text: str, depth: int = 0) -> Expression:
    """The type that a comment writes as `text`; None for what says nothing."""
    if depth > _MOST_DEPTH:
        return None
    parts = [
        form for part in _split(text)[:_MOST_ALTERNATIVES] if (form := _read_one(part, depth)) is not None
    ]
    return parts[0] if len(parts) == 1 else either_of(parts) if parts else None


def _read_one(text: str, depth: int) -> Expression:
    text = text.strip()
    generic = _GENERIC.match(text)
    if generic is not None and generic["name"].rpartition("::")[2] in _LISTS:
        inner = read_type(generic["inner"], depth + 1)
        return ("literal", "list") if inner is None else list_of((inner,))
    name = generic["name"] if generic is not None else text
    if name in _BUILT_IN:
        return ("literal", _BUILT_IN[name][1])
    return None if name in _NOTHING or not _NAME.match(name) else constant_path(name)


def constant_path(name: str) -> Expression:
    """`A::B` as member B of A; a leading `::` says that the first stands outside of all modules."""
    form: Expression = None
    for place, part in enumerate(name.split("::")):
        if part:
            form = (
                ("name", f"::{part}" if place == 1 and form is None else part)
                if form is None
                else ("member", form, part)
            )
    return form


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        if character in "<({":
            depth += 1
        elif character in ">)}":
            depth -= 1
        elif character == "," and depth <= 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]
