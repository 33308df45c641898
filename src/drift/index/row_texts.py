"""The texts of columns that hold several values: JSON, as short as it can be."""

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

# Made once: json.dumps with any setting makes an encoder for each text.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=1024)  # most methods take what others take, if it is their object alone
def encode_parameters(parameters: tuple[tuple[str, str, str | None, str | None], ...]) -> str | None:
    """The text of a symbol's parameters, each (name, kind, type, default); None for none.

    What ends a parameter and goes without saying is left out: of most, only the name remains.
    """
    return _encode([_shortened(*each) for each in parameters])


def encode_types(types: Iterable[str]) -> str | None:
    """The text of names as they are written: the types of a handling, the guards of a mount; None for none."""
    return _encode(list(types))


def encode_attributes(attributes: Iterable[tuple[str, str | None]]) -> str | None:
    """The text of an element's attributes, the name alone where no value is kept; None for none."""
    shortened: list[tuple[str | None, ...]] = [
        (name, value) if value is not None else (name,) for name, value in attributes
    ]
    return _encode(shortened)


def _shortened(
    name: str, kind: str, type_text: str | None, default_text: str | None
) -> tuple[str | None, ...]:
    if default_text is not None:
        return (name, kind, type_text, default_text)
    if type_text is not None:
        return (name, kind, type_text)
    return (name,) if kind == "plain" else (name, kind)


def _encode(items: list[tuple[str | None, ...]] | list[str]) -> str | None:
    return _ENCODER.encode(items) if items else None
