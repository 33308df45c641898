"""Takes secrets and personal data out of a text before it is kept or sent."""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final, NamedTuple

# A text whose characters are all of three kinds is searched for a few words instead of for classes of characters.
_OUTLINE: Final = str.maketrans(
    dict.fromkeys(digits, "0") | dict.fromkeys(ascii_uppercase, "A") | dict.fromkeys(ascii_lowercase, "a")
)
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_MARK: Final = re.compile(r"\[redacted: [\w ]{1,40}\]")


@dataclass(frozen=True, slots=True)
class Finding:
    """One place that held something: what it was and on which line. Never the value itself."""

    what: str
    kind: str
    line: int


class Redacted(NamedTuple):
    """A text that can be kept, and what was taken out of it."""

    text: str
    findings: tuple[Finding, ...]


class _Rule(NamedTuple):
    """A row of rules.toml. Its expressions are compiled when first needed: most are for words that never come."""

    what: str
    kind: str
    pattern: str
    needs: tuple[str, ...]
    shape: str | None
    outlines: tuple[str, ...]
    check: Callable[[str], bool] | None


class _Place(NamedTuple):
    start: int
    end: int
    rule: _Rule


def redact(text: str) -> Redacted:
    """The text with `[redacted: what]` in the place of each secret or piece of personal data."""
    # The sort is stable: of two rules that match from the same place on, the first of the table wins.
    places = _without_overlaps(sorted(_find(text), key=lambda place: place.start))
    parts: list[str] = []
    findings: list[Finding] = []
    done = line = 0
    for place in places:
        line += text.count("\n", done, place.start)
        parts += (text[done : place.start], f"[redacted: {place.rule.what}]")
        findings.append(Finding(place.rule.what, place.rule.kind, line + 1))
        line += text.count("\n", place.start, place.end)
        done = place.end
    return Redacted("".join((*parts, text[done:])), tuple(findings))


def _find(text: str) -> Iterator[_Place]:
    lowered = text.lower()
    outline = _outline(text)
    kept = [found.span() for found in _MARK.finditer(text)]
    for rule in _rules():
        if rule.needs and not any(word in lowered for word in rule.needs):
            continue
        if outline is not None and rule.outlines and not any(word in outline for word in rule.outlines):
            continue
        if rule.shape is not None and _compiled(rule.shape).search(text) is None:
            continue
        for found in _compiled(rule.pattern).finditer(text):
            start, end = _value_span(found)
            if any(first <= start < last for first, last in kept):
                continue  # a text that was redacted before stays as it is
            if rule.check is None or rule.check(text[start:end]):
                yield _Place(start, end, rule)


def _outline(text: str) -> str | None:
    """The text with three kinds of characters for all its digits and letters; None where it has other digits."""
    if not text.isascii():
        if any(one.isdecimal() for one in _BEYOND_ASCII.findall(text)):
            return None
        text = text.encode("ascii", "replace").decode("ascii")
    return text.translate(_OUTLINE)


def _value_span(found: re.Match[str]) -> tuple[int, int]:
    for name, value in found.groupdict().items():
        if name != "quote" and value is not None:
            return found.span(name)
    return found.span()


def _without_overlaps(places: list[_Place]) -> Iterator[_Place]:
    done = 0
    for place in places:
        if place.start >= done:
            yield place
            done = place.end


@cache
def _rules() -> tuple[_Rule, ...]:
    from drift.kernel.redaction.checks import CHECKS  # with ipaddress, which only a text to redact needs

    rows = tomllib.loads(files(__name__).joinpath("rules.toml").read_text(encoding="utf-8"))["rules"]
    return tuple(
        _Rule(
            row["what"],
            row["kind"],
            row["pattern"],
            tuple(row.get("needs", ())),
            row.get("shape"),
            tuple(row.get("outlines", ())),
            CHECKS[row["check"]] if "check" in row else None,
        )
        for row in rows
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, when a text gives it something to do: all of them take longer than a hook's other work."""
    return re.compile(pattern)
