"""What each language means in one file: the door for who reads files, and needs nothing of projects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from drift.scan.link.file_semantics import FileSemantics
from drift.scan.link.languages.cpp.files import CppFiles
from drift.scan.link.languages.csharp.files import CSharpFiles
from drift.scan.link.languages.csharp.xaml_files import XamlFiles
from drift.scan.link.languages.go.files import GoFiles
from drift.scan.link.languages.java.files import JavaFiles
from drift.scan.link.languages.php.files import PhpFiles
from drift.scan.link.languages.python.files import PythonFiles
from drift.scan.link.languages.ruby.files import RubyFiles
from drift.scan.link.languages.rust.files import RustFiles
from drift.scan.link.languages.script.file_facts import JavaScriptFiles, TypeScriptFiles

_PLAIN: Final = FileSemantics()
_FILES: Final[Mapping[str, FileSemantics]] = {
    "cpp": CppFiles(),
    "csharp": CSharpFiles(),
    "go": GoFiles(),
    "java": JavaFiles(),
    "javascript": JavaScriptFiles(),
    "php": PhpFiles(),
    "python": PythonFiles(),
    "ruby": RubyFiles(),
    "rust": RustFiles(),
    "typescript": TypeScriptFiles(),
    "wpf": XamlFiles(),
}


def all_file_semantics() -> Iterable[FileSemantics]:
    """What every language means in a file."""
    return _FILES.values()


def file_semantics_of(language: str) -> FileSemantics:
    """What a language means in a file; of one that says nothing of it, what most mean."""
    return _FILES.get(language, _PLAIN)
