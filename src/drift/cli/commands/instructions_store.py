"""What the verbs of `drift instructions` share: the catalog around, and one way to answer."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.cli.answers import say_answer
from drift.cli.console import Console
from drift.cli.project_choice import find_standing, open_registry
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.wire import to_wire
from drift.project import StateDir
from drift.project.home import expand_home
from drift.registry import Toolbox

if TYPE_CHECKING:
    from drift.catalog import Catalog

ACTOR: Final = "terminal"
MOST_BYTES: Final = 50_000_000
_NO_NEXT_ACTIONS: Final = Toolbox(())


class Store(NamedTuple):
    """A project's root and its catalog."""

    root: Path
    catalog: "Catalog"


@contextmanager
def at_desk(console: Console, *, writes: bool = False) -> Iterator[Store]:
    """The catalog of the project around.

    Whoever sits at the terminal may edit the files anyway, so MCP_ENABLE_MUTATION is not asked.
    """
    from drift.catalog import Catalog  # brings SQLite, which help does without

    root = find_standing(console, open_registry(console))
    if writes:
        StateDir(root).ensure()
    catalog = Catalog.open(root, console.environ)
    try:
        yield Store(root, catalog)
    finally:
        catalog.close()


def say(summary: str, data: Any, console: Console, *, as_json: bool, warnings: tuple[str, ...] = ()) -> None:
    """Write an answer for a person or as JSON."""
    answer: Mapping[str, Any] = {"summary": summary, "data": to_wire(data), "warnings": list(warnings)}
    if as_json:
        console.say_json(answer)
    else:
        say_answer(answer, console, _NO_NEXT_ACTIONS)


def read_text(given: str, console: Console) -> str:
    """The text of a file, or of standard input for `-`."""
    if given == "-":
        return console.stdin.read(MOST_BYTES)
    path = console.cwd / expand_home(given, console.environ)
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise DriftError(ErrorCode.TOO_LARGE, f"{given} has more than {MOST_BYTES:,} bytes")
        return content.decode("utf-8")
    except OSError as error:
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND,
            f"{given} cannot be read: {error.strerror}",
            Recovery(hint="Name a file, or - for standard input."),
        ) from error
    except UnicodeDecodeError:
        raise DriftError(ErrorCode.INVALID_ARGUMENT, f"{given} is not UTF-8") from None


def user_name(console: Console) -> str:
    """Who is at the terminal, for the audit."""
    name = console.environ.get("USERNAME" if sys.platform == "win32" else "USER")
    return f"{name}@{ACTOR}" if name else ACTOR
