"""Syntax that says something beyond names and values: loops, handlers, results nobody takes, texts put together.

What such syntax looks like is data: `constructs.toml` in the folder of each language, patterns of tree-sitter's
query language, which runs over a tree at a fraction of the cost of parsing it. A pattern marks

    @call      a call
    @it        the node that the construct is
    @detail    what is kept of it as text; of texts put together it is all
    @variable  what a handler calls the error
    @body      what a handler does, and what a loop runs again: calls in it are in the construct
    @literal   a text among the arguments of @call, and @keyword what it is given as

`conditional` is no construct of its own, for there is one in every other line: calls that its section `watched` names
are marked where they stand in such a @body, or behind an @exit in the block that this leaves early.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.construct_patterns import listed_patterns, pattern_data
from drift.languages.facts import CallDetail, CallTrait, Construct, Handling, HandlingTrait
from drift.languages.queries import MOST_QUERY_CHARACTERS, kept_query
from drift.languages.sites import SiteNotes, SitePattern, note_own_sites, site_rules
from drift.languages.syntax import decodable, load_grammar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tree_sitter import Node, Query

    from drift.languages.enclosure import Scopes
    from drift.languages.facts import Call, FileFacts
    from drift.languages.syntax import SourceText

    Captures = dict[str, list[Node]]

CUT: Final = "cut"
"""The kind that says of a file: its constructs are not all here, for its code is nested without end."""

MOST_DETAIL_CHARACTERS: Final = 400
_CALLEE_FIELDS: Final = ("constructor", "name", "type", "method")
# Under which the nodes of paths keep their last name.
_LAST_NAMES: Final = {
    "attribute": "attribute",
    "field_expression": "field",
    "generic_function": "function",
    "member_access_expression": "name",
    "member_binding_expression": "name",
    "member_expression": "property",
    "selector_expression": "field",
}
# Nodes that ask what they begin with for a member: `error.message`.
_ASKING: Final = frozenset({
    "attribute", "call", "field_access", "field_expression", "member_access_expression", "member_call_expression",
    "member_expression", "method_invocation",
})  # fmt: skip
_CAUSE: Final = re.compile(r"[cC]ause|InnerException|[pP]revious")
# That are in the making at once, each looked at for every node: real files need less than 64.
_MOST_MATCHES: Final = 512
# Plain numbers: flags cost a call for each `|`.
_USES: Final = {
    "dropped": int(CallTrait.DROPPED),
    "bound": int(CallTrait.BOUND),
    "returned": int(CallTrait.RETURNED),
    "awaited": int(CallTrait.AWAITED),
}
_AROUND: Final = {
    "loop": int(CallTrait.LOOPED),
    "resource": int(CallTrait.IN_RESOURCE),
    "lock": int(CallTrait.IN_RESOURCE),
}
_CONDITIONAL: Final = "conditional"
_KEPT_WHOLE: Final = frozenset({"interpolated", "concatenated", "formatted"})
# Joined texts nest to the left: of `a + b + c` the whole is meant.
_CLIMBING: Final = frozenset({"concatenated"})
_OPENING: Final = re.compile(r"\A[A-Za-z@$#]{0,4}(?:\"\"\"|'''|[\"'`])")
_MARKS: Final = frozenset({b"'", b'"'})
# Names that write a log, as the end of what is called or what stands before it.
_LOGGING: Final = re.compile(
    r"(?:^|[._>:$])(?:log|logs|logger|logging|console|slog|zap|logrus|tracing|syslog|error_log|report|captureException"
    r"|capture_exception|_logger)(?:$|[.(_:>-])"
    r"|(?:^|[.>:])_?log(?:ger)?[A-Z_][A-Za-z]{0,12}$"
    r"|(?:^|[.:])(?:warn|warning|error|exception|print|println|printf|eprintln!|println!)$"
)


class _Patterns(NamedTuple):
    query: Query
    kinds: tuple[tuple[str, str | SitePattern], ...]  # section and key, by the number of the pattern
    watched: re.Pattern[str] | None  # calls of which is told whether they run under a condition alone
    names: Query
    exits: Query  # looked for in handlers alone: there are returns everywhere
    exit_kinds: tuple[str, ...]


def with_constructs(
    facts: FileFacts, grammar: str, scopes: Scopes, *, root: Node, text: SourceText
) -> FileFacts:
    """The facts of a file, with what its tree has of the constructs that its language knows."""
    root = decodable(grammar, root, text)
    reading = _Reading(_patterns(grammar), root, text, facts.calls)
    for section, kind, captures in reading.matches():
        if isinstance(kind, SitePattern):
            reading.sites.note(kind, captures)
        elif section == "calls":
            reading.note_call(kind, captures)
        elif section == "handlers":
            reading.handlers.append((kind, captures))
        elif kind == _CONDITIONAL:
            reading.note_conditional(captures)
        else:
            reading.note_construct(kind, captures)
    note_own_sites(grammar, root, reading.sites)
    handlings = tuple(reading.handlings(facts.handlings, scopes))
    return facts._replace(
        handlings=handlings,
        constructs=tuple(reading.constructs(scopes)),
        call_details=tuple(reading.call_details()),
        sites=reading.sites.facts(),
    )


@cache
def _patterns(grammar: str) -> _Patterns:
    from tree_sitter import Query  # a worker loads only what its files need

    data = pattern_data(grammar)
    language = load_grammar(grammar)
    every = list(listed_patterns(data))
    listed = [each for each in every if each[0] != "exits"]
    exits = [each for each in every if each[0] == "exits"]
    sites = site_rules(grammar)
    texts = [*(each for _section, _kind, each in listed), *(rule.query for _dimension, rule in sites)]
    # Each pattern by itself first would tell which is wrong; together they are compiled once.
    query = Query(language, "\n".join(texts))
    origins = pattern_origins(query, texts)
    if origins[: len(listed)] != list(range(len(listed))):
        raise ValueError(f"constructs of {grammar}: a text holds more than one pattern")
    kinds: list[tuple[str, str | SitePattern]] = [(section, kind) for section, kind, _ in listed]
    for number, origin in enumerate(origins[len(listed) :]):
        kinds.append(("sites", SitePattern(number, *sites[origin - len(listed)])))
    return _Patterns(
        query,
        tuple(kinds),
        re.compile(data["watched"]) if "watched" in data else None,
        Query(language, data["names"]),
        Query(language, "\n".join(pattern for _section, _kind, pattern in exits)),
        tuple(kind for _section, kind, _pattern in exits),
    )


def pattern_origins(query: Query, texts: Sequence[str]) -> list[int]:
    """Of each pattern of a query that was made of several texts, a line between them, in which text it stands."""
    ends = list(accumulate(len(each.encode()) + 1 for each in texts))
    return [bisect_right(ends, query.start_byte_for_pattern(each)) for each in range(query.pattern_count)]


class _Reading:
    """What was matched so far in one file."""

    def __init__(self, patterns: _Patterns, root: Node, text: SourceText, calls: Sequence[Call]) -> None:
        self._patterns = patterns
        self._root = root
        self._text = text
        self._calls = calls
        self._numbers: dict[int, int] = {}  # of calls, by the byte of the name
        starts = text.line_starts
        for number, (_scope, line, column, _callee, _text, _arguments, kind) in enumerate(calls):
            if kind != "implicit":
                self._numbers.setdefault(starts[line - 1] + column, number)
        self._places = sorted(self._numbers)
        # The numbers of calls, by their nodes: several patterns match one.
        self._matched: dict[int, int | None] = {}
        self._traits = [0] * len(calls)
        self._literals: dict[int, tuple[int, str | None, str]] = {}
        self._constructs: dict[tuple[int, int, str], str | None] = {}  # by start, end and kind
        self._bodies: dict[str, list[tuple[int, int]]] = {kind: [] for kind in _AROUND}
        self._conditional: list[tuple[int, int]] = []
        self.handlers: list[tuple[str, Captures]] = []
        self.sites = SiteNotes(text)

    def matches(self) -> Iterator[tuple[str, str | SitePattern, Captures]]:
        from tree_sitter import QueryCursor  # a worker loads only what its files need

        cursor = QueryCursor(self._patterns.query, match_limit=_MOST_MATCHES)
        kinds = self._patterns.kinds
        for pattern, captures in cursor.matches(self._root):
            yield (*kinds[pattern], captures)
        if cursor.did_exceed_match_limit:
            self._constructs[0, self._root.end_byte, CUT] = None

    def note_call(self, kind: str, captures: Captures) -> None:
        call = captures["call"][0]
        if call.id in self._matched:
            number = self._matched[call.id]
        else:
            number = self._matched[call.id] = self._numbers.get(_place_of(call))
        if number is None:
            return  # no call to the language's walk: a macro, a variant, an import
        use = _USES.get(kind)
        if use is not None:
            self._traits[number] |= use
            return
        literal = captures["literal"][0]
        place = literal.start_byte
        if number not in self._literals or place < self._literals[number][0]:
            keyword = self._text.text(captures["keyword"][0]) if "keyword" in captures else None
            self._literals[number] = (place, keyword, self._unquoted(literal))

    def note_construct(self, kind: str, captures: Captures) -> None:
        node = captures["it"][0]
        if kind in _CLIMBING:
            node = _outermost(node)
        detail = node if kind in _KEPT_WHOLE else captures["detail"][0] if "detail" in captures else None
        shown = None if detail is None else self._shown(detail)
        self._constructs[node.start_byte, node.end_byte, kind] = shown
        if kind in _AROUND:
            for body in captures.get("body", (node,)):
                self._bodies[kind].append((body.start_byte, body.end_byte))

    def note_conditional(self, captures: Captures) -> None:
        for body in captures.get("body", ()):
            self._conditional.append((body.start_byte, body.end_byte))
        for left in captures.get("exit", ()):
            if left.parent is not None:
                self._conditional.append((left.end_byte, left.parent.end_byte))

    def constructs(self, scopes: Scopes) -> Iterator[Construct]:
        ordered = sorted(self._constructs.items(), key=lambda each: (each[0][0], -each[0][1], each[0][2]))
        numbers = scopes.numbers([start for (start, _end, _kind), _detail in ordered])
        line_of = self._text.line_of
        for (start, end, kind), detail in ordered:
            last = max(start, end - 1)
            yield Construct(numbers[start], line_of(start), line_of(last), kind, start, end, detail)

    def call_details(self) -> Iterator[CallDetail]:
        for kind, trait in _AROUND.items():
            self._mark(self._bodies[kind], trait)
        watched = self._patterns.watched
        if watched is not None and self._conditional:
            named = [
                place for place in self._places if watched.search(self._calls[self._numbers[place]].text)
            ]
            self._mark(self._conditional if named else (), int(CallTrait.CONDITIONAL), among=named)
        for number, traits in enumerate(self._traits):
            literal = self._literals.get(number)
            if traits or literal:
                yield CallDetail(number, traits, *(literal[1:] if literal else (None, None)))

    def _mark(
        self, spans: Iterable[tuple[int, int]], trait: int, *, among: Sequence[int] | None = None
    ) -> None:
        """Note the calls that stand in one of the spans; spans in others add nothing."""
        places, marked = self._places if among is None else among, -1
        for start, end in sorted(spans):
            if end <= marked:
                continue
            for place in places[bisect_left(places, max(start, marked)) : bisect_left(places, end)]:
                self._traits[self._numbers[place]] |= trait
            marked = end

    def handlings(self, known: Sequence[Handling], scopes: Scopes) -> Iterator[Handling]:
        """What the walk found, with what its handlers do, and the checks of errors that are values."""
        described: dict[tuple[int, int], Handling] = {}
        checks: list[tuple[int, Handling]] = []
        bodies: list[tuple[int, int]] = []
        for kind, captures in self.handlers:
            node = captures["it"][0]
            body = captures["body"][0] if "body" in captures else node
            bodies.append((body.start_byte, body.end_byte))
            lines = (self._text.line_of(node.start_byte), self._text.line_of(node.end_byte - 1))
            variable = self._text.text(captures["variable"][0]) if "variable" in captures else None
            traits = int(self._handler_traits(body, variable))  # flags do not cross process borders
            found = Handling(0, *lines, kind, (), is_empty=False, variable=variable, traits=traits)
            if kind == "check":
                checks.append((node.start_byte, found))
            else:
                described[lines] = found
        self._mark(bodies, int(CallTrait.IN_HANDLER))
        for each in known:
            shown = described.get((each.line, each.end_line)) if each.kind == "catch" else None
            yield each._replace(variable=shown.variable, traits=shown.traits) if shown else each
        checks.sort(key=lambda each: each[0])
        numbers = scopes.numbers([place for place, _check in checks])
        for place, check in checks:
            yield check._replace(scope=numbers[place])

    def _handler_traits(self, body: Node, variable: str | None) -> int:
        start, end = body.start_byte, body.end_byte
        traits = 0
        for kind, node in self._exits_in(body):
            if kind == "return":
                traits |= HandlingTrait.RETURNS
                if variable and self._names_within(node, variable):
                    traits |= HandlingTrait.PASSES_ON
                continue
            traits |= self._throw_traits(node, variable)
        places = self._places
        for place in places[bisect_left(places, start) : bisect_left(places, end)]:
            if _LOGGING.search(self._calls[self._numbers[place]].text):
                traits |= HandlingTrait.LOGS
        if variable and self._names_within(body, variable):
            traits |= HandlingTrait.USES_ERROR
        return traits

    def _exits_in(self, body: Node) -> Iterator[tuple[str, Node]]:
        from tree_sitter import QueryCursor  # a worker loads only what its files need

        for pattern, captures in QueryCursor(self._patterns.exits, match_limit=_MOST_MATCHES).matches(body):
            yield self._patterns.exit_kinds[pattern], captures["it"][0]

    def _throw_traits(self, node: Node, variable: str | None) -> int:
        parts = [child for child in node.named_children if child.type != "comment"]
        if not parts or (len(parts) == 1 and variable == self._text.brief(parts[0], 100)):
            return HandlingTrait.RETHROWS
        keeps_cause = variable is not None and self._is_handed_on(node, variable)
        return HandlingTrait.THROWS_OTHER | (HandlingTrait.KEEPS_CAUSE if keeps_cause else 0)

    def _is_handed_on(self, node: Node, variable: str) -> bool:
        """Whether the error itself stands in a throw, or its cause; its message alone says nothing of where it was."""
        for each in self._named(node, variable):
            parent = each.parent
            is_asked = parent is not None and parent.type in _ASKING and parent.start_byte == each.start_byte
            if parent is None or not is_asked or _CAUSE.search(self._text.brief(parent, 100)):
                return True
        return False

    def _names_within(self, node: Node, wanted: str) -> bool:
        return any(True for _ in self._named(node, wanted))

    def _named(self, node: Node, wanted: str) -> Iterator[Node]:
        from tree_sitter import QueryCursor  # a worker loads only what its files need

        found = QueryCursor(self._patterns.names).captures(node).get("name", ())
        return (each for each in found if self._text.text(each) == wanted)

    def _shown(self, node: Node) -> str:
        """A text as written, a query to a greater length."""
        written = self._text.brief(node, MOST_DETAIL_CHARACTERS)
        if node.end_byte - node.start_byte <= MOST_DETAIL_CHARACTERS:
            return written
        opening = _OPENING.match(written)
        longer = self._text.brief(node, MOST_QUERY_CHARACTERS)
        begins = opening.end() if opening is not None else 0
        query = kept_query(longer[begins:])
        return written if query is None else longer[:begins] + query[: MOST_QUERY_CHARACTERS - begins]

    def _unquoted(self, node: Node) -> str:
        start, end = node.start_byte, node.end_byte
        if 1 < end - start <= MOST_DETAIL_CHARACTERS:
            raw = self._text.source[start:end]
            mark = raw[:1]
            # Most texts are written so, and nothing of them is left out or put on one line.
            is_plain = mark in _MARKS and raw[-1:] == mark and raw[1:3] != mark + mark
            if is_plain and b"\n" not in raw and b"  " not in raw:
                return raw[1:-1].decode("utf-8", "replace")
        written = self._shown(node)
        opening = _OPENING.match(written)
        if opening is None:
            return written
        quote = opening[0].lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@$#")
        return written[opening.end() :].removesuffix(quote)


def _place_of(call: Node) -> int:
    """The byte where the walks of the languages put a call: where the name stands that says what is called."""
    # Nearly all have the first of the fields.
    node = (
        call.child_by_field_name("function")
        or next(filter(None, map(call.child_by_field_name, _CALLEE_FIELDS)), None)
        or call.named_children[0]
    )
    while (field := _LAST_NAMES.get(node.type)) and (inner := node.child_by_field_name(field)) is not None:
        node = inner
    # What a call gives back is called: the name would be that of the inner call.
    return -1 if node.child_by_field_name("arguments") is not None else node.start_byte


def _outermost(node: Node) -> Node:
    """The whole of what is joined, of which a node is a part."""
    kind = node.kind_id
    while (parent := node.parent) is not None and parent.kind_id == kind:
        node = parent
    return node
