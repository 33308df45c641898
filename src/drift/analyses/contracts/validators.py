"""The fields of objects that zod, yup, Joi and their like describe: `z.object({ name: z.string().optional() })`."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.paths import data
from drift.analyses.contracts.records import Fields, FieldShape
from drift.languages.syntax import SourceText, parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.analyses.contracts.type_names import TypeNames

_MOST_DEPTH: Final = 8
_MOST_TEXT: Final = 300
_MEANT: Final = re.compile(
    r"\A(?:[\w$]{1,50}\.)?(?:infer|input|output|InferType|InferOutput|InferInput|TypeOf)<typeof\s{1,9}([\w$.]{1,100})>\Z"
)
_MADE: Final = re.compile(r"\AcreateZodDto\(\s{0,9}([\w$.]{1,100})")


def schema_name(text: str) -> str | None:
    """The schema that a type is inferred from: `z.infer<typeof schema>`, or a parent that is made of one."""
    found = _MEANT.match(text) or _MADE.match(text)
    return found[1] if found else None


def schema_fields(name: str, file: str, names: "TypeNames") -> Fields:
    """The fields of a schema that a constant holds."""
    return _named(name, file, names, 0)


def _named(name: str, file: str, names: "TypeNames", depth: int) -> Fields:
    symbol = names.value(name, file)
    source = names.text(symbol) if symbol is not None else b""
    if symbol is None or not source or depth > _MOST_DEPTH:
        return Fields({}, why=f"the schema {name} is not in the project")
    root = parse("tsx" if symbol.path.endswith("x") else "typescript", source).root_node
    value = next(_values(root), None)
    if value is None:
        return Fields({}, why=f"the schema {name} is not read")
    return (
        _Reading(symbol.path, SourceText(source), names).fields(value, depth + 1)._replace(file=symbol.path)
    )


def inline_fields(source: bytes, file: str, names: "TypeNames") -> Fields:
    """The fields of a schema that is written where it is used."""
    root = parse("typescript", source).root_node
    first = root.named_children[0] if root.named_children else root
    value = (
        first.named_children[0] if first.type == "expression_statement" and first.named_children else first
    )
    return _Reading(file, SourceText(source), names).fields(value, 0)


def _values(root: "Node") -> Iterator["Node"]:
    """What is given to names in a declaration, the first first."""
    waiting = [root]
    while waiting:
        node = waiting.pop(0)
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        if node.type in {"variable_declarator", "assignment_expression"} and value is not None:
            yield value
            return
        waiting.extend(node.named_children)


class _Reading:
    def __init__(self, file: str, text: SourceText, names: "TypeNames") -> None:
        self._file = file
        self._text = text
        self._names = names

    def fields(self, node: "Node", depth: int) -> Fields:
        """The fields that an expression of a schema describes."""
        said = self._text.brief(node, _MOST_TEXT)
        if depth > _MOST_DEPTH:
            return Fields({}, why="it is nested too deep")
        if node.type == "identifier":
            return _named(said, self._file, self._names, depth + 1)
        called = node.child_by_field_name("function") if node.type == "call_expression" else None
        if called is None or called.type != "member_expression":
            return Fields({}, why=f"{said[:60]} is not read")
        holder, word = called.child_by_field_name("object"), called.child_by_field_name("property")
        given = node.child_by_field_name("arguments")
        arguments = given.named_children if given is not None else []
        if holder is None or word is None:
            return Fields({}, why=f"{said[:60]} is not read")
        return self._method(holder, self._text.text(word), arguments, depth)

    def _method(self, holder: "Node", word: str, given: list["Node"], depth: int) -> Fields:
        words = data()["validators"]
        head = self._text.brief(holder, _MOST_TEXT)
        if head in {*words["required"], *words["optional"]}:
            if word not in words["objects"] or not given or given[0].type != "object":
                return Fields({}, why=f"{head}.{word} has no fields")
            return self._object(given[0], depth, is_required=head in words["required"])
        above = self.fields(holder, depth + 1)
        if above.why is not None and word not in words["adding"]:
            return above
        if word in words["adding"] and given and given[0].type == "object":
            added = self._object(given[0], depth, is_required=head.partition(".")[0] not in words["optional"])
            why = None if above.why == f"{head} has no fields" else above.why
            return added._replace(fields={**above.fields, **added.fields}, why=why or added.why)
        if word in words["merging"] and given:
            added = self.fields(given[0], depth + 1)
            return added._replace(fields={**above.fields, **added.fields}, why=above.why or added.why)
        return self._changed(above, word, given)

    def _changed(self, above: Fields, word: str, given: list["Node"]) -> Fields:
        keys = set(self._keys(given[0])) if given and given[0].type == "object" else set()
        fields = above.fields
        if word == "pick":
            fields = {key: one for key, one in fields.items() if key in keys}
        elif word == "omit":
            fields = {key: one for key, one in fields.items() if key not in keys}
        elif word in {"partial", "deepPartial"}:
            fields = {
                key: one._replace(is_optional=True) if not keys or key in keys else one
                for key, one in fields.items()
            }
            return above._replace(fields=fields, is_partial=not keys)
        return above._replace(fields=fields)

    def _keys(self, node: "Node") -> Iterator[str]:
        for each in node.named_children:
            key = each.child_by_field_name("key")
            if key is not None:
                yield self._text.text(key).strip("\"'")

    def _object(self, node: "Node", depth: int, *, is_required: bool) -> Fields:
        fields: dict[str, FieldShape] = {}
        why = None
        for each in node.named_children:
            key, value = each.child_by_field_name("key"), each.child_by_field_name("value")
            if each.type == "spread_element":
                inner = self._spread(each.named_children[0], depth)
                fields, why = {**fields, **inner.fields}, why or inner.why
            elif each.type == "shorthand_property_identifier":
                name = self._text.text(each)
                fields[name] = FieldShape(name, None, None, None)
            elif key is None or value is None or key.type == "computed_property_name":
                why = why or (None if each.type == "comment" else "a part of it is not read")
            else:
                name = self._text.text(key).strip("\"'")
                fields[name] = _field(name, self._chain(value), is_required=is_required)
        return Fields(fields, why=why or (None if fields else "it has no fields"))

    def _spread(self, node: "Node", depth: int) -> Fields:
        """`...schema.shape` is all of another schema."""
        name = self._text.brief(node, _MOST_TEXT)
        if node.type == "member_expression" and name.endswith(".shape"):
            return _named(name.removesuffix(".shape"), self._file, self._names, depth + 1)
        return Fields({}, why="a part of it is not read")

    def _chain(self, node: "Node") -> list[str]:
        """The names of the calls that make a field, from the first."""
        found: list[str] = []
        while node.type in {"call_expression", "member_expression"}:
            if node.type == "call_expression":
                called = node.child_by_field_name("function")
            else:
                word, called = node.child_by_field_name("property"), node.child_by_field_name("object")
                if word is not None:
                    found.append(self._text.text(word))
            if called is None:
                break
            node = called
        return [self._text.brief(node, _MOST_TEXT), *reversed(found)]


def _field(name: str, chain: list[str], *, is_required: bool) -> FieldShape:
    words, said = data()["validators"], set(chain)
    kind = next(
        (kind for kind, names in words["kinds"].items() if len(chain) > 1 and chain[1] in names), None
    )
    if chain[0] not in {*words["required"], *words["optional"]}:
        kind = None
    may_miss = bool(said & set(words["missing"])) if is_required else "required" not in said
    return FieldShape(name, kind, may_miss, bool(said & set(words["null"])))
