"""What each language means in one file: the door for who reads files, and needs nothing of projects."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Final

from drift.scan.link.file_semantics import FileSemantics

# By module and name, loaded when the first file of the language comes: most projects have two of them.
_FILES: Final = {
    "cpp": ("cpp.files", "CppFiles"),
    "csharp": ("csharp.files", "CSharpFiles"),
    "go": ("go.files", "GoFiles"),
    "java": ("java.files", "JavaFiles"),
    "javascript": ("script.file_facts", "JavaScriptFiles"),
    "php": ("php.files", "PhpFiles"),
    "python": ("python.files", "PythonFiles"),
    "ruby": ("ruby.files", "RubyFiles"),
    "rust": ("rust.files", "RustFiles"),
    "typescript": ("script.file_facts", "TypeScriptFiles"),
    "wpf": ("csharp.xaml_files", "XamlFiles"),
}


def all_file_semantics() -> Iterable[FileSemantics]:
    """What every language means in a file."""
    return map(file_semantics_of, _FILES)


@cache
def file_semantics_of(language: str) -> FileSemantics:
    """What a language means in a file; of one that says nothing of it, what most mean."""
    place = _FILES.get(language)
    if place is None:
        return FileSemantics()
    module, name = place
    found: FileSemantics = getattr(import_module(f"drift.scan.link.languages.{module}"), name)()
    return found
