"""What each language means in linking: the one door to what the core does not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from drift.scan.link.languages.cpp.semantics import CppSemantics
from drift.scan.link.languages.csharp.semantics import CSharpSemantics, xaml_semantics
from drift.scan.link.languages.go.semantics import GoSemantics
from drift.scan.link.languages.java.semantics import JavaSemantics
from drift.scan.link.languages.php.semantics import PhpSemantics
from drift.scan.link.languages.python.semantics import PythonSemantics
from drift.scan.link.languages.ruby.semantics import RubySemantics
from drift.scan.link.languages.rust.semantics import RustSemantics
from drift.scan.link.languages.script.semantics import javascript_semantics, typescript_semantics
from drift.scan.link.semantics import Semantics

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_SEMANTICS: Final[dict[str, Callable[[WatchedSources], Semantics]]] = {
    "cpp": CppSemantics,
    "csharp": CSharpSemantics,
    "go": GoSemantics,
    "java": JavaSemantics,
    "javascript": javascript_semantics,
    "php": PhpSemantics,
    "python": PythonSemantics,
    "ruby": RubySemantics,
    "rust": RustSemantics,
    "typescript": typescript_semantics,
    "wpf": xaml_semantics,
}


def semantics_for(language: str, sources: WatchedSources) -> Semantics:
    """What a language means in a project; of one that nothing is known of, that imports lead nowhere known."""
    make = _SEMANTICS.get(language)
    return make(sources) if make is not None else Semantics(language)
