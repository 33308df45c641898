"""What a word means in a text that the index has no symbols of: a page, a setting, a document, code that a tool wrote."""

import re
from functools import lru_cache
from typing import Final

from drift.analyses.usages.certainty import Found, Kind
from drift.analyses.usages.family import TYPE_KINDS, Family
from drift.analyses.usages.lexing import Regions
from drift.analyses.usages.templates import may_name, may_run, needs_receiver, place_in_page
from drift.analyses.usages.texts import Text
from drift.analyses.usages.words import Word
from drift.languages.table import language_of

_COMPILED_TOGETHER: Final = frozenset({"csharp", "go", "java", "rust", "cpp"})
"""Languages in which code that a tool wrote is compiled with the rest, so that it has to follow a type's new name."""
_DECLARING: Final = rb"\b(?:class|struct|interface|enum|trait|type|record|union|protocol)\s+"
_WHOLE_VALUE: Final = re.compile(rb"=\s*[\"']\Z")
_LOOK_BACK: Final = 20
_MEMBER_SIGNS: Final = (b".", b"::", b"->")


def judge_beyond_code(word: Word, text: Text, family: Family, package: str | None) -> Found:
    """The kind of use, and how sure it is."""
    kind: Kind = "other" if text.kind == "code" else text.kind
    if kind == "other" and (found := _in_generated(word, text, family, package)) is not None:
        return found
    if kind == "config" and _is_member_of_named(word, text, family, package):
        return kind, "likely"
    place = place_in_page(text.path, text.content, word.offset) if kind == "template" else None
    is_code = may_name(family.symbol.kind, place) and may_run(family.symbol.language, place)
    if is_code and place is not None and not place.is_member and needs_receiver(family.symbol):
        is_code = False
    return kind, "possible" if is_code else "text"


def _in_generated(word: Word, text: Text, family: Family, package: str | None) -> Found | None:
    """A type of the project in code that a tool wrote, as migrations name their context: `typeof(ShopContext)`."""
    language = family.symbol.language
    if language not in _COMPILED_TOGETHER or language_of(text.path.rpartition("/")[2]) != language:
        return None
    if family.symbol.kind not in TYPE_KINDS or _regions(text.content, language).at(word.offset) is not None:
        return None
    is_known = package is None or package.encode() in text.content
    before = text.content[max(word.offset - _LOOK_BACK, 0) : word.offset].rstrip()
    is_inner = before.endswith(_MEMBER_SIGNS) and not before.endswith(f"{package}.".encode())
    is_other = re.search(_DECLARING + re.escape(family.symbol.name.encode()) + rb"\b", text.content)
    if not is_known or is_inner or is_other:
        return "type", "possible"
    return "type", "likely" if family.is_only_one else "possible"


@lru_cache(maxsize=2)
def _regions(content: bytes, language: str) -> Regions:
    return Regions(content, language)


def _is_member_of_named(word: Word, text: Text, family: Family, package: str | None) -> bool:
    """Whether a value is the name of a member, in a setting that names its type in full, as mappers in XML do."""
    if not family.is_member or not package:
        return False
    before = text.content[max(word.offset - _LOOK_BACK, 0) : word.offset]
    end = word.offset + len(family.symbol.name.encode())
    if not _WHOLE_VALUE.search(before) or text.content[end : end + 1] not in {b'"', b"'"}:
        return False
    above = text.content[: word.offset]
    owners = {f"{package}.{one.qualname.rpartition('.')[0]}" for one in family.same}
    others = {one.qualname.rpartition(".")[0] for one in family.others} - {""}
    is_named = any(_has_name(above, owner) for owner in owners)
    return is_named and not any(_has_name(above, f".{other}") for other in others - _last_parts(owners))


def _has_name(content: bytes, name: str) -> bool:
    return re.search(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?![\w.])", content) is not None


def _last_parts(names: set[str]) -> set[str]:
    return {one.rpartition(".")[2] for one in names}
