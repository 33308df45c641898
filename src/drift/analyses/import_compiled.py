"""Imports of languages whose files say where they belong: Java, Go, Rust, PHP, C#, C and C++."""

import posixpath
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from drift.analyses.import_choice import Choice
from drift.analyses.import_forms import PathImport, PlainImport, RustImport, Statement, Written
from drift.analyses.import_surroundings import Surroundings
from drift.analyses.import_votes import elect, say
from drift.index import IndexReader
from drift.index.ids import file_of_symbol
from drift.index.listing_queries import PathFilter
from drift.index.path_text import text_to_path
from drift.index.records import ImportRecord, SymbolRecord
from drift.kernel.errors import DriftError
from drift.kernel.reading import read_text
from drift.manifests.go import read_go_module
from drift.manifests.php import read_autoload
from drift.manifests.rust import read_crate

_COMPUTED: Final = 0.8
_UNLOADED: Final = 0.5
_MOST_PACKAGES: Final = 80  # that are gone through for a circle
_HEADERS: Final = (".h", ".hpp", ".hh", ".hxx", ".inl", ".ipp")
_INCLUDE_ROOTS: Final = ("include/", "src/", "inc/")
_MOST_MANIFEST_BYTES: Final = 1_000_000


def write_java(reader: IndexReader, around: Surroundings, choice: Choice) -> Written | str:
    """`import a.b.C;`."""
    package, here = _package(reader, choice), _package_here(reader, around)
    name = choice.symbol.qualname
    if package is None:
        return f"{choice.symbol.path} declares no package, so it cannot be imported"
    if package == here:
        return Written(None, f"same package {package}", 1.0)
    if choice.symbol.visibility in {"package", "private"}:
        return f"it is visible in {package} only"
    starred = next((one for one in around.own if one.module == package and one.name == "*"), None)
    if starred is not None:
        return Written(None, f"covered by {package}.* on line {starred.line}", 1.0)
    return Written(Statement(PathImport(f"import {package}."), name), f"declared in package {package}", 1.0)


def write_php(reader: IndexReader, around: Surroundings, choice: Choice) -> Written | str:
    """A `use` of a class, or `use function` and `use const`."""
    namespace, here = _package(reader, choice) or "", _package_here(reader, around) or ""
    symbol = choice.symbol
    name = symbol.qualname.replace(".", "\\")
    # Files with several namespaces carry them in the qualified name.
    whole = name if not namespace or name.startswith(f"{namespace}\\") else f"{namespace}\\{name}"
    if whole.rpartition("\\")[0] == here:
        if not namespace and (unloaded := _not_loaded(around, symbol.path)):
            return Written(None, f"same namespace (global); {unloaded}", _UNLOADED)
        return Written(None, f"same namespace {here or '(global)'}", 1.0)
    unloaded = _not_mapped(around, symbol.path, f"{namespace}\\")
    word = {"function": "use function ", "constant": "use const "}.get(symbol.kind, "use ")
    reason = f"declared in namespace {namespace or '(global)'}"
    statement = Statement(PathImport(word), whole)
    return (
        Written(statement, f"{reason}; {unloaded}", _UNLOADED)
        if unloaded
        else Written(statement, reason, 1.0)
    )


def _not_loaded(around: Surroundings, path: str) -> str | None:
    """What to say where Composer does not find a class that has no namespace."""
    found = _manifest_value(around, posixpath.dirname(path), "composer.json", _loaded_places)
    if found is None:
        return None
    home, places = found
    inner = path[len(home) :].strip("/")
    is_loaded = any(f"{inner}/".startswith(f"{each.strip('./')}/".lstrip("/")) for each in places.split("\n"))
    return None if is_loaded else "Composer does not load it: require its file, or let the framework do so"


def _not_mapped(around: Surroundings, path: str, namespace: str) -> str | None:
    """What to say where no prefix and no folder of composer.json leads to a class of a namespace."""
    found = _manifest_value(
        around, posixpath.dirname(path), "composer.json", lambda text: "\n".join(read_autoload(text).prefixes)
    )
    if found is None or any(namespace.startswith(f"{one.strip(chr(92))}\\") for one in found[1].split("\n")):
        return None
    return _not_loaded(around, path)


def _loaded_places(text: str) -> str | None:
    """The folders and files that Composer looks through for classes, one on each line."""
    return "\n".join(read_autoload(text).places) or "?"


def write_csharp(reader: IndexReader, around: Surroundings, choice: Choice) -> Written | str:
    """`using A.B;`."""
    namespace, here = _namespace(reader, choice), _package_here(reader, around) or ""
    if not namespace or here == namespace or here.startswith(f"{namespace}."):
        return Written(None, f"visible from namespace {here or '(global)'}", 1.0)
    known = next((one for one in around.own if one.module == namespace and one.name == "*"), None)
    if known is not None:
        return Written(None, f"covered by line {known.line}", 1.0)
    return Written(
        Statement(PlainImport(f"using {namespace};"), choice.symbol.name),
        f"declared in namespace {namespace}; a global using may cover it",
        _COMPUTED,
    )


def write_go(reader: IndexReader, around: Surroundings, choice: Choice) -> Written | str:
    """`import "module/folder"`."""
    symbol = choice.symbol
    folder = posixpath.dirname(symbol.path)
    package = _package(reader, choice) or posixpath.basename(folder)
    if folder == around.folder:
        return Written(None, f"same package {package}", 1.0)
    if symbol.visibility != "public":
        return f"{symbol.path}:{symbol.line} does not export it: the name begins with a small letter"
    if package == "main":
        return f"{symbol.path} is package main, which cannot be imported"
    found = _manifest_value(around, folder, "go.mod", lambda text: read_go_module(text).path)
    if found is None:
        return "no go.mod above it says what its module is called"
    home, module = found
    path = "/".join(part for part in (module, folder[len(home) :].strip("/")) if part)
    known = next((one for one in around.own if one.module == path), None)
    alias = known.alias if known and known.alias else package
    use_as = f"{alias}.{symbol.qualname}"
    if known is not None:
        return Written(None, f"{path} is imported already on line {known.line}", 1.0, use_as)
    above, internal, _ = f"{folder}/".rpartition("internal/")
    if internal and not f"{around.folder}/".startswith(above):
        return f"Go keeps {folder} to what is below {above.rstrip('/') or 'the root of the module'}"
    if back := _imports_back(reader, folder, around.folder, (module, home)):
        return f"an import cycle, which Go refuses: {back.path}:{back.line} imports {back.module}"
    return Written(Statement(PlainImport(f'import "{path}"'), symbol.name), f"package {package}", 1.0, use_as)


def _imports_back(reader: IndexReader, folder: str, here: str, root: tuple[str, str]) -> ImportRecord | None:
    """The import by which a package comes, over however many others, to the one of the file; of a module and its home."""
    module, home = root
    waiting, seen = [folder], {folder}
    while waiting and len(seen) < _MOST_PACKAGES:
        package = waiting.pop(0)
        beginning = f"{package}/" if package else ""
        for each in reader.listings.paths(PathFilter(beginning, language="go", role="source")):
            record = reader.files.at(each) if "/" not in each[len(beginning) :] else None
            for one in reader.facts.imports_of(record.id) if record else ():
                if one.module != module and not one.module.startswith(f"{module}/"):
                    continue
                there = "/".join(part for part in (home, one.module[len(module) :].strip("/")) if part)
                if there == here:
                    return one
                if there not in seen:
                    seen.add(there)
                    waiting.append(there)
    return None


def write_rust(around: Surroundings, choice: Choice) -> Written | str:
    """`use crate::module::Name;`."""
    symbol = choice.symbol
    there = _manifest_value(
        around, posixpath.dirname(symbol.path), "Cargo.toml", lambda text: read_crate(text).name
    )
    here = _manifest_value(around, around.folder, "Cargo.toml", lambda text: read_crate(text).name)
    if there is None:
        return "no Cargo.toml above it says which crate it is of"
    home, crate = there
    is_own = here is not None and here[0] == home and not around.path.startswith(f"{home}/tests/".lstrip("/"))
    outside = [one for one in choice.importers if not _is_own_path(one) and not _is_of_crate(one.path, home)]
    inside = [
        one
        for one in choice.importers
        if one.module.startswith("crate") and _is_of_crate(one.path, home) and not one.is_reexport
    ]
    seen = elect(inside if is_own else outside, lambda one: one.module or None, folder=around.folder)
    if seen is not None:
        module, vote = seen
        reason = say(vote, "such imports of it are from there")
        return Written(Statement(RustImport(module), symbol.name), reason, vote.share)
    root = f"{home}/src/lib.rs".lstrip("/")
    offered = next((one for one in choice.importers if one.path == root and one.is_reexport), None)
    if offered is not None and not is_own:
        reason = f"offered by its crate at {root}:{offered.line}"
        return Written(Statement(RustImport(crate), offered.alias or symbol.name), reason, _COMPUTED)
    if symbol.visibility == "private" and not is_own:
        return f"{symbol.path}:{symbol.line} is private to its crate"
    modules = _rust_modules(symbol.path[len(home) :].strip("/"))
    inner = symbol.qualname.split(".")[:-1]
    path = "::".join(["crate" if is_own else crate, *modules, *inner])
    if path == "::".join(["crate", *_rust_modules(around.path[len(home) :].strip("/"))]):
        return Written(None, "same module", 1.0)
    reason = "after the file's place; a re-export nearer to the root may exist"
    return Written(Statement(RustImport(path), symbol.name), reason, _COMPUTED)


def write_cpp(reader: IndexReader, around: Surroundings, choice: Choice) -> Written | str:
    """`#include "path"`."""
    use_as = choice.member.replace(".", "::") if choice.member else None
    candidates = [choice.symbol, *choice.others]
    same = [one for one in candidates if one.qualname == choice.symbol.qualname]
    headers = [one for one in same if one.path.endswith(_HEADERS)]
    # Of several, as for several systems, the one that is included most.
    header = max(headers, key=lambda one: len(_includes_of(reader, one)), default=None)
    if header is None:
        return f"no header declares it; it is defined in {choice.symbol.path}:{choice.symbol.line}"
    if header.path == around.path:
        return Written(None, "declared in this file", 1.0, use_as)
    file = file_of_symbol(header.id)
    known = next((one for one in around.own if one.target_file_id == file), None)
    if known is not None:
        return Written(None, f"{known.module} is included already on line {known.line}", 1.0, use_as)
    includes = _includes_of(reader, header)
    is_beside = posixpath.dirname(header.path) == around.folder
    seen = elect(
        includes,
        lambda one: (
            _fixed_include(one, header.path) if is_beside or not _is_from_there(one, header.path) else None
        ),
        folder=around.folder,
    )
    if seen is not None:
        module, vote = seen
        reason = say(vote, "includes of it are written so")
        return Written(Statement(PlainImport(f"#include {module}"), header.name), reason, vote.share, use_as)
    text, reason = posixpath.basename(header.path), "it stands beside"
    if not is_beside:
        root = _include_root(reader, around)
        usual = next((each for each in _INCLUDE_ROOTS if header.path.startswith(each)), "")
        is_learnt = root is not None and header.path.startswith(root)
        text = header.path[len(root) if root is not None and is_learnt else len(usual) :]
        others = f"as files beside include from {root or 'the root of the project'}"
        reason = others if is_learnt else "no file includes it so that it fits here; from its place"
    confidence = 0.5 if "so that it fits" in reason else _COMPUTED
    return Written(Statement(PlainImport(f'#include "{text}"'), header.name), reason, confidence, use_as)


def _includes_of(reader: IndexReader, header: SymbolRecord) -> list[ImportRecord]:
    return list(reader.facts.importers_of_file(file_of_symbol(header.id)))


def _is_from_there(each: ImportRecord, path: str) -> bool:
    """Whether an include is found from the folder that it stands in, and perhaps from no other."""
    text = each.module.strip('<>"')
    return posixpath.normpath(posixpath.join(posixpath.dirname(each.path), text)) == path


def _include_root(reader: IndexReader, around: Surroundings) -> str | None:
    """The folder from which the files around include what does not stand beside them."""
    roots: Counter[str] = Counter()
    for each in (*around.own, *around.near):
        target = reader.files.get(each.target_file_id) if each.target_file_id is not None else None
        text = each.module.strip('<>"')
        if target is None or not target.path.endswith(text) or _is_from_there(each, target.path):
            continue
        root = target.path[: len(target.path) - len(text)]
        if not root or root.endswith("/"):
            roots[root] += 1
    return roots.most_common(1)[0][0] if roots else None


def _fixed_include(each: ImportRecord, path: str) -> str | None:
    """The include as written, unless it only fits from where it stands."""
    text = each.module.strip('<>"')
    return each.module if not text.startswith("..") and path.endswith(text) else None


def _package(reader: IndexReader, choice: Choice) -> str | None:
    record = reader.files.get(file_of_symbol(choice.symbol.id))
    return record.package if record else None


def _namespace(reader: IndexReader, choice: Choice) -> str | None:
    """The namespace around a symbol: the file's one, or the blocks it stands in."""
    outer = choice.symbol.qualname.rpartition(".")[0]
    package = _package(reader, choice)
    if package and outer and not outer.startswith(package):
        return f"{package}.{outer}"
    return outer or package


def _package_here(reader: IndexReader, around: Surroundings) -> str | None:
    """The package of the file; of a new one that of the other files of its folder."""
    record = reader.files.at(around.path)
    if record is not None:
        return record.package
    for each in around.near:
        if each.path.rpartition("/")[0] == around.folder and (near := reader.files.at(each.path)):
            return near.package
    return None


def _manifest_value(
    around: Surroundings, folder: str, name: str, read: Callable[[str], str | None]
) -> tuple[str, str] | None:
    """The folder of the nearest manifest above, and what it says."""
    current = folder
    while True:
        path = f"{current}/{name}" if current else name
        with suppress(OSError, DriftError):  # none here, or one that cannot be read
            if found := read(read_text(around.root, text_to_path(path), _MOST_MANIFEST_BYTES)):
                return current, found
        if not current:
            return None
        current = posixpath.dirname(current)


def _is_own_path(each: ImportRecord) -> bool:
    return each.module.partition("::")[0] in {"crate", "self", "super"}


def _is_of_crate(path: str, home: str) -> bool:
    """Whether a file is compiled into a library; tests, examples and benches are crates beside it."""
    inner = path[len(home) :].strip("/") if f"{path}/".startswith(f"{home}/".lstrip("/")) else None
    return inner is not None and inner.startswith("src/")


def _rust_modules(path: str) -> list[str]:
    """The modules of a file by its path in the crate: src/a/mod.rs and src/a.rs are both a."""
    parts = path.removesuffix(".rs").split("/")
    if parts and parts[0] == "src":
        parts = parts[1:]
    if parts and parts[-1] in {"mod", "lib", "main"}:
        parts = parts[:-1]
    return parts
