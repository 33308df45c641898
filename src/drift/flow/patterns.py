"""Which kinds of harm a text cannot do that matches a pattern, or of which a pattern was removed."""

from __future__ import annotations

import re
from typing import Final

from drift.libraries import kinds

# Functions that say whether a text matches, those that replace what does, and those that ask for the whole text.
MATCHING: Final = frozenset(
    {"preg_match", "match", "fullmatch", "search", "test", "exec", "MatchString", "Match", "IsMatch", "matches", "match?", "matcher", "full_match"}
)  # fmt: skip
REPLACING: Final = frozenset(
    {"preg_replace", "sub", "gsub", "gsub!", "replace", "replaceAll", "ReplaceAllString", "mb_ereg_replace", "Replace", "subn", "tr", "delete"}
)  # fmt: skip
PATTERN: Final = "<pattern>"  # the part of a compiled pattern that is its text
COMPILING: Final = frozenset({"compile", "MustCompile", "Compile", "RegExp", "Regex", "regcomp"})
_FROM_START: Final = frozenset({"match", "fullmatch", "matches", "full_match"})
_TO_END: Final = frozenset({"fullmatch", "matches", "full_match"})
# Characters without which data does no harm of a kind; kinds that are not listed need none of them.
_NEEDED: Final = {
    "sql": "'\"\\; ()*", "nosql": "{$", "command": ";|&$`<>() \n'\"", "code": "()'\";$`", "xss": "<>\"'", "template": "{}<%$#",
    "path": "/\\", "redirect": "/:.", "ssrf": "/:.@", "ldap": "()*\\&|=", "xpath": "'\"[]/|", "xxe": "<", "header": "\r\n", "log": "\r\n",
}  # fmt: skip
_LITERAL: Final = re.compile(r"^([/#~@!%])(.*)\1([a-zA-Z]{0,10})$", re.DOTALL)
_CLASS: Final = re.compile(r"\[(?:\\.|[^\]\\])*\]?")  # one without an end goes to the end: in linear time
_ANYTHING: Final = frozenset({".*", ".+", "(.*)", "(.+)"})
_ANY: Final = re.compile(r"\\[SDWNXs]|\[\^")
_REMOVED: Final = re.compile(r"\(?(?:\\(?P<short>[WD])|\[\^(?P<kept>(?:\\.|[^\]\\])+)\])[+*]?\)?")
_MOST: Final = 2_000


def whole_text(pattern: str, name: str, *, lines_end: bool) -> tuple[str, ...] | None:
    """The kinds of harm that are ruled out where a text matches; None where what is asked of it rules out none for sure.

    `lines_end` says that `^` and `$` stand for lines, as in Ruby.
    """
    body, flags = _body(pattern)
    starts: tuple[str, ...] = ("\\A",)
    ends: tuple[str, ...] = ("\\z", "\\Z")
    if not lines_end and "m" not in flags:
        starts, ends = ("^", "\\A"), ("$", "\\z", "\\Z")
    if body.strip("^$") in _ANYTHING:
        return ()
    if len(body) > _MOST or "|" in _outside_classes(body):
        return None
    if not (body.startswith(starts) or name in _FROM_START) or not (body.endswith(ends) or name in _TO_END):
        return None
    if _ANY.search(body) or "." in re.sub(r"\\.", "", _CLASS.sub("", body)):
        return None
    return _harmless(body.strip("^$").replace("\\A", "").replace("\\z", "").replace("\\Z", ""))


def removed(pattern: str, *, is_literal: bool) -> tuple[str, ...]:
    """The kinds of harm a text cannot do once everything that matches was taken away."""
    body, flags = _body(pattern)
    found = _REMOVED.fullmatch(body) if len(body) <= _MOST else None
    if found is None or (is_literal and "g" not in flags):
        return ()
    return _harmless(f"[{found.group('kept') or ''}]")


def _body(pattern: str) -> tuple[str, str]:
    """A pattern without what a language puts around it, and its flags."""
    found = _LITERAL.match(pattern)
    return (found.group(2), found.group(3)) if found else (pattern, "")


def _outside_classes(body: str) -> str:
    return re.sub(r"\\.|\([^()]*\)", "", _CLASS.sub("", body))


def _harmless(body: str) -> tuple[str, ...]:
    """The kinds for which none of the needed characters can come out of a pattern."""
    allowed = _characters(body)
    return tuple(kind for kind in kinds() if not allowed & set(_NEEDED.get(kind, "")))


def _characters(body: str) -> set[str]:
    """The characters that a pattern without wildcards matches, beside letters and digits."""
    found: set[str] = set()
    is_class = False
    at = 0
    while at < len(body):
        each = body[at]
        if each == "\\" and at + 1 < len(body):
            escaped = body[at + 1]
            found.update({"n": "\n", "r": "\r"}.get(escaped, "" if escaped.isalnum() else escaped))
            at += 2
            continue
        if is_class and body[at + 1 : at + 2] == "-" and body[at + 2 : at + 3] not in {"", "]"}:
            if not (each.isalnum() and body[at + 2].isalnum()):
                return {character for needed in _NEEDED.values() for character in needed}
            at += 3
            continue
        if each in "[]":
            is_class = each == "["
        elif is_class or each not in "()?*+{}^$|":
            found.add(each)
        at += 1
    return found
