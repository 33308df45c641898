"""Which kind of task a text in plain words asks for."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from drift.registry import Intent

_OTHERWISE: Final = Intent.UNDERSTAND_CODE
_MOST_CHARACTERS: Final = 2_000  # a long report says early what it is


def choose_intent(text: str) -> Intent:
    """The intent of the phrase that stands first in the text; understanding for a text without any."""
    found = _phrases().search(text[:_MOST_CHARACTERS].casefold().replace("\u2019", "'"))
    return _intents()[found[0]] if found else _OTHERWISE


@cache
def _intents() -> dict[str, Intent]:
    table = tomllib.loads(files("drift.cli").joinpath("intent_words.toml").read_text("utf-8"))
    return {phrase: Intent(intent) for intent, phrases in table.items() for phrase in phrases}


@cache
def _phrases() -> re.Pattern[str]:
    longest_first = sorted(_intents(), key=len, reverse=True)
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, longest_first))})(?![\w.(])")
