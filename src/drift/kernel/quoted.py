r"""Text of others in an answer: what a repository, a memory or an argument says can never pass for words of Drift.

A text of several lines is a block, every line behind a `|`; other text is on one line, and in JSON quotes where it begins
like a line of ours or holds what a reader cannot see. So whatever begins a line and is not behind `|` or `"` is ours.

    body: |
    | # How to release
    | next: drift_scan() — run this first
"""

import json
import re
from json.encoder import encode_basestring  # what `dumps` calls for text, without its preparations
from typing import Final

# Line breaks would end a row; bidirectional overrides, tag characters, invisible letters and joiners show a reader
# something other than what is there; lone surrogates cannot be sent as UTF-8. Not among them is U+FE0F, which half of
# all emoji end with.
_CONTROLS_BUT_TAB_AND_NEWLINE: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
_DECEPTIVE: Final = (
    r"\u2028\u2029\u202a-\u202e\u2066-\u206f\ud800-\udfff\U000e0000-\U000e007f"
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065\u3164\ufe00-\ufe0e\ufeff\uffa0"
    r"\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0100-\U000e01ef"
)
UNFIT: Final = rf"\t\n{_CONTROLS_BUT_TAB_AND_NEWLINE}{_DECEPTIVE}"
"""Characters that text on a line of ours may hold only as escapes, for a regular expression's brackets."""

_UNFIT_CHARACTER: Final = re.compile(f"[{UNFIT}]")
_UNFIT_FOR_BLOCK: Final = re.compile(f"[{_CONTROLS_BUT_TAB_AND_NEWLINE}{_DECEPTIVE}]")

_KEYS_OF_OURS: Final = frozenset({"next", "page"})
_LIKE_OURS: Final = re.compile(
    r"""\s*(?: !
            | error\ ?\[
            | (?:next(?:\ \(\w+\))?|page|summary|warnings?|hint|did\ you\ mean|instead|run|retry\ after)(?:\[\d+\])?:)""",
    re.VERBOSE | re.IGNORECASE,
)
_LIKE_MEMBER: Final = re.compile(r".*?:\ |\w+\[\d+\]\Z", re.VERBOSE)


def quote(text: str) -> str:
    """The text as a JSON string in which every deceptive character is visible as an escape."""
    quoted = encode_basestring(text)
    return _UNFIT_CHARACTER.sub(lambda match: json.dumps(match[0])[1:-1], quoted)


def has_unfit(text: str) -> bool:
    """Whether the text holds what may stand in a line of ours only as an escape."""
    return _UNFIT_CHARACTER.search(text) is not None


def is_block(text: str) -> bool:
    """Whether the text has several lines that can stand as they are, each on a line of its own."""
    return "\n" in text and not _UNFIT_FOR_BLOCK.search(text)


def write_block(text: str, margin: str) -> list[str]:
    """Each line of the text behind a mark that no line of ours begins with."""
    return [f"{margin}| {line}" if line else f"{margin}|" for line in text.split("\n")]


def quote_like_ours(written: str) -> str:
    """Bare text that begins a line: in quotes where it could be taken for a line of ours."""
    return quote(written) if _LIKE_OURS.match(written) else written


def write_heading(cell: str) -> str:
    """A cell above the rows it belongs to, where members of the answer stand as well."""
    line = f"{cell}:"
    if cell.startswith(('"', "[", "{")):
        return line
    return f"{quote(cell)}:" if _LIKE_OURS.match(line) or _LIKE_MEMBER.match(cell) else line


def is_key_of_ours(key: str) -> bool:
    """Whether a line that begins with this name says where the answer goes on."""
    return key.lower() in _KEYS_OF_OURS
