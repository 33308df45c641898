"""Routes that are registered by their handlers alone, whose attributes say method and path.

    #[utoipa::path(get, path = "/users")]
    async fn list() {}                                  // in one file
    OpenApiRouter::new().routes(routes!(list, add))     // in another

An attribute alone makes no route: others read it for documentation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from drift.languages.facts import Mount
from drift.languages.frameworks import EVERY_METHOD_OF_HTTP, SAID, load_frameworks

if TYPE_CHECKING:
    from drift.languages.expressions import Expression
    from drift.languages.facts import Decorator
    from drift.languages.rust.walk import RustWalk

_FRAMEWORKS: Final = load_frameworks("rust")
_LISTING: Final = _FRAMEWORKS.texts("routes", "listing_said")
_SAYING: Final = _FRAMEWORKS.names("routes", "saying")
_REGISTERING: Final = "routes"
_VERBS: Final = frozenset(method.lower() for method in EVERY_METHOD_OF_HTTP)
_PATH: Final = re.compile(r'\bpath\s{0,20}=\s{0,20}"([^"]{0,500})"')
_STRING: Final = re.compile(r'"[^"]{0,500}"')
_WORD: Final = re.compile(r"\w+")
_SEVERAL: Final = re.compile(r"\bmethod\s{0,20}\(([^()]{0,200})\)")


def note_said(rust: RustWalk, number: int, decorator: Decorator) -> None:
    """Note the method and path that an attribute says of its handler."""
    name = rust.imported.get(decorator.name, decorator.name)
    path = _PATH.search(decorator.text) if name in _SAYING else None
    verbs = _verbs(decorator.text) if path is not None else []
    if path is not None and verbs:
        route = f"{','.join(verbs)} {path[1]}"
        rust.mounts.append(Mount(number, decorator.line, SAID, route, ("symbol", number)))


def _verbs(text: str) -> list[str]:
    """The methods that stand before what else is described, or are listed as such."""
    plain = _STRING.sub('""', text.partition("(")[2])
    several = _SEVERAL.search(plain)
    words = several[1] if several else plain.partition("(")[0]
    return [word.upper() for word in _WORD.findall(words) if word in _VERBS]


def listed_handlers(rust: RustWalk, callee: tuple[Any, ...], values: list[Expression]) -> list[Expression]:
    """The handlers of `.routes(routes!(list, add))`."""
    given = values[-1] if values and callee[-1] == _REGISTERING else None
    if given is None or given[0] != "result" or not rust.calls[given[1]].text.endswith(_LISTING):
        return []
    return [handler for _, handler in rust.calls[given[1]].arguments if handler is not None]
