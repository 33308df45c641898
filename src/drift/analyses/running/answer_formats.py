"""How an answer is to be written, as the end of a path says it: `/orders.csv` is the route `/orders`."""

import re
from typing import Final

# Rails and others take these away before they look for a route.
_FORMAT: Final = re.compile(
    r"(?<=[^/.])\.(?:atom|csv|gif|html?|ics|jpe?g|js|json|md|pdf|png|rss|svg|te?xt|tsv|turbo_stream|webp|xlsx?|xml|ya?ml|zip)\Z"
)


def without_format(path: str) -> str | None:
    """A path without what says how to write the answer; None where nothing does."""
    plain = _FORMAT.sub("", path)
    return plain if plain != path else None
