"""How clients write down what to start: the forms of an entry."""

from typing import Any

Entry = dict[str, Any]


def split(_name: str, command: str, args: list[str]) -> Entry:
    """The command and its arguments apart, as most clients have it."""
    return {"command": command, "args": args}


def joined(_name: str, command: str, args: list[str]) -> Entry:
    """One list of words."""
    return {"command": [command, *args]}


def named(name: str, command: str, args: list[str]) -> Entry:
    """An item of a list, which says its name itself."""
    return {"name": name, "command": command, "args": args}


def extension(name: str, command: str, args: list[str]) -> Entry:
    """An extension of Goose."""
    return {"name": name, "cmd": command, "args": args}
