"""Takes secrets and personal data out of a text before it is kept or sent."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final, Literal, NamedTuple

from drift.kernel.redaction.table import fill_lists, load_table
from drift.kernel.redaction.views import read_base64, read_views

# A text whose characters are all of three kinds is searched for a few words instead of for classes of characters.
_OUTLINE: Final = str.maketrans(
    dict.fromkeys(digits, "0") | dict.fromkeys(ascii_uppercase, "A") | dict.fromkeys(ascii_lowercase, "a")
)
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
Severity = Literal["critical", "high", "medium", "low"]

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
    tells: bool
    begins: bool
    id: str | None
    severity: Severity
    only: str | None


class _Place(NamedTuple):
    start: int
    end: int
    rule: _Rule


class Match(NamedTuple):
    """Where a rule for files fits. With `tells` the value alone tells what it is."""

    rule: str
    what: str
    severity: Severity
    start: int
    end: int
    tells: bool


def find_secrets(text: str, *, is_code: bool) -> list[Match]:
    """What the rules for files find in a line, or a few lines, in the order of the table; several may fit one place."""
    return [
        Match(one.rule.id, one.rule.what, one.rule.severity, one.start, one.end, one.rule.tells)
        for one in _find_in(text, for_files="code" if is_code else "settings")
        if one.rule.id is not None
    ]


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


def _find(text: str) -> list[_Place]:
    kept = [found.span() for found in _MARK.finditer(text)]  # a text that was redacted before stays as it is
    places: list[_Place] = []
    for view in read_views(text):
        # Found in the text itself is found as it stands; joined to what follows it would take that along.
        taken = sorted([*kept, *((place.start, place.end) for place in places)])
        for place in _find_in(view.text, is_glued=view.is_glued):
            start, end = view.span(place.start, place.end)
            if not _overlaps(taken, start, end):
                places.append(_Place(start, end, place.rule))
    for start, end, said in read_base64(text):
        hidden = next((each.rule for each in _find_in(said) if each.rule.kind == "secret"), None)
        if hidden is not None:
            places.append(_Place(start, end, hidden))
    return places


def _find_in(text: str, *, is_glued: bool = False, for_files: str | None = None) -> Iterator[_Place]:
    lowered, outline = text.lower(), None if is_glued else _outline(text)
    for rule in _worth_trying(lowered, is_glued=is_glued, for_files=for_files):
        if outline is not None and rule.outlines and not any(word in outline for word in rule.outlines):
            continue
        if rule.shape is not None and _compiled(rule.shape).search(text) is None:
            continue
        for found in _matches(rule, text, lowered):
            start, end = _value_span(found)
            if rule.check is None or rule.check(text[start:end]):
                yield _Place(start, end, rule)


def _worth_trying(lowered: str, *, is_glued: bool, for_files: str | None) -> list[_Rule]:
    """The rules one of whose words stands in the text, in the order of the table."""
    rules, always, by_word = _rules(), *_words(is_glued=is_glued, for_files=for_files)
    # Looked for one by one: each takes 30 ns in a line, and an expression for all of them twenty times as long as all.
    found = [numbers for word, numbers in by_word if word in lowered]
    return [rules[number] for number in sorted({*always, *(each for numbers in found for each in numbers)})]


def _matches(rule: _Rule, text: str, lowered: str) -> Iterator[re.Match[str]]:
    pattern = _compiled(rule.pattern)
    if not rule.begins or len(lowered) != len(text):  # a few letters have two in the lower case
        yield from pattern.finditer(text)
        return
    # Words are found much faster than a choice of them, so the pattern is tried where one stands and nowhere else.
    done = 0
    for start in sorted({place for word in rule.needs for place in _occurrences(lowered, word)}):
        found = pattern.match(text, start) if start >= done else None
        if found is not None:
            yield found
            done = found.end()


def _occurrences(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _overlaps(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether one of the spans, which are sorted and apart from each other, holds a part of this one."""
    before = bisect_left(spans, (end, 0))
    return before > 0 and spans[before - 1][1] > start


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

    return tuple(
        _Rule(
            row["what"],
            row["kind"],
            fill_lists(row["pattern"]),
            tuple(row.get("needs", ())),
            row.get("shape"),
            tuple(row.get("outlines", ())),
            CHECKS[row["check"]] if "check" in row else None,
            row.get("tells", False),
            row.get("begins", False),
            row.get("id"),
            row.get("severity", "low"),
            row.get("only"),
        )
        for row in load_table()["rules"]
    )


@cache
def _words(
    *, is_glued: bool, for_files: str | None
) -> tuple[tuple[int, ...], tuple[tuple[str, tuple[int, ...]], ...]]:
    """The numbers of rules that need no word, and by word those that need it."""
    always: list[int] = []
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for number, rule in enumerate(_rules()):
        if (is_glued and not rule.tells) or not _is_for(rule, for_files):
            continue
        if not rule.needs:
            always.append(number)
        for word in rule.needs:
            by_word[word].append(number)
    return tuple(always), tuple((word, tuple(numbers)) for word, numbers in by_word.items())


_FOR: Final[Mapping[str | None, frozenset[str | None]]] = {
    None: frozenset({None, "prose", "settings"}),
    "code": frozenset({None, "files"}),
    "settings": frozenset({None, "files", "settings", "setting-files"}),
}
"""Which values of `only` go with what is looked through: what people write, code, other files."""


def _is_for(rule: _Rule, for_files: str | None) -> bool:
    return rule.only in _FOR[for_files] and (for_files is None or rule.id is not None)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, when a text gives it something to do: all of them take longer than a hook's other work."""
    return re.compile(pattern)
