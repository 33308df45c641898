"""What a caller over HTTP may be allowed to do. A model over stdio may do all that no person must do themselves."""

from enum import StrEnum
from typing import Final


class Scope(StrEnum):
    """The five rights a token can carry."""

    READ = "drift:read"
    WRITE = "drift:write"
    ADMIN = "drift:admin"
    SECURITY = "drift:security"
    MEMORY = "drift:memory"


PERSON: Final = "drift:person"
"""What no token carries: the person at the command line alone has it."""
