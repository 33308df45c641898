r"""What memories say, put where a client will hand it to a model beside the user's own words.

A memory is data that anybody may have written. In a frame it is one line in JSON quotes with every deceptive character
as an escape, and with no tag: clients put what a hook says between tags of their own, which a memory must not close.
"""

import re
from typing import Final

from drift.kernel.quoted import quote
from drift.kernel.text import shorten

# `<` before what a tag or a special token begins with; `a < b` stays as it is.
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?|])")


def framed(text: str, *, chars: int) -> str:
    """The text on one line, in quotes it cannot leave, at most so many characters of it."""
    return _TAG.sub(r"\\u003c", quote(shorten(" ".join(text.split()), chars)))
