"""The command line parser: argparse, with errors of our own family and suggestions for misspelt options."""

import argparse
import re
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names

_UNKNOWN: Final = re.compile(r"unrecognized arguments: (?P<words>.+)", re.DOTALL)
_LONGEST_SHOWN: Final = 200
_SHIELD: Final = "\0"  # no word of a command line can have this character


class UsageError(DriftError):
    """A command line that makes no sense; ends with the exit code for wrong usage."""

    def __init__(self, message: str, recovery: Recovery | None = None) -> None:
        super().__init__(ErrorCode.INVALID_ARGUMENT, message, recovery)


class Parser(argparse.ArgumentParser):
    """A parser of one command. It raises instead of leaving the process."""

    def __init__(self, prog: str, description: str, *, width: int = 80, epilog: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=help_text(description),
            epilog=epilog,
            allow_abbrev=False,  # an abbreviation would change its meaning with the next option added
            formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=30, width=width),
        )

    def error(self, message: str) -> NoReturn:
        """Refuse the command line, with the options nearest to an unknown one."""
        found = _UNKNOWN.fullmatch(message)
        first = found["words"].split()[0] if found else ""
        long_options = [word for word in self.option_words if word.startswith("--")]
        similar = similar_names(first, long_options) if first.startswith("-") else ()
        shown = message.replace(_SHIELD, "")[:_LONGEST_SHOWN]
        raise UsageError(
            shown, Recovery(hint=f"{self._say_order(message)}See: {self.prog} --help", similar=similar)
        )

    def _say_order(self, message: str) -> str:
        """What is typed in which order, for who left a word out; it may be another than the one that is missed."""
        words = [action.dest for action in self._actions if not action.option_strings]
        is_short = message.startswith("the following arguments are required") and len(words) > 1
        return f"It takes: {self.prog} {' '.join(map(str.upper, words))}. " if is_short else ""

    @property
    def option_words(self) -> list[str]:
        """Every option as it is typed."""
        return [word for action in self._actions for word in action.option_strings]

    @property
    def operand_names(self) -> list[str]:
        """What stands without an option, by name."""
        return [action.dest for action in self._actions if not action.option_strings]

    @property
    def choices(self) -> dict[str, list[str]]:
        """The options that take one of a few values, with these."""
        return {
            option: [str(choice) for choice in action.choices]
            for action in self._actions
            for option in action.option_strings
            if action.choices is not None
        }

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """The arguments in the words, options and positionals in any order."""
        try:
            given = self.parse_intermixed_args(_shield(words))
        except argparse.ArgumentError as error:
            self.error(str(error))
        return argparse.Namespace(**{name: _unshield(value) for name, value in vars(given).items()})


def _shield(words: Sequence[str]) -> list[str]:
    """The words with the separator gone, and a mark before each that argparse would take for an option.

    It mishandles the separator when options and positionals are mixed, and `--name=--` in any case.
    """
    options = before_separator(words)
    values = [f"{_SHIELD}{word}" if word.startswith("-") else word for word in words[len(options) + 1 :]]
    return [_shield_value(word) for word in options] + values


def _shield_value(word: str) -> str:
    flag, _equals, value = word.partition("=")
    return f"{flag}={_SHIELD}--" if flag.startswith("--") and value == "--" else word


def _unshield(value: Any) -> Any:
    if isinstance(value, list):
        return [_unshield(item) for item in value]
    return value.replace(_SHIELD, "") if isinstance(value, str) else value


def wants_help(words: Sequence[str]) -> bool:
    return any(word in ("-h", "--help") for word in before_separator(words))


def wants_json(words: Sequence[str]) -> bool:
    """Whether the result is to be JSON; known before parsing, since a usage error is a result as well."""
    return "--json" in before_separator(words)


def before_separator(words: Sequence[str]) -> Sequence[str]:
    """The words in which options can stand."""
    return words[: words.index("--")] if "--" in words else words


def help_text(text: str) -> str:
    """A text as argparse takes it, where a percent sign would begin a placeholder."""
    return text.replace("%", "%%")
