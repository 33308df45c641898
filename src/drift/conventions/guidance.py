"""What somebody who is about to write code in a file should follow: a few sure conventions, each with an example."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from drift.conventions.picture import Picture
from drift.conventions.places import applying
from drift.conventions.rows import nearest_example

# What is less sure, or was seen in less places, should tell nobody what to do.
_LEAST_SCORE: Final = 0.7
_LEAST_SITES: Final = 8
_MOST: Final = 5


@dataclass(frozen=True, slots=True)
class Guide:
    """A convention to follow, and where to see it."""

    id: str
    rule: str
    followed: int
    sites: int
    score: float
    example: str


def guide(picture: Picture, path: str) -> list[Guide]:
    """The conventions for a file: approved ones first, then those it decides by most often, then the surest."""
    file = next((each for each in picture.mined.files.values() if each.path == path), None)
    if file is None:
        return []
    chosen = [
        each
        for each in applying(picture, file)
        if each.measures.score >= _LEAST_SCORE and len(each.sites) >= _LEAST_SITES
    ]
    times = Counter({each.id: sum(1 for site in each.sites if site.file_id == file.id) for each in chosen})
    chosen.sort(
        key=lambda each: (
            picture.status_of(each) != "approved",
            -min(times[each.id], 3),
            -each.measures.score,
            each.id,
        )
    )
    guides: list[Guide] = []
    for each in chosen[:_MOST]:
        here = next((site for site in each.sites if site.file_id == file.id), each.sites[0])
        example = nearest_example(picture, each, here)
        if example is not None:
            place = f"{picture.path_of(example)}:{example.line}"
            score = round(each.measures.score, 2)
            guides.append(Guide(each.id, each.rule, each.followed, len(each.sites), score, place))
    return guides
