"""What files export other than by the names of their declarations: defaults, aliases, CommonJS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.languages import FileFacts
from drift.languages.expressions import Expression, either_of
from drift.scan.link.keys import exports_key

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_EXPORTS: Final = ("name", "exports")
_MODULE: Final = ("name", "module")
_ALL_MEMBERS: Final = "*"  # the key of an object that is spread in another
_THE_FILE: Final = ("symbol", 0)


class _Exports(NamedTuple):
    by_name: dict[str, Expression]
    whole: Expression = None  # what `module.exports` is set to


class ExportIndex:
    """The exports of a project's files, found when first asked for."""

    def __init__(self, sources: WatchedSources) -> None:
        self._sources = sources
        self._known: dict[str, _Exports] = {}

    def named(self, path: str, name: str) -> Expression:
        """The value a file exports under a name; None where it says nothing of it.

        A CommonJS file's default is all it exports, as bundlers and Node have it.
        """
        exports = self._of(path)
        if name in exports.by_name:
            return exports.by_name[name]
        whole = exports.whole
        if whole is None:
            return None
        if name == "default":
            return whole
        if whole[0] == "dict":
            return _entry(whole, name)
        return ("member", whole, name)

    def whole(self, path: str) -> Expression:
        """What `require` of a file gives; None where that is the file's names and no other thing."""
        exports = self._of(path)
        if exports.whole is None or exports.whole[0] == "dict":
            return None
        # Members are put on `exports` beside: `module.exports = create; exports.Router = Router`.
        return ("either", exports.whole, _THE_FILE) if exports.by_name else exports.whole

    def _of(self, path: str) -> _Exports:
        self._sources.note(exports_key(path))
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = _read_exports(self._sources.facts_of(path))
        return known


def _read_exports(facts: FileFacts) -> _Exports:
    """Only what the file itself sets: a store inside a function names things that the file cannot see."""
    by_name: dict[str, list[Expression]] = {}
    whole: list[Expression] = []
    for scope, receiver, name, value, _line in facts.stores:
        if scope or value is None or value in (_EXPORTS, _MODULE):
            continue
        if receiver == _EXPORTS and value != ("name", name):
            by_name.setdefault(name, []).append(value)
        elif receiver == _MODULE and name == "exports":
            whole.append(value)
    return _Exports({name: _either(values) for name, values in by_name.items()}, _either(whole))


def _entry(exported: tuple[Any, ...], name: str) -> Expression:
    """What an object that is exported has under a name, itself or from another that is spread in it."""
    entries = exported[1:]
    own = next((value for key, value in entries if key == name), None)
    spread: list[Expression] = [("member", value, name) for key, value in entries if key == _ALL_MEMBERS]
    return own if own is not None else _either(spread)


def _either(values: list[Expression]) -> Expression:
    if len(values) < 2:  # noqa: PLR2004 - of one there is no choice
        return values[0] if values else None
    return either_of(values)
