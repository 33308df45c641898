"""Names that files see without an import: what templates call classes by, and what Nuxt imports by itself.

Nuxt lends the exports of some folders to every file below its configuration, and components by their paths. Scripts
that are no modules share what they declare at their top: a page loads one after the other into the same scope.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.languages import FileFacts, Symbol
from drift.languages.typescript.angular_markup import MARKS
from drift.languages.typescript.declarations import GLOBAL
from drift.languages.typescript.modules import EXPORTS
from drift.scan.link.file_semantics import Piece
from drift.scan.link.keys import space_key
from drift.scan.link.languages.script.names import GLOBALS

_LANGUAGE: Final = "typescript"  # of both kinds of scripts
_LENDING: Final = frozenset({"composables", "utils", "stores", "shared"})
_COMPONENTS: Final = "components"
COMPONENT: Final = ".vue"
_SCRIPT: Final = ".js"
_DECLARATIONS: Final = (".d.ts", ".d.mts", ".d.cts")
_INLINE: Final = "import("  # a module that a type names in passing makes no module of a file


def is_markup_name(name: str) -> bool:
    """Whether a name is one that templates alone use."""
    return name.startswith(MARKS)


def markup_key(name: str) -> int:
    """A name that templates use, with its mark."""
    return space_key(_LANGUAGE, "\0markup", name)


def lent_key(name: str) -> int:
    """A name that Nuxt may lend to files."""
    return space_key(_LANGUAGE, "\0lent", name)


def global_key(name: str) -> int:
    """A name that a script which is no module has at its top."""
    return space_key(_LANGUAGE, "\0global", name)


def ambient_key(name: str) -> int:
    """A name that declarations give to every file."""
    return space_key(_LANGUAGE, "\0ambient", name)


def plain_script_key(path: str) -> int:
    """That a file is a script and no module."""
    return space_key(_LANGUAGE, "\0script", path)


def _is_plain_script(path: str, facts: FileFacts) -> bool:
    """Whether a file neither imports nor exports, so that its names are those of the page."""
    if facts.imports or not path.endswith(_SCRIPT) or any(one.receiver == EXPORTS for one in facts.stores):
        return False
    return not any("exported" in symbol.modifiers for symbol in facts.symbols)


def _names_of_page(path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
    if not _is_plain_script(path, facts):
        return
    yield plain_script_key(path), path
    for number, symbol in enumerate(facts.symbols[1:], 1):
        if not symbol.parent and symbol.name.isidentifier():
            yield global_key(symbol.name), (path, identities[number])


def _ambient_names(path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
    """What a file of declarations says that is no module, and what stands under `declare global`."""
    is_whole = path.endswith(_DECLARATIONS) and not (
        any(not (one.alias or "").startswith(_INLINE) for one in facts.imports)
        or any(one.receiver == EXPORTS for one in facts.stores)
        or any("exported" in symbol.modifiers for symbol in facts.symbols)
    )
    for number, symbol in enumerate(facts.symbols[1:], 1):
        is_seen = not symbol.parent and (is_whole or GLOBAL in symbol.modifiers)
        if is_seen and symbol.name.isidentifier() and symbol.name not in GLOBALS:
            yield ambient_key(symbol.name), (path, identities[number])


def shared_names(path: str, facts: FileFacts, identities: list[str]) -> Iterator[Piece]:
    """The names of a file that others may see without an import."""
    for binding in facts.bindings:
        if not binding.scope and is_markup_name(binding.name):
            yield markup_key(binding.name), path
    yield from _names_of_page(path, facts, identities)
    yield from _ambient_names(path, facts, identities)
    folders = path.split("/")[:-1]
    if not _LENDING.isdisjoint(folders):
        for number, symbol in enumerate(facts.symbols[1:], 1):
            if not symbol.parent and "exported" in symbol.modifiers:
                yield lent_key(_lent_name(path, symbol)), (path, identities[number])
    if path.endswith(COMPONENT) and _COMPONENTS in folders:
        for name in component_names(path):
            yield lent_key(name), path


def component_names(path: str) -> tuple[str, ...]:
    """What a component is called by its path below `components`: `base/CartItem.vue` is BaseCartItem."""
    parts = path.removesuffix(COMPONENT).split("/")
    below = parts[parts.index(_COMPONENTS) + 1 :]
    words = [_capitalised(part) for part in below if part != "index"]
    whole = ""
    for word in words:
        # A folder's name that the file's own begins with is not said twice.
        whole = word if whole and word.startswith(whole) else whole + word
    return tuple(dict.fromkeys((whole, words[-1]))) if words else ()


def _lent_name(path: str, symbol: Symbol) -> str:
    if "default" not in symbol.modifiers:
        return symbol.name
    stem = path.rpartition("/")[2].partition(".")[0]
    words = stem.replace("_", "-").split("-")
    return words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])


def _capitalised(part: str) -> str:
    words = part.partition(".")[0].replace("_", "-").split("-")
    return "".join(word[:1].upper() + word[1:] for word in words)
