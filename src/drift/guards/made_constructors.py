"""What the constructor of a class takes that nobody wrote: of dataclasses, named tuples, records, models, and of plain classes.

Read from the fields that the class and its parents declare. None wherever something may change what is taken: a parent out
of sight, a decorator or a metaclass that is not known, names under which a model takes its fields (aliases).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from drift.guards.overlay import Overlay
from drift.languages.facts import Parameter, Symbol
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.links import Place
from drift.scan.link.values import SYMBOL_MASK
from drift.scan.link.wholeness import has_metaclass, has_plain_line

_FIELD: Final = re.compile(
    r"(\w{1,200})\s{0,20}:\s{0,20}([^=]{1,2000}?)\s{0,20}(?:=\s{0,20}(.{0,4000}))?", re.DOTALL
)
_DATACLASS: Final = frozenset({"dataclass", "dataclasses.dataclass"})
_NAMED_TUPLE: Final = frozenset({"typing.NamedTuple", "NamedTuple"})
_MODEL: Final = frozenset({"pydantic.BaseModel", "pydantic.main.BaseModel"})
_WITHOUT_FIELDS: Final = frozenset(
    {
        "object",
        "abc.ABC",
        "typing.Generic",
        "typing.Protocol",
        "typing_extensions.Protocol",
        "builtins.object",
    }
)
_ALIASED: Final = (
    "alias",
    "model_config",
    "Config",
    "model_validator",
    "root_validator",
    "__init_subclass__",
)
"""What makes a model take something under other names, or nothing where a field asks for it."""
_NO_FIELD: Final = re.compile(r"(?:\w{1,40}\.)?ClassVar\b|[\"'](?:\w{1,40}\.)?ClassVar\b")
_MADE: Final = re.compile(r"(?:\w{1,40}\.)?(?:field|Field|PrivateAttr)\s{0,5}\(")
_KEYWORD_ONLY: Final = re.compile(r"kw_only\s{0,5}=\s{0,5}True")
_NOT_GIVEN: Final = re.compile(r"\binit\s{0,5}=\s{0,5}False")
_GIVEN_A_DEFAULT: Final = re.compile(r"\bdefault(?:_factory)?\s{0,5}=")
_NONE: Final = (None, "", "...")


class _Field(NamedTuple):
    name: str
    type: str
    value: str | None


def made_parameters(overlay: Overlay, place: Place) -> Sequence[Parameter] | None:
    """What the constructor of a class takes where the class has none that is written; None where nobody can say."""
    analysis: Analysis = overlay.linking.linker.analysis
    owner = analysis.program.number(place)
    symbol = analysis.program.symbol(owner)
    language = analysis.program.semantics_at(owner).language
    if language == "java" and "record" in symbol.modifiers:
        inside = _members(overlay, owner)
        return tuple(Parameter(each.name) for _, each in inside if "component" in each.modifiers)
    return _of_python(overlay, analysis, owner) if language == "python" and symbol.kind == "class" else None


def _of_python(overlay: Overlay, analysis: Analysis, owner: int) -> Sequence[Parameter] | None:
    line = list(line_of_descent(analysis, owner))
    inside = [each for each in line if isinstance(each, int)]
    outside = {each for each in line if isinstance(each, str)} - _WITHOUT_FIELDS
    if not has_plain_line(analysis, owner) or has_metaclass(analysis, owner):
        return None
    if any(_says(overlay, each, ("__new__", "__init__")) for each in inside):
        return None
    decorated = [{one.name for one in analysis.program.symbol(each).decorators} for each in inside]
    if not outside and not any(decorated):
        return ()
    if not outside and all(each <= _DATACLASS for each in decorated):
        return _of_dataclass(overlay, inside)
    if any(decorated):
        return None
    if outside <= _NAMED_TUPLE:
        return tuple(map(_plain, _fields(overlay, inside[-1])))
    is_plain_model = outside <= _MODEL and not any(_says(overlay, each, _ALIASED) for each in inside)
    return _of_model(overlay, inside) if is_plain_model else None


def _of_dataclass(overlay: Overlay, inside: Sequence[int]) -> Sequence[Parameter] | None:
    found: dict[str, Parameter] = {}
    for owner in reversed(inside):
        decorators = _symbol(overlay, owner).decorators
        if not decorators:
            continue
        if any(_NOT_GIVEN.search(each.text) for each in decorators):
            return None
        by_keyword = any(_KEYWORD_ONLY.search(each.text) for each in decorators)
        for field in _fields(overlay, owner):
            if field.type.endswith("KW_ONLY"):
                by_keyword = True
                continue
            value = field.value or ""
            is_made = _MADE.match(value) is not None
            if is_made and _NOT_GIVEN.search(value):
                found.pop(field.name, None)
                continue
            is_keyword = by_keyword or (is_made and _KEYWORD_ONLY.search(value) is not None)
            has_default = field.value is not None and (
                not is_made or _GIVEN_A_DEFAULT.search(value) is not None
            )
            # One that is cut may have a default behind.
            default = value if has_default or (is_made and not value.rstrip().endswith(")")) else None
            found[field.name] = Parameter(
                field.name, "keyword" if is_keyword else "plain", default_text=default
            )
    return tuple(found.values())


def _of_model(overlay: Overlay, inside: Sequence[int]) -> Sequence[Parameter]:
    found: dict[str, Parameter] = {}
    for owner in reversed(inside):
        for field in _fields(overlay, owner):
            if not field.name.startswith("_"):
                has_default = field.value is not None and not _is_required(field.value)
                default = field.value if has_default else None
                found[field.name] = Parameter(field.name, "keyword", default_text=default)
    return tuple(found.values())


def _is_required(value: str) -> bool:
    """Whether `Field(...)` says that there is no default."""
    if _MADE.match(value) is None:
        return value in _NONE
    given = value.partition("(")[2].lstrip()
    is_keyword = re.match(r"\w{1,60}\s{0,5}=", given) is not None
    return given.startswith("...") or (
        (is_keyword or given.startswith(")")) and not _GIVEN_A_DEFAULT.search(value)
    )


def _plain(field: _Field) -> Parameter:
    return Parameter(field.name, default_text=field.value)


def _fields(overlay: Overlay, owner: int) -> Iterator[_Field]:
    """The fields that a class declares with a type, as they are written."""
    for number, one in _members(overlay, owner):
        if one.kind != "field":
            continue
        found = _FIELD.fullmatch(one.signature or signature_of(overlay, number))
        if found is not None and not _NO_FIELD.match(found[2]):
            yield _Field(found[1], found[2].strip(), found[3])


def _says(overlay: Overlay, owner: int, words: Sequence[str]) -> bool:
    """Whether a class has a member of one of some names, or says one in a field's value or a decorator."""
    for number, one in _members(overlay, owner):
        said = [
            one.name,
            one.signature or signature_of(overlay, number),
            *(each.text for each in one.decorators),
        ]
        if any(word in text for word in words for text in said):
            return True
    table = overlay.linking.linker.analysis.program.table_of(owner)
    return any(word in table.names[owner & SYMBOL_MASK] for word in words)


def _members(overlay: Overlay, owner: int) -> Iterator[tuple[int, Symbol]]:
    table = overlay.linking.linker.analysis.program.table_of(owner)
    for number, one in enumerate(table.symbols):
        if number and one.parent == owner & SYMBOL_MASK:
            yield table.first + number, one


def _symbol(overlay: Overlay, owner: int) -> Symbol:
    return overlay.linking.linker.analysis.program.symbol(owner)


def signature_of(overlay: Overlay, number: int) -> str:
    """A declaration as it is written; facts that come from the index leave it to the index."""
    place = overlay.linking.linker.analysis.program.place(number)
    symbol = overlay.symbol_id(place)
    record = overlay.reader.symbols.get(symbol) if symbol is not None else None
    return record.signature if record is not None else ""
