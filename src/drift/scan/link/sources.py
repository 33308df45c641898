"""What linking reads of a project: its files, their facts, and the configuration beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from drift.languages.facts import FileFacts


class Sources(Protocol):
    """A project as linking sees it. Facts are asked for file by file, so they can be unpacked late."""

    def paths(self) -> tuple[str, ...]:
        """Every file that has facts, in any order; relative to the root, with `/` between parts."""

    def facts_of(self, path: str) -> FileFacts:
        """The facts of one of these files; asked for more than once, so what is costly to unpack is kept."""

    def text_of(self, path: str) -> str | None:
        """The text of a configuration file (go.mod, tsconfig.json); None where there is none to read."""


@dataclass(frozen=True, slots=True)
class MemorySources:
    """A project whose facts and configuration files are at hand."""

    facts: Mapping[str, FileFacts]
    texts: Mapping[str, str] = field(default_factory=dict)

    def paths(self) -> tuple[str, ...]:
        return tuple(sorted(self.facts))

    def facts_of(self, path: str) -> FileFacts:
        return self.facts[path]

    def text_of(self, path: str) -> str | None:
        return self.texts.get(path)
