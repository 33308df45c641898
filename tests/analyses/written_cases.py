"""Small projects that stand in one text each: a sentence, then `== path` before each file, then `== expected`."""

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "cases"
_MARK = "== "
_EXPECTED = "expected"


class Written(NamedTuple):
    """A project, and what is expected of it: lines of a word and what belongs to it."""

    files: dict[str, str]
    expected: list[tuple[str, str]]


def names_of(folder):
    """The cases of a folder."""
    return sorted(path.stem for path in (FOLDER / folder).glob("*.txt"))


def read_case(folder, name):
    """One case."""
    parts: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (FOLDER / folder / f"{name}.txt").read_text("utf-8").splitlines(keepends=True):
        if line.startswith(_MARK):
            lines = parts.setdefault(line.removeprefix(_MARK).strip(), [])
        else:
            lines.append(line)
    expected = [line.strip().partition(":") for line in parts.pop(_EXPECTED) if line.strip()]
    files = {path: "".join(text) for path, text in parts.items()}
    return Written(files, [(word.strip(), rest.strip()) for word, _, rest in expected])


def write_case(case, root):
    """The project on disk."""
    for path, text in case.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
