"""What libraries that keep data are known by: the `data` sections of drift/libraries, read and checked."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Final

from drift.libraries import Library, shipped_libraries

_MOST: Final = 300
_MOST_TEXT: Final = 200
# Languages whose libraries are those of another.
_SHARED: Final = {"typescript": "javascript"}


@dataclass(frozen=True, slots=True)
class DataLibrary:
    """One way in which a library keeps data; docs/security.md says what each key means."""

    framework: str
    language: str = ""
    packages: frozenset[str] = frozenset()
    model_bases: frozenset[str] = frozenset()
    model_decorators: frozenset[str] = frozenset()
    model_sign: frozenset[str] = frozenset()
    model_makers: frozenset[str] = frozenset()
    model_tags: frozenset[str] = frozenset()
    model_documents: frozenset[str] = frozenset()
    table_names: str = ""
    table_keys: frozenset[str] = frozenset()
    table_decorators: frozenset[str] = frozenset()
    table_makers: frozenset[str] = frozenset()
    table_methods: frozenset[str] = frozenset()
    known_models: Mapping[str, str] = field(default_factory=dict)
    contexts: frozenset[str] = frozenset()
    set_types: frozenset[str] = frozenset()
    set_calls: frozenset[str] = frozenset()
    repositories: frozenset[str] = frozenset()
    receivers: frozenset[str] = frozenset()
    receiver_names: frozenset[str] = frozenset()
    accessors: frozenset[str] = frozenset()
    starts: frozenset[str] = frozenset()
    builders: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    deletes: frozenset[str] = frozenset()
    unsure: frozenset[str] = frozenset()
    last_writes: frozenset[str] = frozenset()
    instance_writes: frozenset[str] = frozenset()
    instance_deletes: frozenset[str] = frozenset()
    magic_reads: frozenset[str] = frozenset()
    magic_writes: frozenset[str] = frozenset()
    magic_deletes: frozenset[str] = frozenset()
    class_calls: frozenset[str] = frozenset()
    table_calls: frozenset[str] = frozenset()
    head_tables: frozenset[str] = frozenset()
    path_tables: frozenset[str] = frozenset()
    raw: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    query_decorators: frozenset[str] = frozenset()
    statement_decorators: frozenset[str] = frozenset()
    table_members: bool = False
    mapper_files: bool = False
    lazy: bool = False
    instance_names: bool = False
    bare_calls: bool = False
    definers: frozenset[str] = frozenset()

    @property
    def methods(self) -> frozenset[str]:
        """Every name whose call may be an access."""
        lazily = self.builders if self.lazy else frozenset()
        return (
            self.reads | self.writes | self.deletes | self.unsure | self.raw | self.functions | self.starts | lazily
            | self.instance_writes | self.instance_deletes | self.last_writes
        )  # fmt: skip


_TYPES: Final = {each.name: each.type for each in fields(DataLibrary)}


class DataSectionError(ValueError):
    """A data section that says something else than one may."""


@cache
def data_libraries(language: str) -> tuple[DataLibrary, ...]:
    """What is shipped of a language, whatever a project imports."""
    spoken = _SHARED.get(language, language)
    return sections_of(shipped_libraries(spoken), language)


def sections_of(libraries: Iterable[Library], language: str) -> tuple[DataLibrary, ...]:
    """The data sections of libraries."""
    return tuple(read_section(row, language) for library in libraries for row in library.data)


def read_section(row: Mapping[str, Any], language: str) -> DataLibrary:
    """A section as a value. Raises DataSectionError, also for what comes from a stranger's file."""
    unknown = sorted(set(row) - _TYPES.keys() | ({"language"} & set(row)))
    if unknown:
        raise DataSectionError(f"data: unknown keys {', '.join(map(str, unknown))[:200]}")
    if not isinstance(row.get("framework"), str) or not 0 < len(row["framework"]) <= _MOST_TEXT:
        raise DataSectionError("data: framework must be a short text")
    return DataLibrary(**{name: _value(name, value) for name, value in row.items()}, language=language)


def _value(name: str, value: Any) -> Any:
    wanted = _TYPES[name]
    if wanted in {str, "str"} and isinstance(value, str):
        return value
    if wanted in {bool, "bool"} and isinstance(value, bool):
        return value
    if "frozenset" in str(wanted) and isinstance(value, list) and _are_texts(value):
        return frozenset(value)
    if "Mapping" in str(wanted) and isinstance(value, dict) and _are_texts(value.values()):
        return dict(value)
    raise DataSectionError(f"data: {name} is not of the form it must have")


def _are_texts(values: Collection[Any]) -> bool:
    return len(values) <= _MOST and all(
        isinstance(each, str) and 0 < len(each) <= _MOST_TEXT for each in values
    )


def is_used(library: DataLibrary, packages: Iterable[str]) -> bool:
    """Whether a project imports one of the library's packages, or none is needed."""
    if not library.packages:
        return True
    wanted = tuple(_plain(each) for each in library.packages)
    return any(
        name == each or name.startswith(f"{each}.") for name in map(_plain, packages) for each in wanted
    )


def _plain(package: str) -> str:
    return package.replace("/", ".").replace("\\", ".").lower()
