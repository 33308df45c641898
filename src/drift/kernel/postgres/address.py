"""A database's address: what of it may be shown, and what must never be."""

import re
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

_SECRET_KEYS: Final = ("password", "sslpassword")
_HIDDEN: Final = "***"
_IS_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,62}")


def show_address(address: str) -> str:
    """Host and database of an address, without who asks and with what password."""
    try:
        parts = urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "the team's database"
    return f"{host or 'localhost'}{parts.path}"


def scrub(text: str, address: str) -> str:
    """A text of the driver without the secrets of the address, in whichever spelling."""
    for secret in _secrets_of(address):
        text = text.replace(secret, _HIDDEN)
    return text


def _secrets_of(address: str) -> list[str]:
    try:
        parts = urlsplit(address)
        named = [value for key, value in parse_qsl(parts.query) if key in _SECRET_KEYS]
    except ValueError:
        return [address]
    # By hand: urlsplit refuses to tell of an address that is wrong in another part.
    written = parts.netloc.rpartition("@")[0].partition(":")[2]
    found = {address, written, unquote(written), *named} - {""}
    return sorted(found, key=len, reverse=True)


def is_schema_name(name: str) -> bool:
    """Whether a name can stand in SQL as it is."""
    return _IS_NAME.fullmatch(name) is not None
