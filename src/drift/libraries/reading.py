"""From the tables of a TOML file to a library, with a clear word where it is none. Files of projects come from strangers."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar, cast, get_args

from drift.libraries.form import (
    Check,
    Condition,
    Confidence,
    Library,
    Object,
    Propagator,
    Sanitizer,
    Scalar,
    Selector,
    Sink,
    Source,
    Trust,
)
from drift.libraries.kinds import kinds

SECTIONS: Final = ("sources", "sinks", "sanitizers", "propagators", "objects", "checks", "data")
LANGUAGES: Final = ("cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby", "rust")
_HEAD: Final = frozenset({"name", "language", "packages", *SECTIONS})
_MOST_ROWS: Final = 400
_MOST_NAMES: Final = 200
_MOST_CHARACTERS: Final = 200

T = TypeVar("T")
Row = Mapping[str, Any]


class LibraryError(ValueError):
    """Tables that are no library; the message says where and why."""


def read_library(tables: Row, *, name: str, language: str | None = None, is_own: bool = False) -> Library:
    """The library that tables describe. Raises LibraryError."""
    _only(tables, _HEAD, "the library")
    spoken = tables.get("language", language)
    if spoken not in LANGUAGES:
        raise LibraryError(f"language: must be one of {', '.join(LANGUAGES)}")
    if language is not None and spoken != language:
        raise LibraryError(f"language: must be {language}, as the folder is called")
    return Library(
        name=_text(tables.get("name", name), "name"),
        language=spoken,
        packages=_texts(tables, "packages"),
        sources=_rows(tables, "sources", _source),
        sinks=_rows(tables, "sinks", _sink),
        sanitizers=_rows(tables, "sanitizers", _sanitizer),
        propagators=_rows(tables, "propagators", _propagator),
        objects=_rows(tables, "objects", _object),
        checks=_rows(tables, "checks", _check),
        data=_rows(tables, "data", dict),
        is_own=is_own,
    )


def _source(row: Row) -> Source:
    _only(row, Source.__slots__)
    found = Source(
        label=_text(row.get("label"), "label"),
        names=_names(row),
        trust=cast("Trust", _choice(row.get("trust", "remote"), get_args(Trust), "trust")),
        decorators=_texts(row, "decorators"),
        handler_parameters=tuple(map(_place, _list(row, "handler_parameters"))),
        types=_texts(row, "types"),
        argument=_selector(row.get("argument", "result")),
        kinds=_kinds(row),
    )
    if not (found.names or found.decorators or found.handler_parameters or found.types):
        raise LibraryError("it needs names, decorators, handler_parameters or types")
    return found


def _sink(row: Row) -> Sink:
    _only(row, Sink.__slots__)
    return Sink(
        kind=_kind(row.get("kind"), has_flow=True),
        names=_needed(row),
        arguments=_selectors(row, "arguments") or (0,),
        when=_condition(row, "when"),
        unless=_condition(row, "unless"),
        assigned=_flag(row, "assigned"),
        confidence=_confidence(row),
        built=_flag(row, "built"),
        first=_flag(row, "first"),
        not_types=_texts(row, "not_types"),
        whole=_flag(row, "whole"),
    )


def _sanitizer(row: Row) -> Sanitizer:
    _only(row, Sanitizer.__slots__)
    return Sanitizer(
        names=_needed(row),
        kinds=_kinds(row) or ("*",),
        validates=_flag(row, "validates"),
        undoes=_flag(row, "undoes"),
        rooted=_flag(row, "rooted"),
        argument=_selector(row.get("argument", 0)),
        when=_condition(row, "when"),
    )


def _propagator(row: Row) -> Propagator:
    _only(row, ("names", "from", "to"))
    return Propagator(
        names=_needed(row),
        sources=_selectors(row, "from") or (0,),
        target=_selector(row.get("to", "result")),
    )


def _object(row: Row) -> Object:
    _only(row, Object.__slots__)
    place = row.get("handler_parameter")
    return Object(
        type=_text(row.get("type"), "type"),
        results=_texts(row, "results"),
        handler_parameter=None if place is None else _place(place),
        parameter_names=_texts(row, "parameter_names"),
    )


def _check(row: Row) -> Check:
    _only(row, Check.__slots__)
    found = Check(
        kind=_kind(row.get("kind")),
        names=_names(row),
        keys=_texts(row, "keys"),
        values=tuple(_scalar(each) for each in _list(row, "values")),
        when=_condition(row, "when"),
        unless=_condition(row, "unless"),
        context=_texts(row, "context"),
        confidence=_confidence(row),
        label=row.get("label", "") and _text(row["label"], "label"),
    )
    if bool(found.names) == bool(found.keys):
        raise LibraryError("it needs either names or keys")
    return found


def _rows(tables: Row, section: str, read: Callable[[Row], T]) -> tuple[T, ...]:
    rows = tables.get(section, [])
    if not isinstance(rows, list) or len(rows) > _MOST_ROWS:
        raise LibraryError(f"{section}: must be a list of at most {_MOST_ROWS} tables")
    found = []
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise LibraryError(f"{section} {number}: must be a table")
        try:
            found.append(read(row))
        except LibraryError as error:
            raise LibraryError(f"{section} {number}: {error}") from error
    return tuple(found)


def _only(row: Row, known: Iterable[str], what: str = "it") -> None:
    unknown = sorted(set(row) - set(known))
    if unknown:
        raise LibraryError(f"{what} has unknown keys: {', '.join(unknown)[:_MOST_CHARACTERS]}")


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= _MOST_CHARACTERS:
        raise LibraryError(f"{key}: must be a text of at most {_MOST_CHARACTERS} characters")
    return value


def _list(row: Row, key: str) -> list[Any]:
    value = row.get(key, [])
    if not isinstance(value, list) or len(value) > _MOST_NAMES:
        raise LibraryError(f"{key}: must be a list of at most {_MOST_NAMES}")
    return value


def _texts(row: Row, key: str) -> tuple[str, ...]:
    return tuple(_text(each, key) for each in _list(row, key))


def _names(row: Row) -> tuple[str, ...]:
    names = _texts(row, "names")
    for name in names:
        if "*" in name.removeprefix("*.") or not name.removeprefix("*."):
            raise LibraryError(f"names: {name!r} may have a * only as what stands before its first dot")
    return names


def _needed(row: Row) -> tuple[str, ...]:
    if names := _names(row):
        return names
    raise LibraryError("names: at least one is needed")


def _flag(row: Row, key: str) -> bool:
    value = row.get(key, False)
    if not isinstance(value, bool):
        raise LibraryError(f"{key}: must be true or false")
    return value


def _choice(value: Any, known: Iterable[str], key: str) -> str:
    if value not in (choices := tuple(known)):
        raise LibraryError(f"{key}: must be one of {', '.join(choices)}")
    return cast("str", value)


def _confidence(row: Row) -> Confidence:
    return cast("Confidence", _choice(row.get("confidence", "high"), get_args(Confidence), "confidence"))


def _kind(value: Any, *, has_flow: bool = False) -> str:
    known = [name for name, each in kinds().items() if each.has_flow or not has_flow]
    return _choice(value, known, "kind")


def _kinds(row: Row) -> tuple[str, ...]:
    return tuple(_choice(each, ("*", *kinds()), "kinds") for each in _list(row, "kinds"))


def _place(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and -1 <= value <= _MOST_NAMES:
        return value
    raise LibraryError(f"{value!r} is no place of a parameter")


def _selector(value: Any) -> Selector:
    if isinstance(value, str):
        text = _text(value, "argument")
        return int(text) if text.isdecimal() else text
    return _place(value)


def _selectors(row: Row, key: str) -> tuple[Selector, ...]:
    return tuple(_selector(each) for each in _list(row, key))


def _condition(row: Row, key: str) -> Condition | None:
    if key not in row:
        return None
    table = row[key]
    if not isinstance(table, dict) or not table:
        raise LibraryError(f"{key}: must be a table of arguments and the values they have")
    return {
        _selector(selector): tuple(map(_scalar, values if isinstance(values, list) else [values]))
        for selector, values in table.items()
    }


def _scalar(value: Any) -> Scalar:
    if value == "null":
        return None
    if isinstance(value, bool | int):
        return value
    return _text(value, "values")
