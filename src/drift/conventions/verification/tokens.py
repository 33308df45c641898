"""Names in a sentence, told from ordinary words by their form."""

import re
import tomllib
from collections.abc import Collection, Iterator
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

_LONGEST: Final = 200
QUOTED: Final = re.compile(r"(?<!`)`+([^`\n]{1,300})`+")
_TOKEN: Final = re.compile(r"[\w$@./:#~+*{}<>\\\[\]=-]+(?:\(\))?")
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_ROUTE: Final = re.compile(r"/[\w./:{}<>\[\]*-]*")
_CALL: Final = re.compile(r"(?P<name>[\w.:$#>-]+)\(.*\)", re.DOTALL)
_ASSIGNED: Final = re.compile(r"(?:export\s+)?(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)=\S*")
_ENVIRONMENT: Final = re.compile(
    r"(?:\$\{?|process\.env\.|ENV\.)(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\}?|"
    r"(?:os\.environ|getenv|ENV|os\.Getenv|env)[\[(]+[\"']?(?P<read>[A-Z][A-Z0-9_]+)[\"']?[\])]+"
)
_ENVIRONMENT_WORDS: Final = re.compile(r"\b(?:env|environ\w*|variables?|exported?|\.env)\b", re.IGNORECASE)
_CONSTANT: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_PATH: Final = re.compile(
    r"(?P<path>(?:\./)?[\w.@+-]+(?:/[\w.@+\[\]-]+)*/?)"
    r"(?::(?P<line>\d{1,7})(?:[-:]\d{1,7})?|#L(?P<anchor>\d{1,7})(?:-L?\d{1,7})?|:{1,2}(?P<symbol>[A-Za-z_][\w.]*))?"
)
_SUFFIX: Final = re.compile(r"[\w)\]-]\.[A-Za-z]\w{0,9}")
_HOST: Final = re.compile(
    r"[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|app|co|gov|edu|local|internal)", re.IGNORECASE
)
_JOINT: Final = re.compile(r"\.|::|->|#")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$]\w*")
_SNAKE: Final = re.compile(r"_*[a-z][a-z0-9]*(?:_[a-z0-9]+)+_*")
_CAMEL: Final = re.compile(r"_?[a-z]{2}[a-z0-9]*(?:[A-Z][a-z0-9]+)+[A-Z]*")
_PASCAL: Final = re.compile(r"[A-Z]+[a-z0-9]+[A-Z][A-Za-z0-9]*")
_DUNDER: Final = re.compile(r"__\w+__")
_RECEIVERS: Final = frozenset({"self", "cls", "this", "super", "window", "e", "i"})
_SHORTEST: Final = 3
_VERSION: Final = re.compile(
    r"(?<![\w/.@-])(?P<name>@?[A-Za-z][\w./-]*)(?P<mark>\s+(?:version|release)\s+|\s*(?:==|~=|>=|@|\^)\s*|\s+)(?P<v>v?)"
    r"(?P<number>\d{1,9}(?:\.\d{1,9}){0,4})(?![\w%]|\.\d|-\d)(?P<after>\s+\w+)?"
)
_UNITS: Final = re.compile(
    r"\s+(?:times?|x|ms|s|sec\w*|min\w*|hours?|days?|weeks?|months?|years?|percent|kb|mb|gb|bytes?|lines?|points?|or|to|per)",
    re.IGNORECASE,
)
_FORMER: Final = re.compile(r"\b(?:from|before|until|prior to|than|since|below|after)\s+$", re.IGNORECASE)


class ClaimKind(StrEnum):
    """What a claim names."""

    PATH = "path"
    SYMBOL = "symbol"
    ROUTE = "route"
    ENVIRONMENT = "environment"
    VERSION = "version"


class Claim(NamedTuple):
    """One thing a memory names. `excuse` says why nothing follows where it is not there.

    A path may have a `line`; a version has its `number` and the `mark` before it, and the package as `text`.
    """

    kind: ClaimKind
    text: str
    is_sure: bool
    excuse: str | None = None
    line: int | None = None
    number: str | None = None
    mark: str = ""


def read_names(sentence: str) -> Iterator[Claim]:
    """The paths, symbols, routes and environment names of a sentence, in no order."""
    is_about_environment = bool(_ENVIRONMENT_WORDS.search(sentence))
    for span in QUOTED.findall(sentence):
        yield from _read_quoted(span.strip(), is_about_environment)
    previous = ""
    for token in _TOKEN.findall(QUOTED.sub(" ", sentence)):
        word = _trimmed(token)
        yield from _classify(word, previous, is_quoted=False, is_about_environment=is_about_environment)
        previous = word


def read_versions(sentence: str, packages: Collection[str]) -> Iterator[Claim]:
    """The versions a sentence says of packages; a number after a package's name alone is none."""
    plain = sentence.replace("`", "")
    for match in _VERSION.finditer(plain):
        name, mark, number = match["name"], match["mark"].strip(), match["number"]
        is_version = bool(mark or match["v"] or "." in number)
        is_measure = match["after"] is not None and _UNITS.fullmatch(match["after"]) and not mark
        if name.lower() not in packages or not is_version or is_measure:
            continue
        if not _FORMER.search(plain[: match.start()]):
            yield Claim(ClaimKind.VERSION, name, is_sure=True, number=number, mark=mark)


def _read_quoted(span: str, is_about_environment: bool) -> Iterator[Claim]:  # noqa: FBT001 - handed through
    if any(one.isspace() for one in span) and not _CALL.fullmatch(span):
        # A command or a request: its words are read as prose, since most of them belong to other programs.
        previous = ""
        for token in span.split():
            word = _trimmed(token)
            claims = _classify(word, previous, is_quoted=False, is_about_environment=is_about_environment)
            yield from (one for one in claims if one.kind is not ClaimKind.SYMBOL)
            previous = word
        return
    yield from _classify(span, "", is_quoted=True, is_about_environment=is_about_environment)


def _trimmed(token: str) -> str:
    word = token.rstrip(".:-=#")
    return word.lstrip("=-").rstrip("]>}") if "/" not in word and "$" not in word else word


def _classify(word: str, previous: str, *, is_quoted: bool, is_about_environment: bool) -> Iterator[Claim]:
    if not word or len(word) > _LONGEST or "..." in word or word.startswith("~"):
        return
    if word.startswith("/"):
        yield from _read_route(word, previous, is_quoted=is_quoted)
        return
    environment = _ENVIRONMENT.fullmatch(word) or _ASSIGNED.fullmatch(word)
    if environment:
        groups = environment.groupdict()
        yield Claim(ClaimKind.ENVIRONMENT, groups["name"] or groups["read"], is_sure=True)
    elif _CONSTANT.fullmatch(word):
        kind = ClaimKind.ENVIRONMENT if is_about_environment else ClaimKind.SYMBOL
        yield Claim(kind, word, is_sure=_is_speaking(word))
    elif _looks_like_path(word):
        yield from _read_path(word, is_quoted=is_quoted)
    else:
        yield from _read_symbol(word, is_quoted=is_quoted)


def _is_speaking(constant: str) -> bool:
    """Whether two parts at least are words: MAX_RETRIES, but neither UTF_8 nor US_EAST_1's like."""
    return sum(part.isalpha() and len(part) >= _SHORTEST for part in constant.split("_")) > 1


def _read_route(word: str, previous: str, *, is_quoted: bool) -> Iterator[Claim]:
    if not _ROUTE.fullmatch(word) or "*" in word:
        return
    if previous in _METHODS:
        yield Claim(ClaimKind.ROUTE, f"{previous} {word}", is_sure=True)
    elif is_quoted and len(word) >= _SHORTEST:
        yield Claim(ClaimKind.ROUTE, word, is_sure=False)  # or a command of a chat, or a file of the machine


def _looks_like_path(word: str) -> bool:
    match = _PATH.fullmatch(word)
    if match is None:
        return False
    path = match["path"]
    if "/" in path:
        return not _HOST.fullmatch(path.partition("/")[0]) and not path.startswith("@")
    stem, _, ending = path.rpartition(".")
    return bool(stem) and ending in word_list("file_endings")


def _read_path(word: str, *, is_quoted: bool) -> Iterator[Claim]:
    match = _PATH.fullmatch(word)
    assert match is not None
    path = match["path"].removeprefix("./")
    line = match["line"] or match["anchor"]
    has_suffix = bool(_SUFFIX.search(path.rpartition("/")[2]))
    stem, _, ending = path.rpartition(".")
    is_product = ending == "js" and stem.lower() in word_list("products")
    if is_product or (not has_suffix and not is_quoted and not path.endswith("/")):
        return
    is_sure = (has_suffix and "/" in path) or is_quoted
    yield Claim(ClaimKind.PATH, path, is_sure=is_sure, line=int(line) if line else None)
    if match["symbol"]:
        yield Claim(ClaimKind.SYMBOL, match["symbol"], is_sure=True)


def _read_symbol(word: str, *, is_quoted: bool) -> Iterator[Claim]:
    call = _CALL.fullmatch(word)
    name = (call["name"] if call else word).lstrip("@")
    parts = [one for one in _JOINT.split(name) if one]
    if parts and parts[0] in _RECEIVERS:
        parts = parts[1:]
    if not parts or not all(_IDENTIFIER.fullmatch(one) for one in parts) or len(parts[-1]) < _SHORTEST:
        return
    if _HOST.fullmatch(name) and call is None:
        return
    text = ".".join(parts)
    is_marked = any(_SNAKE.fullmatch(one) or _CAMEL.fullmatch(one) for one in parts)
    is_compound = is_marked or len(parts) > 1 or bool(_PASCAL.fullmatch(parts[-1]))
    if any(_DUNDER.fullmatch(one) for one in parts):
        is_marked = is_compound = False
    is_sure = is_marked or call is not None or (is_quoted and is_compound)
    if is_sure or is_quoted or is_compound:
        yield Claim(ClaimKind.SYMBOL, text, is_sure=is_sure)


@cache
def word_list(name: str) -> frozenset[str]:
    """One of the lists of claims.toml."""
    lists = tomllib.loads(files("drift.conventions.verification").joinpath("claims.toml").read_text("utf-8"))
    return frozenset(lists[name])
