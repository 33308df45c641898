"""A text taken apart into the sentences that claim something, and these into words.

Sentences that ask, quote, suppose, remember or doubt are left out, and so are code, headings and tables.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from drift.memory.truth.statement_words import Phrases, StatementWords, statement_words

_LONGEST_SENTENCE: Final = 300
_MOST_WORDS: Final = 24
_CODE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_BULLET: Final = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+|^#+\s*")
_QUOTED: Final = re.compile(r"[\"\u201c][^\"\u201d]{0,300}?\s[^\"\u201d]{0,300}[\"\u201d]")
_LINK: Final = re.compile(r"\[([^\]]{0,300})\](?:\([^)]{0,300}\)|\[[^\]]{0,300}\])?")
_RULE: Final = re.compile(r"={2,}|[-~^*]{4,}|::")
_NOT_PROSE: Final = (">", "//", "$ ", "% ", "|")
_WRAP: Final = re.compile(r"(?<=[^.!?:;\n])[ ]?\n[ ]?(?=[a-z0-9`'(])")
_WRAPPED_AT: Final = 60
_ASIDE: Final = re.compile(r"\([^)]{0,300}\)|\s[-\u2013\u2014]\s.*|,\s(?:as|per|so|thus|hence)\s.*")
_INSTEAD: Final = re.compile(
    r",?\s(?:instead of|rather than)\s\S+(?:\s\S+){0,2}?(?=\s(?:for|in|on|with|at|to|by)\b|$)"
)
_THOUSANDS: Final = re.compile(r"(?<=\d)[,_](?=\d{3}\b)")
_NEGATED: Final = re.compile(r"n't\b")
_POSSESSIVE: Final = re.compile(r"'s\b")
_WORD: Final = re.compile(r"[^\W_]\w*(?:[.\-/:@][\w]+)*|%|[<>]=?|==?|:(?=\s)")
PRONOUNS: Final = frozenset({"we", "they", "i", "he", "she", "you"})
_IN: Final = frozenset({"in", "on", "for", "during", "at", "within"})
_SPACES: Final = re.compile(r"[ \t]+")


class Sentence(NamedTuple):
    """A sentence taken apart. `written` has the words as they stand there, `words` in lower case."""

    text: str
    words: tuple[str, ...]
    written: tuple[str, ...]
    environments: tuple[str, ...]


def split_sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text that claim something."""
    for line in _unwrap(_SPACES.sub(" ", _CODE.sub("\n", text))).splitlines():
        if line.lstrip().startswith(_NOT_PROSE):
            continue
        for raw in _SENTENCE_END.split(_BULLET.sub("", line)):
            sentence = _take_apart(raw.strip())
            if sentence is not None:
                yield sentence


def _unwrap(text: str) -> str:
    """The text with the lines joined that were cut only because they were long."""

    def join(found: re.Match[str]) -> str:
        begins = text.rfind("\n", 0, found.start()) + 1
        return " " if found.start() - begins >= _WRAPPED_AT else found[0]

    return _WRAP.sub(join, text)


def _take_apart(raw: str) -> Sentence | None:
    # A colon at the end announces what another line says.
    if not raw or len(raw) > _LONGEST_SENTENCE or raw.endswith(("?", ":")):
        return None
    if _QUOTED.search(raw) or _RULE.search(raw):
        return None
    known = statement_words()
    written = tuple(_WORD.findall(_plain_text(raw, known)))
    words = tuple(word.lower() for word in written)
    if not 1 < len(words) <= _MOST_WORDS or not _is_asserted(words, known):
        return None
    kept, environments = _split_environments(words, known)
    return Sentence(
        raw,
        tuple(words[position] for position in kept),
        tuple(written[position] for position in kept),
        environments,
    )


def _plain_text(raw: str, known: StatementWords) -> str:
    """The sentence without asides, links, possessives and contractions."""
    text = _ASIDE.sub(" ", _LINK.sub(r"\1", _THOUSANDS.sub("", raw.replace("\u2019", "'"))))
    text = known.to_rewrite.sub(lambda found: known.rewritten[found[0].lower()], known.aside.sub("", text))
    if "'" in text:
        text = _POSSESSIVE.sub("", _NEGATED.sub(" not", text))
    return _INSTEAD.sub("", text.rstrip(" .!;,"))


def _is_asserted(words: Sequence[str], known: StatementWords) -> bool:
    if not known.unasserted.isdisjoint(words):
        return False
    if not known.unasserted_openers.isdisjoint(words) and find_phrase(words, known.unasserted_phrases):
        return False
    if words[0] in known.pointing and words[:2] != ("it", "is"):
        return False
    used = next((position for position, word in enumerate(words) if word == "used"), 0)
    return not (used and words[used - 1] in PRONOUNS)


def _split_environments(words: tuple[str, ...], known: StatementWords) -> tuple[list[int], tuple[str, ...]]:
    """The positions of the words that name no environment, and the environments."""
    kept: list[int] = []
    named: set[str] = set()
    position = 0
    while position < len(words):
        taken, environment = _environment_at(words, position, known)
        if environment:
            named.add(environment)
        else:
            kept.append(position)
        position += taken
    return kept, tuple(sorted(named))


def _environment_at(words: Sequence[str], position: int, known: StatementWords) -> tuple[int, str | None]:
    if words[position] == "locally":
        return 1, known.environments["locally",]
    if words[position] not in _IN:
        return 1, None
    start = position + 1
    if start < len(words) and words[start] in {"the", "our"}:
        start += 1
    for length in (2, 1):
        environment = known.environments.get(tuple(words[start : start + length]))
        end = start + length
        # "in test files" names files, not the place where tests run.
        is_whole = end >= len(words) or words[end] in {
            *_IN,
            "environment",
            "environments",
            "and",
            *known.empty,
        }
        if environment and is_whole:
            return end - position + (end < len(words) and words[end].startswith("environment")), environment
    return 1, None


def find_phrase(words: Sequence[str], phrases: Phrases) -> tuple[int, int] | None:
    """Where the first of some phrases stands."""
    longest = _longest(phrases)
    for start in range(len(words)):
        for length in range(longest, 0, -1):
            if tuple(words[start : start + length]) in phrases:
                return start, min(start + length, len(words))
    return None


@cache
def _longest(phrases: Phrases) -> int:
    return max(map(len, phrases))
