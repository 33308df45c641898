"""The claims that a text makes, sentence by sentence: what of, in which way, where.

What is read is narrow on purpose. A sentence that asks, quotes, supposes, remembers or doubts makes no claim, and
of the others only the plain ones are read; what is not understood is left out rather than guessed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from drift.memory.stems import stem
from drift.memory.truth.quantities import Quantity, has_number, read_quantity
from drift.memory.truth.sentences import PRONOUNS, Sentence, find_phrase, split_sentences
from drift.memory.truth.statement_words import StatementWords, statement_words

_MOST_CHARS: Final = 20_000
_LONGEST_KEY: Final = 14
_LONGEST_TAIL: Final = 4
_LEAST_NAME: Final = 3
_NEAR: Final = 3  # words from a verb to its value

_CALL: Final = re.compile(r"[(\[{]")
_PLAIN: Final = re.compile(r"[a-z]+")
_COPULAS: Final = frozenset({"is", "are", "be", "stays", "remains", "stay", "remain", "been"})
_EQUALS: Final = frozenset({"=", "==", ":"})
_NEGATIONS: Final = frozenset({"not", "never"})


class Stance(StrEnum):
    """In which way a claim is made."""

    HOLDS = "holds"
    HOLDS_NOT = "holds not"
    OBLIGES = "obliges"
    PERMITS = "permits"
    FORBIDS = "forbids"
    FREES = "frees"  # need not be
    STATE = "is"
    OPPOSITE = "is the opposite of"
    VALUE = "equals"


class Claim(NamedTuple):
    """One claim. Claims of the same `subject` are about the same; the sentence is the one it was read from."""

    subject: tuple[str, ...]  # stems in order, after the axis and the environments
    stance: Stance
    sentence: str
    quantity: Quantity | None = None


@lru_cache(maxsize=256)
def read_claims(text: str) -> tuple[Claim, ...]:
    """The claims of a text, each once, in the order they are made."""
    found: dict[tuple[tuple[str, ...], Stance, Quantity | None], Claim] = {}
    for sentence in split_sentences(text[:_MOST_CHARS]):
        for claim in _claims_of(sentence):
            found.setdefault((claim.subject, claim.stance, claim.quantity), claim)
    return tuple(found.values())


def _claims_of(sentence: Sentence) -> Iterator[Claim]:
    known = statement_words()
    words = sentence.words
    if sum(word in _NEGATIONS for word in words) > 1 or not words:
        return
    is_negated = any(word in _NEGATIONS for word in words)
    stance, axis, rest = _read_stance(words, known, is_negated=is_negated)
    subject = _subject(rest, known)
    is_whole = len(subject) > 1 or bool(subject and (axis or _COPULAS.intersection(words)))
    if stance is not None and is_whole and len(subject) <= _LONGEST_KEY:
        yield Claim((axis, *sentence.environments, *subject), stance, sentence.text)
    if not is_negated and stance in {Stance.HOLDS, Stance.OBLIGES}:
        value = _read_value(sentence, known)
        if value is not None:
            yield value


def _read_stance(
    words: tuple[str, ...], known: StatementWords, *, is_negated: bool
) -> tuple[Stance | None, str, tuple[str, ...]]:
    """The stance, the axis it is on, and the words that say what of; None where it is not plain."""
    frees = find_phrase(words, known.modals["frees"])
    if frees is not None:
        return Stance.FREES, "", _without(words, frees)
    plain = tuple(word for word in words if word not in _NEGATIONS)
    modal, plain = _take_modal(plain, known)
    state = _find_state(plain, known)
    if state is not None:
        (start, end), axis, is_positive = state
        stance = Stance.STATE if is_positive != is_negated else Stance.OPPOSITE
        return (None if modal is Stance.PERMITS else stance), axis, _without(plain, (start, end))
    permission = _find_permission(plain, known, is_negated=is_negated)
    if permission is not None:
        place, stance = permission
        return (stance if modal is None else None), "", _without(plain, place)
    if modal is not None:
        return (Stance.FORBIDS if is_negated else modal), "", plain
    return _read_plain(words, plain, known, is_negated=is_negated)


def _read_plain(
    words: tuple[str, ...], plain: tuple[str, ...], known: StatementWords, *, is_negated: bool
) -> tuple[Stance | None, str, tuple[str, ...]]:
    """A sentence without modal: an order, or what is so."""
    first = tuple(word for word in plain if word not in known.empty)
    for phrases, stance in ((known.preferring, Stance.OBLIGES), (known.avoiding, Stance.FORBIDS)):
        place = find_phrase(first[:2], phrases)
        if place is not None and place[0] == 0:
            rest = first[place[1] :]
            is_doing = bool(rest) and rest[0].endswith("ing") and _PLAIN.fullmatch(rest[0]) is not None
            opposite = Stance.FORBIDS if stance is Stance.OBLIGES else Stance.OBLIGES
            return (opposite if is_negated else stance), "", rest if is_doing else ("use", *rest)
    is_order = bool(first) and first[0] in known.verbs and words[0] not in {"we", "i", "the", "our"}
    is_order = is_order or words[0] in {"never", "always"} or words[:2] == ("do", "not")
    if is_order:
        return (Stance.FORBIDS if is_negated else Stance.OBLIGES), "", plain
    if not _has_verb(words):
        return None, "", plain
    return (Stance.HOLDS_NOT if is_negated else Stance.HOLDS), "", plain


def _has_verb(words: Sequence[str]) -> bool:
    """Whether it may be a sentence rather than a heading; nothing finer can be told without a dictionary."""
    if words[0] in PRONOUNS or any(word in _COPULAS or word in _EQUALS for word in words):
        return True
    return len(words) >= _LEAST_NAME and any(
        word.endswith("s") or word in {"do", "does"} for word in words[:-1]
    )


def _take_modal(words: tuple[str, ...], known: StatementWords) -> tuple[Stance | None, tuple[str, ...]]:
    for name, stance in (("obliges", Stance.OBLIGES), ("permits", Stance.PERMITS)):
        place = find_phrase(words, known.modals[name])
        if place is not None:
            return stance, _without(words, place)
    return None, words


def _find_state(words: tuple[str, ...], known: StatementWords) -> tuple[tuple[int, int], str, bool] | None:
    """Where a word for a state stands, the axis of the state, and whether it is its positive end."""
    start = next((position for position, word in enumerate(words) if word not in known.empty), 0)
    for length in (2, 1):
        order = known.state_orders.get(words[start : start + length])
        if order is not None:
            return (start, start + length), *order
        for position in range(1, len(words) - length + 1):
            end = position + length
            is_last = end == len(words)
            after = words[position - 1] in _COPULAS or (words[position - 1] in known.empty and is_last)
            state = known.states.get(words[position:end]) if after or is_last else None
            if state is None and is_last and words[position - 1] in _COPULAS:
                state = known.last_states.get(words[position:end])
            if state is not None:
                return (position, end), *state
    return None


_FLIPPED: Final = {
    Stance.OBLIGES: Stance.FREES,
    Stance.FREES: Stance.OBLIGES,
    Stance.PERMITS: Stance.FORBIDS,
    Stance.FORBIDS: Stance.PERMITS,
}
_ADJECTIVES: Final = (
    ("obliges", Stance.OBLIGES),
    ("permits", Stance.PERMITS),
    ("forbids", Stance.FORBIDS),
    ("frees", Stance.FREES),
)


def _find_permission(
    words: tuple[str, ...], known: StatementWords, *, is_negated: bool
) -> tuple[tuple[int, int], Stance] | None:
    for position, word in enumerate(words):
        is_said_of = position > 0 and words[position - 1] in _COPULAS
        found = next(
            (one for name, one in _ADJECTIVES if is_said_of and word in known.permission[name]), None
        )
        if found is None and word in known.permission["allowing"]:
            found = Stance.PERMITS
        if found is None and word in known.permission["denying"]:
            found = Stance.FORBIDS
        if found is not None:
            return (position, position + 1), _FLIPPED[found] if is_negated else found
    return None


def _read_value(sentence: Sentence, known: StatementWords) -> Claim | None:
    """The claim that something has a value, where the value is the last that is said."""
    words = sentence.words
    numbers = [position for position, word in enumerate(words) if read_quantity(words, position)]
    if len(numbers) > 1 or (numbers and any(has_number(word) for word in words[numbers[0] + 1 :])):
        return None
    position = numbers[0] if numbers else len(words) - 1
    before = words[:position]
    if not _leads_to_value(before, known) or (_EQUALS.intersection(before) and _CALL.search(sentence.text)):
        return None
    read = read_quantity(words, position) if numbers else _read_word(sentence, known)
    if read is None:
        return None
    quantity, taken = read
    tail = words[position + taken :]
    named = _subject(_take_modal(before, known)[1], known)
    if len(tail) > _LONGEST_TAIL or not _names_something(before, named, known):
        return None
    key = ("value", *sentence.environments, *named, f"#{quantity.measure}", *_subject(tail, known))
    return Claim(key, Stance.VALUE, sentence.text, quantity) if len(key) <= _LONGEST_KEY else None


def _leads_to_value(before: Sequence[str], known: StatementWords) -> bool:
    """Whether a verb shortly before says that a value comes, or a sign stands right before it."""
    if before and (before[-1] in _EQUALS or _EQUALS.intersection(before)):
        return before[-1] in _EQUALS
    return any(word in known.value_verbs for word in before[-_NEAR:])


def _names_something(before: Sequence[str], named: Sequence[str], known: StatementWords) -> bool:
    """Whether it is said what has the value: `x = 1` is code, "default: 1" may be of anything."""
    telling = [word for word in named if word not in known.generic and len(word) >= _LEAST_NAME]
    generic = [word for word in named if word in known.generic and word not in known.qualifying]
    return (bool(telling) or len(generic) > 1) and (
        len(named) > 1 or before[-1] in _EQUALS or before[-1] in _COPULAS
    )


def _read_word(sentence: Sentence, known: StatementWords) -> tuple[Quantity, int] | None:
    """The last word as a value, where it can only be one: after an equals sign, or of what has one value."""
    words, written = sentence.words, sentence.written[-1]
    if len(words) < _LEAST_NAME:
        return None
    sign, head = words[-2], words[-3]
    is_marked = written != written.lower() or "_" in written or f"`{written}`" in sentence.text
    is_name = is_marked or words[-1] in known.tools
    is_single = head in known.single and (is_name or "default" in words or "primary" in words)
    if sign not in {"=", "=="} and not (is_single and (sign in _COPULAS or sign == ":")):
        return None
    return Quantity(words[-1], "word", None), 1


def _subject(words: Sequence[str], known: StatementWords) -> tuple[str, ...]:
    kept = (word for word in words if word not in known.empty and word not in _EQUALS)
    return tuple(stem(word) if _PLAIN.fullmatch(word) else word for word in kept)


def _without(words: tuple[str, ...], place: tuple[int, int]) -> tuple[str, ...]:
    return words[: place[0]] + words[place[1] :]


OPPOSED: Final[Mapping[Stance, frozenset[Stance]]] = {
    Stance.HOLDS: frozenset({Stance.HOLDS_NOT, Stance.FORBIDS}),
    Stance.HOLDS_NOT: frozenset({Stance.HOLDS, Stance.OBLIGES}),
    Stance.OBLIGES: frozenset({Stance.FORBIDS, Stance.FREES, Stance.HOLDS_NOT}),
    Stance.PERMITS: frozenset({Stance.FORBIDS}),
    Stance.FORBIDS: frozenset({Stance.OBLIGES, Stance.PERMITS, Stance.FREES, Stance.HOLDS}),
    Stance.FREES: frozenset({Stance.OBLIGES, Stance.FORBIDS}),
    Stance.STATE: frozenset({Stance.OPPOSITE}),
    Stance.OPPOSITE: frozenset({Stance.STATE}),
    Stance.VALUE: frozenset(),
}
