"""Calls of asynchronous functions of the project for which nobody waits.

What it does: tells of calls whose result nobody takes, and of those whose result is used at once as if it were there: a
member or element of it, a part, a condition, a loop, be it of the call itself or of the variable that is given it. In a
change also of calls that were awaited before, and are neither awaited nor handed to something that waits now.
Known limits: only the next use of a variable is looked at; what is handed to another function may be awaited there.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from drift.guards.overlay import OverlaidCall, OverlaidFile, Overlay
from drift.languages.facts import CallTrait, Symbol
from drift.scan.link.reasons import GUESSED

_JUDGED: Final = frozenset({"python", "typescript", "javascript"})
"""Languages in which what is not awaited is an object without the members of the result."""
_MARKUP: Final = (".html", ".vue", ".svelte", ".astro")
"""Files whose calls outside of functions are made when something happens on a page."""
_MOST_CALL: Final = 4_000
_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
_OWN: Final = frozenset(
    {
        "then",
        "catch",
        "finally",
        "close",
        "send",
        "throw",
        "cancel",
        "add_done_callback",
        "cr_frame",
        "cr_running",
    }
)
"""Members of what is awaited itself."""
_ASKED: Final = re.compile(r"(?:^|[\s(])(?:if|while|elif|not|and|or|&&|\|\|)\s{0,4}\(?\s{0,4}!?\s{0,4}$")
_LOOPED: Final = re.compile(r"\b(?:in|of)\s{1,4}$")
_GIVEN: Final = re.compile(r"(?:^|[\s;{])([A-Za-z_$][\w$]{0,100})\s{0,4}(?::[^=\n]{1,100})?=\s{0,4}$")
_PARTS: Final = re.compile(r"(?:^|[\s;])(?:(?:const|let|var)\s{1,4}[{\[]|[A-Za-z_]\w{0,60}, |\} = $)")
_COMPARED: Final = re.compile(r"\s{0,4}(?:is |==|!=|>=|<=|in )")
_WAITING: Final = re.compile(
    r"\b(?:gather|create_task|ensure_future|wait|wait_for|as_completed|shield|TaskGroup|start_soon|run_until_complete"
    r"|Promise\.\w{1,20}|then|waitUntil|void)\b"
)
"""What takes something to wait for, and waits or lets it run."""
_MEMBER: Final = re.compile(r"(?:\?\.|!?\.)\s{0,4}([A-Za-z_$][\w$]{0,100})")


class Left(NamedTuple):
    """A call that nobody waits for, and what it calls."""

    call: OverlaidCall
    called: Symbol


def unawaited(overlay: Overlay, file: OverlaidFile) -> Iterator[Left]:
    """The calls of a text that are to be awaited and are not."""
    for one in file.calls():
        if one.traits & CallTrait.AWAITED or one.link.outcome != "resolved" or one.link.reason in GUESSED:
            continue
        called = overlay.symbol(one.link.targets[0].place)
        if "async" not in called.modifiers or "generator" in called.modifiers:
            continue
        # Code outside of functions waits where it may; a function that is not asynchronous may mean to go on.
        scope = file.facts.symbols[one.call.scope]
        is_waiting = not one.call.scope or "async" in scope.modifiers
        if one.traits & CallTrait.DROPPED:
            is_event = not one.call.scope and file.path.endswith(_MARKUP)
            is_left = not is_event and (is_waiting or file.facts.language == "python")
        else:
            is_left = is_waiting and not called.decorators and _is_used_at_once(file, one, scope)
        if is_left:
            yield Left(one, called)


def lost_awaits(overlay: Overlay, before: OverlaidFile, after: OverlaidFile) -> Iterator[Left]:
    """The calls that a change no longer waits for."""
    had, has = _awaited(before), _awaited(after)
    for one in after.calls():
        key = after.names[one.call.scope], one.call.text
        if (
            one.traits & (CallTrait.AWAITED | CallTrait.RETURNED)
            or had[key] <= has[key]
            or not one.link.targets
        ):
            continue
        called = overlay.symbol(one.link.targets[0].place)
        scope = after.facts.symbols[one.call.scope]
        if "async" in called.modifiers and one.call.scope and not _is_waited(after, one, scope):
            yield Left(one, called)


def _awaited(file: OverlaidFile) -> Counter[tuple[str, str]]:
    """How often each function of a text waits for each call, as written."""
    return Counter(
        (file.names[one.call.scope], one.call.text) for one in file.calls() if one.traits & CallTrait.AWAITED
    )


def _is_waited(file: OverlaidFile, one: OverlaidCall, scope: Symbol) -> bool:
    """Whether a function hands calls to something that waits, or waits for what was given the result of one."""
    lines = file.lines[scope.line - 1 : scope.end_line]
    if any(_WAITING.search(line) for line in lines):
        return True
    line = file.lines[one.call.line - 1]
    given = _GIVEN.search(line[: max(0, line.find(one.call.text))])
    if given is None:
        return False
    waits = re.compile(
        rf"\bawait {re.escape(given[1])}(?![\w$]|\s{{0,4}}[.\[(]|\?\.|!)"
    )  # not for a member of it
    return any(waits.search(line) for line in lines)


def _is_used_at_once(file: OverlaidFile, one: OverlaidCall, scope: Symbol) -> bool:
    if file.facts.language not in _JUDGED or one.traits & CallTrait.RETURNED or not one.call.scope:
        return False
    line = file.lines[one.call.line - 1]
    start = line.find(one.call.text)
    if start < 0 or one.call.text in line[start + 1 :]:
        return False  # which of several is meant cannot be told
    rest = "\n".join([line[start + len(one.call.text) :], *file.lines[one.call.line : one.call.line + 60]])
    end = _closing(rest)
    before = line[:start]
    if end is None:
        return False
    is_asked = file.facts.language != "python" and _ASKED.search(before) is not None
    is_parted = before.rstrip().endswith("=") and _PARTS.search(before) is not None
    if is_asked or is_parted or _is_used(before, rest[end:], file.facts.language):
        return True
    given = _GIVEN.search(before)
    return given is not None and _is_next_used(file, given[1], one.call.line, scope)


def _is_next_used(file: OverlaidFile, name: str, line: int, scope: Symbol) -> bool:
    """Whether the next use of a variable takes it for the result."""
    word = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")
    for text in file.lines[line : scope.end_line]:
        found = word.search(text)
        if found is not None:
            return _is_used(text[: found.start()], text[found.end() :], file.facts.language)
    return False


def _is_used(before: str, behind: str, language: str) -> bool:
    """Whether what stands between two texts is taken for more than something to wait for."""
    member = _MEMBER.match(behind if language == "python" else behind.lstrip())
    if member is not None:
        return member[1] not in _OWN  # an await before it waits for the member
    if before.rstrip().endswith(("await", "yield", "from")):
        return False
    if behind.startswith("[") or _COMPARED.match(behind):
        return True
    if language == "python" and (_LOOPED.search(before) or _ASKED.search(before)):
        return " async for " not in f" {before}"
    return bool(_LOOPED.search(before)) and "for" in before and "await" not in before


def _closing(text: str) -> int | None:
    """The place behind the brackets that a text begins with; None where it begins with none, or they do not end."""
    open_: list[str] = []
    quote = ""
    if not text.startswith("("):
        return None
    for at, sign in enumerate(text[:_MOST_CALL]):
        if quote:
            quote = "" if sign == quote and text[at - 1] != "\\" else quote
        elif sign in "\"'`":
            quote = sign
        elif sign in _PAIRS:
            open_.append(_PAIRS[sign])
        elif open_ and sign == open_[-1]:
            open_.pop()
            if not open_:
                return at + 1
    return None
