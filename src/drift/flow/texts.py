"""What functions give that make one text of others: format, join, replace, compile a pattern."""

from __future__ import annotations

from typing import Final

from drift.flow.checking import words
from drift.flow.models import Given
from drift.flow.narrowing import harmless_without
from drift.flow.patterns import COMPILING, PATTERN, REPLACING, removed
from drift.flow.values import Unknown, Value, cleaned, formatted, joined, joined_taints, put_together

# Methods of a text that replace another one in it.
_OWN_REPLACING: Final = frozenset({"replace", "replaceAll", "Replace", "ReplaceAll", "gsub"})

# Functions that are given the text first, then what is replaced in it.
_REPLACING_IN: Final = frozenset({"Replace", "ReplaceAll"})


def text_result(name: str, given: Given, type_name: str) -> Value | None:
    """What a function of such a name gives whatever models say of it; None where it is none of these."""
    if name in REPLACING and (gone := _removed(given)):
        everything = [*given.values, *([given.receiver] if given.receiver is not None else [])]
        return Value(cleaned(joined(everything).all_taints(), gone), type_name=type_name)
    if name in words("formats") and (place := _format_of(given)) is not None:
        fillings = [*given.values[place + 1 :], *given.keywords.values()]
        return formatted(str(given.values[place].constant), fillings).typed(type_name)
    if not given.values:
        return None
    if name in _REPLACING_IN and (others := given.values[2:]) and isinstance(given.values[1].constant, str):
        own = cleaned(given.values[0].all_taints(), harmless_without(given.values[1].constant))
        return Value(joined_taints(own, others[0].all_taints()), type_name=type_name)
    if name in words("joins") and given.values[0].is_whole:
        return put_together((given.values[0].fields or {}).values()).typed(type_name)
    if name in COMPILING and isinstance(given.values[0].constant, str):
        return Value(fields={PATTERN: given.values[0]}, type_name=type_name)
    return None


def replaced(name: str, given: Given) -> Value | None:
    """What a text gives of which a part is replaced; None where the call does nothing of the kind."""
    if name not in _OWN_REPLACING or given.receiver is None or not given.values:
        return None
    gone = given.values[0].constant
    own = cleaned(given.receiver.all_taints(), harmless_without(gone) if isinstance(gone, str) else ())
    return Value(joined_taints(own, joined(given.values[1:]).all_taints()))


def _format_of(given: Given) -> int | None:
    """Which argument is a text with places to be filled: the first, or the one behind a locale or a writer."""
    return next(
        (place for place, each in enumerate(given.values[:2]) if isinstance(each.constant, str)), None
    )


def _removed(given: Given) -> tuple[str, ...]:
    """The kinds of harm that are gone where all but some characters are taken out of a text."""
    given_texts = (*([given.receiver] if given.receiver is not None else []), *given.values)
    texts = [each for value in given_texts if isinstance(each := _pattern(value), str)]
    # What is put in instead must be harmless, too.
    if not texts or any(len(each) > 1 and not each.isalnum() for each in texts[1:]):
        return ()
    return removed(texts[0], is_literal=given.receiver is not None and texts[0].startswith("/"))


def _pattern(value: Value) -> object:
    """The text of a pattern, compiled or not."""
    known = value.fields.get(PATTERN, value) if value.fields else value
    return None if isinstance(known.constant, Unknown) else known.constant
