"""What a caller over HTTP may be allowed to do. Callers over stdio are the person at the keyboard."""

from enum import StrEnum


class Scope(StrEnum):
    """The five rights a token can carry."""

    READ = "drift:read"
    WRITE = "drift:write"
    ADMIN = "drift:admin"
    SECURITY = "drift:security"
    MEMORY = "drift:memory"
