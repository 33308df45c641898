"""The compact text of an answer: the facts of its JSON in about half the tokens.

    12 callers of load_config
    ! 2 files could not be parsed
    target: {symbol:load_config,line:7}
    callers[2]{name,at{file,line},confidence}:
     main,src/app.py,12,0.95
     "run, later",src/jobs.py,7,
    tags[2]: config,startup
    snippet: |
    | def load_config():
    |     ...
    page: 2 of 12, next cursor: AVx0
    next: drift_impact(target=load_config) — see what a change breaks

Children stand one space deeper than their parent, because a model reads one space for free. An empty cell is
null. Text that could be taken for something else is in JSON quotes, and text of several lines stands behind bars
(see quoted.py), so different values have different texts;
only a member that is null and one that is missing may look the same.
"""

from collections.abc import Mapping
from typing import Any, Final

from drift.kernel.cells import write_argument, write_cell, write_key
from drift.kernel.outline import outline
from drift.kernel.quoted import has_unfit, quote, quote_like_ours

_PRIORITIES: Final = ("high", "medium", "low")


def render_answer(body: Mapping[str, Any]) -> str:
    """The text of `{summary, data, pagination?, nextActions?, warnings?}`, summary first."""
    lines = [quote_like_ours(_write_text(body["summary"]))]
    lines += [f"! {_write_text(warning)}" for warning in body.get("warnings") or ()]
    if "data" in body:
        lines += outline(body["data"])
    if pagination := body.get("pagination"):
        lines += _write_page(pagination)
    actions = sorted(body.get("nextActions") or (), key=lambda action: _PRIORITIES.index(_priority(action)))
    lines += map(_write_action, actions)
    return "\n".join(lines)


def render_error(error: Mapping[str, Any]) -> str:
    """The text of an error on the wire: what went wrong, then every way out it names."""
    rest = dict(error)
    lines = [f"Error [{rest.pop('code')}]: {_write_text(rest.pop('message'))}"]
    if hint := rest.pop("hint", None):
        lines.append(f"hint: {_write_text(hint)}")
    if similar := rest.pop("similar", None):
        lines.append(f"did you mean: {', '.join(map(write_cell, similar))}")
    if tools := rest.pop("alternativeTools", None):
        lines.append(f"instead: {', '.join(map(write_cell, tools))}")
    if command := rest.pop("command", None):
        lines.append(f"run: {_write_text(command)}")
    if (retry_after_ms := rest.pop("retryAfterMs", None)) is not None:
        lines.append(f"retry after: {retry_after_ms} ms")
    return "\n".join(lines + outline(rest) if rest else lines)


def render_value(value: Any) -> str:
    """The text of any JSON value. Raises TypeError for anything else, TOO_LARGE for endless nesting."""
    return "\n".join(outline(value))


def _write_text(text: str) -> str:
    """What is known to be text and has the rest of a line to itself."""
    is_printable = text.isprintable() and not has_unfit(text)
    is_plain = is_printable and text == text.strip() and not text.startswith('"')
    return text if is_plain else quote(text)


def _write_page(pagination: Mapping[str, Any]) -> list[str]:
    """Where the page stands; nothing where it is the whole list."""
    total, size = pagination["total"], pagination["pageSize"]
    if pagination["hasMore"]:
        cursor = pagination.get("nextCursor")
        return [f"page: {size} of {total}, {f'next cursor: {cursor}' if cursor else 'more'}"]
    return [f"page: the last of {total}"] if total > size else []


def _priority(action: Mapping[str, Any]) -> str:
    return str(action.get("priority") or "medium")


def _write_action(action: Mapping[str, Any]) -> str:
    priority = _priority(action)
    mark = "" if priority == "medium" else f" ({priority})"
    arguments = ", ".join(
        f"{write_key(key)}={write_argument(value)}" for key, value in action["args"].items()
    )
    return f"next{mark}: {action['tool']}({arguments}) — {_write_text(action['reason'])}"
