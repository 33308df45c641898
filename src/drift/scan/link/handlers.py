"""Methods that a framework calls with what it is handed: a mediator its handlers, a bus its listeners.

The rows are data, `words.dispatch` in the files of `languages/frameworks`:

- `senders`: what is called outside, by the last parts of its full name: `ISender.Send`, `event`; `*.Send` is such a method
  of anything, also of the project's own, since what handles the class that it is given says that it is meant;
- `methods`: the names of the methods that run; `begins`: how others begin that run, with a capital behind it;
- `takes`: how a handler says what it handles: `base`, by the first type argument of one of `bases`, or of a type of the
  project that descends from one and whose name ends in the same word (`ICommandHandler<T> : IRequestHandler<T>`); `decorator`,
  by the argument of one of `decorators` at the class; `parameter`, by the type of the method's first parameter
  (where there are `decorators`, of any method that has one of them); `named`, by what one of `decorators` at the class
  says, a text or a constant, where one of `giving` says it at the member that the call is of: `@InjectQueue("mail")` and
  `@Processor("mail")`; there methods run, too, that have one of `marks`; `itself`, where what is handed over runs itself;
  `any`, where classes that say one of `bases` run around whatever is handed over, if it is of the type that they take;
  `made`, where classes that name what is handed over as `base` does are made for it, if something of `asking`, which is
  one of the `bases` of a row that takes any, is made with such;
  `function`, where that is a function which a decorator made something of that has such a member, whatever is outside;
- `of`: `argument`, if not `receiver`, or `element`, one of what the receiver holds: which part of the call is handed over;
- `through`: methods of the receiver that give it again, with settings.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any, Final, Literal, NamedTuple, get_args

from drift.languages.expressions import Expression, last_name
from drift.languages.facts import Symbol
from drift.languages.frameworks import load_frameworks
from drift.languages.kinds import TYPE_KINDS

Takes = Literal["any", "base", "decorator", "function", "itself", "made", "named", "parameter"]
Handed = Literal["argument", "element", "receiver"]

ANY: Final = "*"
"""The owner of a sender whose name alone counts."""

_GENERIC: Final = re.compile(r"(?:[\w.:\\]*[.:\\])?(\w+)\s*<\s*([\w.]+)")
_ARGUMENTS: Final = re.compile(r"^[^(]*\(([\w\s.,\[\]]*)")
# "mail", QueueName.MAIL, { name: "mail", … }
_SAID: Final = re.compile(
    r"""[^(]{0,100}\(\s{0,100}(?:\{(?:[^}]{0,100}[\s,])?name\s{0,9}:\s{0,9})?(?:(["'`])([^"'`]{1,200})\1|([\w.]{1,200}))"""
)
_NAME: Final = re.compile(r"[\w.]+")
_LAST_WORD: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")
_MOST_NAMES: Final = 20  # in one decorator


class Dispatch(NamedTuple):
    """One way to hand something over."""

    senders: frozenset[str]
    methods: frozenset[str]
    takes: Takes
    of: Handed = "argument"
    bases: frozenset[str] = frozenset()
    decorators: frozenset[str] = frozenset()
    through: frozenset[str] = frozenset()
    begins: frozenset[str] = frozenset()
    giving: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()

    def names(self, method: str) -> bool:
        """Whether a method of this name runs."""
        return method in self.methods or any(
            method.startswith(each) and method[len(each) : len(each) + 1].isupper() for each in self.begins
        )


@cache
def dispatches(frameworks: str) -> tuple[Dispatch, ...]:
    """The rows of a file of frameworks; none where a language has no such file.

    Raises:
        ValueError: a row states something that no row can state.
    """
    rows = load_frameworks(frameworks).words.get("dispatch", ()) if frameworks else ()
    return tuple(map(_dispatch, rows))


def _dispatch(row: dict[str, Any]) -> Dispatch:
    unknown = row.keys() - set(Dispatch._fields)
    is_known = row.get("takes") in get_args(Takes) and row.get("of", "argument") in get_args(Handed)
    if unknown or not is_known:
        raise ValueError(f"a row of dispatch states unknown things: {row}")
    typed: dict[str, Any] = {
        key: frozenset(value) if isinstance(value, list) else value for key, value in row.items()
    }
    return Dispatch(**typed)


@cache
def sending_names(frameworks: str) -> frozenset[str]:
    """The last names of what hands something over."""
    return frozenset(
        sender.rpartition(".")[2] for dispatch in dispatches(frameworks) for sender in dispatch.senders
    )


@cache
def names_given_objects(frameworks: str) -> frozenset[str]:
    """Those of which what is given decides: of others two calls that are written alike mean the same."""
    return frozenset(
        sender.rpartition(".")[2]
        for dispatch in dispatches(frameworks)
        for sender in dispatch.senders
        if dispatch.of == "argument"
    )


class Handling(NamedTuple):
    """What a symbol says that it handles, by a name as written there, and by which row."""

    name: str
    dispatch: Dispatch
    is_by_other: bool = False  # by the type argument of a type that may descend from one of the row's


def handlings(symbol: Symbol, rows: Iterable[Dispatch]) -> Iterator[Handling]:
    """What a class or a method says that it handles."""
    for row in rows:
        if row.takes == "parameter":
            is_handler = symbol.kind == "method" and (
                bool(_decorators(symbol, row)) if row.decorators else row.names(symbol.name)
            )
            name = last_name(_named(first_parameter(symbol))) if is_handler else ""
            if name:
                yield Handling(name, row)
        elif symbol.kind in TYPE_KINDS and (symbol.bases or symbol.decorators):
            yield from (Handling(name, row, is_by_other) for name, is_by_other in _declared(symbol, row))


def _declared(symbol: Symbol, row: Dispatch) -> Iterator[tuple[str, bool]]:
    if row.takes == "any":
        yield from ((name, False) for base in symbol.bases if (name := _plain_name(base.text)) in row.bases)
    elif row.takes in {"base", "made"}:
        for base in symbol.bases:
            found = _GENERIC.match(base.text)
            if found is not None and found[1].endswith(_last_words(row.bases)):
                yield found[2], found[1] not in row.bases
    elif row.takes == "decorator":
        for text in _decorators(symbol, row):
            listed = _ARGUMENTS.match(text)
            names = _NAME.findall(listed[1])[:_MOST_NAMES] if listed is not None else ()
            yield from ((name, False) for name in names)
    elif row.takes == "named":
        yield from ((name, False) for name in said_names(symbol, row.decorators))


def _plain_name(text: str) -> str:
    """The last name of a type as written, without its arguments."""
    return text.partition("<")[0].strip().rpartition(".")[2]


def said_names(symbol: Symbol, decorators: Collection[str]) -> Iterator[str]:
    """What these decorators of a symbol say first: a text, or a constant by its name."""
    for one in symbol.decorators:
        found = _SAID.match(one.text) if one.name.rpartition(".")[2] in decorators else None
        if found is not None:
            yield found[2] or found[3]


@cache
def _last_words(names: frozenset[str]) -> tuple[str, ...]:
    """What the names end in: `Handler` of `IRequestHandler`."""
    return tuple(sorted({_LAST_WORD.findall(name)[-1] for name in names}))


def _decorators(symbol: Symbol, row: Dispatch) -> list[str]:
    return [one.text for one in symbol.decorators if one.name.rpartition(".")[2] in row.decorators]


def first_parameter(symbol: Symbol) -> Expression:
    """The type of the first parameter of a method."""
    plain = [one for one in symbol.parameters if one.kind == "plain"]
    return plain[0].type if plain else None


def _named(declared: Expression) -> Expression:
    return declared[1] if declared is not None and declared[0] == "instance" else declared
