"""Requests that JavaScript and TypeScript make: fetch, axios, ky, Angular's HttpClient, and a project's own wrappers.

The index says which files have calls that may send one; these are parsed again, since an address is made of more than a
name. A function that sends what it is given is a wrapper: who calls it makes the request.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.contracts.graphql_documents import Asked, Chosen, read_document
from drift.analyses.contracts.paths import data
from drift.analyses.contracts.records import ClientCall, TypeUse
from drift.analyses.contracts.script_nodes import function_around, handed_out, keys_of, parameters_of
from drift.analyses.contracts.script_values import Outside, Values, pair_of
from drift.languages.syntax import SourceText, parse

if TYPE_CHECKING:
    from tree_sitter import Node

_GRAMMARS: Final = {
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".vue": "typescript",
    ".svelte": "typescript",
}
_PLAIN: Final = frozenset({".js", ".mjs", ".cjs", ".jsx"})
_VERB: Final = re.compile(r"\A(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\Z", re.IGNORECASE)
_OPENING: Final = re.compile(rb"<script\b[^>]{0,300}>")
_CLOSING: Final = b"</script>"
_OPEN: Final = re.compile(r"\A(?:\{[^{}]{1,200}\})+\Z")
_PARAMETER: Final = re.compile(r"\{([\w$]{1,100})\}\Z")
_BODIED: Final = frozenset({"POST", "PUT", "PATCH"})
_INSERTED: Final = re.compile(r"\$\{[^{}]{0,500}\}")
_MOST_TYPE: Final = 300


class Wrapper(NamedTuple):
    """A function that sends what it is given: the method where it says one, and what it puts before the address."""

    line: int
    name: str
    method: str | None
    prefix: str


class Read(NamedTuple):
    """The requests of a file, and its functions that send what they are given."""

    calls: tuple[ClientCall, ...]
    wrappers: tuple[Wrapper, ...]
    asked: tuple["Question", ...] = ()  # by documents of GraphQL in it
    fragments: Mapping[str, Chosen] = MappingProxyType({})


class Question(NamedTuple):
    """What a document of GraphQL asks for, and where that stands."""

    asked: Asked
    file: str
    line: int
    function: str


class Wrapped(NamedTuple):
    """A call of a wrapper."""

    line: int
    wrapper: Wrapper


class _Rules(NamedTuple):
    verbs: dict[str, str]
    plain: frozenset[str]
    documents: frozenset[str]
    clients: re.Pattern[str]
    others: re.Pattern[str]
    address: tuple[str, ...]
    method: tuple[str, ...]
    body: tuple[str, ...]
    libraries: dict[str, str]


@cache
def script_rules() -> _Rules:
    """What clients.toml says of scripts."""
    table = data()["script"]
    return _Rules(
        table["verbs"],
        frozenset(table["plain"]),
        frozenset(table["documents"]),
        re.compile(table["clients"]),
        re.compile(table["others"]),
        tuple(table["address"]),
        tuple(table["method"]),
        tuple(table["body"]),
        table["libraries"],
    )


def may_send(text: str) -> bool:
    """Whether a call that is written so may send a request."""
    last, rules = text.rpartition(".")[2], script_rules()
    return last in rules.verbs or last in rules.plain or last in rules.documents


def read_script(path: str, source: bytes, outside: Outside, wrapped: Iterable[Wrapped] = ()) -> Read:
    """The requests of a file; `wrapped` are the calls of wrappers that it has."""
    ending = path[path.rfind(".") :]
    if ending in {".vue", ".svelte"}:
        source = _script_of(source)
    grammar = "javascript" if ending in _PLAIN else _GRAMMARS.get(ending, "tsx")
    text = SourceText(source)
    root = parse(grammar, source).root_node
    reading = _Reading(path, text, Values(root, text, outside), {one.line: one.wrapper for one in wrapped})
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "call_expression":
            reading.look_at(node)
        waiting.extend(reversed(node.named_children))
    return Read(tuple(reading.calls), tuple(reading.wrappers), tuple(reading.asked), reading.fragments)


def _script_of(source: bytes) -> bytes:
    """The script of a component, with blanks for all that is around it."""
    blank = bytearray(re.sub(rb"[^\n]", b" ", source))
    place = 0
    while (opening := _OPENING.search(source, place)) is not None:
        end = source.find(_CLOSING, opening.end())
        place = len(source) if end < 0 else end
        blank[opening.end() : place] = source[opening.end() : place]
    return bytes(blank)


class _Sent(NamedTuple):
    """What a call sends, as nodes."""

    method: str
    address: "Node"
    body: "Node | None"


class _Reading:
    def __init__(self, path: str, text: SourceText, values: Values, wrapped: dict[int, Wrapper]) -> None:
        self._path = path
        self._text = text
        self._values = values
        self._wrapped = wrapped
        self.calls: list[ClientCall] = []
        self.asked: list[Question] = []
        self.fragments: dict[str, Chosen] = {}
        self.wrappers: list[Wrapper] = []

    def look_at(self, node: "Node") -> None:
        """Keep what a call sends, if it sends something."""
        called = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if called is None or arguments is None:
            return
        written = self._values.text(called).replace(" .", ".").replace("?.", ".")
        holder, _, last = written.rpartition(".")
        given = [each for each in arguments.named_children if each.type != "comment"]
        document = arguments if arguments.type == "template_string" else next(iter(given), None)
        if document is not None and document.type == "template_string" and last in script_rules().documents:
            self._ask(document)
            return
        if not given or arguments.type == "template_string":
            return
        line = self._text.line_of(called.end_byte - 1)
        wrapper = self._wrapped.get(line)
        if wrapper is not None and wrapper.name == last:
            sent = self._by_wrapper(given, wrapper)
        else:
            wrapper = None
            sent = self._sent(holder, last, given)
        if sent is None:
            return
        address = self._values.address(sent.address)
        if wrapper is not None:
            address = wrapper.prefix + address
        elif not self._is_address(holder, last, address):
            return
        if _OPEN.match(address):
            self._note_wrapper(node, address, sent.method)
            return
        function = function_around(node)
        self.calls.append(
            ClientCall(
                sent.method,
                address,
                self._library(holder, last),
                self._path,
                self._text.line_of(node.start_byte) if wrapper is None else line,
                self._name_of(function),
                self._response(node, function),
                *self._request(sent.body, function),
            )
        )

    def _ask(self, document: "Node") -> None:
        """Keep what a document of GraphQL asks for."""
        first = self._text.line_of(document.start_byte)
        text = _INSERTED.sub(" ", self._text.text(document)[1:-1])
        holder = document.parent.parent if document.parent is not None else None
        if holder is not None and holder.type == "call_expression":
            holder = holder.parent
        is_held = holder is not None and holder.type == "variable_declarator"
        name = holder.child_by_field_name("name") if holder is not None and is_held else None
        read = read_document(text)
        self.fragments.update(read.fragments)
        for one in read.asked:
            function = self._values.text(name) if name is not None else one.name or "(document)"
            self.asked.append(Question(one, self._path, first + one.line - 1, function))

    def _by_wrapper(self, given: list["Node"], wrapper: Wrapper) -> _Sent | None:
        options = next((each for each in given[1:] if each.type == "object"), None)
        method = wrapper.method or (self._method_in(options) if options is not None else None) or "GET"
        first = given[0]
        if self._is_method(first) and len(given) > 1:
            return _Sent(self._values.text(first)[1:-1].upper(), given[1], next(iter(given[2:]), None))
        body = given[1] if len(given) > 1 and method in _BODIED else None
        return _Sent(method, first, body)

    def _sent(self, holder: str, last: str, given: list["Node"]) -> _Sent | None:
        rules = script_rules()
        first = handed_out(given[0])
        is_verb = bool(holder) and last in rules.verbs
        if not is_verb and not (last in rules.plain and (not holder or self._is_client(holder))):
            return None
        # What is given a function registers a handler.
        if is_verb and len(given) > 1 and given[-1].type in {"arrow_function", "function_expression"}:
            return None
        if first.type == "object":
            address = pair_of(first, rules.address, self._values)
            if address is None:
                return None
            method = rules.verbs[last] if is_verb else self._method_in(first) or "GET"
            return _Sent(method, address, pair_of(first, rules.body, self._values))
        if is_verb:
            method = rules.verbs[last]
            body = given[1] if len(given) > 1 and method in _BODIED else None
            return _Sent(method, first, body)
        if self._is_method(first) and len(given) > 1:
            return _Sent(self._values.text(first)[1:-1].upper(), given[1], next(iter(given[2:]), None))
        options = given[1] if len(given) > 1 and given[1].type == "object" else None
        if options is None:
            return _Sent("GET", first, None)
        return _Sent(self._method_in(options) or "GET", first, pair_of(options, rules.body, self._values))

    def _is_method(self, node: "Node") -> bool:
        """Whether a text is the name of a method: request('GET', address)."""
        return node.type == "string" and _VERB.match(self._values.text(node)[1:-1]) is not None

    def _method_in(self, options: "Node") -> str | None:
        found = pair_of(options, script_rules().method, self._values)
        said = self._values.address(found) if found is not None else ""
        return said.upper() if _VERB.match(said) else None

    def _is_client(self, holder: str) -> bool:
        """Whether something sends requests by its name or by that of what it is a part of: http.silently."""
        parts = [each for each in re.split(r"[^\w$]{1,80}", holder) if each]
        rules = script_rules()
        if not parts or rules.others.fullmatch(parts[-1]):
            return False
        return any(rules.clients.fullmatch(each) for each in parts)

    def _is_address(self, holder: str, last: str, address: str) -> bool:
        if not holder or last not in script_rules().verbs:
            return "/" in address or bool(_OPEN.match(address))
        if self._is_client(holder):
            return "\n" not in address and " " not in address.partition("{")[0]
        name = re.split(r"[^\w$]{1,80}", holder.rstrip(")?!( "))[-1]
        if script_rules().others.fullmatch(name):
            return False
        return address.startswith("/") or "}/api/" in address

    def _note_wrapper(self, node: "Node", address: str, method: str) -> None:
        function = function_around(node)
        names = set(parameters_of(function, self._values)) if function is not None else set()
        found = _PARAMETER.search(address)
        if function is None or found is None or found[1] not in names:
            return
        name = self._name_of(function)
        is_said = method != "GET" or name.lower() in script_rules().verbs
        said = script_rules().verbs.get(name.lower(), method) if is_said else None
        line = self._text.line_of(function.start_byte)
        self.wrappers.append(Wrapper(line, name.rpartition(".")[2], said, ""))

    def _library(self, holder: str, last: str) -> str:
        known = script_rules().libraries
        parts = re.split(r"[.\s()]", holder) if holder else [last]
        return next((known[each] for each in reversed(parts) if each in known), parts[-1] or last)

    def _name_of(self, function: "Node | None") -> str:
        if function is None:
            return "(file)"
        name = function.child_by_field_name("name")
        if name is not None:
            return self._values.text(name)
        parent = function.parent
        if parent is not None and parent.type in {"variable_declarator", "public_field_definition", "pair"}:
            holder = parent.child_by_field_name("name") or parent.child_by_field_name("key")
            return self._values.text(holder) if holder is not None else "(function)"
        outer = function_around(function)
        return self._name_of(outer) if outer is not None else "(function)"

    def _response(self, node: "Node", function: "Node | None") -> TypeUse | None:
        """The type that a call says it gets, else the one its variable or its function has."""
        generic = node.child_by_field_name("type_arguments")
        if generic is not None and generic.named_children:
            return TypeUse(self._text.brief(generic.named_children[0], _MOST_TYPE), self._path)
        around = node.parent
        while around is not None and around.type in {
            "await_expression",
            "as_expression",
            "parenthesized_expression",
        }:
            if around.type == "as_expression":
                return TypeUse(self._text.brief(around.named_children[-1], _MOST_TYPE), self._path)
            around = around.parent
        if around is not None and around.type == "variable_declarator":
            return self._annotation(around.child_by_field_name("type"))
        if function is None:
            return None
        return self._annotation(function.child_by_field_name("return_type"))

    def _annotation(self, node: "Node | None") -> TypeUse | None:
        if node is None or not node.named_children:
            return None
        return TypeUse(self._text.brief(node.named_children[0], _MOST_TYPE), self._path)

    def _request(
        self, body: "Node | None", function: "Node | None"
    ) -> tuple[TypeUse | None, tuple[str, ...] | None]:
        """The type of what is sent, or the names of an object that is written there."""
        if body is None:
            return None, None
        if body.type == "call_expression" and "stringify" in self._values.text(body):
            arguments = body.child_by_field_name("arguments")
            given = arguments.named_children if arguments is not None else []
            return self._request(given[0] if given else None, function)
        if body.type == "object":
            return None, keys_of(body, self._values)
        if body.type not in {"identifier", "shorthand_property_identifier"} or function is None:
            return None, None
        name = self._values.text(body)
        value = self._values.value_of(name, body)
        if value is not None and value.type == "object":
            return None, keys_of(value, self._values)
        return self._annotation(parameters_of(function, self._values).get(name)), None


def each_wrapper(read: Iterable[tuple[str, Read]]) -> Iterator[tuple[str, Wrapper]]:
    """The wrappers with their files."""
    for path, one in read:
        for wrapper in one.wrappers:
            yield path, wrapper
