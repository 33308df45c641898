"""Which of the project's error types a name in a handler means, where namespaces tell types of one name apart."""

from collections.abc import Iterable
from typing import Final

from drift.index import IndexReader
from drift.index.records import SymbolRecord

_BY_NAMESPACE: Final = frozenset({"php", "ruby"})


def last_name(name: str) -> str:
    """The last part of a name as written, such as `errors.NotFound` or `error::NotFound`."""
    return _dotted(name).rpartition(".")[2].strip("*&() ")


def _dotted(name: str) -> str:
    return name.replace("::", ".").replace("\\", ".")


class ErrorNames:
    """The error types of a project by their names."""

    def __init__(self, reader: IndexReader, types: Iterable[SymbolRecord]) -> None:
        self._reader = reader
        self._types: dict[str, list[SymbolRecord]] = {}
        for one in types:
            self._types.setdefault(one.name, []).append(one)
        self._packages: dict[str, str] = {}

    def meant(self, written: str, path: str) -> list[SymbolRecord]:
        """The types that a name in a file may mean: all of that name where no namespaces tell them apart."""
        named = self._types.get(last_name(written), [])
        told = [one for one in named if one.language in _BY_NAMESPACE]
        if not told:
            return named
        if "." in _dotted(written):
            whole = _dotted(written)
            return [one for one in named if self._is_called(one, whole)]
        here = [one for one in named if one.path == path]
        if here or told[0].language != "php":
            return here or named
        return [one for one in named if self._is_seen(one, path)]

    def _is_called(self, one: SymbolRecord, whole: str) -> bool:
        """Whether a type has that name, in full where it begins with a separator, else from some namespace on."""
        full = ".".join(filter(None, (self._package(one.path), one.qualname)))
        if whole.startswith("."):
            return full == whole[1:] or (one.language == "ruby" and one.qualname == whole[1:])
        return f".{full}".endswith(f".{whole}")

    def _is_seen(self, one: SymbolRecord, path: str) -> bool:
        """Whether a file sees a type by its bare name: of its own namespace, or imported."""
        if self._package(path) == self._package(one.path):
            return True
        return any(each.path == path for each in self._reader.facts.importers_of_symbol(one.id))

    def _package(self, path: str) -> str:
        if path not in self._packages:
            record = self._reader.files.at(path)
            self._packages[path] = _dotted(record.package or "") if record is not None else ""
        return self._packages[path]
