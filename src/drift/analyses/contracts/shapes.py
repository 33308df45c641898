"""The shapes that types have: their fields with those of their parents, through lists and what only holds them.

A shape is whole where all that makes it is known. Of others it is said why they are not, and nothing is compared.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.document_shapes import DocumentShapes, plain_type
from drift.analyses.contracts.laravel import laravel_fields
from drift.analyses.contracts.paths import data
from drift.analyses.contracts.records import Fields, FieldShape, Shape, Side, TypeUse
from drift.analyses.contracts.serializers import serializer_fields
from drift.analyses.contracts.type_names import TypeNames
from drift.analyses.contracts.type_texts import (
    GENERIC,
    MOST_DEPTH,
    NULL,
    camel_case,
    split_members,
    split_type,
    unwrap,
)
from drift.analyses.contracts.validators import inline_fields, schema_fields, schema_name
from drift.kernel.text import shorten

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.contract_queries import WireField
    from drift.index.records import SymbolRecord

_MOST_NAME: Final = 80  # of a type that is written where it is used
_NAME: Final = re.compile(r"\A[\w.$\\]{1,100}\Z")
_KEYS: Final = re.compile(r"""["']([\w$]{1,100})["']""")
_STATUS: Final = re.compile(r"\A2\d\d\Z")
_LEFT_OUT: Final = re.compile(r"(?:^|[@.\[ ])(?:JsonIgnore|Exclude|XmlTransient|Transient|NotMapped)\b")
_WIRE: Final = re.compile(r"""@JsonProperty\(\s{0,9}(?:value\s{0,9}=\s{0,9})?["']([\w.-]{1,100})["']""")
_REQUIRED: Final = re.compile(
    r"\b(?:NotNull|NotBlank|NotEmpty|Required|BindRequired|JsonRequired|IsNotEmpty)\b|\brequired\b"
)
_GENERATOR: Final = re.compile(r"\balias_generator\s{0,9}[=:]\s{0,9}([\w.]{1,100})")
_UNSAID: Final = frozenset({"java", "csharp", "php", "go", "rust"})  # whether a field may be missing
# Parents that Nest makes of other types.
_MAPPED: Final = {"PartialType": "Partial", "OmitType": "Omit", "PickType": "Pick"}
_MAKING: Final = re.compile(rf"\A({'|'.join(_MAPPED)})\((.{{1,300}})\)\Z", re.DOTALL)
_UTILITIES: Final = frozenset({"Omit", "Pick", "Partial", "Required", "Readonly"})


class Shapes:
    """Finds the shapes of types in a project."""

    def __init__(self, reader: "IndexReader", names: TypeNames) -> None:
        self._reader = reader
        self._names = names
        self._documents = DocumentShapes(reader)
        self._made: dict[TypeUse, Shape | None] = {}
        self.extra: dict[tuple[str, str], frozenset[str]] = {}  # by name and file of a shape

    def of(self, use: TypeUse | None) -> Shape | None:
        """The shape of a type; None where nothing is said."""
        if use is None:
            return None
        if use not in self._made:
            self._made[use] = None  # a type that holds itself
            self._made[use] = self._shape(use, 0)
        return self._made[use]

    def _shape(self, use: TypeUse, depth: int) -> Shape | None:
        document = self._documents.kinds.get(use.file)
        bare, is_list = unwrap(plain_type(use.text, document) if document else use.text)
        if bare is None:
            return None
        parts = split_type(bare, "&")
        if depth > MOST_DEPTH or (len(parts) == 1 and len(split_type(bare, "|")) > 1):
            return Shape(
                bare, (), is_whole=False, is_list=is_list, file=use.file, why="it may be one of several"
            )
        made = [self._part(part, use, depth) for part in parts]
        fields: dict[str, FieldShape] = {}
        extra: frozenset[str] = frozenset()
        for one in made:
            fields.update(one.fields)
            extra |= one.extra
        why = next((one.why for one in made if one.why), None) or (None if fields else "it has no fields")
        told = shorten(bare, _MOST_NAME)
        file = next((one.file for one in made if one.file), use.file)
        self.extra[told, file] = extra
        is_partial = any(one.is_partial for one in made)
        found = Shape(
            told, tuple(fields.values()), is_whole=why is None, is_list=is_list, file=file, why=why,
            is_partial=is_partial,
        )  # fmt: skip
        return self._through_status(found, depth)

    def _through_status(self, shape: Shape, depth: int) -> Shape:
        """What a generated type says of each status is the answer of the one that went well."""
        good = [one for one in shape.fields if _STATUS.match(one.name)]
        if not good or not good[0].type:
            return shape
        return self._shape(TypeUse(good[0].type, shape.file), depth + 1) or shape

    def _part(self, text: str, use: TypeUse, depth: int) -> Fields:
        if use.file in self._documents.kinds:
            return self._documents.fields(text, use.file)
        schema = schema_name(text)
        if schema is not None:
            return schema_fields(schema, use.file, self._names)
        if text.startswith(tuple(f"{each}." for each in data()["validators"]["required"])) and "(" in text:
            return inline_fields(text.encode(), use.file, self._names)
        mapped = _MAKING.match(text)
        if mapped is not None:
            return self._utility(_MAPPED[mapped[1]], split_type(mapped[2], ","), use, depth)
        generic = GENERIC.match(text)
        name = generic[1] if generic else text
        if generic and name in _UTILITIES:
            return self._utility(name, split_type(generic[2], ","), use, depth)
        if text.startswith("{"):
            return _inline(text, is_null_told=self._tells_null("typescript", use.file))
        if not _NAME.match(name):
            return Fields({}, why=f"{text[:60]} is not read")
        symbol, why = self._names.resolve(name, use.file)
        if symbol is None:
            return Fields({}, why=why)
        given = split_type(generic[2], ",") if generic else []
        parameters = _type_parameters(symbol.signature)
        if len(given) != len(parameters):
            return Fields({}, why=f"{name} is generic")
        put = dict(zip(parameters, given, strict=True))
        return self._declared(symbol, use.side, depth, given=put)._replace(file=symbol.path)

    def _utility(self, name: str, given: list[str], use: TypeUse, depth: int) -> Fields:
        inner = self._shape(use._replace(text=given[0]), depth + 1)
        if inner is None or not inner.is_whole:
            return Fields({}, why=(inner.why if inner else None) or "nothing is known of it")
        fields = {one.name: one for one in inner.fields}
        keys = set(_KEYS.findall(given[1])) if len(given) > 1 else set()
        if name == "Omit":
            fields = {key: one for key, one in fields.items() if key not in keys}
        elif name == "Pick":
            fields = {key: one for key, one in fields.items() if key in keys}
        elif name == "Partial":
            fields = {key: one._replace(is_optional=True) for key, one in fields.items()}
        return Fields(fields, is_partial=name == "Partial" or inner.is_partial)

    def _declared(
        self,
        symbol: "SymbolRecord",
        side: Side,
        depth: int,
        *,
        given: Mapping[str, str] = MappingProxyType({}),
    ) -> Fields:
        _, is_alias, right = symbol.signature.partition(" = ") if symbol.kind == "type" else ("", "", "")
        if is_alias and not right.strip().startswith("{"):
            use = TypeUse(_put(right.strip().rstrip(";"), given), symbol.path, side)
            meant = self._shape(use, depth + 1)
            if meant is None or not meant.is_whole:
                why = meant.why if meant is not None else None
                return Fields({}, why=why or f"{symbol.name} is not read")
            return Fields({one.name: one for one in meant.fields}, is_partial=meant.is_partial)
        written = serializer_fields(symbol, side, self._names, self._reader) or laravel_fields(
            symbol, self._names
        )
        if written is not None:
            return written
        found = self._own(symbol)
        if given:
            put = {key: one._replace(type=_put(one.type or "", given)) for key, one in found.fields.items()}
            found = found._replace(fields=put)
        whole = self._with_parents(symbol, found, side, depth)
        return self._aliased(symbol, whole) if depth == 0 and symbol.language == "python" else whole

    def _aliased(self, symbol: "SymbolRecord", found: Fields) -> Fields:
        """The fields as a generator of aliases calls them; by their own names they may be taken, too."""
        told = [
            member.signature
            if member.name == "model_config"
            else self._names.text(member).decode("utf-8", "replace")
            for one in self._names.line(symbol)[0]
            for member in self._reader.symbols.members(one.id)
            if member.name in {"model_config", "Config"}
        ]
        generator = next((match for text in told if (match := _GENERATOR.search(text))), None)
        if generator is None:
            return found
        if "camel" not in generator[1].lower():
            return Fields({}, why=f"{generator[1]} makes the names of its fields")
        named = {camel_case(name): one._replace(name=camel_case(name)) for name, one in found.fields.items()}
        return found._replace(fields=named, extra=found.extra | found.fields.keys())

    def _with_parents(self, symbol: "SymbolRecord", own: Fields, side: Side, depth: int) -> Fields:
        found = own
        for base in self._reader.symbols.bases(symbol.id):
            name = re.split(r"[\\.:]", base.text.partition("<")[0].partition("[")[0].partition("(")[0])[-1]
            parent = self._reader.symbols.get(base.target_symbol_id) if base.target_symbol_id else None
            if name in _MAPPED or schema_name(base.text) is not None:
                above = self._part(base.text, TypeUse(base.text, symbol.path, side), depth + 1)
            elif base.target_symbol_id is None:
                is_plain = base.kind == "implements" or name in data()["types"]["plain_parents"]
                above = Fields({}, why=None if is_plain else f"its parent {name} is not in the project")
            elif parent is not None and depth < MOST_DEPTH:
                above = self._declared(parent, side, depth + 1)
            else:
                continue
            found = Fields(
                {**above.fields, **found.fields},
                found.extra | above.extra,
                found.why or above.why,
                is_partial=found.is_partial or above.is_partial,
            )
        return found

    def _tells_null(self, language: str | None, path: str) -> bool:
        """Whether a type that does not name null excludes it."""
        return language == "python" or (language == "typescript" and self._names.strictness.holds(path))

    def _own(self, symbol: "SymbolRecord") -> Fields:
        fields: dict[str, FieldShape] = {}
        extra: set[str] = set()
        for one in self._reader.contracts.fields([symbol.id]):
            marks = one.decorators or ""
            if _LEFT_OUT.search(marks):
                continue
            if one.kind == "method":
                extra.add(_of_getter(one.name))
                extra.update(_WIRE.findall(marks))
            elif one.type is None and one.kind == "property":
                extra.add(one.name)
            elif not one.name.startswith(("_", "#", "model_config")):
                field = _field(one, symbol.language or "")
                is_told = self._tells_null(symbol.language, symbol.path)
                fields[field.name] = field if is_told else field._replace(is_nullable=None)
        return Fields(fields, frozenset(extra))


def _type_parameters(signature: str) -> list[str]:
    """The names that a generic type has for what it is given."""
    before = signature.partition(" = ")[0]
    found = re.search(r"\b(?:type|interface|class|record|struct)\s{1,9}\w{1,100}\s{0,9}<(.{1,300})>", before)
    return [part.split()[0] for part in split_type(found[1], ",")] if found else []


def _put(text: str, given: Mapping[str, str]) -> str:
    """A type with what its parameters stand for."""
    for name, meant in given.items():
        text = meant.join(re.split(rf"\b{re.escape(name)}\b", text))
    return text


def _field(one: "WireField", language: str) -> FieldShape:
    written = one.type or ""
    is_null = NULL.search(written) is not None
    wire = one.wire_name or one.name
    if language == "csharp" and one.wire_name is None:
        wire = wire[:1].lower() + wire[1:]  # as ASP.NET writes it unless told otherwise
    return FieldShape(wire, written or None, _may_be_missing(one, language), is_null)


def _may_be_missing(one: "WireField", language: str) -> bool | None:
    """Whether a field may be left out; None where the language does not say."""
    if language == "python":
        return "=" in one.signature
    if language == "typescript":
        return re.search(r"\?\s{0,9}:", one.signature) is not None or "@IsOptional" in (one.decorators or "")
    if language not in _UNSAID:
        return bool(one.is_optional)
    if _REQUIRED.search(f"{one.decorators or ''} {one.signature}"):
        return False
    return True if one.is_optional else None


def _inline(text: str, *, is_null_told: bool) -> Fields:
    """The fields of a type that is written where it is used."""
    fields: dict[str, FieldShape] = {}
    for part in split_members(text[1:].removesuffix("}")):
        found = re.match(
            r"\A(?:readonly\s{1,9})?[\"']?([\w$]{1,100})[\"']?(\?)?\s{0,9}:\s{0,9}(.{1,300})\Z",
            part,
            re.DOTALL,
        )
        if found is None:
            return Fields({}, why="a part of it is not read")
        is_null = NULL.search(found[3]) is not None
        fields[found[1]] = FieldShape(
            found[1], found[3].strip(), bool(found[2]), is_null if is_null_told else None
        )
    return Fields(fields)


def _of_getter(name: str) -> str:
    for beginning in ("get", "is"):
        rest = name.removeprefix(beginning)
        if rest != name and rest[:1].isupper():
            return rest[:1].lower() + rest[1:]
    return name


def inline_shape(names: Iterable[str], file: str) -> Shape:
    """The shape of an object whose names are written where it is sent."""
    fields = tuple(FieldShape(name, None, is_optional=False, is_nullable=None) for name in names)
    return Shape("{…}", fields, is_whole=bool(fields), is_list=False, file=file)


def through_envelope(shape: Shape, shapes: Shapes) -> Shape | None:
    """What an answer is about, where one of its fields holds that."""
    for field in shape.fields:
        if field.name in data()["types"]["envelopes"] and field.type:
            inner = shapes.of(TypeUse(field.type, shape.file))
            if inner is not None and inner.fields:
                return inner
    return None
