"""Whether a value that looks like a secret or personal data is one."""

import ipaddress
import math
import re
import string
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from drift.kernel.redaction.table import load_table
from drift.kernel.words import split_words

_PLACEHOLDER: Final = re.compile(
    r"(?i)example|changeme|change_me|placeholder|redacted|dummy|your[_\- ]|^<.*>$|^\$|^%|\$\{|\{\{|^x{3,}$|^\*+$|^\.+$"
    r"|^(?:none|null|true|false|undefined|string|required|optional|password|passwd|secret|token|test|env)$"
    r"|process\.env|os\.environ|getenv|environ\[|config\.|settings\.|secrets\.|vault:"
)
# Runs of letters in a value that may be words, and what no word has.
_LETTERS: Final = re.compile(r"[A-Z]?[a-z]{4,40}|[A-Z]{5,40}")
_WHOLE_WORD: Final = re.compile(r"([A-Z]?[a-z]{2,40}|[A-Z]{2,40})\d{0,2}")
_PARTED: Final = re.compile(r"[^A-Za-z0-9]")
_UNSPEAKABLE: Final = re.compile(
    r"[^aeiouy]{5}|[aeiou]{4}|(.)\1\1|[jqxzvk][bcdfghjklmnpqrstvwxz]|[^aeiouyh]{3}$|q[^u]", re.IGNORECASE
)
_FEWEST_RANDOM: Final = 12
_LONG_NUMBERS: Final = range(16, 65)
_SHORT_RANDOM: Final = 18
_MOST_WORDY: Final = 0.45
_HEX_RUN: Final = re.compile(r"[0-9a-f]{8,400}|[0-9A-F]{8,400}")
_SEQUENCES: Final = (
    "0123456789",
    "abcdefghij",
    "1234567890",
    "qwertyuiop",
    "abcd1234",
    "deadbeef",
    "123456789",
    "abc123",
    "aaaa",
    "0000",
    "1111",
    "xxxx",
)
_PLACE: Final = re.compile(r"(?:~|\.{0,2})(?:/[a-z_.\-]{1,60}){2,20}/?|https?://[^@\s]{1,300}")
_NAME_PARTS: Final = re.compile(r"[ _\-.:/]")
_WORDY: Final = re.compile(r"[A-Za-z]{1,30}(?:[ _\-.][A-Za-z]{1,30}){0,20}[.!?]?")
_REFERENCE: Final = re.compile(r"[A-Za-z_][\w.\[\]]*(?:\(.*\))?")
_HASH: Final = re.compile(
    r"(?:sha\d{1,3}[:\-])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{128})",
    re.IGNORECASE,
)
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_RANDOM_BITS: Final = 2.5
_RANDOM_LENGTH: Final = 12
_PLACE_STARTS: Final = ("http://", "https://", "/", "./", "../", "~/", "$", "%", "@")
_NAME: Final = re.compile(r"[a-z0-9]{1,40}(?:_[a-z0-9]{1,40}){1,10}|[A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,10}")
_VERSION: Final = re.compile(r"v?\d{1,6}(?:[.\-/:]\d{1,6}){1,5}", re.IGNORECASE)
_PASSWORD_MARKS: Final = frozenset("!#$%^&*+@?~")
_FEWEST_PASSWORD: Final = 4
_FEWEST_QUOTED: Final = 6
_FEWEST_DIGITS: Final = 6
_NOBODY: Final = re.compile(
    r"(?i)^(?:no-?reply|git|user|username|name|foo|bar|someone|you|me|admin|root)@"
    r"|@(?:example\.|localhost|test\.|.{0,255}\.(?:example|test|invalid|local)$|users\.noreply\.github\.com)"
    r"|\.(?:png|jpg|jpeg|svg|gif|js|ts|py|json|md)$"
)
_CARD_STARTS: Final = re.compile(r"3[47]|30[0-5]|3[689]|4|5[1-5]|2[2-7]|6(?:011|4|5|2)")
_CHECKED_LENGTH: Final = 36
_BASE62: Final = f"{string.digits}{string.ascii_uppercase}{string.ascii_lowercase}"
_VIN_VALUES: Final = dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", (*range(1, 9), *range(1, 6), 7, 9, *range(2, 10)), strict=True)
)
_VIN_WEIGHTS: Final = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def is_real_secret(value: str) -> bool:
    """Not a placeholder, a reference to where the secret is kept, or plain words."""
    if _PLACEHOLDER.search(value) or _PLACE.fullmatch(value):
        return False
    return not (_WORDY.fullmatch(value) and value.islower() and _bits(value) < _RANDOM_BITS and " " in value)


def is_real_key(value: str) -> bool:
    """As above, and not a name: a password may be a word, a key or token never is."""
    if not is_real_secret(value):
        return False
    parts = [part for part in _NAME_PARTS.split(value) if part]
    return not all(part.isalpha() and (part.islower() or part.isupper() or part.istitle()) for part in parts)


def looks_random(value: str) -> bool:
    """A value without quotes: only when letters and digits mix as they do in no word, name or expression."""
    value = value.rstrip(".:!?")
    if (
        not is_real_secret(value)
        or _WORDY.fullmatch(value)
        or _UUID.fullmatch(value)
        or _HASH.fullmatch(value)
    ):
        return False
    if value.startswith(("http://", "https://", "/", "./", "~/", "--", "@")):
        return False
    if _REFERENCE.fullmatch(value) and ("(" in value or "." in value or not any(c.isdigit() for c in value)):
        return False
    kinds = sum(any(test(c) for c in value) for test in (str.islower, str.isupper, str.isdigit, _is_mark))
    return kinds > 2 or (kinds > 1 and len(value) >= _RANDOM_LENGTH and _bits(value) >= _RANDOM_BITS)  # noqa: PLR2004 - kinds of characters


def wordiness(value: str) -> float:
    """Which part of a value are words that could be spoken: most of an identifier, little of a random text."""
    spoken = 0
    for part in _PARTED.split(value):
        whole = _WHOLE_WORD.fullmatch(part)  # between marks short words are words, too
        runs = [whole[1]] if whole else _LETTERS.findall(part)
        spoken += sum(len(run) for run in runs if _UNSPEAKABLE.search(run) is None and _has_vowel(run))
    return spoken / len(value) if value else 1.0


def _has_vowel(run: str) -> bool:
    vowels = sum(one in "aeiouyAEIOUY" for one in run)
    return 0.15 <= vowels / len(run) <= 0.7  # noqa: PLR2004 - what words of European languages have


def is_made_up(value: str) -> bool:
    """Whether somebody typed it to stand for a secret: a run along the keyboard, or few different characters."""
    lowered = value.lower()
    typed = sum(lowered.count(each) * len(each) for each in _SEQUENCES)
    return typed * 4 >= len(lowered) or len(set(lowered)) < min(
        6 if lowered.isdecimal() else 8, len(lowered) // 2 + 1
    )


def is_uuid(value: str) -> bool:
    return _UUID.fullmatch(value) is not None


def is_long_number(value: str) -> bool:
    """A number of so many different digits that nothing is counted with it."""
    return len(value) in _LONG_NUMBERS and value.isdecimal() and len(set(value)) > 5 and not is_made_up(value)  # noqa: PLR2004 - of ten


def is_given_out(value: str) -> bool:
    """What a service may have given out: random, or a UUID or a long number, which some use as keys."""
    return is_random(value) or is_uuid(value) or is_long_number(value)


@cache
def _innocent() -> re.Pattern[str]:
    return re.compile("|".join(load_table()["lists"]["innocent"]), re.IGNORECASE)


@cache
def _credential() -> re.Pattern[str]:
    return re.compile("|".join(load_table()["lists"]["credential"]), re.IGNORECASE)


def is_innocent(name: str) -> bool:
    """Whether a name has words in it that say secret, and all of them mean something else: foreign_key, key_id, author."""
    words = split_words(name)
    if words and words[-1].lower() in load_table()["lists"]["about"]:
        return True
    rest = _innocent().sub("", name)
    return rest != name and _credential().search(rest) is None


def is_random(value: str) -> bool:
    """A value that no person made: long, of many characters, letters and digits mixed, hardly a word in it."""
    value = value.rstrip(".:!?,;")
    if len(value) < _FEWEST_RANDOM or not is_real_secret(value) or _UUID.fullmatch(value):
        return False
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    if not has_both or (_REFERENCE.fullmatch(value) and ("(" in value or value.count(".") > 2)):  # noqa: PLR2004 - names in names
        return False
    if value.startswith(_PLACE_STARTS) or _VERSION.fullmatch(value) or is_made_up(value):
        return False
    least = 3.0 if _HEX_RUN.fullmatch(value) or len(value) < _SHORT_RANDOM else 3.3
    return _bits(value) >= least and wordiness(value) <= _MOST_WORDY


def fits_checksum(value: str) -> bool | None:
    """Whether the last six characters of a token of GitHub or npm are the checksum of the others; None for other tokens."""
    prefix, mark, body = value.partition("_")
    if not mark or prefix not in {"ghp", "gho", "ghu", "ghs", "ghr", "npm"} or len(body) != _CHECKED_LENGTH:
        return None
    number, digits = zlib.crc32(body[:-6].encode("ascii", "replace")), ""
    while number:
        number, digit = divmod(number, 62)
        digits = _BASE62[digit] + digits
    return digits.rjust(6, "0") == body[-6:]


def is_documented(value: str) -> bool:
    """Whether it is a key or the number of a card that documentation shows to everybody."""
    table = load_table()["documented"]
    return value in table["keys"] or re.sub(r"[ \-]", "", value) in table["cards"]


def is_spoken_password(value: str) -> bool:
    """What a sentence or a setting calls a password: letters and digits or marks together, as in no word or name."""
    value = value.strip("._*!?:,\u2014\u2013")
    if len(value) < _FEWEST_PASSWORD or not is_real_secret(value) or not _is_password_like(value):
        return False
    if value.startswith(_PLACE_STARTS) or _NAME.fullmatch(value) or _VERSION.fullmatch(value):
        return False
    if _REFERENCE.fullmatch(value) and ("(" in value or "." in value):
        return False
    return not (_HASH.fullmatch(value) or _UUID.fullmatch(value) or _technical().fullmatch(value))


def is_typed_password(value: str) -> bool:
    """What stands where a program expects a password: anything but a placeholder, an option or a place."""
    return is_real_secret(value) and not value.startswith(("-", *_PLACE_STARTS))


def is_quoted_secret(value: str) -> bool:
    """A value in quotes where a secret is expected. One that is short must look like a password: others are words."""
    return is_real_secret(value) and (len(value) >= _FEWEST_QUOTED or is_spoken_password(value))


def looks_like_key(value: str) -> bool:
    """A value that is called a key, as are names in maps and tables: random beyond doubt."""
    value = value.rstrip(".:!?")
    is_mixed = all(any(test(one) for one in value) for test in (str.islower, str.isupper, str.isdigit))
    return is_mixed and looks_random(value) and not _NAME.fullmatch(value) and "/" not in value


def holds_random(value: str) -> bool:
    """Whether one of several values `name=value; …` is random."""
    return any(looks_random(part.partition("=")[2].strip()) for part in value.split(";"))


def is_base64(value: str) -> bool:
    """Padded as base64 is, and no word."""
    return len(value) % 4 == 0 and not (value.isalpha() and (value.islower() or value.istitle()))


def _is_password_like(value: str) -> bool:
    has_letter, has_digit = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    if value.isdigit():
        return len(value) >= _FEWEST_DIGITS
    return has_letter and (has_digit or any(one in _PASSWORD_MARKS for one in value))


@cache
def _technical() -> re.Pattern[str]:
    stems = "|".join(map(re.escape, load_table()["lists"]["technical"]))
    return re.compile(rf"(?:{stems})[-_/]?\d{{1,5}}(?:[.\-_]?\w{{1,8}}){{0,3}}", re.IGNORECASE)


def is_personal_address(value: str) -> bool:
    return _NOBODY.search(value) is None


def is_card_number(value: str) -> bool:
    """Right length and first digits, and the last digit fits the others (Luhn)."""
    digits = re.sub(r"\D", "", value)
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1 or not _CARD_STARTS.match(digits):  # noqa: PLR2004 - lengths of card numbers
        return False
    backwards = [int(one) for one in reversed(digits)]
    return (sum(backwards[::2]) + sum(sum(divmod(one * 2, 10)) for one in backwards[1::2])) % 10 == 0


def is_phone_number(value: str) -> bool:
    return 8 <= sum(one.isdigit() for one in value) <= 15  # noqa: PLR2004 - lengths of phone numbers


def is_iban(value: str) -> bool:
    packed = value.replace(" ", "")
    if not 15 <= len(packed) <= 34:  # noqa: PLR2004 - lengths of IBANs
        return False
    digits = "".join(str(int(one, 36)) for one in packed[4:] + packed[:4])
    return int(digits) % 97 == 1


def is_public_address(value: str) -> bool:
    """A routable address; one of a private network, of this machine or of documentation tells nothing."""
    try:
        return ipaddress.ip_address(value).is_global
    except ValueError:
        return False


def is_vehicle_number(value: str) -> bool:
    value = value.upper()
    total = sum(
        weight * (int(one) if one.isdigit() else _VIN_VALUES[one])
        for one, weight in zip(value, _VIN_WEIGHTS, strict=True)
    )
    return value[8] == "0123456789X"[total % 11]


def _bits(value: str) -> float:
    """Entropy of the characters, in bits for each."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


def _is_mark(character: str) -> bool:
    return not character.isalnum() and character not in "_-."


CHECKS: Final[Mapping[str, Callable[[str], bool]]] = {
    check.__name__: check
    for check in (
        is_real_secret,
        is_real_key,
        is_spoken_password,
        is_typed_password,
        is_quoted_secret,
        is_base64,
        looks_random,
        is_given_out,
        looks_like_key,
        holds_random,
        is_personal_address,
        is_card_number,
        is_iban,
        is_phone_number,
        is_public_address,
        is_vehicle_number,
    )
}
