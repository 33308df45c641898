"""A package's description cut to a number of tokens: what can be asked for elsewhere goes first."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from drift.analyses.workspaces.rows import PackageContext
from drift.kernel.render import render_value
from drift.kernel.tokens import count_tokens
from drift.kernel.wire import to_wire

Cut = Callable[[PackageContext], PackageContext]

_FEWER: Final = 10
_FEWEST: Final = 5


def _cut_dependencies(context: PackageContext) -> PackageContext:
    return replace(
        context,
        externals=context.externals[:_FEWEST],
        dependencies=context.dependencies[:_FEWER],
        dependents=context.dependents[:_FEWER],
    )


def _cut_examples(context: PackageContext) -> PackageContext:
    return replace(context, public_api=tuple(replace(each, signature=None) for each in context.public_api))


def _cut_sections(context: PackageContext) -> PackageContext:
    return replace(
        context,
        public_api=context.public_api[:_FEWER],
        sections={name: rows[:_FEWEST] for name, rows in context.sections.items()},
    )


def _cut_key_files(context: PackageContext) -> PackageContext:
    return replace(context, key_files=context.key_files[:_FEWEST])


def _cut_entry_points(context: PackageContext) -> PackageContext:
    return replace(context, entry_points=context.entry_points[:_FEWER])


# In this order, one after the other until it fits.
_CUTS: Final[tuple[Cut, ...]] = (
    _cut_dependencies,
    _cut_examples,
    _cut_sections,
    _cut_key_files,
    _cut_entry_points,
)


def fit_context(context: PackageContext, max_tokens: int, *, cuts: Iterable[Cut] = _CUTS) -> PackageContext:
    """The description with as much cut as the tokens ask for; counts stay those of all."""
    for cut in cuts:
        if count_tokens(render_value(to_wire(context))) <= max_tokens:
            break
        context = cut(context)
    return context
