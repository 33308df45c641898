"""Members of a JSON file added and taken out as text, so that everything else stays byte for byte.

A section is the way to the object that holds the entries. Strict JSON only: what cannot be parsed is not touched.
Functions raise ValueError with a reason.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, NoReturn

Section = tuple[str, ...]

_DECODER: Final = json.JSONDecoder()
_WHITESPACE: Final = re.compile(r"[ \t\r\n]*")
_DEFAULT_INDENT: Final = "  "
# A space behind the brace of an object that was there, and empty, before our first member came into it:
# taking that member out again then leaves the empty object, and removes those we made.
_WAS_THERE: Final = " "


class _Member(NamedTuple):
    key: str
    key_start: int
    value: Any
    value_start: int
    value_end: int


class _Object(NamedTuple):
    start: int
    end: int
    members: tuple[_Member, ...]

    def find(self, key: str) -> _Member | None:
        """The member that counts: of several with one key the last."""
        return next((member for member in reversed(self.members) if member.key == key), None)


def read_entries(text: str, section: Section) -> dict[str, Any]:
    """The entries of a section, empty when there is none."""
    if not text.strip():
        return {}
    inside: Any = _value_of(_parse_root(text))
    for key in section:
        inside = inside.get(key, {})
        if not isinstance(inside, dict):
            raise ValueError(f"{key} is not an object")  # noqa: TRY004 - the reason a file is left alone
    entries: dict[str, Any] = inside
    return entries


def put_entries(text: str, section: Section, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The text with the entries in the section; the keys of an entry that are not ours stay."""
    if not text.strip():
        return json.dumps(_nest(section, entries), indent=2, ensure_ascii=not _is_text(entries)) + "\n"
    read_entries(text, section)
    for name, entry in entries.items():
        text = _put_entry(text, section, name, entry)
    return text


def drop_entries(text: str, section: Section, names: Iterable[str]) -> str | None:
    """The text without the entries; None when nothing is left of a file that we made."""
    for name in names:
        while name in read_entries(text, section):
            dropped = _drop_entry(text, section, name)
            if dropped is None:
                return None
            text = dropped
    return text


def write_entries(section: Section, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The entries as a person would paste them."""
    return json.dumps(_nest(section, entries), indent=2, ensure_ascii=not _is_text(entries))


def _parse_root(text: str) -> _Object:
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004 - the reason a file is left alone
    return _read_object(text, _skip(text, 0))


def _value_of(parsed: _Object) -> dict[str, Any]:
    return {member.key: member.value for member in parsed.members}


def _nest(section: Section, inside: Mapping[str, Any]) -> dict[str, Any]:
    """The objects of a section around what is inside."""
    for key in reversed(section):
        inside = {key: inside}
    return dict(inside)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _read_object(text: str, start: int) -> _Object:
    """The members of the object that begins at `start`, in a text known to be JSON."""
    members: list[_Member] = []
    at = _skip(text, start + 1)
    while text[at] != "}":
        key, key_end = _DECODER.raw_decode(text, at)
        value_start = _skip(text, _skip(text, key_end) + 1)
        value, value_end = _DECODER.raw_decode(text, value_start)
        members.append(_Member(key, at, value, value_start, value_end))
        at = _skip(text, value_end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return _Object(start, at + 1, tuple(members))


def _skip(text: str, at: int) -> int:
    match = _WHITESPACE.match(text, at)
    assert match is not None, "the pattern matches the empty string"
    return match.end()


def _put_entry(text: str, section: Section, name: str, entry: Mapping[str, Any]) -> str:
    inside = _parse_root(text)
    for depth, key in enumerate(section):
        there = inside.find(key)
        if there is None:
            return _insert(text, inside, key, _nest(section[depth + 1 :], {name: entry}))
        inside = _read_object(text, there.value_start)
    old = inside.find(name)
    if old is None:
        return _insert(text, inside, name, entry)
    merged = {**old.value, **entry} if isinstance(old.value, dict) else entry
    value = _write(text, merged, _indent_before(text, old.key_start))
    return text[: old.value_start] + value + text[old.value_end :]


def _insert(text: str, parent: _Object, key: str, value: Any) -> str:
    name = json.dumps(key)
    if parent.members:
        last = parent.members[-1]
        indent = _indent_before(text, parent.members[0].key_start)
        gap = " " if indent is None else _newline(text) + indent
        member = f",{gap}{name}: {_write(text, value, indent)}"
        return text[: last.value_end] + member + text[last.value_end :]
    unit = _unit(text)
    outer = _indent_of_line(text, parent.start)
    inner = None if unit is None else outer + unit
    before, after = ("", "") if unit is None else (_newline(text) + outer + unit, _newline(text) + outer)
    member = f"{{{_WAS_THERE}{before}{name}: {_write(text, value, inner)}{after}}}"
    return text[: parent.start] + member + text[parent.end :]


def _drop_entry(text: str, section: Section, name: str) -> str | None:
    """The text without an entry, and without the objects around it that we made for it."""
    objects = [_parse_root(text)]
    for key in section:
        there = objects[-1].find(key)
        assert there is not None, "the caller found the entry in it"
        objects.append(_read_object(text, there.value_start))
    for inside, key in zip(reversed(objects), reversed((*section, name)), strict=True):
        shorter = _drop(text, inside, key)
        if shorter is not None:
            return shorter
    return None


def _drop(text: str, parent: _Object, key: str) -> str | None:
    """The text without a member; None when it was the only one of an object that we made."""
    position = next(at for at in reversed(range(len(parent.members))) if parent.members[at].key == key)
    member = parent.members[position]
    if len(parent.members) == 1:
        was_there = text[parent.start + 1] == _WAS_THERE
        return text[: parent.start] + "{}" + text[parent.end :] if was_there else None
    if position > 0:
        return text[: parent.members[position - 1].value_end] + text[member.value_end :]
    return text[: member.key_start] + text[parent.members[1].key_start :]


def _write(text: str, value: Any, indent: str | None) -> str:
    """A value in the style of the text: on one line, or in lines under the given indentation."""
    unit = _unit(text)
    is_ascii = not _is_text(value)
    if indent is None or unit is None:
        return json.dumps(value, ensure_ascii=is_ascii)
    lines = json.dumps(value, indent=unit, ensure_ascii=is_ascii).split("\n")
    return (_newline(text) + indent).join(lines)


def _is_text(value: Any) -> bool:
    """Whether UTF-8 can hold the value; names of files may have bytes it cannot."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _unit(text: str) -> str | None:
    """One step of indentation as the file has it, or None for a file on one line."""
    root = _read_object(text, _skip(text, 0))
    if not root.members:
        return _DEFAULT_INDENT
    return _indent_before(text, root.members[0].key_start) or (
        _DEFAULT_INDENT if "\n" in text.strip() else None
    )


def _indent_before(text: str, at: int) -> str | None:
    """The blanks between the line's beginning and this place, or None when something else stands there."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if not line.strip() and "\n" in text[:at] else None


def _indent_of_line(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
