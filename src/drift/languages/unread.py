"""Files in languages that Drift does not read, told from data and prose by their endings."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


def count_unread(by_ending: Mapping[str, int]) -> dict[str, int]:
    """Of the files of no known language those that are code, most first; endings have their dot."""
    counts = {ending: count for ending, count in by_ending.items() if ending in _endings()}
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


@cache
def _endings() -> frozenset[str]:
    table = tomllib.loads(files(__package__).joinpath("unread.toml").read_text("utf-8"))
    return frozenset(f".{ending}" for endings in table["endings"].values() for ending in endings)
