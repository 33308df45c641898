"""Regular expressions that strangers give, matched in time that grows only with the text.

Python's own engine can be kept busy for hours by a short pattern. The engine behind JSON Schema's `pattern`, which Drift
checks arguments with anyway, is an automaton: it knows no look-around and no back-references, and needs none of the
time they cost. It only says whether a text matches somewhere, which is all that a search of lines asks.
"""

from typing import Final

_MOST_BYTES: Final = 200_000  # of the compiled pattern: nested counts grow it fast
_MOST_CHARACTERS: Final = 1_000
_SPECIAL: Final = frozenset("\\.+*?()|[]{}^$#&-~/")


class PatternError(ValueError):
    """A pattern that the engine does not take."""


class LinearPattern:
    """A pattern, looked for anywhere in a text; `^` and `$` are the ends of a line."""

    def __init__(self, pattern: str, *, ignores_case: bool = False) -> None:
        # Loaded with the first pattern: a process that searches nothing has no need of it.
        from jsonschema_rs import RegexOptions, ValidationError, validator_for

        if len(pattern) > _MOST_CHARACTERS:
            raise PatternError(f"it is longer than {_MOST_CHARACTERS:,} characters")
        whole = f"(?{'mi' if ignores_case else 'm'}){pattern}"
        limits = RegexOptions(size_limit=_MOST_BYTES, dfa_size_limit=_MOST_BYTES)
        try:
            self._validator = validator_for({"pattern": whole}, pattern_options=limits)
        except (ValidationError, ValueError) as error:
            raise PatternError(
                "it is no regular expression, too large, or uses look-around or back-references"
            ) from error

    def is_in(self, text: str) -> bool:
        """Whether it matches somewhere in the text."""
        return self._validator.is_valid(text)


def escape_text(text: str) -> str:
    """A pattern for the text itself."""
    return "".join(f"\\{one}" if one in _SPECIAL else one for one in text)
