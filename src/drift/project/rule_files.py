"""The TOML files in .drift/rules/, which people review and commit. They come with the repository, from strangers.

Rules may be written as JSON, too: `rules.json`, or a name that ends so; rules of boundaries as `boundaries.json`.
"""

import json
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from drift.kernel.reading import list_files
from drift.project.state import StateDir

_MOST_BYTES: Final = 1_000_000
_MOST_FILES: Final = 200
# What a file of such a name lists, and the table that each of the list is in TOML.
_JSON: Final = {"rules.json": ("rules", "rule"), "boundaries.json": ("boundaries", "boundary")}


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
    for name in sorted(each for each in names if each.endswith((".toml", *_JSON)))[:_MOST_FILES]:
        text = ""
        try:
            text = state.read(state.rules / name, _MOST_BYTES).decode("utf-8")
            ending = next((each for each in _JSON if name.endswith(each)), None)
            yield RuleFile(name, text, _json_tables(text, ending) if ending else _tables(text))
        except tomllib.TOMLDecodeError as error:
            yield RuleFile(name, text, {}, f"it is no TOML: {error}")
        except (OSError, ValueError) as error:
            yield RuleFile(name, text, {}, str(error))


@lru_cache(maxsize=256)
def _tables(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


@lru_cache(maxsize=256)
def _json_tables(text: str, ending: str) -> dict[str, Any]:
    """The tables as TOML would have them: a list of `rules` is a table `rule` for each."""
    listed, table = _JSON[ending]
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is no JSON: {error}") from error
    if not isinstance(content, dict) or set(content) - {listed, "version"}:
        raise ValueError(f"it must be an object with a list of {listed} alone")
    return {table: content.get(listed, [])}
