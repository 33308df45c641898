"""What a correction changed in the code, in any language: tokens gone, tokens new, and what that shows."""

import difflib
import re
from typing import Final, NamedTuple

_LOOKED_AT: Final = 20_000
_MOST_TOKENS: Final = 4_000
_MOST_LINES: Final = 1_000
_TOKEN: Final = re.compile(r"[A-Za-z_$][\w$]*|\d[\w.]*|[^\w\s]")
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
# Takes every chain of names, called or not, so that no part of one is tried again.
_CHAIN: Final = re.compile(
    r"(?<![\w.$])(?<!\bdef )(?<!\bfn )(?<!\bfunc )(?<!\bfunction )(?<!\bclass )"
    r"([A-Za-z_$][\w$]*+(?:(?:\.|::|->)[A-Za-z_$][\w$]*+)*+)(\s*+\()?"
)
_IMPORT: Final = re.compile(
    r"^[^\S\n]*(?:import|from|use|using|require|include|#include)\b.*$|\brequire\(", re.MULTILINE
)
_LOOP: Final = re.compile(r"\b(?:for|while|foreach)\b")
_WRAPPER: Final = re.compile(r"^[^\S\n]*(?:@\w|with\b|try\b|async with\b|using\b|defer\b|#\[)", re.MULTILINE)
_DANGEROUS: Final = re.compile(
    r"\b(?:eval|exec|system|popen|pickle\.loads|innerHTML|dangerouslySetInnerHTML|md5|yaml\.load|unserialize)\b"
    r"|shell\s*=\s*True|verify\s*=\s*False|execute\(\s*(?:f['\"]|['\"].{0,200}?['\"]\s*[%+])",
)


class Replacement(NamedTuple):
    """A name or call that stands in the place of another."""

    new: str
    old: str


class CodeChange(NamedTuple):
    """What is different: how many lines went and came, the names, and what it shows by `signals`."""

    removed_lines: int
    added_lines: int
    removed_names: tuple[str, ...]
    added_names: tuple[str, ...]
    replaced: Replacement | None
    signals: tuple[str, ...]


def compare_code(original: str, corrected: str) -> CodeChange | None:
    """The change between two pieces of code; None where nothing differs."""
    old, new = original[:_LOOKED_AT], corrected[:_LOOKED_AT]
    if old == new:
        return None
    before, after = _TOKEN.findall(old)[:_MOST_TOKENS], _TOKEN.findall(new)[:_MOST_TOKENS]
    removed, added = _count_lines(old.splitlines()[:_MOST_LINES], new.splitlines()[:_MOST_LINES])
    replaced = _find_replacement(old, new, before, after)
    return CodeChange(
        removed,
        added,
        _names_only_in(before, after),
        _names_only_in(after, before),
        replaced,
        tuple(_signals(old, new, before=before, after=after)),
    )


def _count_lines(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines went and how many came."""
    steps = difflib.SequenceMatcher(None, old, new).get_opcodes()
    changed = [step for step in steps if step[0] != "equal"]
    return sum(step[2] - step[1] for step in changed), sum(step[4] - step[3] for step in changed)


def _names_only_in(some: list[str], others: list[str]) -> tuple[str, ...]:
    known = frozenset(others)
    return tuple(dict.fromkeys(one for one in some if _NAME.fullmatch(one) and one not in known))


def _find_replacement(old: str, new: str, before: list[str], after: list[str]) -> Replacement | None:
    """The one name or call that took the place of another; None where it is not one for one."""
    called, calls = _called(old), _called(new)
    gone = [one for one in called if one not in calls]
    come = [one for one in calls if one not in called]
    if len(gone) == len(come) == 1:
        return Replacement(come[0], gone[0])
    removed, added = _names_only_in(before, after), _names_only_in(after, before)
    return Replacement(added[0], removed[0]) if len(removed) == len(added) == 1 else None


def _signals(old: str, new: str, *, before: list[str], after: list[str]) -> list[str]:
    calls = _calls(old, new)
    # getUser and get_user are one call, spelt in two ways.
    is_other_call = calls is not None and _unspelt(calls.new) != _unspelt(calls.old)
    shown = {
        "layout_only": before == after,
        "names_only": before != after and _shape(before) == _shape(after) and not is_other_call,
        "call_replaced": is_other_call,
        "imports_changed": _IMPORT.findall(old) != _IMPORT.findall(new),
        "dangerous_call_removed": len(_DANGEROUS.findall(old)) > len(_DANGEROUS.findall(new)),
        "loop_removed": len(_LOOP.findall(old)) > len(_LOOP.findall(new)),
        "wrapped": len(_WRAPPER.findall(new)) > len(_WRAPPER.findall(old)),
    }
    return [signal for signal, is_shown in shown.items() if is_shown]


def _unspelt(name: str) -> str:
    return name.replace("_", "").lower()


def _shape(tokens: list[str]) -> list[str]:
    return ["n" if _NAME.fullmatch(one) else one for one in tokens]


def _calls(old: str, new: str) -> Replacement | None:
    called, calls = _called(old), _called(new)
    gone, come = called.keys() - calls.keys(), calls.keys() - called.keys()
    return Replacement(min(come), min(gone)) if gone and come else None


def _called(text: str) -> dict[str, None]:
    """What the text calls, each once and in its order."""
    return dict.fromkeys(chain for chain, opening in _CHAIN.findall(text) if opening)
