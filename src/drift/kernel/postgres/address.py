"""A database's address: what of it may be shown, and what must never be."""

import re
from typing import Final
from urllib.parse import quote, unquote

_HIDDEN: Final = "***"
_IS_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,62}")
# By hand: a library refuses to take an address apart that is wrong somewhere, which is when it is quoted.
_ADDRESS: Final = re.compile(
    r"\w+://(?:(?P<user>[^/?#]*)@)?(?P<host>[^/?#@]*)(?P<path>/[^?#]*)?(?:\?(?P<query>.*))?"
)
_SECRETS: Final = re.compile(r"(?:^|&)(?:ssl)?password=([^&#]*)")


def show_address(address: str) -> str:
    """Host and database of an address, without who asks and with what password."""
    found = _ADDRESS.match(address)
    return f"{found['host'] or 'localhost'}{found['path'] or ''}" if found else "in team.database"


def scrub(text: str, address: str) -> str:
    """A text of the driver without the secrets of the address, in whichever spelling."""
    for secret in _secrets_of(address):
        text = text.replace(secret, _HIDDEN)
    return text


def _secrets_of(address: str) -> list[str]:
    found = _ADDRESS.match(address)
    if found is None:
        return [address]
    written = [(found["user"] or "").partition(":")[2], *_SECRETS.findall(found["query"] or "")]
    spelt = {form for one in written for form in (one, unquote(one), quote(unquote(one), safe=""))}
    return sorted({address, *spelt} - {""}, key=len, reverse=True)


def is_schema_name(name: str) -> bool:
    """Whether a name can stand in SQL as it is."""
    return _IS_NAME.fullmatch(name) is not None
