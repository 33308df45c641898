"""The fields of Django REST framework's serializers: those declared, and those that Meta takes from a model.

What is read and what is written differ: a field may be for one of the two alone.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.contracts.paths import data
from drift.analyses.contracts.records import Fields, FieldShape, Side
from drift.languages.syntax import SourceText, parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.analyses.contracts.type_names import TypeNames
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

_MOST_TEXT: Final = 300
_OF_MODEL: Final = re.compile(r"(?:Field|ForeignKey)\Z")
_KEPT: Final = re.compile(r"\b(?:null|blank)\s{0,9}=\s{0,9}True\b|\bdefault\s{0,9}=|\bdb_default\s{0,9}=")
_UNWRITTEN: Final = re.compile(
    r"\bauto_now(?:_add)?\s{0,9}=\s{0,9}True|\beditable\s{0,9}=\s{0,9}False|\bAutoField\b"
)
_NULL: Final = re.compile(r"\bnull\s{0,9}=\s{0,9}True\b")


class _Field(NamedTuple):
    """A field as a class declares it; `options` are what its call is given by name."""

    maker: str
    options: dict[str, str]


class _Class(NamedTuple):
    fields: dict[str, _Field]
    dropped: frozenset[str]  # a parent's fields that are set to None
    methods: frozenset[str]
    meta: "dict[str, Node] | None"
    is_meta_inherited: bool
    text: SourceText


def is_serializer(outside: Iterable[str]) -> bool:
    """Whether what a class descends from outside the project makes it a serializer."""
    return any(name.endswith(data()["serializers"]["ending"]) for name in outside)


def serializer_fields(
    symbol: "SymbolRecord", side: Side, names: "TypeNames", reader: "IndexReader"
) -> Fields | None:
    """The fields that a serializer reads or writes; None for a class that is none."""
    line, outside = names.line(symbol)
    if symbol.language != "python" or not is_serializer(outside):
        return None
    read = [_read(names.text(one)) for one in line]
    if not all(one is not None for one in read):
        return Fields({}, why=f"the text of {symbol.name} is not what was scanned")
    classes = [one for one in read if one is not None]
    changing = data()["serializers"]["changing"][side]
    changed = next((name for one in classes for name in changing if name in one.methods), None)
    if changed is not None:
        return Fields({}, why=f"{changed} of {symbol.name} makes it")
    meta = dict(_meta(classes))
    declared: dict[str, _Field] = {}
    for one in reversed(classes):
        declared = {key: field for key, field in {**declared, **one.fields}.items() if key not in one.dropped}
    extra = _extra(meta)
    found = {key: _declared(key, one, side) for key, one in declared.items()}
    why = None
    if "model" in meta:
        text, node = meta["model"]
        wanted, why = _of_model(meta, text.text(node), symbol.path, declared, names=names, reader=reader)
        read_only = set(_texts(meta, "read_only_fields"))
        for key, row in wanted.items():
            found[key] = _taken(key, row, side, is_read_only=key in read_only)
        listed = _texts(meta, "fields")
        if listed:
            found = {key: found.get(key) for key in listed}
    fields = {
        key: one
        for key, one in found.items()
        if one is not None and not _is_left_out(extra.get(key, {}), side)
    }
    return Fields(fields, why=why or (None if fields else f"{symbol.name} has no fields"))


def _declared(name: str, field: _Field, side: Side) -> FieldShape | None:
    options = field.options
    if field.maker == "HiddenField" or _is_left_out(options, side):
        return None
    if side == "request" and field.maker in data()["serializers"]["read_only"]:
        return None
    is_many = options.get("many") == "True" or field.maker in data()["serializers"]["many"]
    known = None if field.maker in data()["serializers"]["unsure"] else field.maker
    kind = f"{field.maker}[]" if is_many else known
    is_optional = options.get("required") == "False" or "default" in options or "initial" in options
    is_null = True if options.get("allow_null") == "True" else None
    return FieldShape(name, kind, is_optional if side == "request" else False, is_null)


def _taken(name: str, signature: str | None, side: Side, *, is_read_only: bool) -> FieldShape | None:
    """A field of a model; one that has no field of that name is a property, which is only read."""
    written = signature or ""
    if side == "request" and (is_read_only or signature is None or _UNWRITTEN.search(written)):
        return None
    found = re.search(r"=\s{0,9}(?:[\w.]{0,100}\.)?(\w{1,100})\(", written)
    maker = found[1] if found else None
    kind = f"{maker}[]" if maker in data()["serializers"]["many"] else maker
    if maker in data()["serializers"]["unsure"]:
        kind = None
    is_optional = bool(_KEPT.search(written)) if side == "request" else False
    return FieldShape(name, kind, is_optional, True if _NULL.search(written) else None)


def _is_left_out(options: dict[str, str], side: Side) -> bool:
    return options.get("write_only" if side == "response" else "read_only") == "True"


def _of_model(
    meta: "dict[str, tuple[SourceText, Node]]",
    model: str,
    file: str,
    declared: Iterable[str],
    *,
    names: "TypeNames",
    reader: "IndexReader",
) -> tuple[dict[str, str | None], str | None]:
    """By name the declaration of what Meta takes from the model, and why that is not all."""
    listed, known = _texts(meta, "fields"), set(declared)
    symbol, why = names.resolve(model, file)
    rows: dict[str, str] = {}
    if symbol is not None:
        line, _ = names.line(symbol)
        for one in reader.contracts.fields([each.id for each in line]):
            if _OF_MODEL.search((one.type or "").partition("(")[0]):
                rows.setdefault(one.name, one.signature)
    if listed:
        return {key: rows.get(key) for key in listed if key not in known}, None
    if symbol is None:
        return {}, why
    if "fields" in meta and _said(meta, "fields") != "__all__":
        return {}, "the fields of Meta are put together"
    left_out = set(_texts(meta, "exclude"))
    own = {} if any("primary_key" in each for each in rows.values()) else {"id": "id = models.AutoField()"}
    wanted = {**own, **rows}
    return {key: row for key, row in wanted.items() if key not in left_out and key not in known}, None


def _meta(classes: Iterable[_Class]) -> Iterator[tuple[str, "tuple[SourceText, Node]"]]:
    """What Meta says, of the nearest class that has one; of those above it where it descends from theirs."""
    seen: set[str] = set()
    for one in classes:
        if one.meta is None:
            continue
        for key, node in one.meta.items():
            if key not in seen:
                seen.add(key)
                yield key, (one.text, node)
        if not one.is_meta_inherited:
            return


def _texts(meta: "dict[str, tuple[SourceText, Node]]", key: str) -> list[str]:
    """The texts of a list; none where a part of it is no text."""
    text, node = meta.get(key, (None, None))
    if text is None or node is None or node.type not in {"list", "tuple"}:
        return []
    if any(each.type not in {"string", "comment"} for each in node.named_children):
        return []
    return [text.text(each).strip("\"'") for each in node.named_children if each.type == "string"]


def _said(meta: "dict[str, tuple[SourceText, Node]]", key: str) -> str:
    text, node = meta[key]
    return text.brief(node, _MOST_TEXT).strip("\"'").rpartition(".")[2].replace("ALL_FIELDS", "__all__")


def _extra(meta: "dict[str, tuple[SourceText, Node]]") -> dict[str, dict[str, str]]:
    """What extra_kwargs says of fields."""
    text, node = meta.get("extra_kwargs", (None, None))
    if text is None or node is None or node.type != "dictionary":
        return {}
    return {
        text.text(key).strip("\"'"): {
            text.text(inner).strip("\"'"): text.brief(value, _MOST_TEXT) for inner, value in _pairs(options)
        }
        for key, options in _pairs(node)
    }


def _pairs(node: "Node") -> Iterator[tuple["Node", "Node"]]:
    for each in node.named_children:
        key, value = each.child_by_field_name("key"), each.child_by_field_name("value")
        if key is not None and value is not None:
            yield key, value


def _read(source: bytes) -> _Class | None:
    if not source:
        return None
    text = SourceText(source)
    node = next(
        (each for each in parse("python", source).root_node.children if each.type == "class_definition"), None
    )
    body = node.child_by_field_name("body") if node is not None else None
    if body is None:
        return None
    fields: dict[str, _Field] = {}
    dropped, methods = set(), set()
    meta: dict[str, Node] | None = None
    is_inherited = False
    for each in map(_bare, body.named_children):
        name = each.child_by_field_name("name")
        if each.type == "function_definition" and name is not None:
            methods.add(text.text(name))
        elif each.type == "class_definition" and name is not None and text.text(name) == "Meta":
            inner = each.child_by_field_name("body")
            meta = dict(_assigned(inner, text)) if inner is not None else {}
            is_inherited = each.child_by_field_name("superclasses") is not None
        elif each.type == "assignment":
            for key, value in _assigned(each, text):
                made = _made(value, text)
                if made is not None:
                    fields[key] = made
                elif value.type == "none":
                    dropped.add(key)
    return _Class(fields, frozenset(dropped), frozenset(methods), meta, is_inherited, text)


def _bare(node: "Node") -> "Node":
    """What a statement is about."""
    if node.type == "decorated_definition":
        return node.child_by_field_name("definition") or node
    if node.type == "expression_statement" and node.named_children:
        return node.named_children[0]
    return node


def _assigned(node: "Node", text: SourceText) -> Iterator[tuple[str, "Node"]]:
    each = [node] if node.type == "assignment" else map(_bare, node.named_children)
    for one in each:
        left, right = one.child_by_field_name("left"), one.child_by_field_name("right")
        if one.type == "assignment" and left is not None and right is not None:
            yield text.text(left), right


def _made(node: "Node", text: SourceText) -> _Field | None:
    """A field that a call makes."""
    called = node.child_by_field_name("function") if node.type == "call" else None
    given = node.child_by_field_name("arguments")
    maker = text.text(called).rpartition(".")[2] if called is not None else ""
    if given is None or not maker.endswith(("Field", data()["serializers"]["ending"])):
        return None
    options = {}
    for each in given.named_children:
        name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
        if each.type == "keyword_argument" and name is not None and value is not None:
            options[text.text(name)] = text.brief(value, _MOST_TEXT)
    return _Field(maker, options)
