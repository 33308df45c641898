"""One budget for the sections of a merged answer: each has its share, and what it leaves goes to the others."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from drift.kernel.render import render_value
from drift.kernel.text import shorten
from drift.kernel.tokens import count_tokens

_SHORTEST_TEXT_CHARS: Final = 80
_MOST_ROUNDS: Final = 30
# Rows are not all equally long: a cut that is meant to fit is made a little deeper.
_DEEPER: Final = 0.92


class Portion(NamedTuple):
    """What one section would take, and how much it counts beside the others."""

    needed_tokens: int
    share: float


class Cut(NamedTuple):
    """Data that fits, and in words what was taken from it."""

    data: Any
    tokens: int
    taken: tuple[str, ...] = ()


def share_tokens(portions: Sequence[Portion], total_tokens: int) -> tuple[int, ...]:
    """How many tokens each section gets: no more than it needs, and all of them when they are enough."""
    allotted = {each: portion.needed_tokens for each, portion in enumerate(portions)}
    hungry = list(allotted) if sum(allotted.values()) > total_tokens else []
    left = max(total_tokens, 0)
    while hungry:
        weight = sum(portions[each].share for each in hungry)
        due = {each: left * portions[each].share / weight for each in hungry}
        full = [each for each in hungry if portions[each].needed_tokens <= due[each]]
        if not full:
            allotted |= {each: int(tokens) for each, tokens in due.items()}
            break
        left -= sum(portions[each].needed_tokens for each in full)
        hungry = [each for each in hungry if each not in full]
    return tuple(allotted.values())


def measure(data: Any) -> int:
    """How many tokens JSON data takes in an answer's text."""
    return count_tokens(render_value(data))


def cut_to(data: Any, max_tokens: int) -> Cut:
    """The data within the tokens: lists lose their tails, longest first, then texts their ends, then all goes."""
    tokens = measure(data)
    if tokens <= max_tokens:
        return Cut(data, tokens)
    kept = _copy(data)
    lengths = {place: len(items) for place, items in _lists(kept, "")}
    are_texts_cut = False
    for _round in range(_MOST_ROUNDS):
        keep = max_tokens / tokens * _DEEPER
        if not _shorten_longest_list(kept, keep):
            if not _shorten_texts(kept, keep):
                break
            are_texts_cut = True
        tokens = measure(kept)
        if tokens <= max_tokens:
            return Cut(kept, tokens, _say(lengths, kept, are_texts_cut=are_texts_cut))
    return Cut(None, 0, ("everything but the summary",))


def _say(lengths: Mapping[str, int], kept: Any, *, are_texts_cut: bool) -> tuple[str, ...]:
    left = {place: len(items) for place, items in _lists(kept, "")}
    lists = [f"{place}: {left[place]} of {lengths[place]}" for place in left if left[place] < lengths[place]]
    return (*lists, *(("long texts",) if are_texts_cut else ()))


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(inner) for key, inner in value.items()}
    return [_copy(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _lists(value: Any, place: str) -> list[tuple[str, list[Any]]]:
    """Every list in the data with its place, outer ones first."""
    if isinstance(value, dict):
        dot = "." if place else ""
        return [found for key, inner in value.items() for found in _lists(inner, f"{place}{dot}{key}")]
    if not isinstance(value, list):
        return []
    inner_lists = [found for at, inner in enumerate(value) for found in _lists(inner, f"{place}[{at}]")]
    return [(place or "rows", value), *inner_lists]


def _shorten_longest_list(data: Any, keep: float) -> bool:
    lists = [items for _place, items in _lists(data, "") if len(items) > 1]
    if not lists:
        return False
    longest = max(lists, key=len)
    del longest[max(1, int(len(longest) * keep)) :]
    return True


def _shorten_texts(value: Any, keep: float) -> bool:
    """Cut every long text in place; whether there was one."""
    changed = False
    places: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in list(places):
        if isinstance(inner, str) and len(inner) > _SHORTEST_TEXT_CHARS:
            value[key] = shorten(inner, max(_SHORTEST_TEXT_CHARS, int(len(inner) * keep)))
            changed = True
        else:
            changed |= _shorten_texts(inner, keep)
    return changed
