"""The person at the keyboard as a tool's client: can be asked, and sees how far the work is."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from drift.cli.console import Console
from drift.cli.progress_line import ProgressLine
from drift.cli.shown import shown
from drift.registry import Question, Reply

_MOST_ATTEMPTS: Final = 3
_YES: Final = frozenset({"y", "yes", "true", "1"})
_NO: Final = frozenset({"n", "no", "false", "0"})


class TerminalClient:
    """Asks on the terminal, if there is one and the person wants to be asked."""

    def __init__(
        self,
        console: Console,
        *,
        may_ask: bool = True,
        doing: str = "working",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._console = console
        self._may_ask = may_ask and console.is_interactive
        self._line = ProgressLine(console, doing, clock)

    @property
    def name(self) -> str | None:
        return None  # a person is at the other end

    @property
    def can_answer(self) -> bool:
        return self._may_ask

    async def ask(self, question: Question) -> Reply | None:
        """The person's answers, or None where nobody can be asked. End of input declines."""
        if not self._may_ask:
            return None
        with self._line.hidden():
            return self._ask(question)

    def _ask(self, question: Question) -> Reply:
        self._console.tell(shown(question.message))
        content: dict[str, Any] = {}
        for key, schema in question.schema.get("properties", {}).items():
            try:
                answer = self._ask_one(key, schema)
            except EOFError:
                return Reply(accepted=False, content={})
            if answer is not None:
                content[key] = answer
        return Reply(accepted=True, content=content)

    def report(self, done: float, total: float | None, message: str | None) -> None:
        """Say how far the work is."""
        self._line.tell(message, done, total)

    def finish(self) -> None:
        """Take the progress line away, before anything else is written."""
        self._line.end()

    def _ask_one(self, key: str, schema: Mapping[str, Any]) -> Any:
        default = schema.get("default")
        title = shown(str(schema.get("title") or key))
        for _attempt in range(_MOST_ATTEMPTS):
            self._console.stderr.write(f"{title} [{_write_choices(schema, default)}]: ")
            self._console.stderr.flush()
            line = self._console.stdin.readline()
            if not line:
                raise EOFError
            answer = _understand(line.strip(), schema, default)
            if answer is not None or default is None:
                return answer
            self._console.tell("Please answer with one of the choices.")
        return default


def _write_choices(schema: Mapping[str, Any], default: Any) -> str:
    if schema.get("type") == "boolean":
        return "Y/n" if default else "y/N"
    options = [str(option) for option in schema.get("enum", ())]
    shown_default = "" if default is None else shown(str(default))
    return (
        "/".join(option.upper() if option == shown_default else option for option in options) or shown_default
    )


def _understand(text: str, schema: Mapping[str, Any], default: Any) -> Any:
    """The answer in a line; the default for an empty one, None for one that is no answer."""
    if not text:
        return default
    if schema.get("type") == "boolean":
        word = text.casefold()
        return True if word in _YES else False if word in _NO else None
    if "enum" in schema:
        return text if text in schema["enum"] else None
    return text
