"""Where a store lives: in a file of its own, or in a database that a team shares."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from drift.kernel.connections import Connection
from drift.kernel.data_files import read_data
from drift.kernel.errors import ErrorCode
from drift.kernel.sharing import Place, place_of
from drift.memory.storage.failures import absent
from drift.memory.storage.store_file import StoreFile

if TYPE_CHECKING:
    from drift.kernel.postgres.store import SharedStore


class StoreLife(Protocol):
    """A store that is opened when it is first needed, and again after whatever went wrong."""

    before_writing: Callable[[], object] | None

    @property
    def path(self) -> Path: ...

    @property
    def is_present(self) -> bool: ...

    @property
    def damaged(self) -> tuple[str, ...]: ...

    def reading(self) -> AbstractContextManager[Connection]: ...

    def writing(self) -> AbstractContextManager[Connection]: ...

    def close(self) -> None: ...


class SharedFile:
    """A store in a team's database, used as one in a file is."""

    def __init__(self, shared: "SharedStore") -> None:
        self._shared = shared
        self.before_writing: Callable[[], object] | None = None

    @property
    def path(self) -> Path:
        """What names the store; there is no file."""
        return self._shared.path

    @property
    def is_present(self) -> bool:
        return self._shared.is_present

    @property
    def damaged(self) -> tuple[str, ...]:
        return tuple(self._shared.notes.damaged.values())

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._shared.reading() as connection:
            if connection is None:
                raise absent(self.path)
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        if self.before_writing is not None and not self._shared.is_running:
            self.before_writing()
        with self._shared.writing() as connection:
            yield connection

    def close(self) -> None:
        """Nothing to let go of: connections belong to the process."""


def open_life(path: Path) -> StoreLife:
    """The life of the store at a path. Nothing is opened yet."""
    place = place_of(path)
    return StoreFile(path) if place is None else SharedFile(share_memories(place, path))


def share_memories(place: Place, path: Path, *, is_beside_file: bool = False) -> "SharedStore":
    """The store in a team's database."""
    from drift.kernel.postgres.store import (  # only where a team shares stores
        SharedLayout,
        SharedStore,
        Tables,
    )

    def steps() -> tuple[Tables, ...]:
        return (Tables(read_data("drift.memory.storage", "shared/0001.sql"), lambda _connection: None),)

    layout = SharedLayout(ErrorCode.CORTEX_UNAVAILABLE, steps)
    return SharedStore(place, path, layout, is_beside_file=is_beside_file)
