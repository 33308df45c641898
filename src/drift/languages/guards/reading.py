"""The guards of one file: those of its routes and mounts, and those of classes and functions that routes may lead to."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.call_sites import (
    MOST_TEXT,
    CallSite,
    call_at,
    calls_around,
    chain_before,
    chain_behind,
    flattened,
    is_function,
    is_object,
    is_sum,
    is_text,
    keyed,
    positional,
    site_of,
)
from drift.languages.facts import Guard
from drift.languages.guards.symbols import symbol_guards
from drift.languages.guards.words import guard_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.facts import Call, EntryPoint, FileFacts, Mount
    from drift.languages.guards.words import GuardWords
    from drift.languages.syntax import SourceText

    Found = tuple[str, str]  # how it is given, and what it is as written

_MOST_GUARDS: Final = 20  # of one route
_MOST_ROUTERS: Final = 6  # that are made of each other
_LAST_WORD: Final = re.compile(r"\w{1,80}[!?]?$")


class _Use(NamedTuple):
    receiver: str
    scope: int
    line: int
    texts: tuple[str, ...]
    is_ordered: bool = True
    prefix: str = ""


class _Place(NamedTuple):
    """A route or a mount: its call, where that stands, and its path."""

    site: CallSite
    scope: int
    line: int
    path: str


def with_guards(facts: FileFacts, grammar: str, *, root: Node, text: SourceText) -> FileFacts:
    """The facts of a file, with what stands before its handlers."""
    words = guard_words(grammar)
    if words is None:
        return facts
    guards = list(symbol_guards(facts, words, root=root, text=text))
    is_routing = any(each.kind == "http" for each in facts.entry_points)
    if not is_routing and not facts.mounts:
        return facts._replace(guards=tuple(guards)) if guards else facts
    reading = _Reading(facts, words, root=root, text=text)
    for number, entry in enumerate(facts.entry_points):
        if entry.kind == "http":
            guards += [
                Guard(entry.symbol, entry.line, how, what, number) for how, what in reading.of_route(entry)
            ]
    mounts = tuple(each._replace(guards=reading.of_mount(each)) for each in facts.mounts)
    return facts._replace(guards=tuple(guards), mounts=mounts)


class _Reading:
    """The calls of a file that has routes or mounts."""

    def __init__(self, facts: FileFacts, words: GuardWords, *, root: Node, text: SourceText) -> None:
        self._facts = facts
        self._words = words
        self._root = root
        self._text = text
        self._calls: defaultdict[int, list[Call]] = defaultdict(list)  # by line
        for call in facts.calls:
            self._calls[call.line].append(call)
        self._makers = {
            (binding.scope, binding.name): binding.value[1]
            for binding in facts.bindings
            if binding.value is not None and binding.value[0] == "result"
        }
        self._uses = [*self._found_uses(), *self._found_hooks()]
        self._is_after = bool(words.after_handler) and any(
            each.module.startswith(words.after_handler) for each in facts.imports
        )

    def of_route(self, entry: EntryPoint) -> list[Found]:
        """What stands before the handler of a route, as far as its file says it, each once."""
        method, _, path = entry.detail.partition(" ")
        call = self._registering(entry, method.lower())
        site = self._beginning(entry.line) if call is None else self._site(call)
        if site is None:
            return []
        scope = entry.symbol if call is None else call.scope
        place = _Place(site, scope, entry.line, path)
        return list(dict.fromkeys(self._around(place, is_route=True)))[:_MOST_GUARDS]

    def _registering(self, entry: EntryPoint, method: str) -> Call | None:
        """The call or decorator that makes a route: of several in a line the one named like its method, or the first."""
        is_decorated = any(each.line == entry.line for each in self._facts.symbols[entry.symbol].decorators)
        names = self._words.decorators if is_decorated else self._words.routes
        found = [(_last(each.text), each) for each in self._calls[entry.line]]
        return min(
            (each for name, each in found if name in names),
            key=lambda each: (method not in _last(each.text).lower(), each.column),
            default=None,
        )

    def of_mount(self, mount: Mount) -> tuple[str, ...]:
        """What stands before all routes of a router at the place where it is mounted or made."""
        call = min(self._calls[mount.line], key=lambda each: each.column, default=None)
        site = self._site(call) if call is not None and mount.kind != "own" else None
        if call is None or site is None:
            return ()
        place = _Place(site, call.scope, call.line, mount.prefix)
        found = dict.fromkeys(what for _, what in self._around(place, is_route=False))
        return tuple(found)[:_MOST_GUARDS]

    def _beginning(self, line: int) -> CallSite | None:
        """The call that a line begins with, of a route whose call is no other fact."""
        start = self._text.line_start(line)
        written = self._text.source[start : start + MOST_TEXT]
        return call_at(self._root, start + len(written) - len(written.lstrip()), self._text)

    def _around(self, place: _Place, *, is_route: bool) -> Iterator[Found]:
        site = place.site
        # A function of the project's own that is handed a router is handed other things, too.
        if is_route or (self._words.between and site.name in self._words.mounting):
            yield from self._given(site, is_route=is_route)
        if not is_route:
            yield from self._said(site, "chain")
            yield from self._handed(place)
        for outer in calls_around(site, self._text):
            for each in (outer, *chain_before(outer, self._text)):
                yield from self._said(each, "group")
        for each in chain_before(site, self._text):
            yield from self._said(each, "chain")
            if each.name in self._words.uses:  # new Hono().use(auth).get("/", list)
                prefix, texts = self._used(each)
                yield from (("router", text) for text in texts if place.path.startswith(prefix))
        for each in chain_behind(site, self._text):
            yield from self._said(each, "chain", is_behind=True)
        yield from self._of_router(_root_receiver(site, self._text), place)

    def _given(self, site: CallSite, *, is_route: bool) -> Iterator[Found]:
        """Guards among the arguments of a route, and around its handler."""
        words = self._words
        for key, value in keyed(site.arguments, self._text):
            if key in words.keywords:
                yield from (("keyword", each) for each in flattened(value, self._text))
        given = positional(site.arguments)
        if given and is_sum(given[0]):
            given = given[1:]  # a path that is put together
        rest = [each for each in given if not is_text(each) and not is_object(each)]
        if words.between and len(rest) > 1:
            between = rest[1:] if self._is_after and is_route else rest[:-1]
            for node in between:
                if not is_function(node):
                    yield from (("argument", each) for each in flattened(node, self._text))
        if is_route and rest and site.name in words.wrapped:
            yield from self._wrapping(rest[0] if self._is_after else rest[-1])

    def _wrapping(self, node: Node) -> Iterator[Found]:
        """The calls around a handler: `login_required(show)`."""
        for _ in range(_MOST_ROUTERS):
            inner = site_of(node, self._text)
            if inner is None or inner.name in self._words.unwrapping:
                return
            rest = [each for each in positional(inner.arguments) if not is_text(each)]
            if not rest:
                return
            callee = f"{inner.receiver}.{inner.name}" if inner.receiver else inner.name
            yield "wrapper", callee[-MOST_TEXT:]
            node = rest[-1]

    def _handed(self, place: _Place) -> Iterator[Found]:
        """Guards of the router that is handed over: `users.Register(v1.Group("/users", auth))`."""
        anywhere = place._replace(path="")
        for node in positional(place.site.arguments):
            inner = site_of(node, self._text)
            if inner is not None and inner.name in self._words.groups:
                for each in (inner, *chain_before(inner, self._text)):
                    yield from self._said(each, "group")
                yield from self._of_router(_root_receiver(inner, self._text), anywhere)
            elif node.type == "identifier" and self._words.groups:
                yield from self._of_router(self._text.brief(node, MOST_TEXT), anywhere)
        for key, value in keyed(place.site.arguments, self._text):
            if key in self._words.keywords:
                yield from (("keyword", each) for each in flattened(value, self._text))

    def _said(self, site: CallSite, how: str, *, is_behind: bool = False) -> Iterator[Found]:
        """Guards that a call before, behind or around a route gives it."""
        words = self._words
        is_chained = site.name in words.chained or (is_behind and site.name in words.behind)
        if is_chained and words.named:
            yield how, self._whole(site)
        elif is_chained or site.name in words.groups:
            arguments = positional(site.arguments)
            given = [
                each
                for each in arguments[words.path_first and not is_chained :]
                if not is_function(each) and not is_object(each) and (is_chained or not is_text(each))
            ]
            for node in given:
                yield from ((how, each) for each in flattened(node, self._text))
            if not given and is_chained:
                yield how, site.name
        for key, value in keyed(site.arguments, self._text):
            if key in words.keywords:
                yield from ((how, each) for each in flattened(value, self._text))

    def _whole(self, site: CallSite) -> str:
        """A call as written, without what it is made on and without the parentheses of no arguments."""
        given = "" if site.arguments is None else self._text.brief(site.arguments, MOST_TEXT)
        space = "" if given.startswith("(") else " "
        return f"{site.name}{site.type_arguments}{space}{given if given != '()' else ''}"[:MOST_TEXT].strip()

    def _of_router(self, receiver: str, place: _Place, depth: int = 0) -> Iterator[Found]:
        """Guards of the router that a route is added to, and of those that it is made of."""
        for use in self._uses:
            if (
                use.receiver == receiver
                and (use.line < place.line or not use.is_ordered)
                and self._is_within(place.scope, use.scope)
                and place.path.startswith(use.prefix)
            ):
                yield from (("router", each) for each in use.texts)
        maker = self._maker(receiver, place.scope)
        if maker is None or depth > _MOST_ROUTERS:
            return
        for each in (maker, *chain_before(maker, self._text)):
            yield from self._said(each, "router")
        inner = _root_receiver(maker, self._text)
        if inner and inner != receiver:
            yield from self._of_router(inner, place, depth + 1)

    def _maker(self, receiver: str, scope: int) -> CallSite | None:
        while True:
            number = self._makers.get((scope, receiver.lstrip("$"))) or self._makers.get((scope, receiver))
            if number is not None:
                return self._site(self._facts.calls[number])
            if not scope:
                return None
            scope = max(self._facts.symbols[scope].parent, 0)

    def _is_within(self, scope: int, outer: int) -> bool:
        while scope and scope != outer:
            scope = max(self._facts.symbols[scope].parent, 0)
        return scope == outer

    def _found_uses(self) -> Iterator[_Use]:
        words = self._words
        for call in self._facts.calls if words.uses else ():
            name = _last(call.text)
            site = self._site(call) if name in words.uses else None
            if site is None:
                continue
            path, texts = self._used(site)
            yield _Use(site.receiver, call.scope, call.line, texts, name not in words.unordered, path)

    def _used(self, site: CallSite) -> tuple[str, tuple[str, ...]]:
        """The path for which a call gives a router guards, and these."""
        given = positional(site.arguments)
        prefix = self._text.brief(given[0], MOST_TEXT).strip("\"'`") if given and is_text(given[0]) else ""
        texts = tuple(
            each
            for node in given
            if not is_text(node) and not is_object(node)
            for each in (("function",) if is_function(node) else flattened(node, self._text))
            if not each.endswith(self._words.router_endings)
        )
        if not given or self._words.named:
            texts = (self._whole(site),)
        return prefix if prefix.startswith("/") else "", texts

    def _found_hooks(self) -> Iterator[_Use]:
        hooks = self._words.hooks
        for symbol in self._facts.symbols if hooks else ():
            for decorator in symbol.decorators:
                router, _, name = decorator.name.rpartition(".")
                if router and name in hooks:
                    yield _Use(router, symbol.parent, decorator.line, is_ordered=False, texts=(symbol.name,))

    def _site(self, call: Call) -> CallSite | None:
        return call_at(self._root, self._text.line_start(call.line) + call.column, self._text)


def _root_receiver(site: CallSite, text: SourceText) -> str:
    return (site, *chain_before(site, text))[-1].receiver


def _last(called: str) -> str:
    found = _LAST_WORD.search(called)
    return found[0] if found is not None else ""
