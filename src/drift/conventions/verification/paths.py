"""Whether a path that a memory names is there, and where it went."""

from difflib import SequenceMatcher
from typing import Final

from drift.conventions.verification.ground import CheckedClaim, ClaimVerdict, Ground, absent, unclear
from drift.conventions.verification.tokens import Claim, word_list
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.similar import similar_names
from drift.memory.citations import read_cited, split_lines

_MOST_SIMILAR: Final = 3
_ALIKE: Final = 0.75  # a misspelling; below it, names of files share little but their ending


def check_path(claim: Claim, ground: Ground) -> CheckedClaim | None:
    """What became of a file or folder: here, moved by a rename that git knows, or gone."""
    path = claim.text.rstrip("/")
    try:
        place = (ground.root / path).resolve()
        is_inside = place.is_relative_to(ground.root.resolve())
        exists = is_inside and place.exists()
    except (OSError, ValueError):
        return unclear(claim, "it cannot be a path here")
    if not is_inside:
        return unclear(claim, "it lies outside the project")
    if exists:
        return _there(claim, path, ground)
    ending = [one for one in ground.paths if one.endswith(f"/{path}") or f"/{path}/" in f"/{one}"]
    if ending:
        at = ending[0] if ending[0].endswith(path) else f"{ending[0].partition(f'{path}/')[0]}{path}/"
        return CheckedClaim(claim, ClaimVerdict.FOUND, at)
    renamed = ground.renames.follow(path)
    if renamed is not None:
        return CheckedClaim(claim, ClaimVerdict.MOVED, f"renamed to {renamed}", (renamed,))
    return _not_there(claim, path, ground)


def _not_there(claim: Claim, path: str, ground: Ground) -> CheckedClaim | None:
    first = path.partition("/")[0]
    if first in word_list("made_folders"):
        return unclear(claim, f"{first} is made by builds or tools")
    has_ending = "." in path.rpartition("/")[2].strip(".")
    if not has_ending and not (ground.root / first).is_dir():
        return None  # a branch, a media type, two words: nothing says that it is a folder of the project
    if "/" not in path or path.startswith("."):
        mention = ground.texts.find(path)
        if mention is not None and not mention.is_in_document:
            return unclear(
                claim, f"not there now; {mention.path}:{mention.line} names it, so it may come and go"
            )
    return absent(claim, "no such file in the project", _similar(path, ground))


def _there(claim: Claim, path: str, ground: Ground) -> CheckedClaim:
    if claim.line is None:
        return CheckedClaim(claim, ClaimVerdict.FOUND, path)
    try:
        count = len(split_lines(read_cited(ground.root, path)))
    except DriftError as error:
        reason = "it is no file" if error.code is ErrorCode.FILE_NOT_FOUND else error.message
        return CheckedClaim(claim, ClaimVerdict.UNCLEAR, f"{path}: {reason}")
    if claim.line > count:
        return CheckedClaim(claim, ClaimVerdict.CHANGED, f"{path} ends at line {count}")
    return CheckedClaim(claim, ClaimVerdict.FOUND, f"{path}:{claim.line}")


def _similar(path: str, ground: Ground) -> tuple[str, ...]:
    """Files of the same name elsewhere, else those with a name like it."""
    name = path.rpartition("/")[2]
    same = [one for one in ground.paths if one.rpartition("/")[2] == name]
    if same:
        return tuple(same[:_MOST_SIMILAR])
    by_name = {one.rpartition("/")[2]: one for one in ground.paths}
    alike = similar_names(name, by_name, _MOST_SIMILAR)
    return tuple(by_name[one] for one in alike if SequenceMatcher(None, name, one).ratio() >= _ALIKE)
