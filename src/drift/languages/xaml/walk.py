"""The state of one walk over a XAML file, told element by element by expat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drift.kernel.text import shorten
from drift.languages.facts import Base, Call, Constant, Element, Import, MarkupBinding, Reference, Symbol
from drift.languages.kinds import SymbolKind
from drift.languages.limits import CONSTANT_LENGTHS
from drift.languages.objects import dotted_form
from drift.languages.xaml.markup import Extension, path_members, read_extensions
from drift.languages.xaml.ties import element_of, tie_of
from drift.languages.xaml.vocabulary import (
    BINDINGS,
    CODE_NAMESPACES,
    COLUMN,
    COLUMN_BINDING,
    CONTEXT_TYPES,
    CONTEXTS,
    EVENT_ENDINGS,
    NO_EVENT_BEGINNINGS,
    NO_EVENTS,
    NOT_SAID,
    RESOURCES,
    STYLES,
    TEMPLATE,
    TEXT_ATTRIBUTES,
    TRUTHS,
    TYPE_NAMES,
)

if TYPE_CHECKING:
    from drift.languages.expressions import Expression
    from drift.languages.syntax import SourceText

_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*\Z")
_MOST_GAP_BYTES: Final = 2_000  # between two attributes: white space, and what entities are longer than texts
_DATA_CONTEXT: Final = ("member", ("this",), "DataContext")


@dataclass(slots=True)
class _Element:
    name: str
    start: int
    symbols: list[int]  # that end where the element does
    context: Expression  # what bindings around it are members of
    said: str | None  # the type of that, as markup says it
    prefixes: dict[str, str] | None  # in force around it, where it declares its own
    items: Expression = None  # what it shows a list of
    items_said: str = NOT_SAID  # the type of one of these, by the path to the list


class XamlWalk:
    """Facts in the making."""

    def __init__(self, text: SourceText, path: str) -> None:
        self.text = text
        self.scope = 0
        self.package = ""
        last_line = text.line_of(max(0, len(text.source) - 1))
        self.symbols = [Symbol("module", path.rsplit("/", 1)[-1], 0, 1, 0, last_line, 0, len(text.source))]
        self.imports: list[Import] = []
        self.calls: list[Call] = []
        self.references: list[Reference] = []
        self.constants: list[Constant] = []
        self.elements: list[Element] = []
        self.ties: list[MarkupBinding] = []
        self._prefixes: dict[str, str] = {}  # to the namespaces of code they stand for
        self._open: list[_Element] = []
        self._context: Expression = _DATA_CONTEXT
        self._said: str | None = None

    def open_element(self, name: str, attributes: list[tuple[str, str]], start: int) -> None:
        """Note all that an element's start tag says."""
        before = self._prefixes
        self._read_namespaces(attributes, start)
        own = before if before is not self._prefixes else None
        element = _Element(name, start, [], self._context, self._said, own)
        is_root = not self._open
        self._open.append(element)
        names = dict(attributes)
        if is_root and "x:Class" in names:
            self._open_class(element, names["x:Class"])
        kind = self.type_form(name)
        if not is_root:
            self._note_type(element, kind, is_ours=":" in name and not name.startswith("x:"))
        self._enter_template(name)
        self._read_context(names, element)
        if (items := names.get("ItemsSource", "")).startswith("{"):
            element.items, element.items_said = self._bound(items, "[{}]")
        line = self.text.line_of(start)
        if (found := element_of(name, attributes, scope=self.scope, line=line)) is not None:
            self.elements.append(found)
        self._read_written_binding(element, attributes)
        behind = start + len(name)
        for attribute, value in attributes:
            place = self._find(attribute, behind)
            behind = place + len(attribute) + len(value)
            self._read_attribute(element, attribute, value, place=place)

    def _find(self, attribute: str, behind: int) -> int:
        """Where an attribute stands, which expat does not say; at worst where the one before it ends."""
        found = self.text.source.find(attribute.encode("utf-8", "replace"), behind, behind + _MOST_GAP_BYTES)
        return found if found >= 0 else min(behind, len(self.text.source))

    def close_element(self, end: int) -> None:
        """Note where the innermost element ends."""
        if not self._open:
            return
        element = self._open.pop()
        end = min(max(end, element.start), len(self.text.source))
        for number in element.symbols:
            end_line = self.text.line_of(max(element.start, end - 1))
            self.symbols[number] = self.symbols[number]._replace(end_byte=end, end_line=end_line)
        self._context, self._said = element.context, element.said
        if element.prefixes is not None:
            self._prefixes = element.prefixes

    def type_form(self, name: str) -> Expression:
        """The class that an element or type name stands for, with its namespace where that is code."""
        prefix, _, local = name.rpartition(":")
        local = local.strip()
        namespace = self._prefixes.get(prefix.strip())
        return dotted_form([*(namespace.split(".") if namespace else []), *local.split(".")])

    def _read_namespaces(self, attributes: list[tuple[str, str]], start: int) -> None:
        found = {
            name.partition(":")[2]: value.partition(":")[2].partition(";")[0].strip()
            for name, value in attributes
            if name.startswith("xmlns") and value.startswith(CODE_NAMESPACES)
        }
        if not found:
            return
        self._prefixes = {**self._prefixes, **found}
        line = self.text.line_of(start)
        for prefix, namespace in found.items():
            self.imports.append(Import(0, line, namespace, None if prefix else "*", prefix or None))

    def _keep(self, element: _Element, symbol: Symbol) -> int:
        self.symbols.append(symbol)
        number = len(self.symbols) - 1
        element.symbols.append(number)
        return number

    def _begin(self, kind: SymbolKind, name: str, element: _Element, place: int) -> Symbol:
        line = self.text.line_of(element.start)
        column = self.text.column_of(element.start)
        signature = self.text.brief_slice(place, place + 100, limit=80).partition(">")[0].rstrip("/ ")
        return Symbol(kind, name, self.scope, line, column, line, element.start, element.start, signature)

    def _open_class(self, element: _Element, qualified: str) -> None:
        """`x:Class` makes the file one part of a class, whose other parts are code."""
        package, _, name = qualified.strip().rpartition(".")
        self.package = package
        base = Base(shorten(element.name, 200), self.type_form(element.name))
        symbol = self._begin("class", name, element, element.start)
        self.scope = self._keep(element, symbol._replace(bases=(base,), modifiers=("partial",)))

    def _note_type(self, element: _Element, kind: Expression, *, is_ours: bool) -> None:
        """An element with a code namespace builds an object of a class; others are the framework's."""
        if not is_ours or "." in element.name:
            return
        line, column = self.text.line_of(element.start), self.text.column_of(element.start)
        self.calls.append(Call(self.scope, line, column, kind, shorten(element.name, 120), kind="new"))
        parent = self._open[-2].name if len(self._open) > 1 else ""
        if parent.rpartition(".")[2] in CONTEXTS and "." in parent:
            self._tie(element.start, parent, "context", element.name)
            # The view model of the element around, for all that follows inside that.
            self._context, self._said = ("instance", kind), shorten(element.name, 200)
            for each in self._open[-2:]:
                each.context, each.said = self._context, self._said

    def _read_written_binding(self, element: _Element, attributes: list[tuple[str, str]]) -> None:
        """`<Binding Path="Name" />` in the place of a value."""
        if element.name not in BINDINGS or len(self._open) == 1:
            return
        outer = next(
            (each.name for each in reversed(self._open[:-1]) if "." in each.name), self._open[-2].name
        )
        extension = Extension(element.name, (), dict(attributes))
        owner, _, attribute = outer.rpartition(".")
        place = (owner or outer, attribute)
        found = tie_of(extension, scope=self.scope, line=self.text.line_of(element.start), place=place)
        if found is not None:
            self.ties.append(found._replace(context=self._said))
        self._read_binding(extension, extension.named.get("Path", ""), place=element.start)

    def _tie(self, place: int, attribute: str, kind: str, path: str, *, element: str = "") -> None:
        owner, _, own = attribute.rpartition(".")
        told = shorten(element or owner, 200), shorten(own, 200), kind, shorten(path, 200)
        self.ties.append(MarkupBinding(self.scope, self.text.line_of(place), *told))

    def _enter_template(self, name: str) -> None:
        """What is shown in a template has one of the items around it for context."""
        local = name.rpartition(":")[2]
        if "." in name or not (local in STYLES or local.endswith(TEMPLATE)):
            return
        self._context, self._said = (None, NOT_SAID) if local in STYLES else self._item()

    def _item(self) -> tuple[Expression, str]:
        """One of the items that the nearest list shows."""
        holder = next((each for each in reversed(self._open[:-1]) if each.items is not None), None)
        return (None, NOT_SAID) if holder is None else (("item", holder.items), holder.items_said)

    def _bound(self, value: str, form: str) -> tuple[Expression, str]:
        """What a binding as the value of an attribute leads to, and its type as a path from what is said."""
        extension = next(read_extensions(value), None)
        if extension is None or extension.name not in BINDINGS - {"TemplateBinding", "x:Bind"}:
            return None, NOT_SAID
        path = extension.named.get("Path") or next(iter(extension.positional), "")
        members = path_members(path)
        has_source = bool({"ElementName", "RelativeSource", "Source"} & extension.named.keys())
        if has_source or not members or self._context is None:
            return None, NOT_SAID
        found: Expression = self._context
        for member in members:
            found = ("member", found, member)
        is_whole = ".".join(members) == path.strip() and self._said != NOT_SAID
        return found, shorten((self._said or "") + form.format(path.strip()), 200) if is_whole else NOT_SAID

    def _read_context(self, names: dict[str, str], element: _Element) -> None:
        for attribute in CONTEXTS:
            if (given := names.get(attribute, "")).startswith("{"):
                self._context, self._said = self._bound(given, "/{}")
        for attribute in CONTEXT_TYPES:
            value = names.get(attribute)
            if value is None:
                continue
            type_name = value if not value.startswith("{") else ""
            for extension in read_extensions(value):
                if extension.name in TYPE_NAMES:
                    type_name = extension.named.get("Type") or next(iter(extension.positional), "")
            if type_name and not type_name.startswith("{"):
                self._context = ("instance", self.type_form(type_name))
                self._said = shorten(type_name, 200)
                self._tie(element.start, attribute, "context", type_name, element=element.name)

    def _read_attribute(self, element: _Element, attribute: str, value: str, *, place: int) -> None:
        if attribute in {"Name", "x:Name"} and _IDENTIFIER.match(value):
            symbol = self._begin("field", value, element, element.start)
            kind = self.type_form(element.name)
            self._keep(element, symbol._replace(value_type=kind, visibility="package"))
        elif attribute == "x:Key" and not value.startswith("{"):
            symbol = self._begin("constant", shorten(value, 200), element, element.start)
            kind = self.type_form(element.name)
            # Found by its key and no member: the code behind may have one of the same name.
            self._keep(element, symbol._replace(parent=0, value_type=kind, modifiers=("resource",)))
        elif value.startswith("{"):
            self._read_extensions(element, attribute, value, place=place)
        elif _IDENTIFIER.match(value) and value not in TRUTHS and self._is_event(element, attribute):
            self._note_handler(value, place)
            self._tie(place, attribute, "handler", value, element=element.name)
        elif attribute in TEXT_ATTRIBUTES and len(value) in CONSTANT_LENGTHS:
            self.constants.append(Constant(self.scope, self.text.line_of(place), "string", value))

    def _read_extensions(self, element: _Element, attribute: str, value: str, *, place: int) -> None:
        inside = self._context, self._said
        if attribute in CONTEXTS:  # what makes the context stands in the one around it
            self._context, self._said = element.context, element.said
        elif attribute.endswith(COLUMN_BINDING) and element.name.endswith(COLUMN):
            self._context, self._said = self._item()
        for extension in read_extensions(value):
            self._read_extension(extension, place)
            tied = (element.name, attribute)
            found = tie_of(extension, scope=self.scope, line=self.text.line_of(place), place=tied)
            if found is not None:
                self.ties.append(found._replace(context=self._said))
        self._context, self._said = inside

    def _is_event(self, element: _Element, attribute: str) -> bool:
        if element.name == "EventSetter":
            return attribute == "Handler"
        if attribute in NO_EVENTS or attribute.startswith(NO_EVENT_BEGINNINGS):
            return False
        return attribute.endswith(EVENT_ENDINGS)

    def _note_handler(self, name: str, place: int) -> None:
        """The framework calls a method of the code behind when the event happens."""
        line, column = self.text.line_of(place), self.text.column_of(place)
        callee: Expression = ("member", ("this",), name)
        self.calls.append(Call(self.scope, line, column, callee, shorten(name, 120), kind="implicit"))

    def _refer(self, target: Expression, kind: str, place: int) -> None:
        line, column = self.text.line_of(place), self.text.column_of(place)
        self.references.append(Reference(self.scope, line, column, target, kind))

    def _read_extension(self, extension: Extension, place: int) -> None:
        name = extension.name
        first = next(iter(extension.positional), "")
        if name in BINDINGS:
            self._read_binding(extension, extension.named.get("Path") or first, place=place)
        elif name in RESOURCES:
            key = extension.named.get("ResourceKey") or first
            if key and not key.startswith("{"):
                self._refer(("name", shorten(key, 200)), "value", place)
        elif name == "x:Static" and first:
            self._refer(self.type_form(extension.named.get("Member") or first), "value", place)
        elif name in TYPE_NAMES and (type_name := extension.named.get("Type") or first):
            self._refer(self.type_form(type_name), "type", place)

    def _read_binding(self, extension: Extension, path: str, *, place: int) -> None:
        # Bindings to another element or to the element itself are no members of the view model.
        source: Expression = self._context
        if extension.name == "x:Bind":
            source = ("this",)
        elif "ElementName" in extension.named:
            source = ("name", shorten(extension.named["ElementName"], 200))
        elif extension.name == "TemplateBinding" or {"RelativeSource", "Source"} & extension.named.keys():
            return
        members = path_members(path)
        if not members or source is None:
            return
        for member in members:
            source = ("member", source, member)
            self._refer(source, "value", place)
