"""What a condition says of the data it asks about: which values it leaves, and which kinds of harm it rules out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from drift.flow import ir
from drift.flow.checked import remember
from drift.flow.checking import words, words_in
from drift.flow.models import Given, holds
from drift.flow.patterns import MATCHING, PATTERN, whole_text
from drift.flow.run import Run, joined_environments
from drift.flow.values import Unknown, Value, cleaned, doubted

_IN: Final = frozenset({"in", "not in"})
_EQUAL: Final = frozenset({"==", "===", "is", "eq"})
_ORDER: Final = frozenset({"<", ">", "<=", ">="})
_UNEQUAL: Final = frozenset({"!=", "!==", "<>"})
_CONTAINS: Final = frozenset(
    {
        "contains",
        "includes",
        "in_array",
        "has",
        "containsKey",
        "Contains",
        "ContainsKey",
        "include?",
        "indexOf",
        "strpos",
        "Index",
        "IndexOf",
        "member?",
        "key?",
        "array_key_exists",
        "isset",
        "hasOwnProperty",
        "key_exists",
        "contains_key",
    }
)
_AT_START: Final = frozenset(
    {
        "startswith",
        "startsWith",
        "HasPrefix",
        "StartsWith",
        "start_with?",
        "str_starts_with",
        "is_relative_to",
    }
)
# A text that must not be in a path, or must stand before an address.
_UP: Final = ".."
_HOSTS: Final = frozenset({"netloc", "hostname", "host", "Host", "origin", "getHost", "Hostname"})


def narrow(run: Run, test: ir.Expression, *, positive: bool) -> None:
    """Change what names mean to what they mean where a condition is met, or is not."""
    if isinstance(test, ir.Not):
        narrow(run, test.operand, positive=not positive)
    elif isinstance(test, ir.Operation):
        _narrow_operation(run, test, positive=positive)
    elif isinstance(test, ir.Call):
        _narrow_call(run, test, positive=positive)
    elif isinstance(test, ir.Assign):
        narrow(run, test.target, positive=positive)
    elif isinstance(test, ir.Opaque) and len(test.parts) == 1:
        narrow(run, test.parts[0], positive=positive)


def _narrow_operation(run: Run, test: ir.Operation, *, positive: bool) -> None:
    sign = test.operator
    if (sign in {"and", "&&"} and positive) or (sign in {"or", "||"} and not positive):
        narrow(run, test.left, positive=positive)
        narrow(run, test.right, positive=positive)
    elif sign in {"and", "&&", "or", "||"}:  # one of the two, and it is not known which
        before = run.env
        run.env = dict(before)
        narrow(run, test.left, positive=positive)
        one, run.env = run.env, dict(before)
        narrow(run, test.right, positive=positive)
        run.env = joined_environments(one, run.env)
    elif sign in _IN:
        _narrow_in(run, test, positive=positive is (sign == "in"))
    elif sign in _EQUAL or sign in _UNEQUAL:
        _narrow_equal(run, test, positive=positive is (sign in _EQUAL))
    elif sign in _ORDER:
        _narrow_place(run, test, positive=positive)
    elif sign in {"=~", "instanceof"} and positive:
        kinds: tuple[str, ...] | None = ("nosql", "deserialization")
        if sign == "=~":
            pattern = run.evaluate(test.right).constant
            kinds = whole_text(pattern, "", lines_end=True) if isinstance(pattern, str) else ("*",)
        if kinds is None:
            _doubt(run, test.left)
        else:
            clean_place(run, test.left, kinds)


def _narrow_place(run: Run, test: ir.Operation, *, positive: bool) -> None:
    """`x.indexOf("..") >= 0` and its like: whether a text stands in another."""
    bound = test.right.value if isinstance(test.right, ir.Literal) else None
    if not isinstance(test.left, ir.Call) or bound not in {-1, 0}:
        return
    is_inside = (test.operator, bound) in {(">", -1), (">=", 0), (">", 0)}
    if is_inside or (test.operator, bound) in {("<", 0), ("<=", -1)}:
        _narrow_compared(run, test.left, positive=positive is is_inside)


def _narrow_in(run: Run, test: ir.Operation, *, positive: bool) -> None:
    """`x in ALLOWED`, and `".." in x`."""
    inside = run.evaluate(test.left).constant
    if isinstance(inside, str):
        if _UP in inside and not positive:
            clean_place(run, test.right, ("path",))
        elif not positive:
            clean_place(run, test.right, harmless_without(inside))
        return
    if not positive:
        return
    if run.evaluate(test.right).all_taints():
        _doubt(run, test.left)
    else:
        clean_place(run, test.left, ("*",))
        clean_whole_address(run, test.left)


def harmless_without(text: str) -> tuple[str, ...]:
    """The kinds of harm that data cannot do without a text in it."""
    if "\n" in text or "\r" in text:
        return ("header", "log")
    if "'" in text or '"' in text:
        return ("sql", "xpath")
    if "<" in text:
        return ("xss",)
    return ("path",) if text in {".", "/"} else ()


def clean_whole_address(run: Run, form: ir.Expression) -> None:
    """Where the host of an address is among those allowed, so is the address, wherever it is kept."""
    if isinstance(form, ir.Call) and not form.arguments:
        form = form.callee
    if not isinstance(form, ir.Member) or form.name not in _HOSTS:
        return
    asked = run.evaluate(form.owner).all_taints().keys()
    for name, value in list(run.env.items()):
        if value.taints and asked & value.taints.keys():
            run.env[name] = value.tainted(cleaned(value.taints, ("redirect", "ssrf")))


def _narrow_equal(run: Run, test: ir.Operation, *, positive: bool) -> None:
    for side, other in ((test.left, test.right), (test.right, test.left)):
        value = run.evaluate(other)
        if positive and not value.all_taints():
            clean_whole_address(run, side)
        if isinstance(value.constant, Unknown):
            if isinstance(side, ir.Call):
                _narrow_compared(run, side, positive=positive)
            elif positive and not value.all_taints():
                _doubt(run, side)  # equal to what nobody is known to choose
            continue
        if isinstance(side, ir.Call):
            _narrow_compared(run, side, positive=positive is (value.constant not in {-1, 0}))
        elif positive:
            set_place(run, side, Value(constant=value.constant))


def _narrow_compared(run: Run, test: ir.Call, *, positive: bool) -> None:
    """A call that is compared: its result says something of what it was asked about."""
    _narrow_call(run, test, positive=positive)


def _narrow_call(run: Run, test: ir.Call, *, positive: bool) -> None:
    callee = test.callee
    name = callee.name if isinstance(callee, ir.Member | ir.Name) else ""
    receiver = callee.owner if isinstance(callee, ir.Member) else None
    if name in _CONTAINS:
        _narrow_contains(run, name, receiver, [each.value for each in test.arguments], positive=positive)
        return
    if name in {"equals", "Equals", "equalsIgnoreCase", "hash_equals"} and receiver is not None and positive:
        if test.arguments and not isinstance(run.evaluate(test.arguments[0].value).constant, Unknown):
            clean_place(run, receiver, ("*",))
        elif test.arguments and not isinstance(run.evaluate(receiver).constant, Unknown):
            clean_place(run, test.arguments[0].value, ("*",))
        return
    if name in _AT_START and positive:
        asked = [receiver] if receiver is not None else [each.value for each in test.arguments[:1]]
        for each in asked:
            _narrow_start(run, each, [given.value for given in test.arguments])
        return
    if _validated(run, test, positive=positive):
        return
    if words_in(name) & words("checks"):
        for each in (
            *(argument.value for argument in test.arguments),
            *([receiver] if receiver is not None else []),
        ):
            _doubt(run, each)


def _narrow_start(run: Run, asked: ir.Expression, given: Iterable[ir.Expression]) -> None:
    """A text that begins with what the program says leads where that leads; of a path only if it was resolved."""
    if any(run.evaluate(each).all_taints() for each in given if each is not asked):
        return
    resolved = isinstance(asked, ir.Name | ir.Call) and _is_resolved(run, asked)
    clean_place(run, asked, ("redirect", "ssrf", "path") if resolved else ("redirect", "ssrf"))
    _doubt(run, asked)


def _is_resolved(run: Run, form: ir.Expression) -> bool:
    value = run.evaluate(form)
    name = value.type.rpartition(".")[2]
    return name in {
        "realpath",
        "realpathSync",
        "abspath",
        "resolve",
        "getCanonicalPath",
        "toRealPath",
        "Clean",
        "normalize",
        "GetFullPath",
        "normpath",
        "Abs",
        "expand_path",
        "toAbsolutePath",
        "getCanonicalFile",
        "EvalSymlinks",
    }


def _narrow_contains(
    run: Run, name: str, receiver: ir.Expression | None, given: list[ir.Expression], *, positive: bool
) -> None:
    if not given:
        return
    constant = run.evaluate(given[0]).constant
    if isinstance(constant, str) and receiver is not None:
        if _UP in constant and not positive:
            clean_place(run, receiver, ("path",))
        return
    second = run.evaluate(given[1]).constant if len(given) > 1 else None
    if isinstance(second, str):  # `strings.Contains(x, "..")`
        if not positive:
            clean_place(run, given[0], ("path",) if _UP in second else harmless_without(second))
        return
    if not positive:
        return
    holder = given[1] if receiver is None and len(given) > 1 else receiver
    if name == "isset" or holder is None:
        return
    if not run.evaluate(holder).all_taints():
        clean_place(run, given[0], ("*",))


def _validated(run: Run, test: ir.Call, *, positive: bool) -> bool:
    """Whether a model says that the call checks its argument."""
    callee = test.callee
    name = callee.name if isinstance(callee, ir.Member | ir.Name) else ""
    if not name:
        return False
    found = False
    for sanitizer in run.models.sanitizers.find(names_of(run, test)):
        if not sanitizer.validates:
            continue
        found = True
        if sanitizer.when is not None and not holds(sanitizer.when, _given(run, test)):
            continue
        asked = callee.owner if sanitizer.argument == "receiver" and isinstance(callee, ir.Member) else None
        if isinstance(sanitizer.argument, int) and sanitizer.argument < len(test.arguments):
            asked = test.arguments[sanitizer.argument].value
        if asked is None and isinstance(sanitizer.argument, int) and test.arguments:
            asked = test.arguments[0].value  # of a compiled pattern, which is the receiver
        if asked is not None and positive:
            ruled_out = _matched(run, test, name, asked)
            if ruled_out is None:
                _doubt(run, asked)
            else:
                clean_place(run, asked, sanitizer.kinds if ruled_out == ("*",) else ruled_out)
    return found


def _given(run: Run, test: ir.Call) -> Given:
    """What a call in a condition is given."""
    return Given(tuple(run.evaluate(each.value) for each in test.arguments), {}, None)


def _matched(run: Run, test: ir.Call, name: str, asked: ir.Expression) -> tuple[str, ...] | None:
    """The kinds of harm that matching a pattern rules out; None where it rules out none, `*` where it is not known."""
    if name not in MATCHING:
        return ("*",)
    callee = test.callee
    others = [each.value for each in test.arguments if each.value is not asked]
    if isinstance(callee, ir.Member):
        others.insert(0, callee.owner)
    for each in others:
        value = run.evaluate(each)
        known = value.fields.get(PATTERN, value) if value.fields is not None else value
        if isinstance(known.constant, str):
            return whole_text(known.constant, name, lines_end=run.form.root == "ruby")
    return ("*",)


def names_of(run: Run, form: ir.Call) -> tuple[str, ...]:
    """The names by which models may know what is called."""
    found = []
    if external := run.context.external.get((form.line, form.column)):
        found.append(external)
    callee = form.callee
    if isinstance(callee, ir.Member):
        owner = run.evaluate(callee.owner)
        found.append(f"{owner.type or '?'}.{callee.name}")
    elif isinstance(callee, ir.Name):
        found.append(run.evaluate(callee).type or callee.name)
    return tuple(found)


def clean_place(run: Run, form: ir.Expression, kinds: Iterable[str]) -> None:
    """Make what a name, field or element holds harmless for some kinds."""
    form = place_of(form)
    wanted = tuple(kinds)
    value = run.evaluate(form)
    if not value.all_taints():
        return
    if "*" in wanted:
        set_place(run, form, Value(type_name=value.type))
    else:
        fields = {
            key: each.tainted(cleaned(each.taints, wanted)) for key, each in (value.fields or {}).items()
        }
        set_place(
            run,
            form,
            Value(
                cleaned(value.taints, wanted),
                fields=fields or None,
                is_whole=value.is_whole,
                type_name=value.type,
            ),
        )


def place_of(form: ir.Expression) -> ir.Expression:
    """What is asked about, without what only changes its writing: `x.lower()`, `str(x)`."""
    for _ in range(4):
        if isinstance(form, ir.Call) and isinstance(form.callee, ir.Member) and not form.arguments:
            form = form.callee.owner
        elif isinstance(form, ir.Call) and isinstance(form.callee, ir.Name) and len(form.arguments) == 1:
            form = form.arguments[0].value
        elif isinstance(form, ir.Cast):
            form = form.value
        elif isinstance(form, ir.Assign):
            form = form.target
        else:
            break
    return form


def _doubt(run: Run, form: ir.Expression) -> None:
    form = place_of(form)
    if isinstance(form, ir.Name | ir.Member | ir.Index | ir.Call):
        value = run.evaluate(form)
        if value.taints:
            set_place(run, form, value.tainted(doubted(value.taints, 2)))


def set_place(run: Run, form: ir.Expression, value: Value) -> None:
    """Give a name, field, element or whatever else is written again another value."""
    form = place_of(form)
    remember(run, form, value)
    if isinstance(form, ir.Name):
        run.env[form.name] = value
    elif isinstance(form, ir.Member | ir.Index) and isinstance(form.owner, ir.Name | ir.Member | ir.Index):
        owner = run.evaluate(form.owner)
        key = form.name if isinstance(form, ir.Member) else None
        if isinstance(form, ir.Index):
            constant = run.evaluate(form.key).constant if form.key is not None else None
            key = None if isinstance(constant, Unknown) or constant is None else str(constant)
        if key is not None:
            set_place(run, form.owner, owner.with_part(key, value))
