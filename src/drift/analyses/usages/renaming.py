"""The plan of a rename: which places change, which are left to a person, and what stands in the way.

What it does: takes every use of a symbol that is sure enough, and looks whether the new name can stand there.
Why it matters: a rename by text changes what only has the name, and one by links misses strings, pages and documents.
Example: a method with its overriders, the calls of all of them, and the string by which a test replaces it.
Known limits: names put together at run time. Nothing is written: the patch is for others to apply.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.data_access.naming import snake
from drift.analyses.file_globs import PathGlob
from drift.analyses.usages.accessors import renamed_accessor
from drift.analyses.usages.certainty import CERTAINTIES, Certainty
from drift.analyses.usages.family import TYPE_KINDS, Family, enclosing_chain
from drift.analyses.usages.keeping import find_keepers
from drift.analyses.usages.keywords import keywords_of
from drift.analyses.usages.lexing import Regions
from drift.analyses.usages.loaded_folders import loaded_folders
from drift.analyses.usages.offering import offered_evidence
from drift.analyses.usages.references import References, Use, find_references
from drift.analyses.usages.short_names import short_name
from drift.analyses.usages.shorthand import is_alone_in_braces, is_shorthand
from drift.analyses.usages.struct_keys import find_key
from drift.analyses.usages.texts import Text
from drift.analyses.usages.words import find_words
from drift.index import FileId, SymbolRecord
from drift.kernel.errors import DriftError, ErrorCode, Recovery

if TYPE_CHECKING:
    from drift.index import IndexReader

ConflictKind = Literal[
    "taken", "present", "public", "outside", "partial", "generated", "file name", "unreadable"
]

_NAME: Final = re.compile(r"[^\W\d]\w*")
_SCRIPT_NAME: Final = re.compile(r"[^\W\d$]\w*|[\w$]+")
_RUBY_NAME: Final = re.compile(r"[^\W\d]\w*[?!]?")
_MOST_PLACES: Final = 5
_SCRIPTS: Final = frozenset({"javascript", "typescript"})
_UNNAMED: Final = "default"  # what `export default class {` is called, which is a word of the language
_NAMED_FILES: Final = frozenset({"java", "php"})
"""Languages whose compiler or loader wants a type in a file of its name."""
_DATED: Final = re.compile(r"(\d{4}_\d{2}_\d{2}_\d{6}_)(\w{1,200})")
_SNAKE_FILES: Final = frozenset({"ruby"})
"""Languages whose loaders make the name of a type from that of its file: order_item.rb, 20240101_add_items.rb."""
_BY_WHOLE_NAME: Final = frozenset({"cpp", "ruby"})
"""Languages whose namespaces go on in any file: what is in one is told by its whole name."""
"""Folders of which they do so; elsewhere a file is required by its name."""


class Conflict(NamedTuple):
    """What stands in the way of the new name, or has to be looked at by a person."""

    kind: ConflictKind
    message: str
    is_blocking: bool = False


class Edit(NamedTuple):
    """A change of one place: so many bytes from an offset become the text."""

    offset: int
    length: int
    replacement: bytes


class RenamePlan(NamedTuple):
    """The uses that change and those that are left, the files that get another name, and what is in the way."""

    references: References
    new_name: str
    changed: tuple[Use, ...]
    left: tuple[Use, ...]
    moves: dict[str, str]
    conflicts: tuple[Conflict, ...]

    @property
    def is_blocked(self) -> bool:
        """Whether the project would not be right after it."""
        return any(one.is_blocking for one in self.conflicts)

    @property
    def obstacle(self) -> str:
        """What blocks it, in words."""
        kinds = {one.kind for one in self.conflicts if one.is_blocking}
        return "the name is taken" if "taken" in kinds else "what calls it keeps the old name"


def why_no_name(name: str, language: str | None) -> str | None:
    """Why nothing can be called so in a language; None for a good name."""
    if name in keywords_of(language):
        return f"{name!r} is a keyword of {language or 'most languages'}"
    pattern = _SCRIPT_NAME if language in _SCRIPTS else _RUBY_NAME if language == "ruby" else _NAME
    if not pattern.fullmatch(name) or name[0].isdigit():
        return f"{name!r} is no identifier"
    return None


def check_name(new_name: str, symbol: SymbolRecord) -> None:
    """Refuse what the symbol cannot be called, or is called already."""
    problem = why_no_name(new_name, symbol.language)
    if new_name == symbol.name:
        problem = f"it is called {symbol.name!r} already"
    if problem is not None:
        hint = "Give the last part of the name alone." if "." in new_name else "Choose another name."
        raise DriftError(ErrorCode.INVALID_ARGUMENT, f"newName: {problem}", Recovery(hint=hint))


def renamed_symbol(
    reader: "IndexReader", symbol: SymbolRecord, warnings: Sequence[str]
) -> tuple[SymbolRecord, tuple[str, ...]]:
    """What a new name is for: of a constructor that is named like its class, the class."""
    if symbol.kind != "constructor" or symbol.parent_id is None:
        return symbol, tuple(warnings)
    owner = reader.symbols.get(symbol.parent_id)
    if owner is None or owner.name != symbol.name:
        return symbol, tuple(warnings)
    told = (
        f"a constructor has the name of its class: this renames {owner.qualname} at {owner.path}:{owner.line}"
    )
    return owner, (*warnings, told)


def plan_rename(
    reader: "IndexReader",
    root: Path,
    symbol: SymbolRecord,
    new_name: str,
    *,
    certainty: Certainty = "likely",
    path: str | None = None,
) -> RenamePlan:
    """What a rename of the symbol changes, at places that are at least so sure; with a pattern only in files that fit."""
    glob = PathGlob(path) if path else None
    found = find_references(reader, root, symbol)
    sure = CERTAINTIES[: CERTAINTIES.index(certainty) + 1]
    changed = tuple(
        use
        for use in found.uses
        if use.certainty in sure and use.offset is not None and (glob is None or glob.matches(use.path))
    )
    is_unnamed = symbol.name == _UNNAMED and symbol.language in _SCRIPTS and "." not in symbol.qualname
    if is_unnamed or not any(use.kind == "declaration" and use.offset is not None for use in found.uses):
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"{symbol.name!r} at {symbol.path}:{symbol.line} has no name in the code that could be changed.",
            Recovery(
                hint="Files that import it name it themselves: rename it there, or give it a name first."
                if is_unnamed
                else "Rename the variable, parameter or key that holds it."
            ),
        )
    left = tuple(use for use in found.uses if use.certainty not in sure)
    moves = _moves(root, found.family, new_name, changed)
    conflicts = (
        *_taken(reader, found.family, new_name),
        *_present(reader, found, changed, new_name),
        *_standing(reader, root, found.family, changed),
        *(
            Conflict("file name", f"{old} becomes {new}: its type has the file's name")
            for old, new in moves.items()
        ),
    )
    return RenamePlan(found, new_name, changed, left, moves, conflicts)


def edits_of(plan: RenamePlan, text: Text, *, keeps_names: bool = True) -> list[Edit]:
    """The changes of one text; a short form in an object keeps the name that is not renamed, unless told otherwise."""
    name = plan.references.family.symbol.name.encode()
    new = plan.new_name.encode()
    edits = []
    for use in plan.changed:
        if use.path != text.path or use.offset is None:
            continue
        if use.written:
            whole = _renamed_part(use.written, plan)
            edits.append(Edit(use.offset, len(use.written.encode()), whole.encode()))
            continue
        end = use.offset + len(name)
        replacement = new
        if keeps_names and text.language in _SCRIPTS and use.kind in {"value", "type", "call"}:
            # One word for two names: only one of them is renamed.
            if plan.references.family.is_member and is_alone_in_braces(text.content, use.offset, end):
                replacement = new + b": " + name
            elif not plan.references.family.is_member and is_shorthand(text.content, use.offset, end):
                replacement = name + b": " + new
        elif keeps_names and plan.references.family.is_member and _is_key_alone(text, use.offset, end):
            replacement = new + b": " + name
        edits.append(Edit(use.offset, len(name), replacement))
    return edits


def _is_key_alone(text: Text, start: int, end: int) -> bool:
    """Whether a word is both a field and a variable: `Order { total }`."""
    key = find_key(text.content, start, end) if text.language == "rust" else None
    return key is not None and key.is_shorthand


def _renamed_part(written: str, plan: RenamePlan) -> str:
    """What stands for the new name where another form of the old one is written: an accessor, a name without its end."""
    symbol = plan.references.family.symbol
    if symbol.kind in TYPE_KINDS:
        return short_name(symbol, plan.new_name) or plan.new_name
    return renamed_accessor(written, symbol, plan.new_name)


def _moves(root: Path, family: Family, new_name: str, changed: Collection[Use]) -> dict[str, str]:
    symbol = family.symbol
    path = PurePosixPath(symbol.path)
    if symbol.kind in TYPE_KINDS and symbol.language in _SNAKE_FILES:
        places = sorted({use.path for use in changed} | {one.path for one in family.same})
        homes = loaded_folders(root, places)
        moved = {
            each: _moved(PurePosixPath(each), homes[each], snake(symbol.name), snake(new_name))
            for each in places
        }
        declared = {one.path for one in family.same}
        # The files of its name declare it; all that stand in the folder of its name are inside of it.
        return {
            each: str(there)
            for each, there in moved.items()
            if str(there) != each and (each in declared or there.parent != PurePosixPath(each).parent)
        }
    if symbol.language not in _NAMED_FILES or symbol.kind not in TYPE_KINDS or "." in symbol.qualname:
        return {}
    stem = new_name if path.stem == symbol.name else _dated_stem(path.stem, symbol, new_name)
    return {symbol.path: str(path.with_stem(stem))} if stem is not None else {}


def _dated_stem(stem: str, symbol: SymbolRecord, new_name: str) -> str | None:
    """The name of a migration's file, from which Laravel makes that of the class: `2024_01_31_120000_add_lines` has AddLines."""
    dated = _DATED.fullmatch(stem) if symbol.language == "php" else None
    new = snake(new_name)
    is_made = dated is not None and (_studly(dated[2]), _studly(new)) == (symbol.name, new_name)
    return f"{dated[1]}{new}" if dated is not None and is_made else None


def _studly(text: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in text.split("_"))


def _moved(path: PurePosixPath, home: int | None, old: str, new: str) -> PurePosixPath:
    """Where a loader that makes names of types from those of files and folders looks for it afterwards."""
    if home is None:
        return path
    folders = [new if number >= home and one == old else one for number, one in enumerate(path.parts[:-1])]
    head, _, ending = path.name.partition(".")
    is_named_so = head == old or (head.endswith(f"_{old}") and head.removesuffix(f"_{old}").isdigit())
    name = f"{head.removesuffix(old)}{new}.{ending}" if is_named_so else path.name
    return PurePosixPath(*folders, name)


def _taken(reader: "IndexReader", family: Family, new_name: str) -> Iterable[Conflict]:
    """Symbols that have the new name already where this one would have it."""
    members = (*family.same, *family.related)
    scopes = {one.parent_id for one in members} | set(family.owners)
    packages = {_package(reader, one) for one in members if not family.is_member} - {None}
    for one in reader.symbols.named(new_name):
        if one.kind == "module":
            continue
        is_beside = one.parent_id in scopes
        is_in_package = (
            not family.is_member
            and one.kind in TYPE_KINDS
            and one.language == family.symbol.language
            and _package(reader, one) in packages
        )
        is_in_namespace = (
            one.language == family.symbol.language in _BY_WHOLE_NAME
            and one.kind in TYPE_KINDS
            and one.qualname.rpartition(".")[0] == family.symbol.qualname.rpartition(".")[0]
            and not family.is_member
        )
        if is_beside or is_in_package or is_in_namespace:
            where = f"{one.path}:{one.line}"
            yield Conflict(
                "taken", f"{one.kind} {one.qualname} at {where} has the name already", is_blocking=True
            )


def _package(reader: "IndexReader", symbol: SymbolRecord) -> str | None:
    record = reader.files.at(symbol.path)
    return record.package if record else None


def _present(
    reader: "IndexReader", found: References, changed: Collection[Use], new_name: str
) -> Iterable[Conflict]:
    """Where the new name stands already in the code that changes: it may hide the renamed one, or be hidden by it."""
    texts = [text for path in sorted({use.path for use in changed}) if (text := found.texts.read(path))]
    places: list[str] = []
    hidden: list[str] = []
    for worded in find_words((text for text in texts if text.kind == "code"), new_name):
        path, file_id = worded.text.path, worded.text.file_id
        symbols = reader.symbols.of_file(file_id) if file_id is not None else []
        around = [
            {one.id for one in enclosing_chain(symbols, use.offset or 0) if one.kind in _BODIES}
            for use in changed
            if use.path == path
        ]
        regions = Regions(worded.text.content, worded.text.language)
        for word in worded.words:
            if regions.at(word.offset) is not None:
                continue
            own = {one.id for one in enclosing_chain(symbols, word.offset) if one.kind in _BODIES}
            (hidden if any(own & one for one in around) else places).append(f"{path}:{word.line}")
    if hidden:
        yield Conflict("present", f"{new_name} stands beside changed places, see {_some(hidden)}")
    if places:
        yield Conflict("present", f"{new_name} stands elsewhere in changed files: {_some(places)}")


_BODIES: Final = frozenset({"function", "method", "constructor", "property"})


def _standing(
    reader: "IndexReader", root: Path, family: Family, changed: Collection[Use]
) -> Iterable[Conflict]:
    """What the symbol and its files are to others."""
    (public,) = offered_evidence(reader, root, (family.symbol,))
    if public:
        yield Conflict("public", f"code outside the project may use it: {'; '.join(public)}")
    for keeper in find_keepers(reader, root, family):
        yield Conflict("outside", keeper.message, is_blocking=keeper.is_certain)
    files: dict[FileId, str] = {use.file_id: use.path for use in changed if use.file_id is not None}
    records = [record for file in files if (record := reader.files.get(file))]
    partial = [one.path for one in records if one.status in {"partial", "failed"}]
    if partial:
        yield Conflict("partial", f"files with syntax errors, where uses may be missing: {_some(partial)}")
    written = [one.path for one in records if one.role in {"generated", "vendored"}]
    if written:
        yield Conflict("generated", f"files that are written by programs or by others: {_some(written)}")


def _some(places: Iterable[str]) -> str:
    shown = list(dict.fromkeys(places))
    more = f" and {len(shown) - _MOST_PLACES} more" if len(shown) > _MOST_PLACES else ""
    return f"{', '.join(shown[:_MOST_PLACES])}{more}"
