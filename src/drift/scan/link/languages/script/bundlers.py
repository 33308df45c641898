"""Short names that the configuration of a bundler gives to folders: `resolve: { alias: { shared: path.resolve("./src/shared") } }`.

The file is read as text and never run. What is computed there is not known.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from drift.scan.link.folders import join, resolve

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

BUNDLERS: Final = (
    "vite.config.ts", "vite.config.js", "vite.config.mts", "vite.config.mjs", "vue.config.js", "webpack.config.js",
    "webpack.mix.js", "svelte.config.js", "astro.config.mjs", "astro.config.ts",
)  # fmt: skip
_MOST_CHARACTERS: Final = 100_000
_LONGEST_TABLE: Final = 4_000
_MOST_TABLES: Final = 8
_TABLE: Final = re.compile(r"\balias\s{0,9}(?::\s{0,9}(?P<open>[{\[])|\(\s{0,9}\{)")
# shared: path.resolve(__dirname, "./src/shared"), "@": fileURLToPath(new URL("./src", import.meta.url))
_ENTRY: Final = re.compile(
    r"(?:(?P<quote>[\"'])(?P<quoted>[^\"'\n]{1,80})(?P=quote)|(?P<plain>[A-Za-z_$][\w$]{0,80}))\s{0,9}:"
)
# Rows of a list: find: "@", then replacement: path.resolve("./src")
_ROW: Final = re.compile(
    r"\bfind\s{0,9}:\s{0,9}[\"'](?P<name>[^\"'\n]{1,80})[\"']\s{0,9},\s{0,9}replacement\s{0,9}:(?P<value>[^{}]{1,300})"
)
_TEXT: Final = re.compile(r"[\"'`]([^\"'`\n]{0,200})[\"'`]")
_PATHS: Final = re.compile(r"^\s{0,99}[\"'`]\.{0,2}/|\b(?:resolve|join|URL)\b|__dirname")
_COMMENT: Final = re.compile(r"(?m)^[ \t]{0,200}//[^\n]{0,1000}$")


class BundlerPaths:
    """The short names of each package, read when a file of it is first asked about."""

    def __init__(self, sources: WatchedSources) -> None:
        self._sources = sources
        self._by_folder: dict[str, dict[str, str]] = {}

    def candidates(self, package: str, module: str) -> list[str]:
        """The paths that an import text may mean by the names of its package, and of the project as a whole."""
        found = []
        for folder in dict.fromkeys((package, "")):
            names = self._names(folder)
            fitting = [name for name in names if module == name or module.startswith(f"{name.rstrip('/')}/")]
            if fitting:
                best = max(fitting, key=len)
                found.append(join(names[best], module[len(best.rstrip("/")) :].lstrip("/")))
        return [path for text in found if (path := resolve("", text))]

    def _names(self, folder: str) -> dict[str, str]:
        if folder not in self._by_folder:
            paths = (join(folder, name) for name in BUNDLERS)
            texts = [text for path in paths if (text := self._sources.text_of(path)) is not None]
            self._by_folder[folder] = {
                name: target for text in reversed(texts) for name, target in _read(text, folder)
            }
        return self._by_folder[folder]


def _read(text: str, folder: str) -> list[tuple[str, str]]:
    shown = _COMMENT.sub("", text[:_MOST_CHARACTERS])
    found: list[tuple[str, str]] = []
    for table in islice(_TABLE.finditer(shown), _MOST_TABLES):
        body = shown[table.end() : table.end() + _LONGEST_TABLE]
        if table["open"] == "[":
            rows = [(row["name"], row["value"]) for row in _ROW.finditer(body)]
        else:
            rows = _entries(body.partition("}")[0])
        found += [(name, path) for name, value in rows if (path := _path_in(value, folder)) is not None]
    return found


def _entries(body: str) -> list[tuple[str, str]]:
    """The names of a table and what stands behind each, up to the next."""
    starts = list(_ENTRY.finditer(body))
    ends = [*(one.start() for one in starts[1:]), len(body)]
    return [
        (one["quoted"] or one["plain"], body[one.end() : end]) for one, end in zip(starts, ends, strict=True)
    ]


def _path_in(value: str, folder: str) -> str | None:
    """The folder that a value names by texts; None for one that is no path of the project."""
    parts = [part.lstrip("/") for part in _TEXT.findall(value)]
    if not parts or not _PATHS.search(value):
        return None
    return resolve(folder, "/".join(part for part in parts if part))
