"""Elements of pages as rows: what stands where, with the attributes that say what it is, leads to or is called."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from drift.documents.items import short
from drift.documents.markup import Attribute, Tag

_MOST_CHARACTERS: Final = 120
_MOST_CLASSES: Final = 400
# Vue's `:alt` and `v-bind:alt`, Angular's `[alt]` and `[attr.alt]`: an expression gives the attribute.
_BOUND: Final = re.compile(r"(?::|v-bind:|\[(?:attr\.)?|bind:)([A-Za-z][\w:-]{0,60})(?:\.\w{1,20})?\]?\Z")
_EVENT: Final = re.compile(r"(?:@|v-on:|\(|on:|on-|on(?=[A-Za-z]))[\w:.-]{1,60}\)?\Z")
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_$][\w$.]{0,100}\Z")
_LITERAL: Final = re.compile(r"\"([^\"\\\n]{0,400})\"|'([^'\\\n]{0,400})'|`([^`\\$]{0,400})`")
_TEMPLATE: Final = re.compile(r"\{\{.{0,400}?\}\}|\{%.{0,400}?%\}|<%.{0,400}?%>|<\?.{0,400}?\?>", re.DOTALL)
_CLASS: Final = re.compile(r"[A-Za-z_!\[-][^\s{}\"'`<>]{0,100}")


class PageElement(NamedTuple):
    """An element of a page."""

    line: int
    tag: str
    identity: str | None  # its id
    classes: str | None  # those that are written out, with a blank between two
    attributes: tuple[tuple[str, str | None], ...]
    """The others by name, in the order of the text: an expression in braces, None for a value that is not kept."""


class _Words(NamedTuple):
    plain: frozenset[str]
    valued: frozenset[str]
    prefixes: tuple[str, ...]
    names: dict[str, str]


@cache
def _words() -> _Words:
    data = tomllib.loads(files("drift.documents").joinpath("elements.toml").read_text("utf-8"))
    valued = frozenset(each for each in data["valued"] if not each.endswith("*"))
    prefixes = tuple(each[:-1] for each in data["valued"] if each.endswith("*"))
    return _Words(frozenset(data["plain"]), valued, prefixes, data["names"])


def page_element(tag: Tag, line: int) -> PageElement | None:
    """The row of an element; None for one that says nothing."""
    words = _words()
    if not tag.attributes and tag.name.lower() in words.plain:
        return None
    identity: str | None = None
    classes: list[str] = []
    attributes: list[tuple[str, str | None]] = []
    for attribute in tag.attributes:
        name, value = _named(attribute, words)
        if name == "id" and value:
            identity = short(value)[:_MOST_CHARACTERS]
        elif name == "class" and value:
            classes += _class_names(value)
        else:
            attributes.append((name[:_MOST_CHARACTERS], _kept(name, value, words)))
    told = " ".join(dict.fromkeys(classes))[:_MOST_CLASSES] or None
    return PageElement(line, tag.name[:_MOST_CHARACTERS], identity, told, tuple(attributes))


def _named(attribute: Attribute, words: _Words) -> tuple[str, str | None]:
    """The name that HTML has for an attribute, and its value, an expression in braces."""
    name, value = attribute
    bound = _BOUND.match(name)
    if bound is not None:
        name = bound[1]
        value = value if value is None or value.startswith("{") else f"{{{value}}}"
    lowered = name.lower()
    if lowered in words.names:
        return words.names[lowered], value
    return (lowered if lowered in words.valued or lowered == "id" else name), value


def _kept(name: str, value: str | None, words: _Words) -> str | None:
    if value is None:
        return None
    if name in words.valued or name.startswith(words.prefixes):
        return short(value)[:_MOST_CHARACTERS]
    if _EVENT.match(name):  # who handles it, where that has a name
        inside = value.strip().removeprefix("{").removesuffix("}").strip()
        return inside.removesuffix("()") if _PLAIN_NAME.match(inside.removesuffix("()")) else None
    return None


def _class_names(value: str) -> list[str]:
    """The classes that are written out: all of a plain text, those in quotes of an expression."""
    if value.startswith("{") and not value.startswith(("{{", "{%")):
        literals = _LITERAL.findall(value)
        value = " ".join(part for found in literals for part in found)
    value = _TEMPLATE.sub(" ", value)
    return [each for each in value.split() if _CLASS.fullmatch(each)]
