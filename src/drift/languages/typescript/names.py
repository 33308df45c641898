"""What a name means where it stands, once the whole file is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.enclosure import outer_scopes
from drift.languages.expressions import Expression
from drift.languages.facts import Binding, Reference, Symbol
from drift.languages.kinds import FUNCTION_KINDS, MEMBER_KINDS
from drift.languages.typescript.angular_markup import MARKS
from drift.languages.typescript.modules import EXPORTS, GIVEN_BACK, MODULE
from drift.languages.typescript.types import either

if TYPE_CHECKING:
    from drift.languages.typescript.walk import Walk

_OWNERS: Final = frozenset({"class", "interface", "enum", "type"})


# Types of the language and of browsers that most files name.
_BUILT_IN: Final = frozenset(
    {
        "AbortController", "AbortSignal", "Array", "ArrayBuffer", "Awaited", "Blob", "Buffer", "Date", "Document", "Element", "Error",
        "Event", "EventTarget", "Exclude", "Extract", "File", "FormData", "Function", "HTMLButtonElement", "HTMLDivElement",
        "HTMLElement", "HTMLFormElement", "HTMLInputElement", "Headers", "InstanceType", "Iterable", "JSX", "KeyboardEvent",
        "Map", "MouseEvent", "Node", "NodeJS", "NonNullable", "Object", "Omit", "Parameters", "Partial", "Pick", "Promise",
        "React", "Readonly", "ReadonlyArray", "Record", "RegExp", "Request", "RequestInit", "Required", "Response",
        "ReturnType", "Set", "String", "URL", "URLSearchParams", "Uint8Array", "WeakMap", "Window",
    }
)  # fmt: skip


class Names:
    """The names of a file by the scope that declares them."""

    def __init__(self, walk: Walk) -> None:
        self._symbols = walk.symbols
        self._outer_scopes = outer_scopes(walk.symbols)
        self._locals = walk.local_names
        self._declared: dict[tuple[int, str], int] = {}
        for index, symbol in enumerate(walk.symbols[1:], 1):
            if symbol.kind not in MEMBER_KINDS and walk.symbols[symbol.parent].kind != "enum":
                # Of overloads the last has the body.
                self._declared[symbol.parent, symbol.name] = index
        self._imported = {(each.scope, each.alias) for each in walk.imports if not each.is_reexport}
        # A file that neither imports nor exports shares its names with every other such file.
        self._is_module = (
            bool(walk.imports or walk.exported_names)
            or any(store.receiver in (EXPORTS, MODULE) for store in walk.stores)
            or any("exported" in symbol.modifiers for symbol in walk.symbols)
        )
        self._found: dict[tuple[int, str], bool] = {}

    def symbol_of(self, scope: int, name: str) -> int | None:
        """The symbol a name means, if it is one of this file."""
        for here in self._scopes(scope):
            index = self._declared.get((here, name))
            if index is not None:
                return index
            if name in self._locals.get(here, ()) or (here, name) in self._imported:
                return None
        return None

    def is_worth_noting(self, scope: int, name: str) -> bool:
        """Whether a name means a symbol or an import, rather than a variable of a function or a global."""
        known = self._found.get((scope, name))
        if known is None:
            known = self._found[scope, name] = self._look_up(scope, name)
        return known

    def is_undeclared(self, scope: int, name: str) -> bool:
        """Whether nothing in the file has a name, nor the language itself."""
        return (
            name[:1].isupper()
            and name not in _BUILT_IN
            and not any(
                (here, name) in self._declared
                or (here, name) in self._imported
                or name in self._locals.get(here, ())
                for here in self._scopes(scope)
            )
        )

    def _look_up(self, scope: int, name: str) -> bool:
        for here in self._scopes(scope):
            if (here, name) in self._declared or (here, name) in self._imported:
                return True
            if name in self._locals.get(here, ()):
                return False
        return not self._is_module

    def declaring_scope(self, scope: int, name: str) -> int:
        """The scope whose variable an assignment changes; the file's for one that is declared nowhere."""
        for here in self._scopes(scope):
            is_known = (here, name) in self._declared or (here, name) in self._imported
            if is_known or name in self._locals.get(here, ()) or self._has_parameter(here, name):
                return here
        return 0

    def _has_parameter(self, scope: int, name: str) -> bool:
        return any(parameter.name == name for parameter in self._symbols[scope].parameters)

    def _scopes(self, scope: int) -> list[int]:
        scopes = [scope]
        while scope:
            scope = self._outer_scopes.get(scope, self._symbols[scope].parent)
            # The members of a class are not in sight of the code in it.
            if self._symbols[scope].kind not in _OWNERS:
                scopes.append(scope)
        return scopes


def root_name(target: Expression) -> str | None:
    """The name a path begins with; "this" for a path from the object itself; None for anything else."""
    while target is not None and target[0] in {"member", "item"}:
        target = target[1]
    if target is None:
        return None
    if target[0] == "name":
        return str(target[1])
    return "this" if target[0] in {"this", "super"} else None


def settle_references(walk: Walk, names: Names, *, sees_more: bool = False) -> tuple[Reference, ...]:
    """The reads that mean something beyond the function they stand in.

    `sees_more`: a name that is not declared may be a component that every file sees.
    """
    settled: list[Reference] = []
    text = walk.text
    for scope, byte, target, kind in walk.reads:
        root = root_name(target)
        if kind == "export":
            # To export what the file declares is no use of it; what it has from elsewhere is passed on.
            if root is not None and names.symbol_of(0, root) is not None:
                continue
            kind = "value"  # noqa: PLW2901  # from here on like any other
        if kind == GIVEN_BACK and "hook" not in walk.symbols[scope].modifiers:
            kind = "value"  # noqa: PLW2901  # who calls any other function is not said to call what it gives
        is_shared = root is not None and root.startswith(MARKS)
        is_shared |= sees_more and not scope and root is not None and root[:1].isupper()
        # A type that the file does not declare may be one that every file sees.
        is_shared |= kind == "type" and root is not None and names.is_undeclared(scope, root)
        is_own = root == "this" or (target is not None and target[0] == "symbol")
        if is_own or is_shared or (root is not None and names.is_worth_noting(scope, root)):
            settled.append(Reference(scope, text.line_of(byte), text.column_of(byte), target, kind))
    return tuple(settled)


def settle_bindings(walk: Walk, names: Names) -> tuple[Binding, ...]:
    """The bindings, each in the scope that declares its variable."""
    bindings = walk.bindings
    for index in walk.assigned:
        binding = bindings[index]
        scope = names.declaring_scope(binding.scope, binding.name)
        if scope != binding.scope:
            bindings[index] = binding._replace(scope=scope)
    return tuple(bindings)


def settle_symbols(walk: Walk, names: Names) -> tuple[Symbol, ...]:
    """The symbols, with what only the rest of the file says of them."""
    symbols = walk.symbols
    extra: dict[int, set[str]] = {}
    for name, modifiers in walk.exported_names.items():
        index = names.symbol_of(0, name)
        if index is not None:
            extra.setdefault(index, set()).update(modifiers)
    for scope in walk.has_markup:
        component = _component_around(symbols, scope)
        if component is not None:
            extra.setdefault(component, set()).add("component")
    _settle_results(symbols)
    _settle_signatures(symbols)
    for index, added in extra.items():
        merged = tuple(sorted(added.union(symbols[index].modifiers)))
        symbols[index] = symbols[index]._replace(modifiers=merged)
    return tuple(symbols)


def _settle_signatures(symbols: list[Symbol]) -> None:
    """A function without a body is an overload of one that has it, else it says what exists elsewhere.

    Of several that say the same name, as interfaces have them, the first stands for all.
    """
    bodies = {(symbol.parent, symbol.name) for symbol in symbols if symbol.complexity is not None}
    seen: set[tuple[int, str, bool]] = set()
    for index, symbol in enumerate(symbols):
        is_signature = not {"overload", "abstract"}.isdisjoint(symbol.modifiers)
        if symbol.kind not in FUNCTION_KINDS or not is_signature or (symbol.parent, symbol.name) in bodies:
            continue
        key = (symbol.parent, symbol.name, "static" in symbol.modifiers)
        modifiers = set(symbol.modifiers) - {"overload"}
        if "overload" in symbol.modifiers:
            modifiers.add("declared")
        if key in seen:
            modifiers.add("overload")
        seen.add(key)
        symbols[index] = symbol._replace(modifiers=tuple(sorted(modifiers)))


def _settle_results(symbols: list[Symbol]) -> None:
    """An overloaded function gives what its overloads declare, where the one with the body does not say."""
    declared: dict[tuple[int, str, bool], list[Expression]] = {}
    for index, symbol in enumerate(symbols):
        key = (symbol.parent, symbol.name, "static" in symbol.modifiers)
        if "overload" in symbol.modifiers:
            declared.setdefault(key, []).append(symbol.return_type)
        elif symbol.return_type is None and key in declared and symbol.complexity is not None:
            symbols[index] = symbol._replace(return_type=either(declared[key]))


def _component_around(symbols: list[Symbol], scope: int) -> int | None:
    """The function or class with a capital that markup stands in: a React component."""
    while scope:
        symbol = symbols[scope]
        if symbol.kind in {"function", "class"} and symbol.name[:1].isupper():
            return scope
        scope = symbol.parent
    return None
