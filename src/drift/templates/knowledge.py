"""What Drift knows of the scanned project, for templates that are written from it: nothing in it is guessed.

Names are those of files, packages and scripts, and only such as are plain: what a repository writes in free text would
become instructions to whoever reads the file that is made. Its readme is quoted, with its place.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from drift.analyses.testing.frameworks import frameworks_in
from drift.analyses.workspaces.readme import read_first_paragraph
from drift.analyses.workspaces.relations import survey_packages
from drift.index import IndexReader
from drift.index.package_queries import FileSize
from drift.kernel.reading import list_files, read_text
from drift.kernel.text import plural
from drift.templates.engine import Value, Values

_MOST_BYTES: Final = 500_000
_MOST_ROWS: Final = 20
_SHORTEST_WORDS: Final = 6
_PLAIN: Final = re.compile(r"[A-Za-z0-9_@.][A-Za-z0-9_@.+:/ -]{0,99}")
_TARGET: Final = re.compile(r"^([A-Za-z][A-Za-z0-9_-]{0,60}):(?![=:])", re.MULTILINE)
_PHONY: Final = re.compile(r"^\.PHONY:([^\n#]{0,2000})", re.MULTILINE)
# Files whose scripts people run by name: where the scripts stand, and what runs one.
_SCRIPTS: Final = {
    "package.json": ("scripts", "{manager} run"),
    "composer.json": ("scripts", "composer"),
    "deno.json": ("tasks", "deno task"),
}
_LOCKS: Final = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}


def describe_project(reader: IndexReader, root: Path, *, name: str) -> Values:
    """The facts that a template about the project may say."""
    landscape = survey_packages(reader, root)
    written = [each for each in landscape.files if each.role not in {"vendored", "generated"}]
    return {
        "name": name if _PLAIN.fullmatch(name) else "This project",
        "about": _about(root),
        "languages": _languages(written),
        "packages": _rows(
            {"path": each.path or ".", "name": each.name, "manager": str(each.manager)}
            for each in landscape.packages
            if _PLAIN.fullmatch(each.name) and _PLAIN.fullmatch(each.path or ".")
        ),
        "layout": _layout(written),
        "commands": _rows({"run": each} for each in _commands(root)),
        "tests": _rows(
            {
                "framework": each.framework,
                "runner": each.runner if each.runner != each.framework else "",
                "files": plural(each.test_files, "file"),
            }
            for each in frameworks_in(reader, root)
            if each.test_files
        ),
    }


def _about(root: Path) -> str:
    """What the readme says first, quoted; nothing where that reads as no sentence."""
    paragraph = read_first_paragraph(root, "")
    if paragraph is None or "<" in paragraph.text or len(paragraph.text.split()) < _SHORTEST_WORDS:
        return ""
    return f"> {paragraph.text} ({paragraph.file}:{paragraph.line})"


def _rows(found: Iterable[dict[str, Value]]) -> Sequence[Value]:
    return list(found)[:_MOST_ROWS]


def _languages(found: Sequence[FileSize]) -> Sequence[Value]:
    counts = Counter(each.language for each in found if each.language)
    return _rows(
        {"name": language, "files": plural(count, "file")} for language, count in counts.most_common()
    )


def _layout(found: Sequence[FileSize]) -> Sequence[Value]:
    """The folders at the top that hold source files, each with what is in it."""
    folders: dict[str, list[FileSize]] = {}
    for each in found:
        top, slash, _rest = each.path.partition("/")
        if slash and each.language and _PLAIN.fullmatch(top):
            folders.setdefault(f"{top}/", []).append(each)
    rows: list[dict[str, Value]] = []
    for folder, inside in sorted(folders.items(), key=lambda each: -len(each[1])):
        rows.append({"path": folder, "about": _inside(inside)})
    return _rows(rows)


def _inside(found: Sequence[FileSize]) -> str:
    """`12 files in python`, `12 test files, mostly python`, `12 files in python, 3 of them tests`."""
    languages = Counter(str(each.language) for each in found).most_common()
    tests = sum(each.role == "test" for each in found)
    kind = "test file" if tests == len(found) else "file"
    written = f" in {languages[0][0]}" if len(languages) == 1 else f", mostly {languages[0][0]}"
    some = f", {tests} of them tests" if 0 < tests < len(found) else ""
    return f"{plural(len(found), kind)}{written}{some}"


def _commands(root: Path) -> Iterator[str]:
    """What can be run at the root: what its build files bring, targets of make, scripts of manifests."""
    names = list_files(root, "")
    for build in _builds():
        if any(fnmatchcase(name, build["file"]) for name in names):
            wrapper = build.get("wrapper")
            program = f"./{wrapper}" if wrapper in names else build.get("program", "")
            yield from (command.format(program=program) for command in build["commands"])
    makefile = next((name for name in ("GNUmakefile", "makefile", "Makefile") if name in names), None)
    if makefile:
        text = _text(root, makefile)
        phony = {word for found in _PHONY.finditer(text) for word in found[1].split()}
        targets = dict.fromkeys(found[1] for found in _TARGET.finditer(text))
        yield from (f"make {target}" for target in targets if target in phony or not phony)
    manager = next((runs for lock, runs in _LOCKS.items() if lock in names), "npm")
    for file, (key, runs) in _SCRIPTS.items():
        if file in names:
            scripts = _table(_text(root, file)).get(key)
            plain = [name for name in scripts if _PLAIN.fullmatch(name)] if isinstance(scripts, dict) else []
            yield from (f"{runs.format(manager=manager)} {name}" for name in plain)


@cache
def _builds() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(
        files(__package__).joinpath("data/builds.toml").read_text("utf-8")
    )["build"]
    return found


def _text(root: Path, path: str) -> str:
    try:
        return read_text(root, path, _MOST_BYTES)
    except OSError:
        return ""  # too large, or a link that leads out: then it tells nothing


def _table(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
