"""What goes wrong with a team's database, as errors that say what to do. No secret is in any of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import psycopg
from psycopg import errors

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.postgres.address import scrub, show_address
from drift.kernel.postgres.pool import PoolBusyError
from drift.kernel.text import shorten

_RETRY_MS: Final = 2_000
_UNSAVED: Final = "Nothing was saved."


class NewerTablesError(Exception):
    """The tables are of a later version of Drift."""


class _Case(NamedTuple):
    kinds: tuple[type[psycopg.Error], ...]
    problem: str
    hint: str
    is_passing: bool = False


_CASES: Final = (
    _Case((PoolBusyError, errors.LockNotAvailable, errors.QueryCanceled), "is busy: others have been writing for long",
          f"{_UNSAVED} Call again in a moment.", is_passing=True),
    _Case((errors.DiskFull, errors.OutOfMemory, errors.ConfigurationLimitExceeded), "has no room left",
          f"{_UNSAVED} Free some space on its machine, then call again."),
    _Case((errors.TooManyConnections,), "takes no more connections",
          f"{_UNSAVED} Call again in a moment, or raise max_connections.", is_passing=True),
    _Case((errors.ReadOnlySqlTransaction,), "can only be read: it is a standby, or set so",
          f"{_UNSAVED} Name the primary in team.database."),
    _Case((errors.InsufficientPrivilege,), "does not let this user do that",
          f"{_UNSAVED} The schema may be another team's. Its owner must grant it, or CREATE on the database is missing."),
    _Case((errors.UndefinedTable, errors.InvalidSchemaName), "has lost tables of Drift",
          "Call again. If somebody dropped the schema, restore it from a backup of the database."),
)  # fmt: skip


@contextmanager
def translated(address: str, code: ErrorCode) -> Iterator[None]:
    """Turn errors of PostgreSQL inside the block into one with this code and a way out.

    A value that it cannot take, such as a text with a NUL, is INVALID_ARGUMENT.
    """
    try:
        yield
    except psycopg.Error as error:
        raise explain(address, code, error) from error
    except NewerTablesError as error:
        message = f"The tables at {show_address(address)} were made by a newer Drift ({error})"
        raise DriftError(code, message, Recovery(hint="Update Drift. Nothing was changed.")) from error
    except UnicodeEncodeError as error:
        raise invalid("text", "holds half of a surrogate pair") from error
    except OverflowError as error:
        raise invalid("number", "is beyond 64 bits") from error


def explain(address: str, code: ErrorCode, error: psycopg.Error) -> DriftError:
    """The error a caller gets for one of PostgreSQL's."""
    said = scrub(shorten(_words_of(error), 300), address)
    if isinstance(error, psycopg.DataError):
        return invalid("value", f"cannot be kept: {said}")
    place = f"The team's database {show_address(address)}"
    case = next((each for each in _CASES if isinstance(error, each.kinds)), None)
    if case is not None:
        return _error(code, f"{place} {case.problem} ({said})", case.hint, error, is_passing=case.is_passing)
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        hint = f"{_UNSAVED} Check that it runs and that team.database is right; it is asked again with the next call."
        return _error(code, f"{place} cannot be reached: {said}", hint, error, is_passing=True)
    return _error(code, f"{place} cannot be used: {said}", "Call again; if it persists: drift doctor", error)


def unconfirmed(address: str, code: ErrorCode, error: psycopg.Error) -> DriftError:
    """The connection broke while a change was being confirmed: it is there as a whole, or not at all."""
    message = f"The team's database {show_address(address)} went away before it confirmed the change"
    hint = "The change was made as a whole or not at all. Look which, before you make it again."
    return _error(code, message, hint, error, is_passing=True)


def _error(
    code: ErrorCode, message: str, hint: str, error: psycopg.Error, *, is_passing: bool = False
) -> DriftError:
    retry_after_ms = _RETRY_MS if is_passing else None
    details = {"cause": error.sqlstate}
    return DriftError(code, message, Recovery(hint=hint, retry_after_ms=retry_after_ms, details=details))


def _words_of(error: psycopg.Error) -> str:
    # The first line: the rest quotes statements and values.
    return (error.diag.message_primary or str(error)).strip().partition("\n")[0]
