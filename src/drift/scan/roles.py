"""The part a file plays in a project, by the tables in roles.toml and a look at its first bytes."""

import re
from collections.abc import Mapping
from fnmatch import translate
from functools import cache
from typing import Any, Final, Literal, NamedTuple, get_args

Role = Literal["source", "test", "config", "generated", "vendored", "doc"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

HEAD_BYTES: Final = 8192
_MARKED_BYTES: Final = 1024
# A byte of a text is never NUL, except in the two encodings that begin with one of these.
_WIDE_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
# People break lines; where a head of this size has so few, a program took them out.
_FEWEST_MINIFIED_BYTES: Final = 2_000
_MINIFIED_LINE_BYTES: Final = 1_000
_FIRST_COMMENTS: Final = re.compile(
    rb"\A(?:\s{1,200}|/\*[^*]{0,4000}(?:\*(?!/)[^*]{0,2000}){0,400}\*/|//[^\n]{0,2000}\n){0,60}"
)
_MINIFIED_LANGUAGES: Final = frozenset({"javascript", "typescript"})


class _Names(NamedTuple):
    directories: re.Pattern[str]
    files: re.Pattern[str]

    def fits(self, directory: str, name: str) -> bool:
        return bool(self.files.match(name) or (directory and self.directories.search(directory)))


class _Served(NamedTuple):
    languages: frozenset[str]
    directories: re.Pattern[str]
    head: re.Pattern[bytes]


class RoleRules(NamedTuple):
    """The tables of roles.toml, ready to be asked. A path is given as its directory and its name."""

    vendored: _Names
    generated: _Names
    minified: _Names
    test: _Names
    config: _Names
    doc: _Names
    test_directories_of_language: Mapping[str, re.Pattern[str]]
    generated_head: re.Pattern[bytes]
    used_head: re.Pattern[bytes]
    vendored_marks: frozenset[str]
    served: "_Served"
    wiring: frozenset[str]
    skipped_in_walk: frozenset[str]
    bundled_head: re.Pattern[bytes]
    hashed: re.Pattern[str]

    def role_of(self, directory: str, name: str, language: str | None) -> Role:
        """The role of a file by its path, for `a/b` and `c.py`; the directory of a file at the top is empty."""
        if self.vendored.fits(directory, name):
            return "vendored"
        if self.generated.fits(directory, name):
            return "generated"
        if self.test.fits(directory, name) or self._is_in_tests_of(language, directory):
            return "test"
        if self.config.fits(directory, name):
            return "config"
        return "doc" if self.doc.fits(directory, name) else "source"

    def vendored_directory(self, directory: str) -> str | None:
        """The uppermost directory of others' code that this one is or lies in."""
        found = self.vendored.directories.search(directory)
        return directory[: found.end()].rstrip("/") if found else None

    def is_minified_name(self, path: str, name: str) -> bool:
        """Whether the name says that the file has been minified, or written by a bundler."""
        is_hashed = path.endswith("js") and self.hashed.fullmatch(path) is not None
        return is_hashed or self.minified.files.match(name) is not None

    def is_generated_head(self, head: bytes) -> bool:
        """Whether the first lines say that a program wrote the file."""
        return bool(self.generated_head.search(head[:_MARKED_BYTES]))

    def is_bundled_head(self, head: bytes) -> bool:
        """Whether the first lines are what bundlers put before the modules of a bundle."""
        return bool(self.bundled_head.search(head[:_MARKED_BYTES]))

    def is_used_though_generated(self, head: bytes) -> bool:
        """Whether a program wrote the file and people write against what is in it."""
        return bool(self.used_head.search(head[:_MARKED_BYTES]))

    def is_served_library(self, directory: str, language: str | None, head: bytes) -> bool:
        """Whether a file is a copy of a library for browsers that stands among what a server gives out."""
        return (
            language in self.served.languages
            and bool(self.served.directories.search(directory))
            and bool(self.served.head.search(head[:_MARKED_BYTES]))
        )

    def _is_in_tests_of(self, language: str | None, directory: str) -> bool:
        pattern = self.test_directories_of_language.get(language or "")
        return bool(pattern and pattern.search(directory))


def is_binary_head(head: bytes) -> bool:
    """Whether a file that begins like this is no text."""
    return b"\0" in head and not head.startswith(_WIDE_MARKS)


def is_minified_head(head: bytes, language: str | None) -> bool:
    """Whether a file that begins like this has been minified: a page of code with hardly a line break."""
    if language not in _MINIFIED_LANGUAGES or len(head) < _FEWEST_MINIFIED_BYTES:
        return False
    comments = _FIRST_COMMENTS.match(head)  # a licence is left in lines
    head = head[comments.end() :] if comments else head
    if len(head) < _FEWEST_MINIFIED_BYTES:
        return False
    return len(head) // (head.count(b"\n") + 1) > _MINIFIED_LINE_BYTES


@cache
def role_rules() -> RoleRules:
    """The rules of roles.toml."""
    # Imported here: they are needed for a scan alone.
    import tomllib
    from importlib import resources

    text = (resources.files("drift.scan") / "roles.toml").read_text(encoding="utf-8")
    return read_rules(tomllib.loads(text))


def read_rules(tables: Mapping[str, Any]) -> RoleRules:
    """The rules in tables of the form of roles.toml."""
    test = tables["test"]
    return RoleRules(
        vendored=_names(tables["vendored"]),
        generated=_names(tables["generated"]),
        minified=_names(tables["minified"]),
        test=_names(test),
        config=_names(tables["config"]),
        doc=_names(tables["doc"]),
        test_directories_of_language={
            language: _directories(names) for language, names in test["directories_of_language"].items()
        },
        generated_head=re.compile("|".join(tables["generated"]["head"]).encode(), re.IGNORECASE | re.DOTALL),
        used_head=re.compile("|".join(tables["generated"]["used_head"]).encode()),
        vendored_marks=frozenset(tables["vendored"]["marked_by"]),
        served=_served(tables["vendored"]),
        wiring=frozenset(tables["generated"]["wiring"]),
        skipped_in_walk=frozenset(tables["walk"]["skipped"]),
        bundled_head=re.compile("|".join(tables["minified"]["head"]).encode()),
        hashed=re.compile("|".join(tables["minified"]["hashed"])),
    )


def _served(table: Mapping[str, Any]) -> _Served:
    above, below = ("|".join(map(_part, table[key])) for key in ("served_under", "served_directories"))
    return _Served(
        frozenset(table["served_languages"]),
        re.compile(rf"(?:^|/)(?:{above})/(?:[^/]{{1,100}}/){{0,8}}(?:{below})(?=/|\Z)", re.IGNORECASE),
        re.compile(
            rf"\A[^/]{{0,40}}/[*/].{{0,400}}?(?:{'|'.join(table['served_head'])})".encode(),
            re.IGNORECASE | re.DOTALL,
        ),
    )


def _names(table: Mapping[str, Any]) -> _Names:
    directories = _directories(table.get("directories", []), table.get("top_directories", []))
    files = "|".join(map(_file, table["files"]))
    return _Names(directories, re.compile(files or _NOTHING))


_NOTHING: Final = r"(?!)"


def _directories(anywhere: list[str], at_top: list[str] | None = None) -> re.Pattern[str]:
    inner = [_part(name) for name in anywhere]
    first = [_part(name) for name in at_top or []]
    choices = [
        *([rf"(?:^|/)(?:{'|'.join(inner)})(?=/|\Z)"] if inner else []),
        *([rf"^(?:{'|'.join(first)})(?=/|\Z)"] if first else []),
    ]
    return re.compile("|".join(choices) or _NOTHING, re.IGNORECASE)


def _file(name: str) -> str:
    """A name without regard to case, unless it has a capital, which begins a word where case tells words apart."""
    return translate(name) if name != name.lower() else f"(?i:{translate(name)})"


def _part(name: str) -> str:
    return re.escape(name).replace(r"\*", "[^/]*")
