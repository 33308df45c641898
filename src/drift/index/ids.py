"""Ids that say which file a thing is in, so that whatever belongs to a file is one range of keys."""

from typing import Final, NewType

from drift.kernel.errors import DriftError, ErrorCode, Recovery

FileId = NewType("FileId", int)
"""A file of the index, from 1."""

SymbolId = NewType("SymbolId", int)
"""A symbol: its file and its number there."""

CallId = NewType("CallId", int)
"""A call: its file and its number there."""

FingerprintId = NewType("FingerprintId", int)
"""A fingerprint: its file and its number there."""

MOST_SYMBOLS_PER_FILE: Final = 1 << 16
MOST_CALLS_PER_FILE: Final = 1 << 20
MOST_FINGERPRINTS_PER_FILE: Final = 1 << 20


def symbol_id(file: FileId, number: int) -> SymbolId:
    """The id of symbol `number` of a file; TOO_LARGE if a file cannot have that many."""
    return SymbolId(file << 16 | _checked(number, MOST_SYMBOLS_PER_FILE, "symbols"))


def call_id(file: FileId, number: int) -> CallId:
    """The id of call `number` of a file; TOO_LARGE if a file cannot have that many."""
    return CallId(file << 20 | _checked(number, MOST_CALLS_PER_FILE, "calls"))


def fingerprint_id(file: FileId, number: int) -> FingerprintId:
    """The id of fingerprint `number` of a file; TOO_LARGE if a file cannot have that many."""
    return FingerprintId(file << 20 | _checked(number, MOST_FINGERPRINTS_PER_FILE, "fingerprints"))


def file_of_symbol(symbol: int) -> FileId:
    """The file a symbol is in."""
    return FileId(symbol >> 16)


def file_symbol(file: int) -> SymbolId:
    """The symbol that is the file itself."""
    return SymbolId(file << 16)


def is_file(symbol: int) -> bool:
    """Whether a symbol is a file itself."""
    return symbol & (MOST_SYMBOLS_PER_FILE - 1) == 0


def symbols_of_file(file: FileId) -> tuple[int, int]:
    """The first and the last id a symbol of the file may have."""
    return file << 16, (file << 16) + MOST_SYMBOLS_PER_FILE - 1


def calls_of_file(file: FileId) -> tuple[int, int]:
    """The first and the last id a call of the file may have."""
    return file << 20, (file << 20) + MOST_CALLS_PER_FILE - 1


def fingerprints_of_file(file: FileId) -> tuple[int, int]:
    """The first and the last id a fingerprint of the file may have."""
    return file << 20, (file << 20) + MOST_FINGERPRINTS_PER_FILE - 1


def _checked(number: int, most: int, what: str) -> int:
    if 0 <= number < most:
        return number
    raise DriftError(
        ErrorCode.TOO_LARGE,
        f"A file has more than {most:,} {what}, which the index cannot number",
        Recovery(hint="Exclude the file in .driftignore: one of that size is generated."),
    )
