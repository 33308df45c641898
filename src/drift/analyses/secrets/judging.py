"""How likely it is that what a rule found is a secret in use: by the value itself, the name beside it, and the place.

A value that stands for a secret (a placeholder, a key of somebody's documentation, a run along the keyboard) is none. What
is left is weighed: a form that one service alone uses counts most, then how random the value is; in tests, examples and
pages for people the same value counts less.
"""

import re
from typing import Final, Literal, NamedTuple

from drift.kernel.redaction import Match
from drift.kernel.redaction.checks import (
    fits_checksum,
    is_documented,
    is_innocent,
    is_long_number,
    is_made_up,
    is_random,
    is_real_secret,
    is_spoken_password,
    is_uuid,
    wordiness,
)

Level = Literal["high", "medium", "low"]

_TELLING: Final = 0.95  # a form of one service
_BESIDE: Final = 0.85  # a random value beside a name that says secret
_PASSWORD: Final = 0.6  # letters with digits or marks beside such a name
_KEY_BLOCK: Final = 0.95
_UUID: Final = 0.6  # such a name and a number that may name anything
_MADE_UP: Final = 0.6  # the form of one service, and a run along the keyboard in it
_UNFIT: Final = 0.65  # a checksum that does not fit: made up, or cut
_IN_TESTS: Final = 0.6
_NAMED_BESIDE: Final = 0.5
_IN_TEXTS: Final = 0.75
_HIGH: Final = 0.8
_MEDIUM: Final = 0.5

_PREFIX: Final = re.compile(
    r"[A-Za-z0-9]{1,12}[_\-.](?:[a-z0-9]{2,8}[_\-.])?|AKIA|ASIA|ABIA|ACCA|AIza|LTAI|AKID"
)
_STANDING_FOR: Final = re.compile(
    r"(?i)^your|^[+?=^]|\[\^?[A-Za-z0-9]-|x{4,}|\*{3,}|\.{3}|…|_here\b|-here\b|insert|replace|sample|fake|mock|foobar|todo|fixme|<[^>]{1,60}>|\{[^}]{0,60}\}|\$\(|%\w%|^%[sdv]"
    r"|changeit|change-?me|mypass|my[_\-]?secret|not[_\-]?a|invalid|example|dummy|\bnone\b|\bnull\b|lorem|ipsum|test[_\-]?(?:key|token|secret|pass)"
)
_WORDS: Final = re.compile(r"[^\W\d_]{3,60}")
_BLOCK: Final = re.compile(r"(?:\\n|[\s\"'+]){0,20}[A-Za-z0-9+/=]{20,}")
_BLOCK_HEAD: Final = re.compile(r"(?:\s{0,4}[\w\-]{1,40}: [^\n]{0,100}(?:\\n|\n)){0,4}")
_LOOKED_UP: Final = re.compile(
    r"(?i)process\.env|os\.environ|getenv|environ|config\[|config\.get|settings\.|secrets?\.|vault[:(]|ssm:|arn:aws|\bref\+|\bop://|keyring|\.get\("
)
# The name before a value, and what in it leaves no doubt.
_NAME: Final = re.compile(
    r"[\w.\-$@\[\]\"' ]{1,80}(?=(?:\s{1,3}(?:string|str|char)\b)?\s{0,3}(?::\s{0,3}[A-Za-z][\w<>\[\]?|. ]{0,30})?\s{0,3}[:=>,|?.+]{1,4}\s{0,8}[\"'`]?$)"
)
_SAYS_SECRET: Final = re.compile(
    r"(?i)token|secret|passw|pwd|api[_.\-]?key|access[_.\-]?key|auth[_.\-]?key|private[_.\-]?key"
)
_NAMED: Final = frozenset({"named-secret", "named-setting", "key-assignment", "token-setting", "key-setting"})
_PASSWORDS: Final = frozenset({
    "secret-assignment", "password-setting", "password-in-command", "password-in-sql", "secret-in-markup", "password-in-url",
    "connection-string", "password-file",
})  # fmt: skip
_LOCAL: Final = re.compile(
    r"(?i)@(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host(?![\w.])|hostname|example\.|(?:[\w\-]{1,60}\.)?example\.|(?:db|postgres|redis|mysql|server)(?![\w.]))"
)
_NO_PASSWORD: Final = re.compile(
    r"(?i)^(?:pass(?:word|wd)?|pwd|secret|user(?:name)?|admin|root|guest|postgres|mysql|redis|db|test\w{0,12}|foo|bar|baz|qux|abc|[a-z]|pw|p@ss\w{0,6}|s3cr3t|token|key)\d{0,6}!?$"
)


class Judgement(NamedTuple):
    """How sure it is, and why."""

    confidence: float
    why: str

    @property
    def level(self) -> Level:
        return level_of(self.confidence)


def level_of(confidence: float) -> Level:
    """A confidence in a word."""
    return "high" if confidence >= _HIGH else "medium" if confidence >= _MEDIUM else "low"


class Place(NamedTuple):
    """Where a value stands: in code, in settings or in a page for people, and whether that is for tests or examples."""

    is_code: bool
    is_text: bool
    is_beside: bool


def judge(found: Match, line: str, *, behind: str, place: Place) -> Judgement | None:
    """What a value is worth; None where it is no secret. `behind` is the text that follows it."""
    value = line[found.start : found.end]
    told = _weigh(found, value, line, behind)
    if told is None:
        return None
    confidence, why = told.confidence, told.why
    # What a test or a page makes up looks like any other random value; the form of a service is chosen on purpose.
    is_form = found.rule == "private-key" or (found.tells and found.rule != "json-web-token")
    if place.is_beside:
        confidence, why = (
            confidence * (_IN_TESTS if is_form else _NAMED_BESIDE),
            f"{why}; in tests or examples",
        )
    elif place.is_text:
        confidence, why = (
            confidence * (_IN_TEXTS if is_form else _NAMED_BESIDE),
            f"{why}; in a page for people",
        )
    return Judgement(round(confidence, 2), why)


def _weigh(found: Match, value: str, line: str, behind: str) -> Judgement | None:
    if found.rule in {"private-key", "certificate"}:
        return _weigh_block(value, behind)
    if is_documented(value) or _STANDING_FOR.search(value) or not is_real_secret(value):
        return None
    if found.tells:
        return _weigh_token(value)
    if found.rule in _NAMED:
        return _weigh_named(value, line[: found.start])
    if found.rule in _PASSWORDS:
        return _weigh_password(found, value, line)
    if found.rule in {"card-number", "iban"}:
        return Judgement(_PASSWORD, "its check digits fit")
    if is_random(value) or (wordiness(value) < 0.4 and not is_made_up(value)):  # noqa: PLR2004 - less than half words
        return Judgement(_BESIDE, f"what stands before it, and a random value of {len(value)} characters")
    return None


def _weigh_block(value: str, behind: str) -> Judgement | None:
    """A key in a block counts where key material follows its head."""
    body = f"{value.partition('-----BEGIN')[2].partition('-----')[2].partition('-----')[2]}{behind}"
    head = _BLOCK_HEAD.match(body)
    if _BLOCK.match(body, head.end() if head else 0) is None or _STANDING_FOR.search(body[:200]):
        return None
    return Judgement(_KEY_BLOCK, "the head of a block with what follows it")


def _weigh_token(value: str) -> Judgement | None:
    prefix = _PREFIX.match(value)
    body = value[prefix.end() :] if prefix else value
    if wordiness(body) > 0.75 or len(set(body)) < 6:  # noqa: PLR2004 - words, and one letter again and again
        return None
    if is_made_up(body):
        return Judgement(_MADE_UP, "the form that one service alone uses, though it looks made up")
    checksum = fits_checksum(value)
    if checksum is False:
        return Judgement(_UNFIT, "the form of one service, but its checksum does not fit")
    fitting = ", and its checksum fits" if checksum else ""
    return Judgement(0.99 if checksum else _TELLING, f"the form that one service alone uses{fitting}")


def _is_named_innocently(before: str) -> bool:
    name = _NAME.search(before)
    return name is not None and is_innocent(name[0].strip(" \"'<>"))


def _weigh_named(value: str, before: str) -> Judgement | None:
    name = _NAME.search(before)
    if _is_named_innocently(before) or _is_sentence(value):
        return None
    if _LOOKED_UP.search(value) or _LOOKED_UP.search(before[-40:]):
        return None
    if is_random(value):
        return Judgement(_BESIDE, f"a random value of {len(value)} characters beside a name that says secret")
    if (is_uuid(value) or is_long_number(value)) and name and _SAYS_SECRET.search(name[0]):
        return Judgement(_UUID, "a UUID or a long number beside a name that says secret")
    return None


def _is_sentence(value: str) -> bool:
    """Whether a value is something said to people, in any language: words with spaces between them, or of other letters."""
    has_other_letters = any(sign.isalpha() and not sign.isascii() for sign in value)
    return has_other_letters or (" " in value.strip() and len(_WORDS.findall(value)) > 1)


def _weigh_password(found: Match, value: str, line: str) -> Judgement | None:
    if _is_named_innocently(line[: found.start]) or _is_sentence(value):
        return None
    if is_random(value):
        return Judgement(_BESIDE, f"a random value of {len(value)} characters where a password stands")
    if _NO_PASSWORD.fullmatch(value) or _LOOKED_UP.search(value) or is_made_up(value):
        return None
    if found.rule == "password-in-url" and _LOCAL.match(line, found.end):
        return None
    if wordiness(value) > 0.8 or not is_spoken_password(value):  # noqa: PLR2004 - nothing but words
        return None
    return Judgement(_PASSWORD, "letters with digits or marks where a password stands")
