"""How the facts of a script are arranged."""

from __future__ import annotations

from drift.scan.link.file_semantics import FileSemantics


class JavaScriptFiles(FileSemantics):
    """Objects that nobody named have methods, which give their scope no name."""

    has_nameless_objects = True


class TypeScriptFiles(JavaScriptFiles):
    """The same, with types."""

    types_held_functions = True
