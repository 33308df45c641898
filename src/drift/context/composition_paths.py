"""References of a workflow's steps to its own arguments and to what earlier steps found.

    $input.target                        an argument of the workflow
    $places.symbols[0].at                a value in the data of the step `places`
    $input.file | $places.files[0].file  the first of them that is there
    $input.file?                         may be missing: the argument is left out then
    $$5                                  the text $5

A path goes down by names and positions and does nothing else, so a pack from a stranger can read no more than
what its steps have answered.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

_MARK: Final = "$"
_PATH: Final = re.compile(r"\$([a-z][a-z0-9_-]*)((?:\.[A-Za-z_][A-Za-z0-9_-]*|\[[0-9]{1,4}\])*)", re.ASCII)
_PART: Final = re.compile(r"\.([A-Za-z_][A-Za-z0-9_-]*)|\[([0-9]+)\]", re.ASCII)

Scope = Mapping[str, Mapping[str, Any]]
"""What references can reach: data by the name of its source."""


class Path(NamedTuple):
    """One way down: from a source, by names and positions."""

    source: str
    parts: tuple[str | int, ...]

    def __str__(self) -> str:
        steps = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.parts)
        return f"{_MARK}{self.source}{steps}"


class Reference(NamedTuple):
    """Ways to a value, best first."""

    paths: tuple[Path, ...]
    is_optional: bool = False

    def __str__(self) -> str:
        return " | ".join(map(str, self.paths)) + ("?" if self.is_optional else "")


class Filled(NamedTuple):
    """Arguments with every reference replaced, and the references that led nowhere."""

    arguments: dict[str, Any]
    missing: tuple[tuple[str, Reference], ...]


def parse_reference(text: str) -> Reference:
    """The reference a text is; ValueError says what is wrong with it."""
    written = text.removesuffix("?")
    return Reference(
        tuple(_parse_path(each.strip()) for each in written.split("|")), is_optional=written != text
    )


def find_references(value: Any) -> Iterator[Reference]:
    """The references in arguments; ValueError for a text that begins like one and is none."""
    if isinstance(value, str) and _is_reference(value):
        yield parse_reference(value)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from find_references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from find_references(inner)


def look_up(reference: Reference, scope: Scope) -> Any:
    """The first value that is there; None where no way leads to one."""
    for path in reference.paths:
        value = _walk(path, scope)
        if value is not None:
            return value
    return None


def fill(arguments: Mapping[str, Any], scope: Scope) -> Filled:
    """The arguments of a step. Those with a missing optional reference are left out."""
    filled: dict[str, Any] = {}
    missing: list[tuple[str, Reference]] = []
    for name, value in arguments.items():
        found, lost = _fill_value(value, scope)
        required = [(name, each) for each in lost if not each.is_optional]
        missing += required
        if not lost:
            filled[name] = found
    return Filled(filled, tuple(missing))


def _is_reference(text: str) -> bool:
    return text.startswith(_MARK) and not text.startswith(_MARK * 2)


def _parse_path(text: str) -> Path:
    match = _PATH.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:80]!r} is no path such as $input.target or $step.files[0].file")
    parts = (int(position) if position else name for name, position in _PART.findall(match[2]))
    return Path(match[1], tuple(parts))


def _walk(path: Path, scope: Scope) -> Any:
    value: Any = scope.get(path.source)
    for part in path.parts:
        if isinstance(part, int):
            value = value[part] if isinstance(value, (list, tuple)) and part < len(value) else None
        else:
            value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _fill_value(value: Any, scope: Scope) -> tuple[Any, list[Reference]]:
    """The value with its references replaced, and those that led nowhere."""
    if isinstance(value, str):
        if not _is_reference(value):
            return value.removeprefix(_MARK) if value.startswith(_MARK) else value, []
        reference = parse_reference(value)
        found = look_up(reference, scope)
        return found, [reference] if found is None else []
    if isinstance(value, Mapping):
        pairs = {key: _fill_value(inner, scope) for key, inner in value.items()}
        return {key: found for key, (found, _lost) in pairs.items()}, [
            each for _found, lost in pairs.values() for each in lost
        ]
    if isinstance(value, list):
        items = [_fill_value(inner, scope) for inner in value]
        return [found for found, _lost in items], [each for _found, lost in items for each in lost]
    return value, []
