"""How the facts of a file of Rust are arranged."""

from __future__ import annotations

from drift.scan.link.file_semantics import FileSemantics


class RustFiles(FileSemantics):
    """A module in a file is no part of it: its names are found through its own."""

    declares_types_by_name = True
    configuration = ("Cargo.toml",)
    are_namespaces_flat = False
