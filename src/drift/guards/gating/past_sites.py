"""What a file decided before it was changed: how often it chose each variant, so that an edited line is not taken for a new choice."""

from collections import Counter
from typing import Final

from drift.conventions.picture import Picture
from drift.conventions.text_sites import sites_of_text
from drift.guards.gating.form import Subject
from drift.index.path_text import text_to_path
from drift.project.git import run_git

_MOST_BYTES: Final = 2_000_000

Choices = Counter[tuple[str, str]]
"""Times by dimension and variant."""


def choices_before(subject: Subject, picture: Picture, path: str) -> Choices:
    """The choices of a file in the commit that is compared with; none where it was not there, or under another name."""
    change = subject.change
    if change is None or change.base is None:
        return Counter()
    place = f"{change.base}:./{text_to_path(path)}"
    shown = run_git(subject.project.root, "show", "--end-of-options", place, max_bytes=_MOST_BYTES)
    if shown.exit_code != 0 or shown.is_cut:
        return Counter()
    found = sites_of_text(subject.reader, subject.project, picture, path=path, content=shown.stdout)
    return Counter((each.site.dimension, each.site.variant) for each in found.sites)
