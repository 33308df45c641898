"""What a memory says that can be looked up: paths, symbols, routes, environment names, versions.

Prose is full of words that look like code. A claim is `sure` only where its form leaves no doubt; the rest counts
when it is found and is never missed. What a sentence calls gone, planned or an example is not missed either.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from drift.conventions.verification.tokens import QUOTED, Claim, ClaimKind, read_names, read_versions
from drift.memory.content import texts_in
from drift.memory.records import Memory

_LOOKED_AT: Final = 50_000
_MOST_CLAIMS: Final = 80
_FENCE: Final = re.compile(r"^\s{0,3}(```|~~~).*?(?:^\s{0,3}\1|\Z)", re.DOTALL | re.MULTILINE)
_AWAY: Final = re.compile(
    r"\[redacted: [\w ]{1,40}\]|\b[a-z][a-z0-9+.-]{1,20}://\S+|\bwww\.\S+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
# Fields that name what was rejected, what was there before, or what people may say.
_NOT_CLAIMED: Final = frozenset(
    {"alternatives", "badExample", "original", "triggerPhrases", "url", "userQuery", "warningTriggers"}
)
_NAME: Final = re.compile(r"(?<!\S)(?=\S*?\w[/_]\w)\S+")
_GONE: Final = re.compile(
    r"\b(?:remov(?:e|es|ed|ing|al)|delet(?:e|es|ed|ing|ion)|dropp?(?:ed|ing)?|gone|no longer|renam(?:e|ed|ing)|old"
    r"|replac(?:e|es|ed|ing)|instead of|rather than|used to|formerly|previously|obsolete|retired"
    r"|do(?:es)?(?:n't| not) exist|there is no)\b",
    re.IGNORECASE,
)
_AHEAD: Final = re.compile(
    r"\b(?:will|plan(?:s|ned|ning)?|todo|going to|propos(?:e|ed|al)|not yet|to be (?:added|written|created|made)"
    r"|should (?:be )?(?:add|create|introduc|writ|split|extract|becom)\w*|could|would|e\.g|for example|such as|like)\b",
    re.IGNORECASE,
)
_FORBIDDEN: Final = re.compile(
    r"\b(?:do(?:es)?(?:n't| not)|must(?:n't| not)|never|avoid\w*|forb\w+|bann?(?:ed)?|not (?:use|call)|disallow\w*)\b",
    re.IGNORECASE,
)


def read_claims(memory: Memory, packages: Collection[str]) -> tuple[Claim, ...]:
    """What the words of a memory claim, each thing once, the surest mention of it.

    Versions are claimed of the `packages` alone, whose names are given in lower case.
    """
    found: dict[tuple[ClaimKind, str, str | int | None], Claim] = {}
    is_warning = memory.type == "code_smell"  # it names what should not be there
    for sentence in _sentences(memory):
        for claim in _read_sentence(sentence, packages, is_warning=is_warning):
            key = (claim.kind, claim.text, claim.number or claim.line)
            if key not in found or _weight(claim) > _weight(found[key]):
                found[key] = claim
    return tuple(found.values())[:_MOST_CLAIMS]


def _weight(claim: Claim) -> tuple[bool, bool]:
    return claim.is_sure, claim.excuse is None


def _sentences(memory: Memory) -> Iterator[str]:
    for text in (memory.title, memory.text, *_told(memory.content)):
        plain = _AWAY.sub(" ", _FENCE.sub("\n", text[:_LOOKED_AT]))
        yield from (one for one in _SENTENCE_END.split(plain) if one and not one.isspace())


def _told(value: Any) -> Iterator[str]:
    """The texts of a content, without the fields that claim nothing."""
    for name, inner in dict(value).items():
        if name not in _NOT_CLAIMED:
            yield from texts_in(inner)


def _read_sentence(sentence: str, packages: Collection[str], *, is_warning: bool) -> Iterable[Claim]:
    words = _NAME.sub(" ", QUOTED.sub(" ", sentence))  # names hold words such as gone and old as well
    excuse = _excuse(words)
    forbidden = "it is said to be avoided" if is_warning or _FORBIDDEN.search(words) else None
    for claim in (*read_names(sentence), *read_versions(sentence, packages)):
        # A file that must not be touched is there; a function that must not be called need not be.
        why = excuse if claim.kind is ClaimKind.PATH else excuse or forbidden
        yield claim._replace(excuse=why)


def _excuse(words: str) -> str | None:
    if _GONE.search(words):
        return "the sentence speaks of what is gone"
    return "the sentence speaks of what may be" if _AHEAD.search(words) else None
