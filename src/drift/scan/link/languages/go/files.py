"""What a file of Go exports: names of its folder, which is its package."""

from __future__ import annotations

from drift.scan.link.file_semantics import FileSemantics


class GoFiles(FileSemantics):
    """Files of one folder are one package, whatever they call it."""

    declares_types_by_name = True
    configuration = ("go.mod",)

    def space_of(self, path: str, package: str) -> str:
        return path.rpartition("/")[0]
