"""Which pages the site has, and in which order its menu names them."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the menu: pages by their paths in the project. `unlisted` pages are on the site and in no menu."""

    title: str
    pages: tuple[str, ...]
    unlisted: tuple[str, ...]
    split: int | None
    split_lines: int

    def every_page(self) -> Iterator[str]:
        yield from self.pages
        yield from self.unlisted


def read_plan(root: Path) -> tuple[Chapter, ...]:
    """The chapters, as `plan.toml` beside this module has them."""
    text = (Path(__file__).parent / "plan.toml").read_text("utf-8")
    return tuple(
        Chapter(
            one["title"],
            tuple(one["pages"]),
            _matching(root, one["unlisted"]) if "unlisted" in one else (),
            one.get("split"),
            one.get("split_lines", 0),
        )
        for one in tomllib.loads(text)["chapter"]
    )


def _matching(root: Path, pattern: str) -> tuple[str, ...]:
    return tuple(sorted(path.relative_to(root).as_posix() for path in root.glob(pattern)))
