"""Which rules each language follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from drift.scan.link.rules.cpp import CppRules
from drift.scan.link.rules.csharp import CSharpRules
from drift.scan.link.rules.golang import GoRules
from drift.scan.link.rules.java import JavaRules
from drift.scan.link.rules.php import PhpRules
from drift.scan.link.rules.plain import PlainRules
from drift.scan.link.rules.protocol import Rules
from drift.scan.link.rules.python import PythonRules
from drift.scan.link.rules.rust import RustRules
from drift.scan.link.rules.script import javascript_rules, typescript_rules

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_RULES: Final[dict[str, Callable[[WatchedSources], Rules]]] = {
    "cpp": CppRules,
    "csharp": CSharpRules,
    "go": GoRules,
    "java": JavaRules,
    "javascript": javascript_rules,
    "php": PhpRules,
    "python": PythonRules,
    "rust": RustRules,
    "typescript": typescript_rules,
}


def rules_for(language: str, sources: WatchedSources) -> Rules:
    """The rules of a language in a project; of one without any, that imports lead nowhere known."""
    make = _RULES.get(language)
    return make(sources) if make is not None else PlainRules(language)
