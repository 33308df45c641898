"""The import of a chosen symbol, by language."""

from collections.abc import Callable
from typing import Final

from drift.analyses.import_choice import Choice
from drift.analyses.import_compiled import (
    write_cpp,
    write_csharp,
    write_go,
    write_java,
    write_php,
    write_rust,
)
from drift.analyses.import_forms import Written
from drift.analyses.import_python import write_python
from drift.analyses.import_ruby import write_ruby
from drift.analyses.import_script import write_script
from drift.analyses.import_surroundings import Surroundings
from drift.index import IndexReader

Writer = Callable[[IndexReader, Surroundings, Choice], Written | str]

_WRITERS: Final[dict[str, Writer]] = {
    "cpp": write_cpp,
    "csharp": write_csharp,
    "go": write_go,
    "java": write_java,
    "php": write_php,
    "python": write_python,
    "ruby": write_ruby,
    "rust": lambda _reader, around, choice: write_rust(around, choice),
    "script": lambda _reader, around, choice: write_script(around, choice),
}


def write_import(reader: IndexReader, around: Surroundings, choice: Choice) -> Written | str:
    """How the file imports the symbol; a text says why it cannot."""
    writer = _WRITERS.get(around.family)
    if writer is None:
        return f"{around.family} has no imports"
    return writer(reader, around, choice)
