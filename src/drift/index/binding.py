"""Whose work an index is: one that came with a repository would be believed in all it says, so it says who made it."""

import os
import secrets
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from drift.project.machine import is_sealed, machine_key, seal

_PURPOSE: Final = "index"
KEYS: Final = ("nonce", "seal")


def bind(path: Path) -> dict[str, str]:
    """What an index at `path` says of itself to be known again as made here, by this user."""
    nonce = secrets.token_hex(16)
    return {"nonce": nonce, "seal": seal(machine_key(os.environ), _PURPOSE, _place(path), nonce)}


def is_bound(path: Path, meta: Mapping[str, str]) -> bool:
    """Whether an index that says this of itself was made at this place by this user on this machine."""
    key = machine_key(os.environ, may_make=False)
    return is_sealed(key, meta.get("seal"), _PURPOSE, _place(path), meta.get("nonce", ""))


@lru_cache(maxsize=64)  # at every question, and following links takes longer than to compare seals
def _place(path: Path) -> str:
    return os.path.realpath(path.parent)
