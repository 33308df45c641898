"""The shapes that types have: their fields with those of their parents, through lists and what only holds them.

A shape is whole where all that makes it is known. Of others it is said why they are not, and nothing is compared.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.contracts.paths import data
from drift.analyses.contracts.records import FieldShape, Shape, TypeUse
from drift.analyses.error_handling.hierarchy import family_name
from drift.kernel.text import shorten

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.contract_queries import WireField
    from drift.index.ids import SymbolId
    from drift.index.records import SymbolRecord

_MOST_DEPTH: Final = 8
_MOST_NAME: Final = 80  # of a type that is written where it is used
_TYPES: Final = frozenset({"class", "interface", "type", "struct", "record", "enum"})
_NOTHING: Final = re.compile(
    r"\s{0,9}\|\s{0,9}(?:null|undefined|None)\b|\b(?:null|undefined|None)\s{0,9}\|\s{0,9}"
)
_NULL: Final = re.compile(r"\b(?:null|None|Optional)\b|\?\Z")
_GENERIC: Final = re.compile(r"\A([\w.$\\]{1,100})\s{0,9}[<\[](.{1,300})[>\]]\Z", re.DOTALL)
_NAME: Final = re.compile(r"\A[\w.$\\]{1,100}\Z")
_KEYS: Final = re.compile(r"""["']([\w$]{1,100})["']""")
_STATUS: Final = re.compile(r"\A2\d\d\Z")
_LEFT_OUT: Final = re.compile(r"(?:^|[@.\[ ])(?:JsonIgnore|Exclude|XmlTransient|Transient|NotMapped)\b")
_WIRE: Final = re.compile(r"""@JsonProperty\(\s{0,9}(?:value\s{0,9}=\s{0,9})?["']([\w.-]{1,100})["']""")
_REQUIRED: Final = re.compile(
    r"\b(?:NotNull|NotBlank|NotEmpty|Required|BindRequired|JsonRequired|IsNotEmpty)\b|\brequired\b"
)
_UNSAID: Final = frozenset({"java", "csharp", "php", "go", "rust"})  # whether a field may be missing
_NULLS_TOLD: Final = frozenset({"typescript", "python"})
# Parents that Nest makes of other types.
_MAPPED: Final = {"PartialType": "Partial", "OmitType": "Omit", "PickType": "Pick"}
_MAKING: Final = re.compile(rf"\A({'|'.join(_MAPPED)})\((.{{1,300}})\)\Z", re.DOTALL)
_UTILITIES: Final = frozenset({"Omit", "Pick", "Partial", "Required", "Readonly"})


class _Fields(NamedTuple):
    fields: dict[str, FieldShape]
    extra: frozenset[str]  # names that methods may give
    why: str | None
    file: str | None = None  # where its types mean what they are called


class Shapes:
    """Finds the shapes of types in a project."""

    def __init__(self, reader: "IndexReader") -> None:
        self._reader = reader
        self._made: dict[tuple[str, str], Shape | None] = {}
        self._imports: dict[str, dict[str, SymbolId]] = {}
        self.extra: dict[tuple[str, str], frozenset[str]] = {}  # by name and file of a shape

    def of(self, use: TypeUse | None) -> Shape | None:
        """The shape of a type; None where nothing is said."""
        if use is None:
            return None
        key = (use.text, use.file)
        if key not in self._made:
            self._made[key] = None  # a type that holds itself
            self._made[key] = self._shape(use, 0)
        return self._made[key]

    def _shape(self, use: TypeUse, depth: int) -> Shape | None:
        bare, is_list = unwrap(use.text)
        if bare is None:
            return None
        parts = _split(bare, "&")
        if depth > _MOST_DEPTH or (len(parts) == 1 and len(_split(bare, "|")) > 1):
            return Shape(
                bare, (), is_whole=False, is_list=is_list, file=use.file, why="it may be one of several"
            )
        made = [self._part(part, use.file, depth) for part in parts]
        fields: dict[str, FieldShape] = {}
        extra: frozenset[str] = frozenset()
        for one in made:
            fields.update(one.fields)
            extra |= one.extra
        why = next((one.why for one in made if one.why), None) or (None if fields else "it has no fields")
        told = shorten(bare, _MOST_NAME)
        file = next((one.file for one in made if one.file), use.file)
        self.extra[told, file] = extra
        found = Shape(told, tuple(fields.values()), is_whole=why is None, is_list=is_list, file=file, why=why)
        return self._through_status(found, depth)

    def _through_status(self, shape: Shape, depth: int) -> Shape:
        """What a generated type says of each status is the answer of the one that went well."""
        good = [one for one in shape.fields if _STATUS.match(one.name)]
        if not good or not good[0].type:
            return shape
        return self._shape(TypeUse(good[0].type, shape.file), depth + 1) or shape

    def _part(self, text: str, file: str, depth: int) -> _Fields:
        mapped = _MAKING.match(text)
        if mapped is not None:
            return self._utility(_MAPPED[mapped[1]], _split(mapped[2], ","), file, depth)
        generic = _GENERIC.match(text)
        name = generic[1] if generic else text
        if generic and name in _UTILITIES:
            return self._utility(name, _split(generic[2], ","), file, depth)
        if text.startswith("{"):
            return _inline(text)
        if not _NAME.match(name):
            return _Fields({}, frozenset(), f"{text[:60]} is not read")
        symbol, why = self._resolve(name, file)
        if symbol is None:
            return _Fields({}, frozenset(), why)
        given = _split(generic[2], ",") if generic else []
        names = _type_parameters(symbol.signature)
        if len(given) != len(names):
            return _Fields({}, frozenset(), f"{name} is generic")
        return self._declared(symbol, depth, dict(zip(names, given, strict=True)))._replace(file=symbol.path)

    def _utility(self, name: str, given: list[str], file: str, depth: int) -> _Fields:
        inner = self._shape(TypeUse(given[0], file), depth + 1)
        if inner is None or not inner.is_whole:
            return _Fields({}, frozenset(), (inner.why if inner else None) or "nothing is known of it")
        fields = {one.name: one for one in inner.fields}
        keys = set(_KEYS.findall(given[1])) if len(given) > 1 else set()
        if name == "Omit":
            fields = {key: one for key, one in fields.items() if key not in keys}
        elif name == "Pick":
            fields = {key: one for key, one in fields.items() if key in keys}
        elif name == "Partial":
            fields = {key: one._replace(is_optional=True) for key, one in fields.items()}
        return _Fields(fields, frozenset(), None)

    def _declared(
        self, symbol: "SymbolRecord", depth: int, given: Mapping[str, str] = MappingProxyType({})
    ) -> _Fields:
        _, is_alias, right = symbol.signature.partition(" = ") if symbol.kind == "type" else ("", "", "")
        if is_alias and not right.strip().startswith("{"):
            meant = self._shape(TypeUse(_put(right.strip().rstrip(";"), given), symbol.path), depth + 1)
            if meant is None or not meant.is_whole:
                why = meant.why if meant is not None else None
                return _Fields({}, frozenset(), why or f"{symbol.name} is not read")
            return _Fields({one.name: one for one in meant.fields}, frozenset(), None)
        found = self._own(symbol)
        if given:
            put = {key: one._replace(type=_put(one.type or "", given)) for key, one in found.fields.items()}
            found = found._replace(fields=put)
        fields, extra, why = dict(found.fields), found.extra, found.why
        for base in self._reader.symbols.bases(symbol.id):
            name = re.split(r"[\\.:]", base.text.partition("<")[0].partition("[")[0].partition("(")[0])[-1]
            if name in _MAPPED:
                above = self._part(base.text, symbol.path, depth + 1)
                fields, why = {**above.fields, **fields}, why or above.why
                continue
            if base.target_symbol_id is None:
                is_plain = base.kind == "implements" or name in data()["types"]["plain_parents"]
                why = why or (None if is_plain else f"its parent {name} is not in the project")
                continue
            parent = self._reader.symbols.get(base.target_symbol_id)
            if parent is not None and depth < _MOST_DEPTH:
                above = self._declared(parent, depth + 1)
                fields = {**above.fields, **fields}
                extra, why = extra | above.extra, why or above.why
        return _Fields(fields, extra, why)

    def _own(self, symbol: "SymbolRecord") -> _Fields:
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
                fields[field.name] = field
        return _Fields(fields, frozenset(extra), None)

    def _resolve(self, written: str, file: str) -> tuple["SymbolRecord | None", str | None]:
        name = re.split(r"[.\\]", written)[-1]
        if name in data()["types"]["unknown"] or _is_primitive(name):
            return None, f"{name} says nothing of its fields"
        imported = self._imported(file).get(name)
        if imported is not None:
            symbol = self._reader.symbols.get(imported)
            if symbol is not None and symbol.kind in _TYPES:
                return symbol, None
        record = self._reader.files.at(file)
        family = family_name(record.language or "") if record is not None else ""
        named = [
            one
            for one in self._reader.symbols.named(name)
            if one.kind in _TYPES and family_name(one.language or "") == family and one.role != "test"
        ]
        own = [one for one in named if one.path == file]
        found = own or named
        if not found:
            return None, f"{name} is not in the project"
        return (found[0], None) if len(found) == 1 else (None, f"there are {len(found)} types {name}")

    def _imported(self, file: str) -> dict[str, "SymbolId"]:
        if file not in self._imports:
            record = self._reader.files.at(file)
            rows = self._reader.facts.imports_of(record.id) if record is not None else []
            self._imports[file] = {
                (one.alias or one.name or ""): one.target_symbol_id
                for one in rows
                if one.target_symbol_id is not None
            }
        return self._imports[file]


def _type_parameters(signature: str) -> list[str]:
    """The names that a generic type has for what it is given."""
    before = signature.partition(" = ")[0]
    found = re.search(r"\b(?:type|interface|class|record|struct)\s{1,9}\w{1,100}\s{0,9}<(.{1,300})>", before)
    return [part.split()[0] for part in _split(found[1], ",")] if found else []


def _put(text: str, given: Mapping[str, str]) -> str:
    """A type with what its parameters stand for."""
    for name, meant in given.items():
        text = meant.join(re.split(rf"\b{re.escape(name)}\b", text))
    return text


def _field(one: "WireField", language: str) -> FieldShape:
    written = one.type or ""
    is_null = _NULL.search(written) is not None
    wire = one.wire_name or one.name
    if language == "csharp" and one.wire_name is None:
        wire = wire[:1].lower() + wire[1:]  # as ASP.NET writes it unless told otherwise
    is_nullable = is_null if language in _NULLS_TOLD else None
    return FieldShape(wire, written or None, _may_be_missing(one, language), is_nullable)


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


def _inline(text: str) -> _Fields:
    """The fields of a type that is written where it is used."""
    fields: dict[str, FieldShape] = {}
    for part in _split(text[1:].removesuffix("}"), ";,"):
        found = re.match(
            r"\A(?:readonly\s{1,9})?[\"']?([\w$]{1,100})[\"']?(\?)?\s{0,9}:\s{0,9}(.{1,300})\Z",
            part,
            re.DOTALL,
        )
        if found is None:
            return _Fields({}, frozenset(), "a part of it is not read")
        fields[found[1]] = FieldShape(
            found[1], found[3].strip(), bool(found[2]), _NULL.search(found[3]) is not None
        )
    return _Fields(fields, frozenset(), None)


def _of_getter(name: str) -> str:
    for beginning in ("get", "is"):
        rest = name.removeprefix(beginning)
        if rest != name and rest[:1].isupper():
            return rest[:1].lower() + rest[1:]
    return name


def unwrap(text: str) -> tuple[str | None, bool]:
    """A type without what only holds it, and whether there are many; None for one that says nothing."""
    words, is_list = data()["types"], False
    bare = text.strip().lstrip("?")
    for _ in range(_MOST_DEPTH):
        bare = _NOTHING.sub("", bare).strip().rstrip("?").strip()
        if bare.endswith("[]"):
            bare, is_list = bare[:-2].strip().removeprefix("(").removesuffix(")"), True
            continue
        generic = _GENERIC.match(bare)
        name = re.split(r"[.\\]", generic[1])[-1] if generic else ""
        if generic is None or name not in {*words["through"], *words["many"]}:
            break
        bare, is_list = _split(generic[2], ",")[0], is_list or name in words["many"]
    bare = bare.removeprefix("readonly ").removeprefix("typeof ").strip("*& ")
    if "|" not in bare:
        bare = bare.strip("\"'")  # a name that stands for a type that comes later
    is_said = bare and bare not in words["unknown"] and bare != "{}"
    return (bare if is_said else None), is_list


def _split(text: str, marks: str) -> list[str]:
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


def kind_of(text: str | None) -> str | None:
    """What a value of a type is on the wire: text, number, truth, list, object; None where that is not known."""
    if text is None:
        return None
    bare, is_list = unwrap(text)
    if is_list:
        return "list"
    if bare is None:
        return None
    if bare[:1] in "\"'" or all(part[:1] in "\"'" for part in _split(bare, "|")):
        return "text"
    name = re.split(r"[.\\]", bare)[-1]
    return next((kind for kind, names in data()["primitives"].items() if name in names), None)


def _is_primitive(name: str) -> bool:
    return any(name in names for names in data()["primitives"].values())


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
