"""What is said of arguments of overviews that change nothing here, and which parts are meant by switches."""

from typing import Literal

CacheStrategy = Literal["normal", "force-refresh", "offline"]


def wanted_parts(**switches: bool) -> frozenset[str]:
    """The parts whose switches are on; debt comments are read in any case."""
    return frozenset({"satd"} | {name for name, is_on in switches.items() if is_on})


def unused_notes(strategy: CacheStrategy, parallel: int) -> tuple[str, ...]:
    """Why an argument had no effect."""
    told = []
    if strategy == "force-refresh":
        told.append(
            "cache_strategy: answers are made from an index that is brought up to date before each call, so nothing old is kept"
        )
    if parallel > 1:
        told.append(
            "parallel: the analyses read one index one after another; scanning uses as many processes as scan.jobs says"
        )
    return tuple(told)
