"""Which packs fit what a person is about to do, and why."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import prod
from typing import Final, Literal

from drift.registry.packs import Pack, PackTrigger

# How likely a pack is wanted when one trigger of the kind fires: an intent is the person's own word for the task, a
# keyword may stand in any sentence. Several together weigh more than each.
_WEIGHTS: Final[Mapping[Literal["intent", "file", "keyword"], float]] = {
    "intent": 0.9,
    "file": 0.5,
    "keyword": 0.4,
}
_ENDINGS: Final = ("", "s", "es", "d", "ed", "ing", "er", "ers")
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class SuggestedPack:
    """A pack that fits. `confidence` grows with the number and kind of the triggers that fired."""

    name: str
    title: str
    confidence: float
    reason: str


def suggest_packs(
    packs: Iterable[Pack], *, intent: str | None = None, file: str | None = None, text: str = ""
) -> tuple[SuggestedPack, ...]:
    """The packs with a trigger for the task, best first; ties in alphabetical order."""
    words = [word.casefold() for word in _WORD.findall(text)]
    found = []
    for pack in packs:
        fired = [each for each in dict.fromkeys(pack.triggers) if _fires(each, intent, file, words)]
        if fired:
            doubt = prod(1 - _WEIGHTS[each.type] for each in fired)
            reason = ", ".join(f"{each.type} {each.value}" for each in fired)
            found.append(SuggestedPack(pack.name, pack.title, round(1 - doubt, 2), reason))
    return tuple(sorted(found, key=lambda each: (-each.confidence, each.name)))


def _fires(trigger: PackTrigger, intent: str | None, file: str | None, words: list[str]) -> bool:
    if trigger.type == "intent":
        return trigger.value == intent
    if trigger.type == "file":
        return file is not None and _is_matched(file.casefold(), trigger.value.casefold())
    return _is_said(trigger.value, words)


def _is_matched(path: str, pattern: str) -> bool:
    """Whether a glob matches the path from the root; one without a folder matches the file's name."""
    if "/" not in pattern:
        return fnmatchcase(path.rpartition("/")[2], pattern)
    # The root counts as a folder, so that */auth/* also finds auth/tokens.py.
    return fnmatchcase(path, pattern) or fnmatchcase(f"/{path}", pattern)


def _is_said(keyword: str, words: list[str]) -> bool:
    """Whether the keyword's words follow each other in the text, the last in any usual form."""
    *begin, last = [word.casefold() for word in _WORD.findall(keyword)] or [""]
    forms = _forms(last)
    size = len(begin) + 1
    return bool(last) and any(
        words[at : at + size - 1] == begin and words[at + size - 1] in forms
        for at in range(len(words) - size + 1)
    )


def _forms(word: str) -> frozenset[str]:
    stems = {word, word.removesuffix("e")}
    forms = {word} | {stem + ending for stem in stems for ending in _ENDINGS if ending}
    forms |= {word + word[-1:] + ending for ending in ("ed", "ing", "er")}  # bug, bugged; log, logging
    return frozenset(forms | ({word[:-1] + "ies", word[:-1] + "ied"} if word.endswith("y") else set()))
