"""Did you mean: the known names nearest to a misspelt one."""

from collections.abc import Iterable

_NEAR_ENOUGH = 60  # rapidfuzz score; below it suggestions read as noise
_LONGEST_COMPARED = 200  # hostile names may be long; the score is quadratic in length


def similar_names(name: str, known: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Up to `limit` known names like `name`, best first; equal scores in alphabetical order."""
    # Imported here: needed only when a caller made a mistake, 26 ms at every start otherwise.
    from rapidfuzz import fuzz, process, utils

    matches = process.extract(
        name[:_LONGEST_COMPARED],
        sorted(known),
        scorer=fuzz.WRatio,
        processor=utils.default_process,
        limit=limit,
        score_cutoff=_NEAR_ENOUGH,
    )
    return tuple(match for match, _score, _position in matches)
