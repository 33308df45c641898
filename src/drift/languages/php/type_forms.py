"""Types as expressions, from declarations and from docblocks.

`Foo|null` is Foo, `A|B` either; `Foo[]`, `array<K, Foo>`, `Collection<int, Foo>` of a docblock hold Foo.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.kernel.text import shorten
from drift.languages.expressions import either_of, list_of
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.php.walk import qualify

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import Handler, PhpWalk

_BUILT_IN: Final[Mapping[str, Expression]] = {
    "string": ("literal", "str"), "int": ("literal", "int"), "integer": ("literal", "int"),
    "float": ("literal", "float"), "double": ("literal", "float"), "bool": ("literal", "bool"),
    "boolean": ("literal", "bool"), "true": ("literal", "bool"), "false": ("literal", "bool"),
    "array": ("literal", "list"), "iterable": ("literal", "list"), "list": ("literal", "list"),
    "non-empty-string": ("literal", "str"), "class-string": ("literal", "str"),
    "positive-int": ("literal", "int"), "non-negative-int": ("literal", "int"),
    "null": None, "void": None, "mixed": None, "object": None, "callable": None, "never": None,
    "resource": None, "scalar": None, "array-key": None, "numeric": None,
}  # fmt: skip
# What only docblocks write for a type of the language: declared, such a name is that of a class.
SPOKEN: Final = frozenset(
    {"boolean", "double", "integer", "list", "numeric", "resource", "scalar"}
)  # fmt: skip
_LISTS: Final = frozenset({"array", "iterable", "list", "non-empty-array", "non-empty-list"})
_TAG = re.compile(
    r"@(?:phpstan-|psalm-)?(?P<tag>param|return|var)\s+(?P<rest>[^\n]*)",
)
_PROPERTY = re.compile(r"@property(?:-read|-write)?\s+(?P<rest>[^\n]*)")
_VARIABLE = re.compile(r"(?:&|\.\.\.)*(\$\w+)")
_GENERIC = re.compile(r"^(?P<name>[\w\\-]+)\s*[<{](?P<inner>.*)[>}]$", re.DOTALL)
_NAME = re.compile(r"^\\?[A-Za-z_\x80-\U0010ffff][\w\\]*$")
_TRICKY = re.compile(r"[<({\[]|[|&:]$")  # a type that may go on after a blank
_MOST_DEPTH: Final = 8
_OPENING, _CLOSING = "<({[", ">)}]"


def read_docblock(php: PhpWalk, doc: str) -> dict[str, tuple[str, Expression]]:
    """Types a docblock states, by variable; the result's under "return", an unnamed variable's under "var"."""
    if "@" not in doc:
        return {}
    found: dict[str, tuple[str, Expression]] = {}
    for match in _TAG.finditer(doc):
        type_text, rest = _cut_type(match["rest"])
        variable = _VARIABLE.match(rest.strip())
        key = variable[1] if variable and match["tag"] != "return" else match["tag"]
        if type_text and key != "param":
            form = read_type_text(php, type_text)
            found.setdefault(key, (shorten(type_text, MOST_TEXT_CHARACTERS), form))
    return found


def read_promised_properties(php: PhpWalk, doc: str) -> dict[str, Expression]:
    """What the properties are worth that a class has by its docblock alone, by name."""
    found: dict[str, Expression] = {}
    for match in _PROPERTY.finditer(doc) if "@property" in doc else ():
        type_text, rest = _cut_type(match["rest"])
        variable = _VARIABLE.match(rest.strip())
        value = _object_of(read_type_text(php, type_text)) if variable else None
        if variable and value is not None:
            found.setdefault(variable[1].removeprefix("$"), value)
    return found


def _object_of(form: Expression) -> Expression:
    """A value of a type."""
    if form is None or form[0] in {"this", "literal"}:
        return form
    if form[0] == "either":
        return either_of(_object_of(part) for part in form[1:])
    if form[0] == "list":
        return list_of(_object_of(part) for part in form[1:])
    return ("instance", form)


def _cut_type(text: str) -> tuple[str, str]:
    """The type a tag begins with, and what follows it."""
    first, _, rest = text.partition(" ")
    if not _TRICKY.search(first) and rest.lstrip()[:1] not in {"|", "<"}:
        return first, rest
    depth = 0
    for place, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == " " and depth <= 0 and not _is_joined(text, place):
            return text[:place], text[place:]
    return text, ""


def _is_joined(text: str, place: int) -> bool:
    """Whether a blank stands inside `A | B`."""
    return text[:place].rstrip()[-1:] in {"|", "&", ":"} or text[place:].lstrip()[:1] == "|"


def read_type_text(php: PhpWalk, text: str, depth: int = 0) -> Expression:
    """The type that a docblock writes as `text`."""
    text = text.strip().removeprefix("?").strip("()")
    if not text or depth > _MOST_DEPTH:
        return None
    if _NAME.match(text):
        return _named(php, text)
    parts = _split(text, "|")
    if len(parts) > 1:
        return join_either([read_type_text(php, part, depth + 1) for part in parts])
    if text.endswith("[]"):
        return ("list", read_type_text(php, text[:-2], depth + 1))
    if generic := _GENERIC.match(text):
        inner = _split(generic["inner"], ",")
        if generic["name"].lower() in _LISTS:
            return ("list", read_type_text(php, inner[-1].rpartition(": ")[2], depth + 1))
        return read_type_text(php, generic["name"], depth + 1)
    text = _split(text, "&")[0].strip()
    return _named(php, text) if text == "$this" or _NAME.match(text) else _BUILT_IN.get(text.lower())


def _named(php: PhpWalk, name: str) -> Expression:
    lowered = name.lower()
    if lowered == "$this":
        return ("this",)
    if lowered in _BUILT_IN:
        # `Resource` may be a class, which `resource` would not be called.
        may_be_own = lowered in SPOKEN and name[:1].isupper()
        return ("own", qualify(name), _BUILT_IN[lowered]) if may_be_own else _BUILT_IN[lowered]
    return php.relative_form(lowered) or qualify(name)


def _split(text: str, separator: str) -> list[str]:
    """The parts of a type between separators that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def join_either(forms: list[Expression]) -> Expression:
    """One of several values: the only one that is known, or an `either`."""
    known = [form for form in dict.fromkeys(forms) if form is not None]
    if len(known) < 2:  # noqa: PLR2004 - one is no choice
        return known[0] if known else None
    return either_of(known)


def _read_named(php: PhpWalk, node: Node) -> Expression:
    name = php.text.text(node)
    form = qualify(name) if name.lower() in SPOKEN else _named(php, name)
    if form is not None and form[0] in {"name", "member"}:
        php.refer(node, form, "type")
    return form


def _read_primitive(php: PhpWalk, node: Node) -> Expression:
    return _BUILT_IN.get(php.text.text(node).lower())


def _read_union(php: PhpWalk, node: Node) -> Expression:
    return join_either([php.visit(child) for child in node.named_children])


TYPE_HANDLERS: Final[dict[str, Handler]] = {
    "named_type": _read_named,
    "primitive_type": _read_primitive,
    "union_type": _read_union,
    "intersection_type": _read_union,
    "disjunctive_normal_form_type": _read_union,
    "type_list": _read_union,
    "optional_type": _read_union,
}
