"""Sentences as frames: all that is said but the values in it, so that two with the same frame differ in values alone.

"HTTPX requires Python 3.8" and "HTTPX requires Python 3.9" have one frame, and only one of them can hold. A value is a
number, a name in quotes or of a known tool, or one of two opposites; it counts only behind the verb, since what stands
before it says what is spoken of.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from drift.memory.search.replacing import taken_back
from drift.memory.stems import stem
from drift.memory.truth.quantities import FRAMED, Quantity
from drift.memory.truth.statement_words import StatementWords, statement_words
from drift.memory.truth.statements import Claim, Stance

_MOST_CHARS: Final = 20_000
_LONGEST_SENTENCE: Final = 400
_MOST_WORDS: Final = 40
_FEWEST_TELLING: Final = 2
_LONGEST_VALUE: Final = 40
_CODE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_BULLET: Final = re.compile(r"^\s*(?:[-*+•>:]|\d{1,3}[.)])\s+|^#+\s*")
_LINK: Final = re.compile(r"\[([^\]]{0,300})\](?:\([^)]{0,300}\)|\[[^\]]{0,300}\])")
_ROLE: Final = re.compile(r":[a-z]{2,12}:(?=`)")
# A span in quotes of one kind is one value; then numbers, words, and signs that make a number a range.
_TOKEN: Final = re.compile(
    r"`{1,2}(?P<code>[^`]{1,80})`{1,2}|[\"\u201c'](?P<quoted>[^\"\u201d'\s]{1,60})[\"\u201d']"
    r"|(?P<number>v?\d[\d,_]{0,20}(?:[.:]\d{1,9}){0,4}(?:%|[a-zA-Z]{1,3}\b)?\+?)"
    r"|(?P<word>[^\W\d_][\w'\u2019]{0,60}(?:[-./][\w]{1,60}){0,6})"
)
_VERSION: Final = re.compile(r"\d\.\d")
_CONDITIONS: Final = frozenset({"if", "when", "whenever", "unless", "while"})
_DASH: Final = re.compile(r"\s{0,3}[-\u2013\u2014&,]\s{0,3}")
_WORD: Final = re.compile(r"[^\W_]{2,60}")
_MOST_BEFORE: Final = 8
_NEAR: Final = 3
_BESIDE: Final = 2
_ALONE: Final = re.compile(r"[^\w]+")
_CAPITALS: Final = re.compile(r"[A-Z][A-Z0-9_-]{2,}")
_NAMED_DIGITS: Final = re.compile(r"(?=.*\d)(?=.*[A-Z])[\w.-]{3,}")
_NUMBERS: Final = {
    word: str(value)
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}
_ARTICLES: Final = frozenset({"a", "an", "the"})


# What is in use: "we use X", "is built with X", "runs on X".
_USED: Final = re.compile(
    r"\b(?:[Ww]e (?:\w{2,12}ly )?(?:use|run|deploy|build|test|lint|format)|(?:uses|(?:is|are) (?:built|written|made|run|managed|tested"
    r"|linted|formatted|deployed|rendered|stored)|runs?|depends?|relies|stored?|goes?|go) (?:with|on|in|by|through|via|to)"
    r"|uses|is handled by|requires)\s(?:the |our )?[`'\"]{0,2}(?P<name>[A-Z][\w.-]{1,40}|[a-z][\w-]{0,30}[_.-][\w.-]{1,40})"
    r"(?! v?\d)"
)


class Frame(NamedTuple):
    """A sentence without its values: the words in order, `#` for each value, and the values as they are written."""

    words: tuple[str, ...]
    values: tuple[str, ...]
    sentence: str


class _Token(NamedTuple):
    text: str
    is_value: bool
    word: str = ""  # in lower case, of what is no value in quotes
    is_number: bool = False
    is_range: bool = False
    is_joined: bool = False  # to the number before it, by a dash or an ampersand


@lru_cache(maxsize=256)
def framed_claims(text: str) -> tuple[Claim, ...]:
    """The frames of a text as claims: that what it speaks of has these values, and what is in use or not any more."""
    return (*_valued(text), *_chosen(text))


def _valued(text: str) -> Iterator[Claim]:
    for one in read_frames(text):
        value = Quantity(" ".join(one.values), FRAMED, None)
        yield Claim(("frame", *one.words), Stance.VALUE, one.sentence, value)


def _chosen(text: str) -> Iterator[Claim]:
    """Claims that something named is in use, or was left: "we use Celery", "we moved from Celery to RQ"."""
    for line in _CODE.sub("\n", text[:_MOST_CHARS]).splitlines():
        for raw in _SENTENCE_END.split(line):
            if len(raw) <= _LONGEST_SENTENCE and not raw.rstrip().endswith("?"):
                left = taken_back(raw, with_capitals=True)
                yield from (Claim(("uses", name), Stance.HOLDS_NOT, raw.strip()) for name in sorted(left))
                used = {found["name"].strip(".-").lower() for found in _USED.finditer(raw)}
                is_said = statement_words().frame_unsaid.isdisjoint(raw.lower().split())
                yield from (
                    Claim(("uses", name), Stance.HOLDS, raw.strip())
                    for name in sorted(used - left)
                    if is_said
                )


def read_frames(text: str) -> Iterator[Frame]:
    """The frames of the sentences of a text that say of something that it has a value."""
    known = statement_words()
    for line in _CODE.sub("\n", text[:_MOST_CHARS]).splitlines():
        before: tuple[str, ...] = ()
        for raw in _SENTENCE_END.split(_BULLET.sub("", line)):
            frame = _read(raw.strip(), known, before)
            before = tuple(_WORD.findall(raw)[:_MOST_BEFORE])
            if frame is not None:
                yield frame


def _read(raw: str, known: StatementWords, before: tuple[str, ...]) -> Frame | None:
    if not raw or len(raw) > _LONGEST_SENTENCE or raw.endswith("?"):
        return None
    plain = _ROLE.sub("", _LINK.sub(r"\1", raw))
    tokens = _merged(list(_tokens(plain, known)))
    words = [token.word for token in tokens]
    if not 1 < len(tokens) <= _MOST_WORDS or not known.frame_unsaid.isdisjoint(words):
        return None
    verb = next((place for place, word in enumerate(words) if word in known.frame_verbs), len(tokens))
    if verb < len(tokens) and "using" in words:
        verb = min(verb, words.index("using"))  # alone it makes a heading
    if not _is_single(words, tokens, known):
        return None
    edge = len(list(_tokens(plain.partition(",")[0], known))) if words[0] in _CONDITIONS else 0
    kept, values = [], []
    for place, token in enumerate(tokens):
        # What is named in a condition says when, not what; a bound in it is a claim of its own.
        is_said = place > verb and (token.is_number or place >= edge)
        counts = is_said or (token.is_number and _is_bound(words, place, token, known))
        if (
            token.is_value
            and counts
            and known.frame_counting.isdisjoint(words[max(0, place - _BESIDE) : place])
        ):
            kept.append("#")
            values.append(token.text)
        elif token.word not in _ARTICLES:
            kept.append(stem(token.word) if token.word.isalpha() else token.text)
    # "Defaults to 60." is said of what the sentence before speaks of.
    kept = [*before, *kept] if not verb and before else kept
    telling = [one for one in kept if one != "#" and one not in known.frame_generic]
    is_whole = bool(values) and len(telling) >= (
        _FEWEST_TELLING if verb == len(tokens) else _FEWEST_TELLING + 1
    )
    return Frame(tuple(kept), tuple(values), raw) if is_whole else None


def _is_bound(words: Sequence[str], place: int, token: _Token, known: StatementWords) -> bool:
    """Whether a number is said as a bound or a range: at least 3, 3 or higher, 3+, more than 3, 3 - 5."""
    near = (*words[max(0, place - _NEAR) : place], *words[place + 1 : place + 1 + _NEAR])
    return token.is_range or not known.frame_bounds.isdisjoint(near)


def _merged(tokens: list[_Token]) -> list[_Token]:
    """The tokens with versions in a row as one value: "2.7 and 3.6+" is another than "3.7+"."""
    made: list[_Token] = []
    for token in tokens:
        joined = made and made[-1].word in {"and", "or", "to"} and len(made) > 1
        last = made[-2] if joined else made[-1] if made else None
        if token.is_number and last is not None and last.is_number and (joined or token.is_joined):
            del made[-2 if joined else -1 :]
            made.append(_Token(f"{last.text} {token.text}", is_value=True, is_number=True, is_range=True))
        else:
            made.append(token)
    return made


def _is_single(words: Sequence[str], tokens: Sequence[_Token], known: StatementWords) -> bool:
    """Whether what is said can be true of one value alone: of several supported versions, each may be told."""
    if known.frame_several.isdisjoint(words):
        return True
    return not known.frame_bounds.isdisjoint(words) or any(token.is_range for token in tokens)


def _tokens(text: str, known: StatementWords) -> Iterator[_Token]:
    found = [match for match in _TOKEN.finditer(text) if match[0]]
    for place, match in enumerate(found):
        span = match["code"] or match["quoted"]
        if span is not None:
            # A command is no value, unless it has one: `rbenv install 2.4.1`.
            is_value = len(span) <= _LONGEST_VALUE and (" " not in span or _VERSION.search(span) is not None)
            yield _Token(_plain(span), is_value=is_value)
        elif match["number"] is not None:
            written = match["number"].rstrip("+").lstrip("v").replace(",", "").replace("_", "").lower()
            between = text[found[place - 1].end() : match.start()] if place else ""
            yield _Token(
                written,
                is_value=True,
                is_number=True,
                is_range=match["number"].endswith("+"),
                is_joined=bool(_DASH.fullmatch(between)),
            )
        else:
            following = found[place + 1]["word"] if place + 1 < len(found) else None
            yield _word(match["word"], following, known, is_first=place == 0)


def _word(written: str, following: str | None, known: StatementWords, *, is_first: bool) -> _Token:
    word = written.replace("\u2019", "'").lower()
    if word in _NUMBERS:
        return _Token(_NUMBERS[word], is_value=True)
    if word in {"a", "an"} and following is not None and following.lower() in {*known.units, "month", "year"}:
        return _Token("1", is_value=True)
    if word in known.frame_opposites or word in known.tools:
        return _Token(word, is_value=True, word=word)
    is_name = not is_first and (_CAPITALS.fullmatch(written) or _NAMED_DIGITS.fullmatch(written))
    return _Token(_plain(written) if is_name else word, is_value=bool(is_name), word=word)


def _plain(span: str) -> str:
    """A name as it is compared: its last part, whatever stands between its words."""
    last = re.split(r"[./:~\s]+(?=\w*$)", span.strip("~ .()"))[-1] if " " not in span.strip() else span
    return _ALONE.sub("", last).lower() or span.strip().lower()
