"""Scores by words and closeness in meaning as one score."""

from collections.abc import Mapping
from typing import Final

# Chosen on the even conversations of the recall benchmark, reported on the odd ones (docs/memory-search.md).
MEANING_SHARE: Final = 0.5
MOST_COMPARED: Final = 200


def text_to_compare(title: str, body: str) -> str:
    """What of a memory is encoded: a title that only repeats the beginning adds nothing."""
    body = body.strip()
    return body if not title or body.startswith(title.rstrip("…")) else f"{title}\n{body}"


def blend(scores: Mapping[int, float], cosines: Mapping[int, float]) -> dict[int, float]:
    """The scores, moved by meaning; on the scale they had.

    One whose meaning is not known yet counts as close as the others are on average: it is neither helped nor
    held back against them.
    """
    if not scores or not cosines:
        return dict(scores)
    top = max(scores.values())
    usual = sum(cosines.values()) / len(cosines)
    return {
        number: (1 - MEANING_SHARE) * score + MEANING_SHARE * top * max(0.0, cosines.get(number, usual))
        for number, score in scores.items()
    }
