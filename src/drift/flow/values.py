"""What is known of a value: where it comes from, what it is made of, and whether it is a constant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from drift.flow.ir import Constant, Function

MOST_PATH: Final = 2  # fields and keys are told apart to this depth
_MOST_FIELDS: Final = 60
_MOST_NESTED: Final = (
    12  # values one inside the other; an object that is put into itself again and again has no end
)
_MOST_TAINTS: Final = 12
_MOST_STEPS: Final = 30
# What may stand before a host: a header that redirects, a scheme, slashes, a part of a host.
_OPEN_HOST: Final = re.compile(
    r"(?:(?:location|refresh):\s{0,4}(?:\d{1,4};\s{0,4}url=)?)?(?:[a-z][a-z0-9+.-]{0,20}:)?(?://[^/?#]{0,200})?",
    re.IGNORECASE,
)


_NUMBER_MARK: Final = re.compile(r"(?:\([^)]{0,80}\))?[\d.*$]{0,12}[dixXeEfFgGcbotu]")
MUCH: Final = 2  # doubt: something on the way looks like a check
LATER: Final = 3  # doubt: kept in a field by one request, read by another
_MOST_TEXT: Final = 4_000
# Among the kinds that data is harmless for: something asked about it, a constant stands before it in the same part of
# a path. Where ways come together only what holds on both is left, so that a question that decides nothing is forgotten.
ASKED_YES: Final = "?yes"
ASKED_NO: Final = "?no"
INSIDE: Final = "?inside"
ROOTED: Final = "?rooted"  # only a slash stands before it: normalised, it cannot lead above that
_INSIDE: Final = frozenset({INSIDE})
# These stay where ways come together: a question on any of them, or a look-up by it, is reason enough to be less sure.
QUESTIONED: Final = "?questioned"
LOOKED_UP: Final = "?looked-up"
_LASTING: Final = frozenset({QUESTIONED, LOOKED_UP})
_ROOTED: Final = frozenset({ROOTED})
_NOTHING: Final[frozenset[str]] = frozenset()


class Unknown:
    """The one value that says that a constant is not known."""

    __slots__ = ()


UNKNOWN: Final = Unknown()


class Origin(NamedTuple):
    """Where data comes from: a source, or a parameter of a function that is looked at on its own."""

    function: int  # of a parameter; 0: a source
    parameter: int = 0  # -1: the object of the method; of a source: the function it is read in
    path: tuple[str, ...] = ()  # the part of the parameter
    file: int = 0
    line: int = 0
    label: str = ""
    trust: str = "remote"
    kinds: tuple[str, ...] = ()


class Step(NamedTuple):
    """A place data comes by, and the one before."""

    previous: Step | None
    file: int
    line: int
    what: str
    number: int
    inner: Step | None = None  # a way of its own that lies between; then the place itself says nothing


class Taint(NamedTuple):
    """How data of an origin got here."""

    step: Step
    safe: frozenset[str] = frozenset()  # the kinds it is harmless for
    doubt: int = 0  # how much was assumed on the way: 0 nothing, 1 something, MUCH, LATER
    is_built: bool = False  # it is part of a text put together
    leads: bool = True  # it stands at the beginning of the text


Taints = Mapping[Origin, Taint]
NONE: Final[Taints] = {}


class Value:
    """A value; never changed once it is made."""

    __slots__ = ("closure", "constant", "fields", "is_whole", "nesting", "taints", "type")

    def __init__(
        self,
        taints: Taints = NONE,
        *,
        constant: Constant | Unknown = UNKNOWN,
        fields: Mapping[str, Value] | None = None,
        is_whole: bool = False,
        type_name: str = "",
        closure: Function | None = None,
    ) -> None:
        self.taints = taints
        self.constant = constant
        self.nesting = 0
        if fields:
            self.nesting = 1 + max([each.nesting for each in fields.values()])
            if self.nesting > _MOST_NESTED:
                fields = {key: each.flat() for key, each in fields.items()}
                self.nesting = 1
        self.fields = fields
        self.is_whole = is_whole  # `fields` are all it has
        self.type = type_name
        self.closure = closure

    def all_taints(self, depth: int = 0) -> Taints:
        """Those of the value and of whatever is in it."""
        if not self.fields or depth > MOST_PATH:
            return self.taints
        found = self.taints
        for each in self.fields.values():
            found = joined_taints(found, each.all_taints(depth + 1))
        return found

    def flat(self) -> Value:
        """The same without what it is made of."""
        return Value(self.all_taints(), constant=self.constant, type_name=self.type, closure=self.closure)

    def typed(self, type_name: str) -> Value:
        return Value(
            self.taints,
            constant=self.constant,
            fields=self.fields,
            is_whole=self.is_whole,
            type_name=type_name,
            closure=self.closure,
        )

    def tainted(self, taints: Taints) -> Value:
        """The same with other data in it."""
        return Value(
            taints,
            constant=self.constant,
            fields=self.fields,
            is_whole=self.is_whole,
            type_name=self.type,
            closure=self.closure,
        )

    def part(self, key: str | None, type_name: str = "") -> Value:
        """A field, or the element of a key; of no key one of them."""
        if self.fields is not None:
            if key is not None and (found := self.fields.get(key)) is not None:
                return found
            if key is None:
                return joined([*self.fields.values(), Value(self.taints, type_name=type_name)])
            if self.is_whole and "*" not in self.fields:
                return Value(self.taints, type_name=type_name)
            if (other := self.fields.get("*")) is not None:
                return join(other, Value(_deeper(self.taints, key), type_name=type_name))
        return Value(_deeper(self.taints, key), type_name=type_name)

    def with_part(self, key: str | None, value: Value) -> Value:
        """The same with another field or element; of no key, one of them may be it."""
        fields = dict(self.fields or {})
        place = "*" if key is None or len(fields) >= _MOST_FIELDS else key
        fields[place] = join(fields[place], value) if place == "*" and place in fields else value
        return Value(self.taints, fields=fields, is_whole=self.is_whole, type_name=self.type)


EMPTY: Final = Value()


def _deeper(taints: Taints, key: str | None) -> Taints:
    """The taints of a part: of a parameter, those of that part of it."""
    if key is None or not any(origin.function for origin in taints):
        return taints
    return {_part_of(origin, key): taint for origin, taint in taints.items()}


def _part_of(origin: Origin, key: str) -> Origin:
    if not origin.function or len(origin.path) >= MOST_PATH:
        return origin
    # Made by hand: `_replace` is slow, and this runs more often than anything else.
    path = (*origin.path, key)
    return Origin(
        origin.function,
        origin.parameter,
        path,
        origin.file,
        origin.line,
        origin.label,
        origin.trust,
        origin.kinds,
    )


def joined_taints(left: Taints, right: Taints) -> Taints:
    """The taints of either."""
    if not right:
        return left
    if not left:
        return right
    found = dict(left)
    for origin, taint in right.items():
        known = found.get(origin)
        if known is None:
            if len(found) < _MOST_TAINTS:
                found[origin] = taint
        elif known is not taint:
            nearer = _nearer(known, taint)
            found[origin] = Taint(
                nearer.step,
                known.safe & taint.safe
                if known.safe == taint.safe
                else known.safe & taint.safe | (known.safe ^ taint.safe) & _LASTING,
                nearer.doubt,
                known.is_built or taint.is_built,
                known.leads or taint.leads,
            )
    return found


def _nearer(left: Taint, right: Taint) -> Taint:
    """The way that counts of two: the one on which less made the data harmless, else the surer and shorter one."""
    if left.safe != right.safe and (left.safe < right.safe or right.safe < left.safe):
        return left if left.safe < right.safe else right
    return left if (left.doubt, left.step.number) <= (right.doubt, right.step.number) else right


def join(left: Value, right: Value) -> Value:
    """What may be either."""
    if left is right or right is EMPTY:
        return left
    constant = left.constant if _same(left.constant, right.constant) else UNKNOWN
    fields: Mapping[str, Value] | None = None
    if left.fields is not None or right.fields is not None:
        mine, others = left.fields or {}, right.fields or {}
        fields = {key: join(mine.get(key, EMPTY), others.get(key, EMPTY)) for key in {**mine, **others}}
    return Value(
        joined_taints(left.taints, right.taints),
        constant=constant,
        fields=fields,
        is_whole=left.is_whole and right.is_whole,
        type_name=left.type or right.type,
        closure=left.closure or right.closure,
    )


def _same(left: object, right: object) -> bool:
    return type(left) is type(right) and left == right


def joined(values: Iterable[Value]) -> Value:
    found = EMPTY
    for each in values:
        found = each if found is EMPTY else join(found, each)
    return found


def step_on(step: Step, file: int, line: int, what: str) -> Step:
    """One place further; a way of too many places is told by its ends."""
    if step.number >= _MOST_STEPS or (step.line == line and step.file == file and step.what == what):
        return step
    return Step(step, file, line, what, step.number + 1)


def step_through(step: Step, inner: Step) -> Step:
    """On through a way that was found on its own, such as that inside a function."""
    if step.number >= _MOST_STEPS:
        return step
    return Step(step, inner.file, inner.line, "", step.number + inner.number, inner)


def moved(taints: Taints, file: int, line: int, what: str) -> Taints:
    return {
        origin: Taint(step_on(each.step, file, line, what), each.safe, each.doubt, each.is_built, each.leads)
        for origin, each in taints.items()
    }


def cleaned(taints: Taints, kinds: Iterable[str]) -> Taints:
    """Made harmless for some kinds."""
    wanted = frozenset(kinds)
    if "*" in wanted:
        return NONE
    return {origin: each._replace(safe=each.safe | wanted) for origin, each in taints.items()}


def doubted(taints: Taints, doubt: int) -> Taints:
    return {origin: each._replace(doubt=max(each.doubt, doubt)) for origin, each in taints.items()}


def put_together(parts: Iterable[Value], *, is_text: bool = False) -> Value:
    """A text of parts; `is_text` says that they stand in it one after the other as they are."""
    found: Taints = NONE
    written: str | None = ""  # what constant text stands before
    whole: str | None = ""
    last = ""  # the constant directly before
    for part in parts:
        taints = part.all_taints()
        constant = None if isinstance(part.constant, Unknown) else str(part.constant)
        if taints:
            leads = written is not None and _OPEN_HOST.fullmatch(written) is not None
            inside = _INSIDE if is_text and last and last[-1] not in "/\\" else _NOTHING
            if is_text and written == "/":
                inside |= _ROOTED
            built = {
                origin: Taint(each.step, each.safe | inside, each.doubt, True, each.leads and leads)  # noqa: FBT003 - its fields in order
                for origin, each in taints.items()
            }
            found = joined_taints(found, built)
        last = constant or ""
        written = written + constant if written is not None and constant is not None else None
        whole = whole + constant if whole is not None and constant is not None else None
    return Value(found, constant=UNKNOWN if whole is None or len(whole) > _MOST_TEXT else whole)


def formatted(text: str, fillings: Iterable[Value]) -> Value:
    """A text with places that are filled; those for numbers carry nothing that somebody chose."""
    marks = [part.lstrip("#0+- ") for part in text.replace("%%", "").split("%")[1:]]
    if marks and all(_NUMBER_MARK.match(mark) for mark in marks):
        return EMPTY
    return Value(put_together((Value(constant=text.partition("%")[0]), *fillings)).taints)
