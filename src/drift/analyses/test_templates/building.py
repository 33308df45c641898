"""Build files that list each test: what has to be added so that a new one is built and run."""

import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Final

from drift.analyses.source_text import read_lines
from drift.analyses.test_templates.pairs import is_of_type

_BUILD_FILES: Final = ("CMakeLists.txt", "meson.build", "Makefile.am")
_SUITES: Final = ("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
_SUITE_FOLDER: Final = re.compile(r"<directory\b[^>]{0,200}>([^<]{1,300})</directory>")
_MOST_LINES: Final = 3_000
_MOST_PEERS: Final = 5


def say_listed(root: Path, path: str, peers: Iterable[str]) -> str | None:
    """The line of a build file that lists a test nearby, and what to add there; None where none does."""
    folder = path.rpartition("/")[0]
    while True:
        for name in _BUILD_FILES:
            file = f"{folder}/{name}".lstrip("/")
            lines = read_lines(root, file, first=1, count=_MOST_LINES)
            for peer in islice(peers, _MOST_PEERS) if lines else ():
                found = _line_with(lines, _inside(peer, folder))
                if found is not None:
                    return f"{file}:{found} lists {_inside(peer, folder)}: add {_inside(path, folder)} there"
        if not folder:
            return None
        folder = folder.rpartition("/")[0]


def suite_folder(root: Path, kind: str) -> str | None:
    """The folder in which PHPUnit looks for tests of a kind, by its settings; None where they name none."""
    for name in _SUITES:
        text = "\n".join(read_lines(root, name, first=1, count=_MOST_LINES))
        folders: list[str] = [
            each.strip().removeprefix("./").strip("/") for each in _SUITE_FOLDER.findall(text)
        ]
        if folders:
            fitting: list[str] = [each for each in folders if is_of_type(f"{each}/", kind)]
            return (fitting or folders)[0]
    return None


def _inside(path: str, folder: str) -> str:
    return path.removeprefix(f"{folder}/") if folder else path


def _line_with(lines: list[str], text: str) -> int | None:
    """The line that names a file, with its ending or without."""
    wanted = (text, text.rpartition(".")[0])
    words = ([word.strip("()\"',") for word in line.split()] for line in lines)
    return next(
        (number for number, each in enumerate(words, 1) if any(word in wanted for word in each)), None
    )
