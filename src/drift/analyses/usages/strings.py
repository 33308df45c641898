"""What a name in a string is there for: to be patched, exported or looked up, or only a word of a text."""

import re
from typing import Final

from drift.analyses.callables import FUNCTION_KINDS
from drift.analyses.usages.certainty import Certainty, Found
from drift.analyses.usages.family import Family, enclosing_chain
from drift.analyses.usages.judging import Surroundings
from drift.analyses.usages.lexing import Span
from drift.languages.kinds import TYPE_KINDS

_LOOK_BACK: Final = 200
_LONG_LOOK_BACK: Final = 1_900
_CONSTANT: Final = re.compile(rb"(?:::)?[A-Z]\w*+(?:::[A-Z]\w*+)++")
_DOTTED: Final = re.compile(rb"[\w$./\\:-]++")
# The call that a string is an argument of, told by what stands before it.
_REPLACING: Final = re.compile(
    rb"(?:\b(?:patch|setattr|delattr|mock|spyOn|stub|replace|doMock|unmock|create_autospec|shouldReceive|"
    rb"createMock|getMock|method|Setup)(?:\.(?:object|dict|multiple|setattr|delattr|mock))?)\s*+\([^()\n]{0,150}\Z",
    re.IGNORECASE,
)
_LOOKING_UP: Final = re.compile(
    rb"\b(?:getattr|hasattr|attrgetter|methodcaller|nameof)\s*+\([^()\n]{0,150}\Z"
    rb"|\b(?:class_name|source_type|serializer|class):\s*+[\"']?\Z"
)
_EXPORTING: Final = re.compile(rb"__all__\s*+(?:\+?=|\.(?:append|extend))[^=]{0,1900}\Z")

# Languages in which a type that is renamed takes no file with it, so that paths of files stay as they are.
_KEEPING_FILES: Final = frozenset({"cpp", "javascript", "python", "rust", "typescript"})
_INCLUDING: Final = re.compile(rb"#[ \t]*+include[ \t]*+\Z")

_TELLING: Final = re.compile(r"\w_|[a-z0-9][A-Z]")  # made of several words: hardly one of prose


def judge_string(span: Span, family: Family, around: Surroundings) -> Found:
    """What the name in a string is there for."""
    content = around.content
    string = content[span.start : span.end]
    if string.startswith((b'"""', b"'''")) and b"\n" in string:
        return "comment", "text"  # documentation
    inner = string.strip(b"\"'`@$")
    before = content[max(span.start - _LOOK_BACK, 0) : span.start]
    if around.language in _KEEPING_FILES and (b"/" in inner or _INCLUDING.search(before)):
        return "string", "text"  # the path of a file
    sure: Certainty = "likely" if family.is_only_one else "possible"
    name = family.symbol.name.encode()
    if inner == name:
        long_before = content[max(span.start - _LONG_LOOK_BACK, 0) : span.start]
        if around.language == "python" and _EXPORTING.search(long_before):
            return "export", "resolved" if around.is_known_here else sure
        if _REPLACING.search(before):
            return "mock", sure
        return "string", sure if _LOOKING_UP.search(before) else _judge_whole(span, family, around)
    if _CONSTANT.fullmatch(inner) and _leads_to(inner.decode(), family):
        return "string", sure
    if _DOTTED.fullmatch(inner) and b"." in inner and _names_it(inner, family):
        if _REPLACING.search(before):
            return "mock", "likely"
        # Keys of texts and settings are dotted, too: "notifications.greeting".
        is_path = around.language == "python" or family.symbol.kind in TYPE_KINDS
        return "string", "likely" if is_path else "possible"
    return "string", "text"


def _leads_to(inner: str, family: Family) -> bool:
    """Whether constants of Ruby in a string begin with the whole name of the type."""
    whole = family.symbol.qualname.split(".")
    is_type = family.symbol.language == "ruby" and family.symbol.kind in TYPE_KINDS
    return is_type and inner.removeprefix("::").split("::")[: len(whole)] == whole


def is_telling(name: str) -> bool:
    """Whether a name is made of several words, so that it hardly stands in prose."""
    return _TELLING.search(name) is not None


def _judge_whole(span: Span, family: Family, around: Surroundings) -> Certainty:
    """A string that is the name and nothing else: frameworks are told of members so, and data has words like them."""
    chain = enclosing_chain(around.symbols, span.start)
    if any(one.id in family.owners for one in chain):
        return "likely"
    if not (family.is_only_one and is_telling(family.symbol.name)):
        return "text"
    # What is stored or sent has keys of the names of fields, which others read, too.
    return "likely" if family.symbol.kind in FUNCTION_KINDS else "possible"


def _names_it(inner: bytes, family: Family) -> bool:
    """Whether a dotted name leads to the symbol: what stands before the name is its class, file or folder."""
    parts = [part for part in re.split(rb"[.:/\\]+", inner) if part]
    name = family.symbol.name.encode()
    places = [number for number, part in enumerate(parts) if part == name]
    known = {
        each.encode()
        for one in family.same
        for each in (*one.qualname.split(".")[:-1], *one.path.rpartition(".")[0].split("/")[-2:])
    }
    return any(number and parts[number - 1] in known for number in places)
