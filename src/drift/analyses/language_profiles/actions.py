"""What each language can be asked, by action."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from drift.analyses.language_profiles.abstractions import find_interfaces, find_traits
from drift.analyses.language_profiles.accesses import find_accesses
from drift.analyses.language_profiles.asynchrony import find_async
from drift.analyses.language_profiles.components import find_components, find_hook_uses
from drift.analyses.language_profiles.cpp_memory import find_memory
from drift.analyses.language_profiles.cpp_types import find_classes, find_templates, find_virtual
from drift.analyses.language_profiles.errors import find_errors
from drift.analyses.language_profiles.goroutines import find_goroutines
from drift.analyses.language_profiles.marks import find_marks
from drift.analyses.language_profiles.routes import find_routes
from drift.analyses.language_profiles.rows import LanguageData
from drift.analyses.language_profiles.sources import NO_ROWS, Asked, Found, Sources
from drift.analyses.language_profiles.status import find_status
from drift.analyses.language_profiles.unsafe_code import find_unsafe
from drift.analyses.language_profiles.wpf_bindings import find_bindings, find_commands, find_view_models
from drift.analyses.language_profiles.wpf_contexts import find_contexts
from drift.index import IndexReader

Find = Callable[[Sources], Found]

_SHARED: Final[Mapping[str, Find]] = {
    "status": find_status,
    "routes": find_routes,
    "errors": find_errors,
    "data-access": find_accesses,
}
_ACTIONS: Final[Mapping[str, Mapping[str, Find]]] = {
    "typescript": {
        **_SHARED,
        "components": find_components,
        "hooks": find_hook_uses,
        "decorators": partial(find_marks, word="decorator"),
    },
    "python": {**_SHARED, "decorators": partial(find_marks, word="decorator"), "async": find_async},
    "java": {**_SHARED, "annotations": partial(find_marks, word="annotation")},
    "php": {**_SHARED, "traits": find_traits},
    "go": {**_SHARED, "interfaces": find_interfaces, "goroutines": find_goroutines},
    "rust": {**_SHARED, "traits": find_traits, "async": find_async, "unsafe": find_unsafe},
    "cpp": {
        "status": find_status,
        "errors": find_errors,
        "classes": find_classes,
        "memory": find_memory,
        "templates": find_templates,
        "virtual": find_virtual,
    },
    "wpf": {
        "status": find_status,
        "bindings": find_bindings,
        "mvvm": find_view_models,
        "datacontext": find_contexts,
        "commands": find_commands,
    },
    "csharp": {**_SHARED, "attributes": partial(find_marks, word="attribute"), "async": find_async},
}


def actions_of(language: str) -> tuple[str, ...]:
    """What can be asked of a language."""
    return tuple(_ACTIONS[language])


def find_in_language(reader: IndexReader, root: Path, *, language: str, action: str, asked: Asked) -> Found:
    """What an action finds; that the project has no file of the language is an answer, too."""
    sources = Sources(reader, root, language=language, asked=asked)
    if sources.files:
        return _ACTIONS[language][action](sources)
    title = sources.profile.title
    if not sources.is_there:
        reason = f"the project has no {title} that people write"
    else:
        where = f" below {asked.path}" if asked.path else ""
        reason = f"there is {title} in the project, but none{where}"
        reason += "" if asked.with_tests else " outside tests (includeTests)"
    return Found(
        f"{reason[0].upper()}{reason[1:]}", NO_ROWS, lambda _shown: LanguageData(reason=reason), (reason,)
    )
