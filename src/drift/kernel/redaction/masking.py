"""A secret as it may be shown: enough to find it again, too little to use it."""

from typing import Final

_MOST_SHOWN: Final = 4  # at each end
_SHARE: Final = 8  # one of so many characters at each end, so that three quarters stay hidden at least


def mask(value: str) -> str:
    """The first and last few characters with an ellipsis between; of a short value nothing but that."""
    shown = min(_MOST_SHOWN, len(value) // _SHARE)
    return f"{value[:shown]}…{value[-shown:]}" if shown else "…"
