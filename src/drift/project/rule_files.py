"""The TOML files in .drift/rules/, which people review and commit. They come with the repository, from strangers."""

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from drift.kernel.reading import list_files
from drift.project.state import StateDir

_MOST_BYTES: Final = 1_000_000
_MOST_FILES: Final = 200


class RuleFile(NamedTuple):
    """A file as it is: its tables, or why it cannot be read."""

    name: str
    text: str
    tables: dict[str, Any]
    problem: str | None = None

    @property
    def place(self) -> str:
        return f".drift/rules/{self.name}"


def read_rule_files(state: StateDir) -> Iterator[RuleFile]:
    """The files in the order of their names; none where there is no such folder."""
    try:
        names = list_files(state.root, state.rules.relative_to(state.root).as_posix())
    except OSError:
        return
    for name in sorted(each for each in names if each.endswith(".toml"))[:_MOST_FILES]:
        text = ""
        try:
            text = state.read(state.rules / name, _MOST_BYTES).decode("utf-8")
            yield RuleFile(name, text, _tables(text))
        except tomllib.TOMLDecodeError as error:
            yield RuleFile(name, text, {}, f"it is no TOML: {error}")
        except (OSError, ValueError) as error:
            yield RuleFile(name, text, {}, str(error))


@lru_cache(maxsize=256)
def _tables(text: str) -> dict[str, Any]:
    return tomllib.loads(text)
