"""The fields of Laravel's form requests and API resources: what `rules` and `toArray` return."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.paths import data
from drift.analyses.contracts.records import Fields, FieldShape
from drift.languages.syntax import SourceText, parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.analyses.contracts.type_names import TypeNames
    from drift.index.records import SymbolRecord

_MOST_TEXT: Final = 500
_PHP: Final = b"<?php "
_WORD: Final = re.compile(r"\w{1,100}")
_CAST: Final = re.compile(r"\A\(\s{0,9}(\w{1,20})\s{0,9}\)")
_KEY_AND_VALUE: Final = 2
_Read = Callable[[str, str], FieldShape]


def laravel_fields(symbol: "SymbolRecord", names: "TypeNames") -> Fields | None:
    """The fields of a form request or a resource; None for a class that is neither."""
    if symbol.language != "php":
        return None
    line, outside = names.line(symbol)
    words = data()["laravel"]
    read: _Read
    if not outside.isdisjoint(words["requests"]):
        method, read = words["rules"], _rule
    elif not outside.isdisjoint(words["resources"]):
        method, read = words["answer"], _value
    else:
        return None
    for one in line:
        source = names.text(one)
        body = _method(source, method)
        if body is not None:
            return _array(body, SourceText(_PHP + source), method, read)
    return Fields({}, why=f"{symbol.name} has no {method}")


def returned_resource(source: bytes) -> str | None:
    """The resource that a method of a controller returns, where all that it returns are of one."""
    endings = "|".join(data()["laravel"]["endings"])
    found = re.findall(
        rf"\breturn\s{{1,20}}(?:new\s{{1,9}})?([A-Z]\w{{0,100}}(?:{endings}))(?:::(make|collection))?\(",
        source.decode("utf-8", "replace"),
    )
    names = {name for name, _ in found}
    if len(names) != 1:
        return None
    return f"{found[0][0]}[]" if found[0][1] == "collection" else found[0][0]


def _method(source: bytes, name: str) -> "Node | None":
    waiting = [parse("php", _PHP + source).root_node] if source else []
    while waiting:
        node = waiting.pop()
        called = node.child_by_field_name("name")
        if node.type == "method_declaration" and called is not None and called.text == name.encode():
            return node.child_by_field_name("body")
        waiting.extend(node.named_children)
    return None


def _array(body: "Node", text: SourceText, method: str, read: _Read) -> Fields:
    """The fields of the one array that a method returns."""
    returned = [each for each in body.named_children if each.type == "return_statement"]
    value = returned[0].named_children[0] if len(returned) == 1 and returned[0].named_children else None
    if value is None or value.type != "array_creation_expression" or _has_branches(body):
        return Fields({}, why=f"what {method} returns is put together")
    fields: dict[str, FieldShape] = {}
    for each in value.named_children:
        parts = [one for one in each.named_children if one.type != "comment"]
        if each.type == "comment":
            continue
        if len(parts) != _KEY_AND_VALUE or parts[0].type not in {"string", "encapsed_string"}:
            return Fields({}, why=f"a part of what {method} returns is not read")
        whole = text.text(parts[0]).strip("\"'")
        name, is_nested, _ = whole.partition(".")
        if not is_nested:
            fields[name] = read(name, text.brief(parts[1], _MOST_TEXT))
        elif name not in fields:
            fields[name] = FieldShape(name, None, None, None)
    return Fields(fields, why=None if fields else f"{method} returns nothing")


def _has_branches(body: "Node") -> bool:
    return any(
        each.type in {"if_statement", "switch_statement", "try_statement"} for each in body.named_children
    )


def _rule(name: str, written: str) -> FieldShape:
    """A field by its rules. Rules take texts for numbers and truths, so nothing is said of its type."""
    said = set(_WORD.findall(written))
    return FieldShape(name, None, "required" not in said, "nullable" in said)


def _value(name: str, written: str) -> FieldShape:
    """A field of an answer by what it is given. One under a condition may be there whenever it is asked for."""
    is_optional = None if any(f"->{word}(" in written for word in data()["laravel"]["conditional"]) else False
    cast = _CAST.match(written)
    kind = data()["laravel"]["casts"].get(cast[1]) if cast else None
    return FieldShape(name, "object[]" if "::collection(" in written else kind, is_optional, None)
