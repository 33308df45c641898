"""Ignore files in git's syntax, nested as git nests them: .gitignore for the walk, .driftignore always."""

from __future__ import annotations  # pathspec is named in hints only: most scans need none of it

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from drift.kernel.reading import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pathspec import GitIgnoreSpec

_LARGEST_IGNORE_FILE: Final = 1_000_000
_LONGEST_RULE: Final = 500
_MOST_STARS: Final = 3
_STARS: Final = re.compile(r"\*+")
_DIRECTORY_GROUP: Final = "ps_d"  # pathspec's name for the slash after a directory
_NAMED_GROUP: Final = re.compile(r"\(\?P<\w+>")


class IgnoreRules:
    """The rules of all ignore files of one kind that were read so far, by the directory they stand in."""

    def __init__(self) -> None:
        self._specs: dict[str, _Rules] = {}
        self._verdicts: dict[str, bool | None] = {"": None}

    def read(self, root: Path, directory: str, name: str) -> bool:
        """Whether the directory (relative to the root, empty for it) has rules in a file of this name.

        They hold for what is judged from now on: read a directory's file before asking about its content.
        """
        path = f"{directory}/{name}" if directory else name
        try:
            text = read_file(root, path, _LARGEST_IGNORE_FILE, follow_links=False).decode("utf-8", "replace")
        except OSError:
            return False  # git, too, goes on without an ignore file it cannot read
        return self.add(directory, text.splitlines())

    def add(self, directory: str, lines: Iterable[str]) -> bool:
        """Whether there was a rule in the lines, which now hold in the directory."""
        spec = _parse_rules(lines)
        if spec is not None:
            self._specs[directory] = spec
        return spec is not None

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
                verdict = spec.judge(inner)
                if verdict is not None:
                    return verdict
            if not directory:
                return None
            directory = directory.rpartition("/")[0]


def is_fair_rule(rule: str) -> bool:
    """Whether a rule can be tried on a path in fair time: each further star multiplies what is tried."""
    stars = [len(_STARS.findall(part)) for part in rule.split("/")]
    return len(rule) <= _LONGEST_RULE and max(stars) <= _MOST_STARS and rule.count("**") <= _MOST_STARS


class _Rules:
    """The rules of one ignore file."""

    def __init__(self, spec: GitIgnoreSpec) -> None:
        self._rules = [
            (pattern.regex, bool(pattern.include)) for pattern in reversed(spec.patterns) if pattern.regex
        ]
        # One expression for all rules says of most files at once that none fits; asking each takes far longer.
        sources = (_NAMED_GROUP.sub("(?:", expression.pattern) for expression, _ in self._rules)
        self._any = re.compile("|".join(sources))

    def judge(self, path: str) -> bool | None:
        """What the last rule that fits says: ignored or not; None without one.

        The path is relative to the file's directory; that of a directory ends in a slash.
        """
        if self._any.search(path) is None:
            return None
        return next((is_ignored for expression, is_ignored in self._rules if _fits(expression, path)), None)


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


def _parse_rules(lines: Iterable[str]) -> _Rules | None:
    """Rules in git's syntax, or None if there are none. Lines that are no rule are passed over, as git does."""
    import pathspec  # here: 40 ms, and most projects have git and no .driftignore

    specs = []
    for line in filter(is_fair_rule, lines):
        # What is no rule to git either, such as a lone "!".
        with suppress(ValueError):
            specs.append(pathspec.GitIgnoreSpec.from_lines([line]))
    patterns = [pattern for spec in specs for pattern in spec.patterns if pattern.include is not None]
    return _Rules(pathspec.GitIgnoreSpec(patterns)) if patterns else None
