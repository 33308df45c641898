"""Small documents beside the index, sealed: those that came with a repository are not believed."""

import os
from collections.abc import Mapping
from typing import Any, Final

from drift.project import StateDir
from drift.project.machine import is_sealed, machine_key, seal

_SEAL: Final = "seal"


def sealed_document(state: StateDir, purpose: str, document: Mapping[str, Any]) -> bytes:
    """The document as JSON that `open_document` takes for ours."""
    import orjson  # here: discovery alone needs none of it

    content = orjson.dumps(document, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    claim = seal(machine_key(os.environ), purpose, os.path.realpath(state.root), content)
    return orjson.dumps({**orjson.loads(content), _SEAL: claim}, option=orjson.OPT_INDENT_2)


def open_document(state: StateDir, purpose: str, content: bytes) -> dict[str, Any] | None:
    """The document, if it was sealed for this purpose and project by this user on this machine."""
    import orjson  # as above

    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(document, dict):
        return None
    claim = document.pop(_SEAL, None)
    said = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
    key = machine_key(os.environ, may_make=False)
    return document if is_sealed(key, claim, purpose, os.path.realpath(state.root), said) else None
