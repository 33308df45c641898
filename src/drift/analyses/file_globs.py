"""Path patterns with `*`, `?`, `[…]` and `**`, matched in linear time whatever pattern and paths are made of."""

import fnmatch
import re
from functools import cache
from typing import Final

ANY_FOLDERS: Final = "**"


class PathGlob:
    """A pattern over paths of the project. One without a slash is about names, one that ends in a slash about folders."""

    def __init__(self, pattern: str) -> None:
        parts = [part for part in pattern.removeprefix("./").split("/") if part]
        if "/" not in pattern.removeprefix("./"):
            parts = [ANY_FOLDERS, *parts]
        if pattern.endswith("/"):
            parts.append(ANY_FOLDERS)
        *self._folders, self._name = parts or [ANY_FOLDERS]
        self.beginning = "/".join(self._plain_folders())
        """What every matching path begins with."""
        self._fits_folder = cache(self._match_folder)

    def matches(self, path: str) -> bool:
        """Whether the pattern fits the whole path."""
        folder, _, name = path.rpartition("/")
        fits_name = self._name == ANY_FOLDERS or _compiled(self._name).match(name) is not None
        return fits_name and self._fits_folder(folder)

    def _plain_folders(self) -> list[str]:
        plain: list[str] = []
        for part in self._folders:
            if any(mark in part for mark in "*?["):
                break
            plain.append(part)
        return plain

    def _match_folder(self, folder: str) -> bool:
        """The places of the pattern that the folder's parts may have led to, all followed at once."""
        wanted = [*self._folders, ANY_FOLDERS] if self._name == ANY_FOLDERS else self._folders
        places = _skipping(wanted, {0})
        for part in folder.split("/") if folder else ():
            stayed = {at for at in places if at < len(wanted) and wanted[at] == ANY_FOLDERS}
            moved = {
                at + 1
                for at in places - stayed
                if at < len(wanted) and _compiled(wanted[at]).match(part) is not None
            }
            places = _skipping(wanted, stayed | moved)
        return len(wanted) in places


def _skipping(wanted: list[str], places: set[int]) -> set[int]:
    """The places and those behind a `**`, which may stand for nothing."""
    reached = set(places)
    for at in sorted(places):
        following = at
        while following < len(wanted) and wanted[following] == ANY_FOLDERS:
            following += 1
            reached.add(following)
    return reached


@cache
def _compiled(part: str) -> re.Pattern[str]:
    # fnmatch makes atomic groups of stars, so a part takes linear time.
    return re.compile(fnmatch.translate(part))
