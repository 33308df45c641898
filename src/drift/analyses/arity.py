"""Whether a call of which only the name is known may be of a function, by the arguments that it gives."""

import json
from typing import Final

from drift.index.records import ParameterRecord

_EXACT: Final = frozenset({"python", "ruby"})  # who give more than a function names are told off
_LEAST: Final = frozenset({"php"})  # where more may be given, but no fewer
_HASHES: Final = frozenset({"ruby"})  # in which any number of keywords may be one value
_KEPT: Final = frozenset({"csharp", "java", "php", "ruby"})
_ANY: Final = frozenset({"rest", "keywords"})


def keeps_private(language: str | None) -> bool:
    """Whether nothing but a class itself can call its private methods."""
    return language in _KEPT


def may_take(language: str | None, parameters_json: str | None, arguments: int) -> bool:
    """Whether a function with these parameters can be given so many arguments; a spread one counts as one."""
    if language not in _EXACT and language not in _LEAST:
        return True
    every = [ParameterRecord(*each) for each in json.loads(parameters_json or "[]")]
    parameters = [one for one in every if one.name[:1] != "&" and one.kind != "receiver"]
    kinds = {one.kind for one in parameters}
    least = sum(one.kind == "plain" and one.default_text is None for one in parameters)
    if arguments < least and (arguments == 0 or language in _LEAST):
        return False
    if language in _LEAST or kinds & _ANY:
        return True
    most = arguments if language in _HASHES and parameters else len(parameters)
    return arguments <= most
