"""Ignore files in git's syntax, nested as git nests them: .gitignore for the walk, .driftignore always."""

from __future__ import annotations  # pathspec is named in hints only: most scans need none of it

import logging
import re
import time
from contextlib import suppress
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.kernel.reading import read_file
from drift.kernel.text import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

logger = logging.getLogger(__name__)

_LARGEST_IGNORE_FILE: Final = 1_000_000
_LONGEST_RULE: Final = 500
_MOST_STARS: Final = 3
_MOST_DOUBLE_STARS: Final = 2
_DEEPEST_TRIED: Final = 100  # folders; the time for a double star grows with their square
_MOST_SECONDS: Final = 10.0  # of processor time for trying rules, in one look at a project
_MOST_TRIED: Final = 1_000  # rules with patterns; a path is held against each of them
_EXACT: Final = re.compile(
    r"(?P<not>!)?(?P<root>/)?(?P<star>\*(?=\.))?(?P<text>[^\s!#*?\[\]\\/][^\s*?\[\]\\]*?)(?P<folder>/)? *"
)
_ANY_LETTERS: Final = "[^/]*"  # as pathspec writes a star
_STRUCTURE: Final = re.compile(r"(?<!\\)[()|/]")
_STARS: Final = re.compile(r"\*+")
_DIRECTORY_GROUP: Final = "ps_d"  # pathspec's name for the slash after a directory
_NAMED_GROUP: Final = re.compile(r"\(\?P<\w+>")


class IgnoreRules:
    """The rules of all ignore files of one kind that were read so far, by the directory they stand in."""

    def __init__(self, clock: Callable[[], float] = time.thread_time) -> None:
        self._specs: dict[str, _Rules] = {}
        self._clock = clock
        self._left_seconds = _MOST_SECONDS
        self._verdicts: dict[str, bool | None] = {"": None}
        self._tried = 0

    def read(self, root: Path, directory: str, name: str) -> bool:
        """Whether the directory (relative to the root, empty for it) has rules in a file of this name.

        They hold for what is judged from now on: read a directory's file before asking about its content.
        """
        path = f"{directory}/{name}" if directory else name
        try:
            text = read_file(root, path, _LARGEST_IGNORE_FILE, follow_links=False).decode("utf-8", "replace")
        except OSError:
            return False  # git, too, goes on without an ignore file it cannot read
        return self.add(directory, text.splitlines(), place=path)

    def add(self, directory: str, lines: Iterable[str], *, place: str = "") -> bool:
        """Whether there was a rule in the lines, which now hold in the directory. `place` is the file they are from."""
        rules, left_out = _parse_rules(lines, room=_MOST_TRIED - self._tried)
        self._tried += rules.tried_count
        if left_out and place:
            logger.warning(
                "%s: %s left out, which would take too long to try", place, plural(left_out, "rule")
            )
        if len(rules):
            self._specs[directory] = rules
        return bool(len(rules))

    def judge(self, directory: str, name: str) -> bool | None:
        """True for a file that is ignored, False for one that is explicitly not, None without a rule.

        As in git a file cannot be brought back where a directory above it is ignored.
        """
        if not self._specs:
            return None
        above = self.judge_directory(directory)
        if above:
            return True
        path = f"{directory}/{name}" if directory else name
        own = self._match(directory, path)
        return above if own is None else own

    def judge_directory(self, directory: str) -> bool | None:
        """The same for a directory."""
        if directory in self._verdicts:
            return self._verdicts[directory]
        parent = directory.rpartition("/")[0]
        above = self.judge_directory(parent)
        own = True if above else self._match(parent, f"{directory}/")
        verdict = above if own is None else own
        self._verdicts[directory] = verdict
        return verdict

    def _match(self, directory: str, path: str) -> bool | None:
        # The rules nearest to the file have the last word.
        while True:
            spec = self._specs.get(directory)
            if spec is not None:
                inner = path[len(directory) + 1 :] if directory else path
                verdict = self._judge(spec, inner)
                if verdict is not None:
                    return verdict
            if not directory:
                return None
            directory = directory.rpartition("/")[0]

    def _judge(self, rules: _Rules, path: str) -> bool | None:
        exact = rules.look_up(path)
        if not rules.tried_count or self._left_seconds <= 0 or path.count("/") > _DEEPEST_TRIED:
            return exact.is_ignored if exact is not None else None
        began = self._clock()
        verdict = rules.judge(path, exact)
        self._left_seconds -= self._clock() - began
        if self._left_seconds <= 0:
            logger.warning(
                "rules with patterns took too long to try; from here on names and endings alone count"
            )
        return verdict


def is_fair_rule(rule: str) -> bool:
    """Whether a rule can be tried on a path in fair time: each further star multiplies what is tried."""
    stars = [len(_STARS.findall(part)) for part in rule.split("/")]
    return len(rule) <= _LONGEST_RULE and max(stars) <= _MOST_STARS and rule.count("**") <= _MOST_DOUBLE_STARS


class _Rule(NamedTuple):
    """A rule that has to be tried; `number` is its place in the file."""

    number: int
    expression: re.Pattern[str]
    is_ignored: bool


class _Exact(NamedTuple):
    """A rule that a name is looked up for."""

    number: int
    is_ignored: bool
    is_of_directories: bool


class _Rules:
    """The rules of one ignore file. Most are plain names or endings, found at once however many there are."""

    def __init__(self) -> None:
        self._names: dict[str, list[_Exact]] = {}
        self._endings: dict[str, list[_Exact]] = {}
        self._paths: dict[str, list[_Exact]] = {}
        self._tried: list[_Rule] = []
        self._any: re.Pattern[str] | None = None
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def tried_count(self) -> int:
        """How many rules each path is held against."""
        return len(self._tried)

    def add_exact(self, line: str) -> bool:
        """Take a rule that holds a plain name, path or ending; whether it was one."""
        found = _EXACT.fullmatch(line)
        if found is None or len(line) > _LONGEST_RULE or found["text"] in {".", ".."} or "//" in line:
            return False
        text, has_star = found["text"], bool(found["star"])
        is_path = bool(found["root"]) or "/" in text
        if is_path and has_star:
            return False
        table = self._paths if is_path else self._endings if has_star else self._names
        table.setdefault(text, []).append(_Exact(self._count, not found["not"], bool(found["folder"])))
        self._count += 1
        return True

    def add_tried(self, expression: re.Pattern[str], *, is_ignored: bool) -> None:
        self._tried.append(_Rule(self._count, expression, is_ignored))
        self._count += 1

    def close(self) -> None:
        """Be ready to judge: all rules are here."""
        self._tried.reverse()  # the last that fits counts
        # One expression for all rules says of most files at once that none fits; asking each takes far longer.
        sources = (_NAMED_GROUP.sub("(?:", rule.expression.pattern) for rule in self._tried)
        self._any = re.compile("|".join(sources)) if self._tried else None

    def judge(self, path: str, exact: _Exact | None) -> bool | None:
        """What the last rule that fits says, `exact` or one that is tried: ignored or not; None without one.

        The path is relative to the file's directory; that of a directory ends in a slash.
        """
        last = exact.number if exact is not None else -1
        if self._any is not None and self._any.search(path) is not None:
            later = takewhile(lambda rule: rule.number > last, self._tried)
            fitting = next((rule for rule in later if _fits(rule.expression, path)), None)
            if fitting is not None:
                return fitting.is_ignored
        return exact.is_ignored if exact is not None else None

    def look_up(self, path: str) -> _Exact | None:
        """The last of the plain rules that fits."""
        is_directory = path.endswith("/")
        plain = path.rstrip("/")
        name = plain.rpartition("/")[2]
        found = [*self._names.get(name, ()), *self._paths.get(plain, ())]
        if self._endings:
            dots = (place for place, letter in enumerate(name) if letter == ".")
            found += [one for place in dots for one in self._endings.get(name[place:], ())]
        return max((one for one in found if is_directory or not one.is_of_directories), default=None)


def _fits(expression: re.Pattern[str], path: str) -> bool:
    """Whether a rule is about this very file or directory, and not about one above it, judged before.

    pathspec lets a rule for a directory fit all below; to git a rule after it may say otherwise of them.
    """
    if _DIRECTORY_GROUP in expression.groupindex:
        found = expression.finditer(path)
        return any(each.end(_DIRECTORY_GROUP) in {-1, len(path)} for each in found)
    inside = expression.search(path)
    # A rule such as "sub/**" is about what is in the directory, and its expression ends with the slash.
    return inside is not None and not (path.endswith("/") and inside.end() == len(path))


def _parse_rules(lines: Iterable[str], *, room: int) -> tuple[_Rules, int]:
    """Rules in git's syntax, and how many were left out since trying them would take too long.

    Lines that are no rule are passed over, as git does.
    """
    rules, left_out = _Rules(), 0
    for line in lines:
        if rules.add_exact(line):
            continue
        if not is_fair_rule(line) or rules.tried_count >= room:
            left_out += bool(line.strip()) and not line.startswith("#")
            continue
        for expression, is_ignored in _translate(line):
            rules.add_tried(expression, is_ignored=is_ignored)
    rules.close()
    return rules, left_out


def _translate(line: str) -> Iterator[tuple[re.Pattern[str], bool]]:
    import pathspec  # here: 40 ms, and most projects have git and no .driftignore

    # What is no rule to git either, such as a lone "!".
    with suppress(ValueError):
        for pattern in pathspec.GitIgnoreSpec.from_lines([line]).patterns:
            if pattern.include is not None and pattern.regex:
                yield re.compile(_without_retries(pattern.regex.pattern)), bool(pattern.include)


def _without_retries(expression: str) -> str:
    """The same expression, but what lies between two stars is settled where it first fits.

    Within a part of a path that is always right, and without it each star multiplies what is tried.
    """
    first, *rest = expression.split(_ANY_LETTERS)
    if not rest:
        return expression
    *inner, last = rest
    settled = (
        f"(?>{_ANY_LETTERS}?{text})" if text and not _STRUCTURE.search(text) else f"{_ANY_LETTERS}{text}"
        for text in inner
    )
    return f"{first}{''.join(settled)}{_ANY_LETTERS}{last}"
