"""What the arguments of look-up tools mean in the index, or an error that says how to choose."""

import re
from collections.abc import Collection, Sequence

from drift.analyses.definitions import define_all
from drift.analyses.lookup import find_file, find_symbols, path_of_place, paths_ending_in
from drift.index import IndexReader
from drift.index.records import FileRecord, SymbolRecord
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names

_MOST_CANDIDATES = 10
# A folder and an ending, or the ending of a document: names of symbols have dots, too.
_PATH_LIKE = re.compile(r"[^\s:/]*+/[^\s:]*\.\w{1,5}|[^\s:/]+\.(?:md|rst|txt|json|ya?ml|toml|lock|html|css)")


def require_symbols(
    reader: IndexReader, wanted: str, *, file: str | None = None, kinds: Collection[str] | None = None
) -> tuple[SymbolRecord, ...]:
    """The symbols that a text means; an error with similar names where there is none."""
    found = find_symbols(reader, wanted, file=file, kinds=kinds)
    if found.symbols:
        return found.symbols
    path = path_of_place(wanted)
    if path is not None:
        record = require_file(reader, path)
        raise invalid_target(f"{record.path} has no line {wanted.strip()[len(path) + 1 :]}.")
    others = find_symbols(reader, wanted, file=file).symbols if kinds is not None else ()
    if others:
        raise other_kind(wanted, others[0], kinds or ())
    _refuse_path(reader, wanted)
    where = f" in {file}" if file else ""
    # Of a project without code, the spelling of a name is not what is wrong.
    nothing = "" if reader.files.page(limit=1) else " There is no source file here in a language Drift reads."
    raise DriftError(
        ErrorCode.SYMBOL_NOT_FOUND,
        f"The index has no symbol {wanted!r}{where}.{nothing}",
        Recovery(
            hint="Check the spelling, or search by words with drift_context. A new symbol is seen once its file is saved.",
            similar=found.similar,
        ),
    )


def invalid_target(message: str, *alternative_tools: str) -> DriftError:
    """That a text cannot mean a symbol, and the tools that take what it does mean."""
    hint = "Name a symbol, such as a function, Class.method or path:line."
    return DriftError(
        ErrorCode.INVALID_ARGUMENT, message, Recovery(hint=hint, alternative_tools=alternative_tools)
    )


def is_folder(reader: IndexReader, path: str) -> bool:
    """Whether files of the index stand in a folder of this path."""
    folder = path.strip().removeprefix("./").rstrip("/")
    return bool(folder) and any(one.path.startswith(f"{folder}/") for one in reader.files.stamps())


def _refuse_path(reader: IndexReader, wanted: str) -> None:
    """Say so where a text that means no symbol is empty or the path of a file or folder."""
    if not wanted.strip():
        raise invalid_target("The name of the symbol is empty.")
    record = find_file(reader, wanted)
    if record is not None:
        raise invalid_target(f"{record.path} is a file, and a symbol is wanted.", "drift_explain")
    if is_folder(reader, wanted):
        raise invalid_target(f"{wanted!r} is a folder, and a symbol is wanted.", "drift_files_list")
    if _PATH_LIKE.fullmatch(wanted.strip()):
        require_file(reader, wanted)


def other_kind(wanted: str, found: SymbolRecord, kinds: Collection[str]) -> DriftError:
    """That a text means something, but not of the kinds that a tool is about."""
    return DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"{wanted!r} is the {found.kind} {found.qualname} at {found.path}:{found.line}; "
        f"wanted is a {' or '.join(sorted(kinds))}.",
        Recovery(alternative_tools=("drift_explain", "drift_signature")),
    )


def require_defined(
    reader: IndexReader, wanted: str, *, file: str | None = None, kinds: Collection[str] | None = None
) -> tuple[SymbolRecord, ...]:
    """The symbols that a text means, by where their code is: a declaration stands for its definition."""
    return define_all(reader, require_symbols(reader, wanted, file=file, kinds=kinds))


def require_file(reader: IndexReader, path: str) -> FileRecord:
    """The file at a path of the project, given in full or by its end where that leaves one."""
    found = find_file(reader, path)
    if found is not None:
        return found
    ending = paths_ending_in(reader, path)
    if ending:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"{path!r} means {len(ending)} files.",
            Recovery(hint="Give more of its path.", similar=tuple(ending[:_MOST_CANDIDATES])),
        )
    raise DriftError(
        ErrorCode.FILE_NOT_FOUND,
        f"The index has no file {path!r}.",
        Recovery(
            hint="Give the path from the project's root. Documents, ignored and binary files are not in the index.",
            similar=_similar_paths(path, [one.path for one in reader.files.stamps()]),
        ),
    )


def find_file_meant(reader: IndexReader, target: str) -> FileRecord | None:
    """The file, where a target is written like one: with a folder or an ending; None where a symbol is meant."""
    if ":" in target or ("/" not in target and "." not in target):
        return reader.files.at(target)
    try:
        return require_file(reader, target)
    except DriftError as error:
        # Names of symbols have dots and slashes, too.
        is_name = "/" not in target or find_symbols(reader, target).symbols
        if error.code is not ErrorCode.FILE_NOT_FOUND or not is_name:
            raise
        return None


def _similar_paths(path: str, paths: Sequence[str]) -> tuple[str, ...]:
    """Paths whose last part is like that of the wanted one."""
    by_name = {one.rpartition("/")[2]: one for one in paths}
    return tuple(by_name[name] for name in similar_names(path.rpartition("/")[2], by_name))
