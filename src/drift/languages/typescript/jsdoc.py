"""Types that only a JavaScript file's doc comments tell: of parameters, of variables and fields, of results.

Comments are not checked by anything and often name what exists nowhere, so a type is believed only where its name is
one that the file declares or imports.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression
from drift.languages.facts import Import
from drift.languages.kinds import FUNCTION_KINDS
from drift.languages.typescript.types import dotted, either

if TYPE_CHECKING:
    from collections.abc import Callable

    from drift.languages.facts import Parameter, Symbol
    from drift.languages.typescript.walk import Walk

_PARAMETER: Final = re.compile(r"@(?:param|arg|argument)\s*\{([^{}\n]{1,200})\}\s*\[?([\w$]+)\]?(?![\w$.\[])")
_RESULT: Final = re.compile(r"@returns?\s*\{([^{}\n]{1,200})\}")
_VARIABLE: Final = re.compile(r"@type\s*\{([^{}\n]{1,200})\}")
_IMPORTED: Final = re.compile(
    rb"""@typedef\s*\{\s*import\(\s*["']([^"'\n]{1,200})["']\s*\)(?:\.([\w$]+))?\s*\}\s*([\w$]+)"""
)
_PATH: Final = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*){0,4}")
_HOLDING: Final = re.compile(r"(Array|Set|Promise|Readonly|Partial)\.?<(.+)>")
_LISTS: Final = frozenset({"Array", "Set"})
_MOST_LEVELS: Final = 3
_VALUES: Final = frozenset({"constant", "field", "variable"})


def note_typedef_imports(walk: Walk) -> None:
    """`@typedef {import("./user").User} User` brings the name of a type into the file."""
    if b"@typedef" not in walk.source:
        return
    taken = {found.alias for found in walk.imports} | set(walk.symbol_by_name)
    for match in _IMPORTED.finditer(walk.source):
        module, name, alias = (part.decode("utf-8", "replace") if part else None for part in match.groups())
        if module is not None and alias not in taken:
            taken.add(alias)
            line = walk.text.line_of(match.start())
            walk.imports.append(Import(0, line, module, name, alias, is_type_only=True))


def read_documented_types(symbol: Symbol, is_known: Callable[[str], bool]) -> Symbol:
    """The symbol with the types that its doc comment tells and its code does not."""
    doc = symbol.doc
    if "{" not in doc:
        return symbol
    if symbol.kind in FUNCTION_KINDS:
        told = {match[2]: match[1] for match in _PARAMETER.finditer(doc)}
        parameters = tuple(_typed(one, told.get(one.name), is_known) for one in symbol.parameters)
        result = _RESULT.search(doc) if symbol.return_type is None else None
        returned = symbol.return_type if result is None else _read(result[1], is_known)
        if parameters == symbol.parameters and returned == symbol.return_type:
            return symbol
        return symbol._replace(parameters=parameters, return_type=returned)
    if symbol.kind in _VALUES and symbol.value_type is None and (match := _VARIABLE.search(doc)):
        return symbol._replace(value_type=_read(match[1], is_known))
    return symbol


def _typed(parameter: Parameter, text: str | None, is_known: Callable[[str], bool]) -> Parameter:
    if text is None or parameter.type is not None or parameter.kind != "plain":
        return parameter
    return parameter._replace(type=_read(text, is_known))


def _read(text: str, is_known: Callable[[str], bool], levels: int = _MOST_LEVELS) -> Expression:
    """The type a text names, as for an annotation; of a union the parts that are known."""
    text = text.strip().lstrip("?!(").rstrip("?!=)").strip()
    if not levels or not text:
        return None
    if (holding := _HOLDING.fullmatch(text)) is not None:
        held = _read(holding[2], is_known, levels - 1)
        return ("list", held) if holding[1] in _LISTS and held is not None else held
    if "|" in text:
        return either(_read(part, is_known, levels - 1) for part in text.split("|"))
    if text.endswith("[]"):
        held = _read(text[:-2], is_known, levels - 1)
        return None if held is None else ("list", held)
    names = text.split(".")
    return dotted(names) if _PATH.fullmatch(text) and is_known(names[0]) else None
