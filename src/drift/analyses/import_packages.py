"""Modules of JavaScript and TypeScript by the package they are in: what a file of another package imports them as."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.source_text import read_lines
from drift.manifests.contents import UnreadableManifestError, table_of, text_of
from drift.manifests.documents import parse_configuration, parse_json
from drift.manifests.node import texts_in

_MANIFEST: Final = "package.json"
_SETTINGS: Final = ("tsconfig.build.json", "tsconfig.lib.json", "tsconfig.json")
_BUILT: Final = frozenset({"dist", "build", "lib", "out", "esm", "cjs", "es", "output"})
_SOURCES: Final = "src"
_MOST_LINES: Final = 5_000
_MOST_DEPTH: Final = 8  # of conditions inside conditions
_ENDING: Final = re.compile(r"(?:\.d)?\.(?:[cm]?[jt]sx?)$|/index$")


class ScriptPackage(NamedTuple):
    """A package: its folder, its name, and the files that it offers under other names, with at most one star each."""

    folder: str
    name: str
    entry: str | None
    exports: tuple[tuple[str, str], ...] | None  # None: all of its files
    roots: tuple[str, ...] = ()  # what may stand in the place of the folder of what is built, likeliest first

    def module_of(self, path: str) -> str | None:
        """What a file of the package is imported as from outside; None where it is not offered."""
        inside = path[len(self.folder) :].lstrip("/")
        if self.exports is None:
            entry = self.entry.removeprefix("./") if self.entry is not None else None
            is_entry = entry is not None and _stem(inside) in {_stem(entry), *self._sources(entry)}
            return self.name if is_entry else f"{self.name}/{_stem(inside)}"
        found = [name for key, target in self.exports if (name := _offered(key, target, f"./{inside}"))]
        if not found:
            found = [
                name
                for root in self.roots
                for key, target in self.exports
                if (name := self._built(key, target, inside, root))
            ][:1]
        return min((f"{self.name}{name[1:]}" for name in found), key=len, default=None)

    def _sources(self, built: str) -> list[str]:
        """What a file may be built from: the same below a folder of sources, in the place of that of what is built."""
        folder, slash, rest = built.partition("/")
        is_built = bool(slash) and folder in _BUILT
        return [_stem(f"{root}{rest}") for root in self.roots] if is_built else []

    def _built(self, key: str, target: str, inside: str, root: str) -> str | None:
        """The name under which an export offers what is built from a file below a folder of sources."""
        folder, slash, rest = target.removeprefix("./").partition("/")
        if not slash or folder not in _BUILT or not inside.startswith(root):
            return None
        if "*" in rest:
            rest = f"{rest.partition('*')[0]}*"  # whatever the ending of what is built
        return _offered(key, f"./{rest}", f"./{_stem(inside[len(root) :])}")


def package_around(root: Path, path: str) -> ScriptPackage | None:
    """The package that a file is in, by the nearest manifest with a name; None where there is none."""
    folder = path.rpartition("/")[0]
    while True:
        text = "\n".join(read_lines(root, f"{folder}/{_MANIFEST}".lstrip("/"), first=1, count=_MOST_LINES))
        found = _read(folder, text) if text else None
        if found is not None:
            return found._replace(roots=_source_roots(root, folder))
        if not folder:
            return None
        folder = folder.rpartition("/")[0]


def _source_roots(root: Path, folder: str) -> tuple[str, ...]:
    """What the compiler strips of paths of sources, as the settings say: all above what they take in, if nothing else."""
    for name in _SETTINGS:
        text = "\n".join(read_lines(root, f"{folder}/{name}".lstrip("/"), first=1, count=_MOST_LINES))
        settings = parse_configuration(text) if text else {}
        options = settings.get("compilerOptions")
        said = text_of(table_of(options).get("rootDir"))
        if said is not None:
            inner = said.removeprefix("./").strip("/.")
            return (f"{inner}/" if inner else "",)
        taken = {each.removeprefix("./").partition("/")[0] for each in texts_in(settings.get("include"))}
        if taken:
            return ("src/", "") if taken <= {_SOURCES} else ("", "src/")
    return ("src/", "")


def _read(folder: str, text: str) -> ScriptPackage | None:
    try:
        whole = parse_json(text)
    except UnreadableManifestError:
        return None
    name = text_of(whole.get("name"))
    if name is None:
        return None
    entry = text_of(whole.get("main")) or text_of(whole.get("types"))
    exports = tuple(_exports(whole["exports"])) if "exports" in whole else None
    return ScriptPackage(folder, name, entry, exports)


def _exports(value: object) -> Iterator[tuple[str, str]]:
    table = table_of(value)
    if any(key.startswith(".") for key in table):
        for key, offered in table.items():
            yield from ((key, target) for target in _targets(offered, _MOST_DEPTH))
    else:
        yield from ((".", target) for target in _targets(value, _MOST_DEPTH))


def _targets(value: object, depth: int) -> Iterator[str]:
    """The files that an export leads to, under whatever conditions."""
    text = text_of(value)
    if text is not None:
        yield text
    elif depth:
        for each in table_of(value).values():
            yield from _targets(each, depth - 1)


def _offered(key: str, target: str, inside: str) -> str | None:
    """The name under which an export offers a file."""
    before, star, after = target.partition("*")
    if not star:
        return key if _stem(target) == _stem(inside) else None
    is_fitting = (
        inside.startswith(before) and inside.endswith(after) and len(inside) >= len(before) + len(after)
    )
    return key.replace("*", inside[len(before) : len(inside) - len(after)]) if is_fitting else None


def _stem(path: str) -> str:
    return _ENDING.sub("", _ENDING.sub("", path))
