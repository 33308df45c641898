"""The variant that a text at a site speaks for, by the lines of `classify`."""

import fnmatch
import re
from collections.abc import Callable
from functools import cache
from typing import Final

from drift.dimensions.casing import casing_of
from drift.dimensions.form import ITS_CASING, MOST_VARIANT_CHARACTERS, Case, SiteRule
from drift.kernel.linear_patterns import LinearPattern

_NOTHING: Final = r"(?!)"


def variant_of(rule: SiteRule, text: str) -> str | None:
    """The variant of a text; None where the text decides nothing."""
    return _classify(rule.trim, rule.cases, text, is_open=rule.is_open)


def _classify(trim: tuple[str, ...], cases: tuple[Case, ...], text: str, *, is_open: bool) -> str | None:
    for each in trim:
        text = text.removeprefix(each).removesuffix(each)
    for case in cases:
        if case.variant == ITS_CASING:
            if (casing := casing_of(text)) in case.values:
                return casing
        elif not case.test or _passes(case, text):
            return case.variant or None
    if not is_open:
        return None
    return " ".join(text.split())[:MOST_VARIANT_CHARACTERS] or None


def _passes(case: Case, text: str) -> bool:
    return _CHECKS[case.test](text, case.values)


def _contains(text: str, values: tuple[str, ...]) -> bool:
    return any(value in text for value in values)


def _glob(text: str, values: tuple[str, ...]) -> bool:
    return compiled_globs(values).match(text) is not None


def _match(text: str, values: tuple[str, ...]) -> bool:
    return any(compiled(value).search(text) for value in values)


def _linear(text: str, values: tuple[str, ...]) -> bool:
    return any(_linear_pattern(value).is_in(text) for value in values)


@cache
def _linear_pattern(pattern: str) -> LinearPattern:
    return LinearPattern(pattern)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of a dimension, ready to be asked."""
    return re.compile(pattern)


@cache
def compiled_globs(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Patterns with `*` and `?`, ready to be asked all at once: there are many texts, and they fit few of them."""
    return re.compile("|".join(map(fnmatch.translate, patterns)) or _NOTHING)


_CHECKS: Final[dict[str, Callable[[str, tuple[str, ...]], bool]]] = {
    "casing": lambda text, values: casing_of(text) in values,
    "equals": lambda text, values: text in values,
    "prefix": lambda text, values: text.startswith(values),
    "suffix": lambda text, values: text.endswith(values),
    "contains": _contains,
    "glob": _glob,
    "match": _match,
    "linear": _linear,
    "empty": lambda text, values: (not text.strip()) == (values == ("true",)),
}
