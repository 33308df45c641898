"""The lines that make an object and what its method is called with, for languages where every function has a class."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from drift.analyses.test_templates.sheet import Argument, Plan, arguments, variable_for
from drift.analyses.test_templates.subjects import Owner, Subject


class _WriteValue(Protocol):
    def __call__(self, plan: Plan, each: Argument, *, is_dependency: bool) -> str: ...


class Wording(NamedTuple):
    """How a language says it: names its templates use, a class by name, a new object and a value."""

    taken: Sequence[str]
    class_name: Callable[[Owner], str]
    make: Callable[[Owner, str, str], str]
    value: _WriteValue
    can_make: Callable[[Owner], bool]


def arrange(plan: Plan, subject: Subject, wording: Wording) -> tuple[list[str], str]:
    """The lines before the call, and the call."""
    symbol, owner = subject.symbol, subject.owner
    lines: list[str] = []
    taken = [*wording.taken]
    called = symbol.name
    if owner is not None and owner.symbol is not None:
        plan.imports.add_symbol(owner.symbol)
        variable = variable_for(owner.name, snake=False)
        taken.append(variable)
        called = f"{wording.class_name(owner) if subject.is_static else variable}.{symbol.name}"
        if not subject.is_static:
            needed = owner.parameters if wording.can_make(owner) else ()
            made = arguments(plan, needed, avoid=taken)
            lines += [wording.value(plan, each, is_dependency=True) for each in made]
            lines.append(wording.make(owner, variable, ", ".join(each.name for each in made)))
            taken += [each.name for each in made]
    found = arguments(plan, subject.parameters, avoid=taken)
    lines += [wording.value(plan, each, is_dependency=False) for each in found]
    return lines, f"{called}({', '.join(each.name for each in found)})"
