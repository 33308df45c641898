"""Files that take too much: how a walk over one is broken off, and what is said of it."""

from typing import Final


class OverrunError(BaseException):
    """A file takes more than it may. Raised in the midst of reading it, past whoever handles exceptions there."""


CUT_SHORT: Final = (OverrunError, RecursionError)
"""What ends a walk and leaves whole what was found until then."""

LEFT_OUT: Final = "was left out"
"""What the problem of a file ends with of which not all was read."""


def describe_overrun(error: BaseException) -> str:
    """What a file did, for its row in the index."""
    return "is nested too deeply" if isinstance(error, RecursionError) else str(error)
