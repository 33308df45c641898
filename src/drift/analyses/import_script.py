"""JavaScript and TypeScript imports: relative, by alias or by package, deep or from a barrel, as others do."""

import os.path
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, NamedTuple

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.import_choice import Choice
from drift.analyses.import_forms import ScriptHand, ScriptImport, Statement, Written
from drift.analyses.import_packages import ScriptPackage, package_around
from drift.analyses.import_surroundings import Surroundings
from drift.analyses.import_votes import elect, say
from drift.analyses.source_text import read_lines
from drift.index.records import ImportRecord, SymbolRecord

_ENDING: Final = re.compile(r"(?:\.d)?\.(?:[cm]?[jt]sx?)$")
_INDEX: Final = re.compile(r"(?:^|/)index$")
_TYPES: Final = frozenset({"interface", "type"})
_COMPUTED: Final = 0.7
_STATEMENT_LINES: Final = 40

Shape = Literal["named", "default", "type", "whole"]


class Way(NamedTuple):
    """How a module is named: by a text that fits everywhere, or by the path it leads to."""

    is_relative: bool
    module: str


def write_script(around: Surroundings, choice: Choice) -> Written | str:
    """`import { name } from 'module'`."""
    symbol = choice.symbol
    if not choice.importers and "exported" not in symbol.modifiers and "default" not in symbol.modifiers:
        return f"{symbol.path}:{symbol.line} does not export it"
    users = [each for each in choice.importers if not each.is_reexport]
    elected = elect(users, _way, folder=around.folder)
    way, reason, confidence = (
        Way(is_relative=True, module=_stem(symbol.path)),
        "no file imports it yet",
        _COMPUTED,
    )
    if elected is not None:
        way, vote = elected
        reason, confidence = say(vote, "imports of it lead there"), vote.share
    if _would_be_circular(way, around):
        way, reason = Way(is_relative=True, module=_stem(symbol.path)), "its barrel would import in a circle"
    if way.is_relative and (other := _other_package(around, symbol.path)) is not None:
        module = _module_elsewhere(choice, other) or _module_offered(choice, other)
        if module is None:
            return f"{other.name} does not offer {symbol.path} to other packages"
        way, reason = Way(is_relative=False, module=module), f"{reason}; it is of the package {other.name}"
    elif way.is_relative and (alias := _alias_for(around, way.module)):
        way, reason = Way(is_relative=False, module=alias), f"{reason}; files around here use the alias"
    module = _relative(way.module, around) if way.is_relative else way.module
    hand = learn_hand(around)
    form = ScriptImport(module, _shape(symbol, users, around), hand)
    return Written(Statement(form, _bound_name(symbol, users, form)), reason, confidence)


def _other_package(around: Surroundings, path: str) -> ScriptPackage | None:
    """The package that a file is in, where the one that is to import it is in another."""
    own, other = package_around(around.root, around.path), package_around(around.root, path)
    return other if own is not None and other is not None and own.folder != other.folder else None


def _module_elsewhere(choice: Choice, package: ScriptPackage) -> str | None:
    """What other packages import the file as, where what the package offers is built from it."""
    named = (each.module for each in choice.of_file if f"{each.module}/".startswith(f"{package.name}/"))
    return next(iter(sorted(named, key=len)), None)


def _module_offered(choice: Choice, package: ScriptPackage) -> str | None:
    """What the package offers the symbol as: by its own file, else by one that exports it again."""
    inside = (path for path in choice.offered_by if path.startswith(f"{package.folder}/"))
    modules = map(package.module_of, (choice.symbol.path, *inside))
    return next((module for module in modules if module is not None), None)


def _way(each: ImportRecord) -> Way:
    if not each.module.startswith("."):
        return Way(is_relative=False, module=each.module)
    folder = each.path.rpartition("/")[0]
    return Way(is_relative=True, module=_stem(os.path.normpath(f"{folder}/{each.module}".lstrip("/"))))


def _stem(path: str) -> str:
    return _INDEX.sub("", _ENDING.sub("", path.replace(os.sep, "/")))


def _would_be_circular(way: Way, around: Surroundings) -> bool:
    """Whether the way leads to the barrel of a folder that the file itself lies in."""
    return way.is_relative and f"{around.folder}/".startswith(f"{way.module}/") and way.module != ""


def _alias_for(around: Surroundings, stem: str) -> str | None:
    """The aliased name of a module, where imports that leave their folder are aliased around here."""
    if stem.rpartition("/")[0] == around.folder:
        return None
    leaving = [
        each
        for each in (*around.own, *around.near)
        if each.target_file_id is not None and not each.module.startswith("./")
    ]
    vote = elect(leaving, lambda each: not each.module.startswith("."), folder=around.folder)
    if vote is None or not vote[0]:
        return None
    return next((alias for each in leaving if (alias := _translate(each, stem))), None)


def _translate(example: ImportRecord, stem: str) -> str | None:
    """The stem under the alias of another import, when `@/a/b` standing for `src/a/b` shows what `@` is."""
    if example.module.startswith(".") or "/" not in example.module:
        return None
    prefix, _, rest = example.module.partition("/")
    # An alias is a short mark or name in front of a path that the stem has, too; a package is not.
    folder = stem.partition(f"/{rest.partition('/')[0]}/")[0] if rest else ""
    marker = f"{folder}/" if folder and folder != stem else ""
    if prefix not in {"@", "~", "#", "$", "src", "app"} or not marker:
        return None
    return f"{prefix}/{stem[len(marker) :]}"


def _relative(stem: str, around: Surroundings) -> str:
    path = os.path.relpath(stem or ".", around.folder or ".").replace(os.sep, "/")
    module = path if path.startswith(".") else f"./{path}"
    ending = _written_ending(around)
    return f"{module}{ending}" if ending and not module.endswith(".") else module


def _written_ending(around: Surroundings) -> str:
    """The file ending that relative imports around here are written with, mostly none."""

    def ending_of(each: ImportRecord) -> str | None:
        if not each.module.startswith("."):
            return None
        found = _ENDING.search(each.module)
        return found.group() if found else ""

    vote = elect((*around.own, *around.near), ending_of, folder=around.folder)
    return vote[0] if vote else ""


def _shape(symbol: SymbolRecord, users: Iterable[ImportRecord], around: Surroundings) -> Shape:
    vote = elect(users, lambda each: "default" if each.name == "default" else "named", folder=around.folder)
    is_default = vote[0] == "default" if vote else "default" in symbol.modifiers
    if is_default:
        return "default"
    if symbol.kind not in _TYPES:
        return "named"
    marked = elect((*users, *around.own, *around.near), lambda each: each.is_type_only or None, folder="")
    return "type" if marked else "named"


def _bound_name(symbol: SymbolRecord, users: Iterable[ImportRecord], form: ScriptImport) -> str:
    """The name a default export is given, as most give it."""
    if form.shape != "default":
        return symbol.name
    vote = elect(users, lambda each: each.alias, folder="")
    if vote:
        return vote[0]
    return symbol.name if symbol.name != "default" else _name_after_file(symbol)


def _name_after_file(symbol: SymbolRecord) -> str:
    """A name for an export that has none, where `default` itself would be no name: that of its file."""
    stem = _stem(symbol.path)
    words = re.findall(r"[A-Za-z0-9$]+", stem.rpartition("/")[2]) or ["module"]
    name = "".join(word[:1].upper() + word[1:] for word in words)
    if symbol.kind not in CLASS_KINDS:
        name = name[:1].lower() + name[1:]
    return f"_{name}" if name[0].isdigit() else name


_TYPED: Final = frozenset({"ts", "tsx", "mts"})
"""Endings of files that import whatever scripts beside them do."""


def learn_hand(around: Surroundings) -> ScriptHand:
    """Quotes, semicolons and `require` as the file itself or its nearest neighbour has them."""
    samples = (*around.own, *around.near)[:5]
    texts = [text for each in samples if (text := _statement(around.root, each))]
    ending = around.path.rpartition(".")[2]
    if not texts:
        return ScriptHand(is_require=ending == "cjs")
    text = texts[0]
    quote = '"' if f'"{samples[0].module}"' in text or '"' in text else "'"
    return ScriptHand(
        quote,
        ";" if text.rstrip().endswith(";") else "",
        is_require="require(" in text and ending not in _TYPED,
    )


def _statement(root: Path, each: ImportRecord) -> str | None:
    """The lines of an import up to the one that names its module."""
    lines = read_lines(root, each.path, first=each.line, count=_STATEMENT_LINES)
    for count, line in enumerate(lines, 1):
        if each.module in line:
            return "\n".join(lines[:count])
    return None
