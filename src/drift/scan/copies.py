"""Libraries that were copied into a project: told by how a file begins, or by a licence beside it; data in copies.toml."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from fnmatch import translate
from functools import cache, cached_property
from importlib import resources
from typing import Any, Final, NamedTuple

from drift.kernel.reading import ProjectFiles

_MARKED_BYTES: Final = 1024
_LICENCE_BYTES: Final = 12_000  # that of Apache names its holder at the end
_MOST_LICENCES: Final = 200  # that are read to compare them
_ABOUT: Final = re.compile(
    r"(?i)(?:readme(?:\.(?:md|rst|txt|markdown))?|package\.json|composer\.json|bower\.json|cmakelists\.txt|"
    r"[\w.-]{1,60}\.gemspec|cargo\.toml|pyproject\.toml)"
)
_ABOUT_BYTES: Final = 2_000
_TITLE: Final = re.compile(
    r"""(?im)^\s{0,8}"?name"?\s{0,4}[:=]\s{0,4}"([^"\n]{1,100})"|^\s{0,8}project\s{0,4}\(\s{0,8}([\w.-]{1,60})|"""
    r"""\A[\s#=*]{0,20}([^\n<\[!]{1,120})|^#\s{1,4}([^\n]{1,120})|<h1[^>\n]{0,100}>([^<\n]{1,100})"""
)
_OPENING: Final = (
    rb"\A(?:\xef\xbb\xbf)?\s{0,40}(?:['\"]use strict['\"];?\s{0,10})?"
    rb"(?:/\*\s{0,3}(?:jshint|jslint|eslint|globals?|exported)\b[^*]{0,300}\*/\s{0,10}){0,4}"
)
_VERSION: Final = rb"v?\d{1,4}\.\d{1,4}(?:\.\d{1,6})?\b"
_RELEASE: Final = re.compile(
    _OPENING
    + rb"(?:/\*{1,2}!|//!|/\*{1,2}[\s*]{0,20}@(?:license|preserve))[\s*!/=:|-]{0,200}"
    + rb"(?P<name>(?:@[\w-]{1,40}/)?[A-Za-z][\w.+-]{1,40}(?: [\w.+-]{1,20}){0,4}?)[\s,:(*!/|-]{1,20}(?:version|release)?[\s.:]{0,4}"
    + _VERSION
)
# A comment that is kept by minifiers and has @version, or any with @version and @license.
_IN_COMMENT: Final = rb"(?:[^*]|\*(?!/)){0,900}?"
_TAGGED: Final = re.compile(
    _OPENING
    + rb"/\*{1,2}(?:!|(?="
    + _IN_COMMENT
    + rb"@licen[sc]e\b))(?="
    + _IN_COMMENT
    + rb"@version[\s:]{1,8}"
    + _VERSION
    + rb")"
)
_KEPT: Final = re.compile(
    _OPENING + rb"(?:/\*{1,2}!|//!)(?P<text>[^*/]{0,400}(?:[*/](?!/)[^*/]{0,400}){0,30})"
)
_COMMENT: Final = re.compile(_OPENING + rb"(?:/\*|//|<!--)")
_SIGNED: Final = _VERSION + rb"|copyright|\(c\) "
_NEIGHBOURS: Final = re.compile(rb"""(?:\bfrom|\bimport|\brequire\s{0,3}\(|@import)\s{0,3}['"]\.{1,2}/""")
# At the beginning of a line, and with a year or a sign: licences have the word in many a sentence.
_HOLDER: Final = re.compile(
    rb"(?im)^[\s*#/!]{0,12}copyright:?\s{0,3}(?=\(c\)|\xc2\xa9|\d{4}|\[yyyy\])"
    rb"(?:[\d\s,.-]|\(c\)|\xc2\xa9|present|now|by\b){0,60}([^\n]{3,120})"
)
_NO_HOLDERS: Final = frozenset(
    {
        "rights",
        "reserved",
        "authors",
        "contributors",
        "holder",
        "holders",
        "copyright",
        "notice",
        "https",
        "http",
        "team",
    }
)


class _Library(NamedTuple):
    name: str
    files: re.Pattern[str]
    head: re.Pattern[bytes]


class CopyRules(NamedTuple):
    """The tables of copies.toml, ready to be asked."""

    release: tuple[frozenset[str], tuple[str, ...]]  # languages, and endings of files of none
    named: tuple[frozenset[str], tuple[str, ...]]
    names: re.Pattern[bytes]
    libraries: tuple[_Library, ...]
    licensed: re.Pattern[str]
    licences: re.Pattern[str]

    def library_of(self, name: str, language: str | None, head: bytes) -> str | None:
        """The name of the library that a file with this beginning is a release of; None for a file like any other."""
        marked = head[:_MARKED_BYTES]
        for library in self.libraries:
            if library.files.match(name) and library.head.search(marked):
                return library.name
        if not _COMMENT.match(marked) or _NEIGHBOURS.search(head):
            return None
        if _is_for(self.release, name, language) and (found := _RELEASE.match(marked)):
            return found["name"].decode("utf-8", "replace")
        if _is_for(self.release, name, language) and _TAGGED.match(marked):
            return name.rpartition(".")[0]
        if _is_for(self.named, name, language) and (found := self.names.match(marked)):
            return found["name"].decode("utf-8", "replace")
        return None

    def is_released(self, name: str, language: str | None) -> bool:
        """Whether a file is of a kind that is released as one file."""
        return _is_for(self.release, name, language)


def _is_for(rule: tuple[frozenset[str], tuple[str, ...]], name: str, language: str | None) -> bool:
    return language in rule[0] or name.endswith(rule[1])


@cache
def copy_rules() -> CopyRules:
    """The rules of copies.toml."""
    text = (resources.files("drift.scan") / "copies.toml").read_text(encoding="utf-8")
    return read_copy_rules(tomllib.loads(text))


def read_copy_rules(tables: Mapping[str, Any]) -> CopyRules:
    """The rules in tables of the form of copies.toml."""
    named, licensed = tables["named"], tables["licensed"]
    names = "|".join(re.escape(name) for name in sorted(named["libraries"], key=len, reverse=True)).encode()
    return CopyRules(
        (frozenset(tables["release"]["languages"]), tuple(tables["release"]["endings"])),
        (frozenset(named["languages"]), tuple(named["endings"])),
        re.compile(
            _OPENING
            + rb"(?:/\*|//|<!--)[^\n]{0,80}\n?[^\n]{0,80}?\b(?P<name>"
            + names
            + rb")(?![\w-])[^;{}\n]{0,100}?(?:"
            + _SIGNED
            + rb")",
            re.IGNORECASE,
        ),
        tuple(
            _Library(each["name"], _globs(each["files"]), re.compile(each["head"].encode()))
            for each in tables["library"]
        ),
        re.compile(rf"(?i)(?:^|/)(?:{'|'.join(map(re.escape, licensed['directories']))})/[^/]{{1,100}}\Z"),
        _globs(licensed["files"]),
    )


def _globs(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(rf"\A(?i:{translate(name)})" for name in names))


class Copies:
    """What of one project is copied: asked of files and directories in turn."""

    def __init__(self, files: ProjectFiles, root_name: str) -> None:
        self._files = files
        self._root_name = root_name
        self._rules = copy_rules()
        self._top: list[str] = []
        self._licensed: dict[str, str] = {}

    def take_listing(self, split: Iterable[tuple[str, str]]) -> None:
        """Take note of what stands at the top of the project, and of licences below: of all directories and names."""
        for directory, name in split:
            if not directory:
                self._top.append(name)
            elif self._rules.licences.match(name) and self._rules.licensed.search(directory):
                self._licensed.setdefault(directory, name)

    def is_copy(self, name: str, language: str | None, head: bytes) -> bool:
        """Whether a file that begins like this is a release of somebody else's library."""
        library = self._rules.library_of(name, language, head)
        if library is not None:
            return not self._is_own(library)
        return self._rules.is_released(name, language) and self._is_of_others(head[:_MARKED_BYTES])

    def _is_of_others(self, head: bytes) -> bool:
        """Whether a comment that minifiers keep names other holders of rights than the licence of the project."""
        kept = _KEPT.match(head)
        theirs = _holders(kept["text"]) if kept else set()
        return bool(theirs and self._holders) and not theirs & (self._holders | self._titles)

    def foreign_directory(self, directory: str) -> str | None:
        """The uppermost directory with a licence of others that this one is or lies in."""
        if not self._foreign:
            return None
        parts = directory.split("/")
        above = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
        return next((each for each in above if each in self._foreign), None)

    @cached_property
    def _holders(self) -> set[str]:
        """The words that name whom the licence of the project is of."""
        own = [self._read(name, _LICENCE_BYTES) for name in self._top if self._rules.licences.match(name)]
        return {holder for text in own for holder in _holders(text)}

    @cached_property
    def _foreign(self) -> frozenset[str]:
        holders = self._holders
        if not holders:
            return frozenset()  # nothing to tell others by
        few = sorted(self._licensed.items())[:_MOST_LICENCES]
        return frozenset(
            directory
            for directory, name in few
            if (theirs := _holders(self._read(f"{directory}/{name}", _LICENCE_BYTES)))
            and not theirs & holders
        )

    def _is_own(self, library: str) -> bool:
        words = _words(library)
        return not words or words[0] in self._titles

    @cached_property
    def _titles(self) -> frozenset[str]:
        """The words of what the project calls itself."""
        texts = [
            self._read(name, _ABOUT_BYTES).decode("utf-8", "replace")
            for name in self._top
            if _ABOUT.fullmatch(name)
        ]
        titles = [title for text in texts for found in _TITLE.findall(text) for title in found]
        return frozenset(word for title in (self._root_name, *titles) for word in _words(title))

    def _read(self, path: str, most: int) -> bytes:
        try:
            return self._files.read_beginning(path, most, follow_links=False)
        except OSError:
            return b""


def _holders(text: bytes) -> set[str]:
    """The words that name whom a licence is of."""
    said = b" ".join(found[1] for found in _HOLDER.finditer(text)).decode("utf-8", "replace").lower()
    return {word for word in re.findall(r"[^\W\d_]{4,60}", said) if word not in _NO_HOLDERS}


def _words(text: str) -> list[str]:
    """The words of a name, `jquery` of `jQuery.js`."""
    return [word for word in re.findall(r"[a-z0-9]{1,60}", text.lower()) if word not in {"js", "css", "the"}]
