"""Pages and components whose markup names code: they call it, and the index does not read them."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_COMPONENTS: Final = (".razor", ".cshtml", ".vbhtml", ".aspx", ".ascx", ".vue", ".svelte", ".astro")
_PAGES: Final = (
    ".html", ".htm", ".twig", ".erb", ".ejs", ".hbs", ".pug", ".jinja", ".jinja2", ".j2", ".mdx",
)  # fmt: skip
# What is installed, built or written about the product: a name there is no use of it.
_PASSED_OVER: Final = frozenset(
    {
        "node_modules", "bower_components", "vendor", "dist", "build", "out", "target", "bin", "obj",
        "coverage", "htmlcov", "doc", "docs", "site", "venv",
    }
)  # fmt: skip
_MOST_FOLDERS: Final = 20_000


def is_component(path: str) -> bool:
    """Whether a file is of markup and code, where a name hardly is a word of prose."""
    return path.endswith(_COMPONENTS)


def list_markup(root: Path) -> Iterator[str]:
    """The paths from the root of all pages and components, as far as a project of usual size goes."""
    for number, (folder, inner, names) in enumerate(os.walk(root)):
        if number >= _MOST_FOLDERS:
            return
        inner[:] = sorted(name for name in inner if name[0] != "." and name not in _PASSED_OVER)
        for name in sorted(name for name in names if name.endswith(_COMPONENTS + _PAGES)):
            yield Path(folder, name).relative_to(root).as_posix()
