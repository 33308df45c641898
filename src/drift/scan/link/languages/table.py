"""What each language means in linking: the one door to what the core does not know."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Final

from drift.scan.link.semantics import Semantics

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

# By module and name, loaded when the first file of the language comes: all ten are a third of what linking loads,
# and most projects have two of them.
_SEMANTICS: Final = {
    "cpp": ("cpp", "CppSemantics"),
    "csharp": ("csharp", "CSharpSemantics"),
    "go": ("go", "GoSemantics"),
    "java": ("java", "JavaSemantics"),
    "javascript": ("script", "javascript_semantics"),
    "php": ("php", "PhpSemantics"),
    "python": ("python", "PythonSemantics"),
    "ruby": ("ruby", "RubySemantics"),
    "rust": ("rust", "RustSemantics"),
    "typescript": ("script", "typescript_semantics"),
    "wpf": ("csharp", "xaml_semantics"),
}


def semantics_for(language: str, sources: WatchedSources) -> Semantics:
    """What a language means in a project; of one that nothing is known of, that imports lead nowhere known."""
    place = _SEMANTICS.get(language)
    if place is None:
        return Semantics(language)
    folder, name = place
    make: Callable[[WatchedSources], Semantics] = getattr(
        import_module(f"drift.scan.link.languages.{folder}.semantics"), name
    )
    return make(sources)
