"""Facts as bytes and back: what a file said is kept beside its rows, so that it can be linked again unparsed."""

import marshal
import zlib
from collections.abc import Iterable
from typing import Any, Final

from drift.languages.facts import (
    Access,
    Base,
    Binding,
    Call,
    Comment,
    Complexity,
    Constant,
    Decorator,
    EntryPoint,
    EnvironmentRead,
    FileFacts,
    Fingerprint,
    Handling,
    Import,
    Parameter,
    Problem,
    Reference,
    Return,
    Store,
    Symbol,
)

# Version 4 keeps equal strings once; level 1 brings nearly all of what compression can.
_MARSHAL_VERSION: Final = 4
_ZLIB_LEVEL: Final = 1

_PLAIN_FIELDS: Final[dict[str, Any]] = {
    "imports": Import,
    "calls": Call,
    "accesses": Access,
    "bindings": Binding,
    "stores": Store,
    "returns": Return,
    "references": Reference,
    "constants": Constant,
    "environment_reads": EnvironmentRead,
    "comments": Comment,
    "handlings": Handling,
    "entry_points": EntryPoint,
    "fingerprints": Fingerprint,
    "problems": Problem,
}


def pack_facts(facts: FileFacts) -> bytes:
    """What linking needs of a file's facts."""
    # Linking needs none of what is left out, and it stands in rows of the index already.
    kept = facts._replace(constants=(), environment_reads=(), comments=(), handlings=(), fingerprints=())
    plain = tuple(_plain_field(name, value) for name, value in zip(FileFacts._fields, kept, strict=True))
    return zlib.compress(marshal.dumps(plain, _MARSHAL_VERSION), _ZLIB_LEVEL)


def unpack_facts(packed: bytes) -> FileFacts:
    """The facts as they were packed. Raises ValueError for bytes that are none."""
    try:
        plain = marshal.loads(zlib.decompress(packed))  # noqa: S302 - our own file, guarded by its schema version
        fields = dict(zip(FileFacts._fields, plain, strict=True))
        fields["symbols"] = tuple(map(_symbol, fields["symbols"]))
        for name, kind in _PLAIN_FIELDS.items():
            fields[name] = tuple(map(kind._make, fields[name]))
        return FileFacts(**fields)
    except (zlib.error, EOFError, TypeError, ValueError) as error:
        raise ValueError(f"packed facts cannot be read ({error})") from error


def _plain_field(name: str, value: Any) -> Any:
    if name == "symbols":
        return tuple(map(_plain_symbol, value))
    return _plain(value) if name in _PLAIN_FIELDS else value


def _plain(records: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(map(tuple, records))


def _plain_symbol(symbol: Symbol) -> tuple[Any, ...]:
    lean = symbol._replace(doc="", signature="")
    complexity = tuple(symbol.complexity) if symbol.complexity else None
    nested = lean._replace(
        parameters=_plain(symbol.parameters),
        decorators=_plain(symbol.decorators),
        bases=_plain(symbol.bases),
        complexity=complexity,  # type: ignore[arg-type] # plain on purpose: marshal knows no named tuples
    )
    return tuple(nested)


def _symbol(plain: tuple[Any, ...]) -> Symbol:
    symbol = Symbol._make(plain)
    return symbol._replace(
        parameters=tuple(map(Parameter._make, symbol.parameters)),
        decorators=tuple(map(Decorator._make, symbol.decorators)),
        bases=tuple(map(Base._make, symbol.bases)),
        complexity=Complexity._make(symbol.complexity) if symbol.complexity else None,
    )
