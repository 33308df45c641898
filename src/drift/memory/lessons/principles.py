"""The rule in a correction, taken from its own words."""

import re
from typing import Final, NamedTuple

from drift.kernel.text import shorten
from drift.memory.causes.cues import sentences_of
from drift.memory.lessons.correction_diff import CodeChange

_LOOKED_AT: Final = 4_000
_MOST_RULE: Final = 280
_THING: Final = r"`?(?P<{0}>[^`,;]{{1,80}}?)`?"
# Without a verb before it, only the word next to "instead of" is surely meant.
_ONE_WORD: Final = r"`?(?P<use>[^\s`,;]{1,80})`?"
_END: Final = (
    r"(?=\s*(?:[,;!]|[.](?:\s|$)|$|\b(?:here|there)\b|\bbecause\b|\bsince\b|\bwhen\b|\bfor\b|\bin\b|\bas\b))"
)


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# Tried in order on a text whose blanks are single; the first that fits names what to use and what not.
_REPLACING: Final = (
    ("use X instead of Y", _rule(rf"\b(?:use|call|write|prefer|want)\s{_THING.format('use')}\s(?:instead of|rather than|not|over)\s{_THING.format('avoid')}{_END}")),
    ("X instead of Y", _rule(rf"{_ONE_WORD}\s(?:instead of|rather than)\s{_THING.format('avoid')}{_END}")),
    ("replace Y with X", _rule(rf"\b(?:replace|change|rename|swap)\s{_THING.format('avoid')}\s(?:with|by|to|for)\s{_THING.format('use')}{_END}")),
    ("do not use Y, use X", _rule(rf"\b(?:do not|don[\u2019']t|never|stop)\s(?:use|using|call|calling)\s{_THING.format('avoid')}\s?[,;.:-]{{1,9}}\s?(?:but\s)?(?:please\s)?(?:use|call)\s{_THING.format('use')}{_END}")),
)  # fmt: skip
_MODAL: Final = (
    ("never", _rule(r"\b(?:never|must not|mustn[\u2019']t|may not|do not|don[\u2019']t|avoid|no longer)\b")),
    ("always", _rule(r"\b(?:always|must|have to|has to|every|required to)\b")),
    ("should", _rule(r"\b(?:should|ought to|prefer|please|we use|we do)\b")),
)
_BECAUSE: Final = _rule(
    r"\b(?:because(?: of)?|since|otherwise|so that|as it|due to)\b\s{0,9},?\s{0,9}(?P<reason>[^.;!]{3,200})"
)


class Principle(NamedTuple):
    """A rule: what it says, what to use and to avoid where it says so, why, and which rule of ours found it."""

    statement: str
    modality: str | None
    use: str | None
    avoid: str | None
    reason: str | None
    found_by: str


def extract_principle(feedback: str, change: CodeChange | None) -> Principle | None:
    """The rule a correction teaches; None where neither its words nor the change show one."""
    text = feedback[:_LOOKED_AT]
    reason = _reason(text)
    # A whole text first: "Don't use a. Use b" is two sentences and one rule.
    for found_by, pattern in _REPLACING:
        match = pattern.search(" ".join(text.split()))
        if match:
            use, avoid = _trim(match["use"]), _trim(match["avoid"])
            return Principle(f"Use {use} instead of {avoid}", "use", use, avoid, reason, found_by)
    for modality, pattern in _MODAL:
        sentence = next((one for one in sentences_of(text) if pattern.search(one)), None)
        if sentence:
            return Principle(shorten(sentence, _MOST_RULE), modality, None, None, reason, modality)
    if change is not None and change.replaced is not None:
        new, old = change.replaced
        return Principle(
            f"Use {new} instead of {old}", "use", new, old, reason, "one name changed in the code"
        )
    return None


def _trim(text: str) -> str:
    return text.strip().strip("`'\"")


def _reason(text: str) -> str | None:
    found = _BECAUSE.search(text)
    return found["reason"].strip() if found else None
