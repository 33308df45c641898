"""Tables of a TOML file added and taken out as text, so that comments and everything else stay.

Whatever the text looks like, the result is parsed and compared: other keys must mean the same as before.
Functions raise ValueError with a reason, and then the file is left alone.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Final

Section = tuple[str, ...]

_HEADER: Final = re.compile(r"\s*\[")


def read_entries(text: str, section: Section) -> dict[str, Any]:
    """The entries of a section, empty when there is none."""
    return _read_table(text, _name(section))


def put_entries(text: str, section: Section, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The text with the entries in the section; the keys of an entry that are not ours stay."""
    table, changed = _name(section), text
    for name, entry in entries.items():
        if name in _read_table(changed, table):
            changed = _replace(changed, table, name, entry)
        else:
            changed = _append(changed, table, name, entry)
    _check(text, changed, table, names=entries)
    there = _read_table(changed, table)
    if any(there.get(name, {}).get(key) != entry[key] for name, entry in entries.items() for key in entry):
        raise ValueError("the entry is written in a form that cannot be changed safely")
    return changed


def drop_entries(text: str, section: Section, names: Iterable[str]) -> str | None:
    """The text without the entries; None when nothing is left of the file."""
    table, changed = _name(section), text
    wanted = [name for name in names if name in _read_table(text, table)]
    for name in wanted:
        # Its inner tables may stand apart from it.
        while name in _read_table(changed, table):
            changed = _drop_table(changed, table, name)
    _check(text, changed, table, names=wanted)
    return changed if changed.strip() or not text.strip() else None


def write_entries(section: Section, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The entries as a person would paste them."""
    table = _name(section)
    return "\n".join(_write_table(table, name, entry, "\n") for name, entry in entries.items()).rstrip()


def _name(section: Section) -> str:
    (table,) = section  # no client has its tables deeper
    return table


def _read_table(text: str, table: str) -> dict[str, Any]:
    entries = _parse(text).get(table, {})
    if not isinstance(entries, dict):
        raise ValueError(f"{table} is not a table")  # noqa: TRY004 - the reason a file is left alone
    return entries


def _parse(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _drop_table(text: str, section: str, name: str) -> str:
    start, end = _find_table(text, section, name)
    lines = text.splitlines(keepends=True)
    if start > 0 and not lines[start - 1].strip():
        start -= 1  # the blank line we put before the table
    return "".join(lines[:start] + lines[end:])


def _append(text: str, section: str, name: str, entry: Mapping[str, Any]) -> str:
    newline = _newline(text)
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return text + gap + _write_table(section, name, entry, newline)


def _replace(text: str, section: str, name: str, entry: Mapping[str, Any]) -> str:
    """The text with the values of our keys replaced where they stand."""
    start, end = _find_table(text, section, name)
    lines = text.splitlines(keepends=True)
    newline = _newline(text)
    for key, value in entry.items():
        written = f"{key} = {_write_value(value)}{newline}"
        span = _find_value(lines, key, start=start + 1, end=end)
        if span is None:
            lines.insert(start + 1, written)
            end += 1
        else:
            lines[span[0] : span[1]] = [written]
            end -= span[1] - span[0] - 1
    return "".join(lines)


def _find_table(text: str, section: str, name: str) -> tuple[int, int]:
    """The lines of a table and its inner tables, from its header to the next one's."""
    spellings = "|".join(re.escape(each) for each in (name, f'"{name}"', f"'{name}'"))
    own = re.compile(rf"\s*\[\s*{re.escape(section)}\s*\.\s*(?:{spellings})\s*[\].]")
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines) if own.match(line)), None)
    if start is None:
        raise ValueError("the entry is written in a form that cannot be changed safely")
    others = (
        at for at in range(start + 1, len(lines)) if _HEADER.match(lines[at]) and not own.match(lines[at])
    )
    end = next(others, len(lines))
    # Blank lines and comments behind the table belong to what follows.
    while end > start + 1 and _is_blank_or_comment(lines[end - 1]):
        end -= 1
    return start, end


def _find_value(lines: list[str], key: str, *, start: int, end: int) -> tuple[int, int] | None:
    """The lines of `key = value`; an array may go over several of them."""
    begins = re.compile(rf"\s*{re.escape(key)}\s*=")
    first = next((at for at in range(start, end) if begins.match(lines[at])), None)
    if first is None:
        return None
    for last in range(first + 1, end + 1):
        try:
            tomllib.loads("".join(lines[first:last]))
        except tomllib.TOMLDecodeError:
            continue
        return first, last
    raise ValueError(f"the end of {key} cannot be found")


def _check(before: str, after: str, section: str, *, names: Iterable[str]) -> None:
    """Refuse a change that would touch anything but the named entries."""
    ours = set(names)

    def others(text: str) -> dict[str, Any]:
        parsed = _parse(text)
        kept = {key: value for key, value in _read_table(text, section).items() if key not in ours}
        parsed.pop(section, None)
        return {**parsed, section: kept}

    try:
        is_same = others(before) == others(after)
    except tomllib.TOMLDecodeError as error:
        raise ValueError("its other tables leave no room for ours") from error
    if not is_same:
        raise ValueError("other keys would have changed")


def _write_table(section: str, name: str, entry: Mapping[str, Any], newline: str) -> str:
    lines = [f"[{section}.{name}]", *(f"{key} = {_write_value(value)}" for key, value in entry.items())]
    return newline.join(lines) + newline


def _write_value(value: str | list[str]) -> str:
    # TOML's basic strings escape as JSON's do, but for DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _is_blank_or_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
