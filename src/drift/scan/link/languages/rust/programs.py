"""The programs of a Rust project by their names, as Cargo.toml and the layout of files say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from drift.manifests.rust import Crate
from drift.scan.link.analysis import Analysis
from drift.scan.link.destination_form import Destination
from drift.scan.link.folders import folders_above, join
from drift.scan.link.keys import part_key
from drift.scan.link.members import member_values
from drift.scan.link.names import destination_values
from drift.scan.link.values import Values


class Programs:
    """Where the programs of each crate begin."""

    def __init__(self) -> None:
        self._files: dict[str, dict[str, str]] = {}  # by the folder of the crate and the name of the program

    def note(self, folder: str, crate: Crate, files: Iterable[str]) -> None:
        """Note the programs of a crate: those that Cargo.toml names, src/main.rs and all in src/bin."""
        known = set(files)
        bin_folder = join(folder, "src/bin/")
        found = {
            path.removeprefix(bin_folder).removesuffix(".rs").removesuffix("/main"): path
            for path in known
            if path.startswith(bin_folder) and path.endswith(".rs")
        }
        if crate.package is not None:
            found[crate.package] = join(folder, "src/main.rs")
        found |= {name: join(folder, path) for name, path in crate.programs}
        self._files[folder] = {name: path for name, path in found.items() if path in known}

    def main_of(self, analysis: Analysis, name: str, scope: int) -> Values:
        """The function that a program begins with: of the crate that asks, else of the only one that has such a program."""
        program = analysis.program
        for part in ("main", name):
            program.note(part_key(part))
        asking = program.table_of(scope).path
        own = next((self._files[each] for each in folders_above(asking) if each in self._files), {})
        paths = [own[name]] if name in own else _named(self._files, name)
        if len(paths) != 1:
            return (f"cargo.{name}",)
        return member_values(
            analysis, destination_values(analysis, Destination(file=paths[0]), "rust"), "main"
        )


def _named(files: Mapping[str, Mapping[str, str]], name: str) -> list[str]:
    return [programs[name] for programs in files.values() if name in programs]
