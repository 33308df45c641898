"""Did you mean: the known names nearest to a misspelt one."""

from collections.abc import Iterable

_NEAR_ENOUGH = 60  # rapidfuzz score; below it suggestions read as noise
_ALIKE_AS_WHOLE = (
    50  # that score is high too where two names share a few letters in a row, so that is asked as well
)
_LONGEST_COMPARED = 200  # hostile names may be long; the score is quadratic in length
_ASKED_FOR_EACH = 8  # candidates for each name wanted


def similar_names(name: str, known: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Up to `limit` known names like `name`, best first; equal scores in alphabetical order."""
    # Imported here: needed only when a caller made a mistake, 26 ms at every start otherwise.
    from rapidfuzz import fuzz, process, utils

    asked = name[:_LONGEST_COMPARED]
    matches = process.extract(
        asked,
        sorted(known),
        scorer=fuzz.WRatio,
        processor=utils.default_process,
        limit=limit * _ASKED_FOR_EACH,
        score_cutoff=_NEAR_ENOUGH,
    )
    wanted = utils.default_process(asked)
    alike = []
    for match, _score, _position in matches:
        text = utils.default_process(match)
        score = fuzz.token_sort_ratio(wanted, text)
        if wanted in text or score >= _ALIKE_AS_WHOLE:
            alike.append((not text.startswith(wanted), -score, match))
    return tuple(match for _is_other_word, _score, match in sorted(alike)[:limit])
