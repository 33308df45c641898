"""Facts as bytes and back: what a file said is kept beside its rows, so that it can be linked again unparsed."""

import marshal
import zlib
from collections.abc import Iterable
from itertools import repeat
from typing import Any, Final, NamedTuple

from drift.documents import Item
from drift.languages.facts import (
    Access,
    Base,
    Binding,
    Call,
    CallDetail,
    Comment,
    Complexity,
    Constant,
    Construct,
    Decorator,
    Element,
    EntryPoint,
    EnvironmentRead,
    FileFacts,
    Fingerprint,
    Guard,
    Handling,
    Import,
    MarkupBinding,
    Member,
    Mount,
    Parameter,
    Problem,
    Reference,
    Return,
    Site,
    Store,
    Symbol,
)
from drift.languages.kinds import TYPE_KINDS
from drift.scan.numbering import Numbers

# Version 4 keeps equal strings once; higher levels take twice the time for little more.
_MARSHAL_VERSION: Final = 4
_ZLIB_LEVEL: Final = 3
_LANGUAGES_BY_TEXT: Final = frozenset({"cpp", "csharp", "java"})  # whose overloads are told apart by types
# Linking reads from signatures whether a field is declared with a type, and in these languages also how many
# type parameters there are (C#) and what something outside of its class or namespace belongs to (C++).
_LANGUAGES_BY_SIGNATURE: Final = frozenset({"cpp", "csharp"})
_NAMING: Final = frozenset({"name", "member", "generic", "instance"})  # forms of types that name a class
_KINDS_WITH_SIGNATURE: Final = frozenset({"field", "constant"})

_PLAIN_FIELDS: Final[dict[str, Any]] = {
    "imports": Import,
    "calls": Call,
    "accesses": Access,
    "bindings": Binding,
    "stores": Store,
    "returns": Return,
    "references": Reference,
    "constants": Constant,
    "members": Member,
    "environment_reads": EnvironmentRead,
    "setting_reads": EnvironmentRead,
    "comments": Comment,
    "handlings": Handling,
    "entry_points": EntryPoint,
    "mounts": Mount,
    "guards": Guard,
    "fingerprints": Fingerprint,
    "constructs": Construct,
    "call_details": CallDetail,
    "sites": Site,
    "elements": Element,
    "markup_bindings": MarkupBinding,
    "styles": Item,
    "problems": Problem,
}


class Unpacked(NamedTuple):
    """Facts as they were packed, and the numbers of their symbols; None where that is their order."""

    facts: FileFacts
    numbers: Numbers | None


def pack_facts(facts: FileFacts, numbers: Numbers | None, *, is_whole: bool = False) -> bytes:
    """What linking needs of a file's facts, and the numbers its symbols have in the index; all of them if `is_whole`.

    The rest comes back empty: it stands in rows of the index already. Of symbols that is their extent,
    complexity and doc, texts of parameters' types where no overload is told by them, and signatures that are not asked for.
    """
    plain = _whole(facts) if is_whole else _needed(facts)
    return zlib.compress(marshal.dumps((plain, numbers), _MARSHAL_VERSION), _ZLIB_LEVEL)


def _whole(facts: FileFacts) -> tuple[Any, ...]:
    symbols = tuple([_whole_symbol(symbol) for symbol in facts.symbols])
    fields = zip(FileFacts._fields, facts, strict=True)
    return tuple(
        symbols if name == "symbols" else _plain_field(name, value, language=facts.language)
        for name, value in fields
    )


def _whole_symbol(symbol: Symbol) -> tuple[Any, ...]:
    taken_apart = {name: _plain(getattr(symbol, name)) for name in ("parameters", "decorators", "bases")}
    complexity = symbol.complexity and tuple(symbol.complexity)
    return tuple({**symbol._asdict(), **taken_apart, "complexity": complexity}.values())


def _needed(facts: FileFacts) -> tuple[Any, ...]:
    kept = facts._replace(
        constants=(),
        members=(),
        environment_reads=(),
        setting_reads=(),
        comments=(),
        handlings=(),
        guards=(),
        fingerprints=(),
        constructs=(),
        call_details=(),
        sites=(),
        elements=(),
        markup_bindings=(),
        styles=(),
    )
    return tuple(
        _plain_field(name, value, language=facts.language)
        for name, value in zip(FileFacts._fields, kept, strict=True)
    )


def unpack_facts(packed: bytes) -> Unpacked:
    """The facts as they were packed. Raises ValueError for bytes that are none."""
    try:
        plain, numbers = marshal.loads(zlib.decompress(packed))  # noqa: S302 - our own file, guarded by its schema version
        fields = dict(zip(FileFacts._fields, plain, strict=True))
        fields["symbols"] = _symbols(fields["symbols"])
        for name, kind in _PLAIN_FIELDS.items():
            fields[name] = _records(kind, held) if (held := fields[name]) else ()
        facts = FileFacts(**fields)
        _check_numbers(facts, numbers)
        return Unpacked(facts, numbers)
    except (zlib.error, EOFError, TypeError, ValueError) as error:
        raise ValueError(f"packed facts cannot be read ({error})") from error


def _check_numbers(facts: FileFacts, numbers: Numbers | None) -> None:
    if numbers is not None and len(numbers) != len(facts.symbols):
        raise ValueError("other numbers than symbols")


def _plain_field(name: str, value: Any, *, language: str) -> Any:
    if name == "symbols":
        texts, signatures = language in _LANGUAGES_BY_TEXT, language in _LANGUAGES_BY_SIGNATURE
        return tuple([_plain_symbol(symbol, has_texts=texts, has_signature=signatures) for symbol in value])
    return _plain(value) if name in _PLAIN_FIELDS else value


def _plain(records: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(map(tuple, records))


def _records(kind: Any, plain: tuple[tuple[Any, ...], ...]) -> tuple[Any, ...]:
    """What `_plain` took apart. There are hundreds of thousands: `_make` takes three times as long."""
    if not plain:
        return ()
    _check_width(kind, plain)
    return tuple(map(tuple.__new__, repeat(kind), plain))


def _check_width(kind: Any, plain: tuple[tuple[Any, ...], ...]) -> None:
    if set(map(len, plain)) - {len(kind._fields)}:
        raise ValueError(f"other fields than those of {kind.__name__}")


def _plain_symbol(symbol: Symbol, *, has_texts: bool, has_signature: bool) -> tuple[Any, ...]:
    # Field by field: _replace, which would read better, takes several times as long.
    parameters = symbol.parameters
    return (
        symbol.kind,
        symbol.name,
        symbol.parent,
        symbol.line,
        0,
        0,
        0,
        0,
        symbol.signature if has_signature or _is_read_by_signature(symbol) else "",
        parameters
        and tuple(
            [
                (p.name, p.kind, p.type_text if has_texts or _is_generic(p) else None, p.type, p.default_text)
                for p in parameters
            ]
        ),
        symbol.return_text,
        symbol.return_type,
        symbol.decorators and _plain(symbol.decorators),
        symbol.bases and _plain(symbol.bases),
        symbol.visibility,
        symbol.modifiers,
        "",
        symbol.value_type,
        None,
    )


def _is_read_by_signature(symbol: Symbol) -> bool:
    """Whether linking reads more of a symbol than its signature was taken apart to: values, and what generic types say."""
    kind = symbol.kind
    if kind in _KINDS_WITH_SIGNATURE:
        return True
    return kind in TYPE_KINDS and ("<" in symbol.signature or "[" in symbol.signature)


def _is_generic(parameter: Parameter) -> bool:
    """Whether a parameter is of a class with type arguments, which its form does not have."""
    text, form = parameter.type_text, parameter.type
    return form is not None and form[0] in _NAMING and text is not None and ("<" in text or "[" in text)


def _symbols(plain: tuple[tuple[Any, ...], ...]) -> tuple[Symbol, ...]:
    """What `_plain_symbol` took apart."""
    _check_width(Symbol, plain)
    return tuple(map(_symbol, plain))


def _symbol(plain: tuple[Any, ...]) -> Symbol:
    parameters, return_text, return_type, decorators, bases = plain[9:14]
    # Most have neither decorators nor bases, which is told sooner than it is called for.
    fields = (
        *plain[:9],
        parameters and _records(Parameter, parameters),
        return_text,
        return_type,
        decorators and _records(Decorator, decorators),
        bases and _records(Base, bases),
        *plain[14:18],
        plain[18] and Complexity._make(plain[18]),
    )
    return tuple.__new__(Symbol, fields)
