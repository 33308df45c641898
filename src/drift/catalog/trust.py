"""Which instructions are of this machine, and which came with the repository and wait for a person's word."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any, Final

from drift.catalog.entry import Instruction
from drift.catalog.index import CatalogIndex
from drift.catalog.queries import count_entries
from drift.kernel.errors import DriftError
from drift.project.acceptance import Acceptance, Trust, digest_of

logger = logging.getLogger(__name__)

# They follow from the rest; a version of Drift that derives them otherwise must not undo what people accepted.
_DERIVED: Final = frozenset({"sourceHash", "governanceHash", "schemaVersion"})


class Provenance:
    """Tells by what an instruction says, not by what any file of the repository claims about it."""

    def __init__(self, acceptance: Acceptance | None) -> None:
        """Without `acceptance` every instruction is of this machine: they lie where the user said, not the project."""
        self._acceptance = acceptance

    def trust(self, wire: Mapping[str, Any]) -> Trust:
        """Where an instruction, as it stands on the wire, comes from."""
        if self._acceptance is None or digest(wire) in self._acceptance.digests():
            return "local"
        return "repository"

    def is_local(self, instruction: Instruction) -> bool:
        """Whether it was written or accepted here."""
        return self._acceptance is None or self.trust(instruction.as_wire()) == "local"

    def accept(self, instructions: Iterable[Instruction]) -> None:
        """Take them for this machine's own. Raises STORE_UNAVAILABLE."""
        if self._acceptance is not None:
            self._acceptance.add(digest(each.as_wire()) for each in instructions)

    def note_written(self, instructions: Iterable[Instruction]) -> None:
        """The same for what is about to be written here; where that cannot be noted, a person can accept it later."""
        try:
            self.accept(instructions)
        except DriftError as error:
            logger.warning("What is written will count as not approved here: %s", error.message)

    def stamp(self) -> str:
        """Another text whenever more was accepted."""
        return "-" if self._acceptance is None else str(len(self._acceptance.digests()))

    def count_waiting(self, index: CatalogIndex) -> int:
        """How many came with the repository and were not accepted. Inside a snapshot."""
        return 0 if self._acceptance is None else count_entries(index) - len(self.local_rows(index))

    def local_rows(self, index: CatalogIndex) -> tuple[int, ...]:
        """The rows of those written or accepted here. Inside a snapshot."""
        if self._acceptance is None:
            return tuple(row for row, _ in index.all_wires())
        accepted = self._acceptance.digests()
        return index.remember(
            ("local", accepted),
            lambda: tuple(row for row, wire in index.all_wires() if digest(wire) in accepted),
        )


def digest(wire: Mapping[str, Any]) -> str:
    """What stands for all that an instruction says."""
    import orjson  # 20 ms, and a start that reads nothing needs none of it

    said = {name: value for name, value in wire.items() if name not in _DERIVED}
    return digest_of("instruction", wire["id"], orjson.dumps(said, option=orjson.OPT_SORT_KEYS))
