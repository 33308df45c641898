"""Rust: crates by Cargo.toml, modules by the layout of files, paths from crate, self and super."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression, place_key
from drift.languages.facts import Call, FileFacts, Import
from drift.languages.kinds import TYPE_KINDS
from drift.languages.rust.vocabulary import STANDARD_CRATES
from drift.manifests.rust import read_crate
from drift.scan.link.analysis import Analysis
from drift.scan.link.destination_form import Destination
from drift.scan.link.folders import all_folders, folder_of, folders_above, join, resolve, stem_of
from drift.scan.link.keys import interface_key, part_key, space_key
from drift.scan.link.languages.rust.dereferenced import dereferenced_members
from drift.scan.link.languages.rust.elements import object_elements
from drift.scan.link.languages.rust.inherent_methods import inherent_first
from drift.scan.link.languages.rust.known_results import KEEPING, derived_members, known_result
from drift.scan.link.languages.rust.overloads import overloads_with_count
from drift.scan.link.languages.rust.programs import Programs
from drift.scan.link.languages.rust.standard_methods import EVERYDAY, OF_CRATES, PARTS_GIVEN, POINTING
from drift.scan.link.languages.rust.trait_methods import trait_method
from drift.scan.link.languages.rust.variants import named_variants
from drift.scan.link.overloads import methods_among
from drift.scan.link.semantics import Semantics
from drift.scan.link.tables import Definition, FileTable
from drift.scan.link.values import Values, is_internal, symbol_of

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_ON_OBJECTS: Final = frozenset({"field", "method"})
_OWN_FOLDER: Final = frozenset({"lib", "main", "mod", "build"})  # their modules stand beside them
_TARGET_FOLDERS: Final = frozenset({"benches", "bin", "examples", "tests"})  # each file a crate of its own
_PRELUDE: Final = frozenset(
    """
    Box Default Drop Err FnMut FnOnce From Into Iterator None Ok Option Result Send Some String Sync ToOwned
    ToString TryFrom TryInto Vec assert assert_eq assert_ne bool cfg char column concat compile_error dbg
    debug_assert debug_assert_eq debug_assert_ne drop env eprint eprintln f32 f64 file format format_args i128
    i16 i32 i64 i8 include include_bytes include_str isize line matches module_path option_env panic print
    println str stringify thread_local todo u128 u16 u32 u64 u8 unimplemented unreachable usize vec write writeln
    """.split()  # noqa: SIM905  # a list of a hundred strings is harder to read
)


# Also what Option, Result and Arc have: extraction reads such a type as what it holds.
_WRAPPED: Final = frozenset(
    """
    and_modify and_then as_deref as_mut as_ref borrow clone cloned cmp copied default eq err expect expect_err fmt from
    get_or_init get_or_insert get_or_insert_with hash or_default or_insert or_insert_with or_insert_with_key
    into into_inner is_err is_none is_ok is_some lock map map_err ok ok_or ok_or_else or_else partial_cmp take to_owned
    to_string try_into unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else
    """.split()  # noqa: SIM905  # a list of strings is harder to read
)


class RustSemantics(Semantics):
    """Which file a path leads to; what is left of the path are members to follow from there."""

    has_settled_types = True
    has_fields_apart = True
    has_modules_apart = True
    has_contextual_types = True
    wraps_root_members = True
    macro_suffix = "!"
    builtin_prefix = "std."
    builtins = _PRELUDE
    root_members = _WRAPPED
    wrapper_methods = KEEPING
    pair_keys = MappingProxyType({str(place): place_key(place) for place in range(12)})
    pointing_methods = POINTING
    parts_given = PARTS_GIVEN
    everyday_methods = EVERYDAY | OF_CRATES
    constructors = ()
    overloaded_names = frozenset({"from", "try_from"})  # one for each type that it is made of

    def __init__(self, sources: WatchedSources) -> None:
        super().__init__("rust")
        self._sources = sources
        self._files = frozenset(path for path in sources.paths() if path.endswith(".rs"))
        self._roots: set[str] = set()  # the files that crates would begin with, there or not
        self._libraries = set(STANDARD_CRATES)
        self._crate_folders: set[str] = set()
        self._named_roots: dict[
            str, list[str]
        ] = {}  # of folders: the first files of crates that Cargo.toml names
        self._programs = Programs()
        self._crates = self._find_crates(sources)
        self._modules: tuple[FileFacts | None, frozenset[tuple[tuple[str, ...], str]]] = (None, frozenset())

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:
        if found.module.endswith(".rs"):
            named = resolve(folder_of(path), found.module)
            if named in self._files:
                return Destination(file=named)
            return Destination(problem=f"the project has no file {found.module}")
        parts = [part for part in found.module.removeprefix("::").split("::") if part]
        inside = _modules_around(facts, found.scope)
        if parts and parts[0] in {"self", "super"}:
            return self._from_here(path, inside, parts)
        is_module = bool(parts) and (tuple(inside), parts[0]) in self._modules_of(facts)
        start = self.space(path, facts, parts[0]) if parts and not is_module else None
        if start is not None and start.file is not None:
            return self._descend(start.file, (), parts[1:])
        if start is None and parts and self._is_own(path, facts, parts[0]):
            return self._descend(path, (), parts)
        first = parts[0] if parts else found.module
        return Destination(external=".".join(parts), external_package=first)

    def submodule(self, path: str | None, package: str | None, name: str) -> Destination | None:
        if name == "super":
            above = self._parent(path)
            return Destination(file=above) if above is not None else None
        child = self._child(path, name) if path is not None else None
        return Destination(file=child) if child is not None else None

    def beside(self, path: str, name: str) -> Destination | None:
        """A macro that a file of the crate exports, which then is one of its root."""
        if path != self._root(path):
            return None
        return next((Destination(file=file, path=(name,)) for file in self._exporting(path, name)), None)

    def _exporting(self, root: str, name: str) -> Iterator[str]:
        self._sources.note(part_key("crate"))
        for file in self._sources.providing(space_key("rust", "", name)):
            if file != root and self._root(file) == root and self._has_macro(file, name, "exported"):
                yield file

    def space(self, path: str, facts: FileFacts, name: str) -> Destination | None:
        if name in {"crate", "super"}:
            root = self._root(path) if name == "crate" else self._parent(path)
            return Destination(file=root) if root is not None else None
        for stem in self._roots:
            self._sources.note(part_key(stem))
        if name in self._crates:
            return Destination(file=self._crates[name])
        if name in self._libraries:
            return Destination(external=name, external_package=name)
        return None

    def neighbours_with(self, path: str, facts: FileFacts, name: str) -> tuple[str, ...]:
        """The files of the crate that define a macro of that name: macros are seen by all that follows them.

        The modules of a test stand beside it, and belong to its crate.
        """
        self._sources.note(part_key("crate"))
        return tuple(
            other
            for other in self._sources.providing(space_key("rust", "", name))
            if other != path
            and (self._root(other) == self._root(path) or folder_of(other) == folder_of(path))
            and self._has_macro(other, name)
        )

    def _has_macro(self, path: str, name: str, *modifiers: str) -> bool:
        self._sources.note(interface_key(path, name))
        return any(
            symbol.name == name and symbol.kind == "macro" and set(modifiers) <= set(symbol.modifiers)
            for symbol in self._sources.facts_of(path).symbols
        )

    def _from_here(self, path: str, inside: list[str], parts: list[str]) -> Destination:
        """`self` and `super`, which leave the modules written in the file before the file itself."""
        file: str | None = path
        for position, part in enumerate(parts):
            if part == "super":
                if inside:
                    inside = inside[:-1]
                elif (file := self._parent(file)) is None:
                    return Destination(problem="the path leads out of the crate")
            elif part != "self":
                return self._descend(file or path, tuple(inside), parts[position:])
        return Destination(file=file, path=tuple(inside))

    def _descend(self, file: str, inside: tuple[str, ...], parts: list[str]) -> Destination:
        rest = [*inside, *parts]
        while rest and (child := self._child(file, rest[0])) is not None:
            file = child
            rest.pop(0)
        return Destination(file=file, path=tuple(rest))

    def _modules_of(self, facts: FileFacts) -> frozenset[tuple[tuple[str, ...], str]]:
        """The modules a file declares, each with those written around it: they come before crates of their names."""
        if self._modules[0] is not facts:
            files = (
                (one.scope, one.alias)
                for one in facts.imports
                if one.alias is not None and one.module == f"self::{one.alias}" and one.name is None
            )
            written = (
                (symbol.parent, symbol.name)
                for symbol in facts.symbols[1:]
                if symbol.kind == "namespace" and "impl" not in symbol.modifiers
            )
            found = frozenset(
                (tuple(_modules_around(facts, scope)), name) for scope, name in (*files, *written)
            )
            self._modules = (facts, found)
        return self._modules[1]

    def _is_own(self, path: str, facts: FileFacts, name: str) -> bool:
        declared = any(symbol.name == name and symbol.parent == 0 for symbol in facts.symbols[1:])
        return declared or self._child(path, name) is not None

    def _child(self, file: str, name: str) -> str | None:
        folder = self._folder_of_modules(file)
        for candidate in (join(folder, f"{name}.rs"), join(folder, f"{name}/mod.rs")):
            if candidate in self._files and candidate != file:
                return candidate
        return None

    def _folder_of_modules(self, file: str) -> str:
        folder, stem = folder_of(file), stem_of(file)
        is_root = stem in _OWN_FOLDER or self._is_of_targets(folder)
        is_root = is_root or file in self._named_roots.get(folder, ())
        return folder if is_root else join(folder, stem)

    def _parent(self, file: str | None) -> str | None:
        if file is None or file == self._root(file):
            return None
        folder = folder_of(file)
        if stem_of(file) == "mod":
            folder = folder_of(folder)
        above = (join(folder, f"{stem}.rs") for stem in ("mod", "lib", "main"))
        candidates = (*above, self._named_root(folder) or "", f"{folder}.rs")
        return next((path for path in candidates if path in self._files and path != file), None)

    def _root(self, path: str) -> str | None:
        """The file a crate begins with: of a test or example that file itself."""
        own = folder_of(path)
        if self._is_of_targets(own) or stem_of(path) in {"lib", "main", "build"}:
            return path
        if path in self._named_roots.get(own, ()):
            return path
        for folder in folders_above(path):
            for candidate in (join(folder, "lib.rs"), join(folder, "main.rs"), self._named_root(folder)):
                if candidate in self._files:
                    return candidate
        return None

    def _named_root(self, folder: str) -> str | None:
        """The first file of the only crate that Cargo.toml says begins in a folder, whatever its name is."""
        named = self._named_roots.get(folder, ())
        return named[0] if len(named) == 1 else None

    def _is_of_targets(self, folder: str) -> bool:
        """Whether each file of a folder is a crate; a module named `tests` inside the sources is none."""
        above, _, name = folder.rpartition("/")
        if name not in _TARGET_FOLDERS:
            return False
        return name == "bin" or "src" not in above.split("/") or above in self._crate_folders

    def _find_crates(self, sources: WatchedSources) -> dict[str, str]:
        found: dict[str, str] = {}
        for folder in sorted(all_folders(self._files)):
            text = sources.text_of(join(folder, "Cargo.toml"))
            if text is None:
                continue
            self._crate_folders.add(folder)
            crate = read_crate(text)
            self._programs.note(folder, crate, self._files)
            self._libraries.update(crate.dependencies)
            for path in crate.target_paths:
                if (target := join(folder, path)) in self._files:
                    self._named_roots.setdefault(folder_of(target), []).append(target)
            if crate.name is not None:
                root = join(folder, crate.library_path)
                self._roots.add(stem_of(root))
                if root in self._files:
                    found[crate.name] = root
        return found

    def bare_definitions(
        self, analysis: Analysis, table: FileTable, scope: int, found: list[Definition]
    ) -> list[Definition] | None:
        holder = analysis.program.symbol(table.first + scope)
        if holder.kind not in TYPE_KINDS and "impl" not in holder.modifiers:
            return found
        symbols = table.symbols
        return [
            one for one in found if one.kind != "symbol" or symbols[one.number].kind not in _ON_OBJECTS
        ] or None

    def are_of_other_types(self, table: FileTable, definitions: Iterable[Definition]) -> bool:
        """Whether all that a name is given in a scope is impls of a type from elsewhere, which give it no name."""
        symbols = table.symbols
        return all(one.kind == "symbol" and "impl" in symbols[one.number].modifiers for one in definitions)

    def names_seen_whole(self, analysis: Analysis, values: Values) -> Values:
        """Without impls of types from elsewhere, which their file sees by that name and gives to nobody."""
        symbol = analysis.program.symbol
        return tuple(
            one
            for one in values
            if not isinstance(one, int) or "impl" not in symbol(symbol_of(one)).modifiers
        )

    def preferred_members(self, analysis: Analysis, values: Values) -> Values:
        return inherent_first(analysis, values)

    def lent_members(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        return dereferenced_members(analysis, line, name)

    def object_elements(self, analysis: Analysis, value: int) -> Values | None:
        return object_elements(analysis, value)

    def named_variants(self, analysis: Analysis, named: Expression, scope: int) -> list[int]:
        return named_variants(analysis, named, scope)

    def extension_values(self, analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
        if call.callee is None or call.callee[0] != "member" or any(map(is_internal, values)):
            return values
        return trait_method(analysis, call.callee[1], scope, name=call.callee[2], otherwise=values)

    def decorated_members(self, analysis: Analysis, owner: int, name: str) -> Values:
        return derived_members(analysis, owner, name)

    def path_values(self, analysis: Analysis, path: str, scope: int) -> Values:
        """The program of the project that is started by its name."""
        return self._programs.main_of(analysis, path, scope)

    def known_result(self, analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
        return known_result(analysis, call, scope)

    def chosen_values(self, analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
        """`x.f()` never calls what a field holds."""
        return methods_among(analysis, call, values)

    def chosen_overloads(
        self, analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...]
    ) -> tuple[int, ...]:
        return overloads_with_count(analysis, call, scope, functions)


def _modules_around(facts: FileFacts, scope: int) -> list[str]:
    """The modules written in the file that a scope is in, the outermost first."""
    names: list[str] = []
    while scope:
        symbol = facts.symbols[scope]
        if symbol.kind == "namespace" and "impl" not in symbol.modifiers:
            names.append(symbol.name)
        scope = symbol.parent
    return names[::-1]
