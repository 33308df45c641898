r"""The cause of a failure, read from what a program printed: what kind, what it says, and where in the project's code.

A log wraps the fault in lines that every failure has: the command that failed, the summary of the runner, an
exception around the exception. Two failures are the same where their causes are, so all of that is left out:
Python prints the cause above (`The above exception was the direct cause`), as PHP does (`Next`); Java, .NET,
JavaScript and anyhow print it below (`Caused by:`, `--->`, `[cause]:`).
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from drift.kernel.data_files import read_data
from drift.kernel.text import shorten
from drift.memory.overlap import telling_words

_LOOKED_AT: Final = 20_000
_MOST_LINE: Final = 400
_MOST_MESSAGE: Final = 300
_MOST_FRAMES: Final = 3
_MOST_FRAME: Final = 80
_FRAME_LINE: Final = "at "
# Measured on the traces of tests/memory/test_error_causes.py: the same fault with other data shares nearly all of its
# words, another of the same type about half.
ALIKE: Final = 0.6
_TELLING: Final = 3  # words with which a message tells the fault wherever it comes from
_SAME: Final = 0.9

_TYPE: Final = r"[A-Za-z_][\w.$\\:]{0,150}?(?:Error|Exception|Failure|Fault|Panic|Interrupt|Warning|Exit|Timeout|NotFound)"
# An exception: its type, and what it says behind a colon. `Next` and the others say which of several it is.
_HEAD: Final = re.compile(
    rf"""^[\s●•*]{{0,6}}(?P<lead>Caused\ by:\ |--->\ |\[cause\]:\ |\[errors\]:\ |Next\ |Uncaught\ |\(node:\d{{1,9}}\)\ )?
    (?:Exception\ in\ thread\ "[^"]{{0,100}}"\ |Unhandled\ exception\.\ |(?:PHP\ )?Fatal\ error:\ {{1,2}}Uncaught\ |Uncaught\ )?
    (?P<type>{_TYPE}|error\[E\d{{1,6}}\]|error\ (?:TS|CS|FS|BC)\d{{1,6}}|Error|Exception)
    (?:\ \[[\w]{{1,60}}\])?(?:\s{{0,2}}:\s{{0,9}}(?P<message>.{{0,400}}))?$""",
    re.VERBOSE,
)
# The same in somebody's sentence.
_INLINE: Final = re.compile(r"(?<![\w.])(?P<type>[A-Z]\w{0,60}(?:Error|Exception)): (?P<message>.{1,300})")
_PYTEST: Final = re.compile(r"^E {1,9}(?P<said>\S.{0,390})$")
_PYTEST_SUMMARY: Final = re.compile(
    r"^(?:FAILED|ERROR) (?P<test>[^\s:]{1,200}::\S{1,200})(?: - (?P<said>.{1,300}))?$"
)
_GO_PANIC: Final = re.compile(r"^\s{0,9}(?:panic|fatal error): (?P<message>.{1,390})$")
_GO_TEST: Final = re.compile(r"^\s{0,16}(?P<file>[\w.-]{1,100}_test\.go):\d{1,7}: (?P<message>.{1,300})$")
_GO_FAIL: Final = re.compile(r"^\s{0,9}--- FAIL: (?P<test>\S{1,200})")
_RUST_PANIC: Final = re.compile(
    r"^thread '[^']{0,100}'(?: \(\d{1,9}\))? panicked at (?:'(?P<message>.{0,300})', )?(?P<file>[^\s:,']{1,200}):\d{1,7}:\d{1,7}:?$"
)
_COMPILER: Final = re.compile(
    r"^(?P<file>[\w./\\@-]{1,200})(?::\d{1,7}(?::\d{1,7})?|\(\d{1,7},\d{1,7}\)):? {0,2}(?:fatal )?"
    r"error ?(?P<code>[A-Z]{1,3}\d{2,6})?: (?P<message>.{1,300})$"
)
_RUBY: Final = re.compile(
    r"^(?P<file>[^\s:]{1,200}):\d{1,7}:in [`'](?P<function>[^'`]{1,100})': (?P<message>.{1,300}) \((?P<type>[A-Z][\w:]{1,100})\)$"
)
_JEST_TEST: Final = re.compile(r"^\s{0,4}● (?P<test>.{1,200})$")
_JEST_EXPECT: Final = re.compile(r"^\s{0,9}expect\((?P<message>.{1,200})$")
_ANYHOW_CAUSE: Final = re.compile(r"^\s{1,9}(?:\d{1,3}: )?(?P<message>\S.{0,300})$")
_ANY_ERROR: Final = re.compile(
    r"(?i)\b\w{0,60}(?:error|exception|panic|fatal|fail(?:ed|ure)?|denied|refused|undefined|unresolved|segfault)\b"
    r"|cannot |not found|no such|timed out|assert"
)
# Frames: the file without its folders, and the function.
_FRAMES: Final = (
    re.compile(r'^\s{0,9}File "(?P<file>[^"]{1,300})", line \d{1,9}(?:, in (?P<function>.{1,100}))?$'),
    re.compile(
        r"^\s{1,16}at (?:async |new )?(?P<function>[^\s(]{1,200}(?: \[as \w{1,60}\])?) \((?P<file>[^()]{1,300}?)(?::\d{1,9}){0,2}\)$"
    ),
    re.compile(r"^\s{1,16}at (?P<file>[^\s()]{1,300}?):\d{1,9}:\d{1,9}$"),
    re.compile(
        r"^\s{1,16}at (?P<function>[\w.<>`$+]{1,200}\([^)]{0,200}\))(?: in (?P<file>.{1,300}):line \d{1,9})?$"
    ),
    re.compile(r"^#\d{1,4} (?P<file>[^()]{1,300})\(\d{1,9}\): (?P<function>[^\s(]{1,200})\("),
    re.compile(r"^(?P<function>[\w./*()-]{1,200}\.[\w.()*-]{1,100})\([^)]{0,200}\)$"),
    re.compile(r"^(?P<file>[\w./-]{1,200}\.(?:py|rb)):\d{1,7}: (?:in (?P<function>\w{1,100})|\w{1,100})$"),
)
_PLACE: Final = re.compile(r" in (?P<file>\S{1,300}?)(?::| on line )\d{1,9}$")
_PREFIX: Final = re.compile(
    r"^(?:\d{4}-\d{2}-\d{2}[T ][\d:.,]{5,20}Z?\s{1,3})?(?:\[?(?:ERROR|FATAL|SEVERE|CRITICAL|ERR)\]?:?\s{1,3}){0,2}"
    r"(?:(?:Command failed with exit code|Exit code) \d{1,9}:?\s{0,3})?"
)
_ESCAPES: Final = re.compile(r"\x1b\[[\d;]{0,20}[A-Za-z]")
# What differs between two occurrences of one fault: where, when and how much.
_PATH: Final = re.compile(
    r"(?:[A-Za-z]:[\\/]|(?<![\w.@~+-])(?:\.{1,2}|~)?[\\/])[\w.@~+\\/-]{1,300}(?::\d{1,9}){0,2}"
    r"|\b[\w.@+-]{1,80}(?:/[\w.@+-]{1,80}){1,20}(?::\d{1,9}){0,2}"
)
_PARTICULARS: Final = re.compile(
    r"""
    0x[0-9a-fA-F]{1,32} | \b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b | \b(?=[0-9a-f]{0,11}\d)[0-9a-f]{12,64}\b
    | (?<![\w-])[\w-]{1,80}\.\w{1,4}:\d{1,9}(?::\d{1,9})? | @[0-9a-f]{5,16}\b | (?<![A-Za-z_])\d[\d.,:_T+Zms-]{0,40}
    """,
    re.VERBOSE,
)
_NAMES: Final = re.compile(
    r"""'([^'\n]{1,80})'|"([^"\n]{1,80})"|`([^`\n]{1,80})`|\u2018([^\u2019\n]{1,80})\u2019"""
)
_NAMED_FILE: Final = re.compile(r"[A-Za-z][\w-]{0,60}\.[A-Za-z]{1,5}")


class Cause(NamedTuple):
    """What failed: the last part of its type's name, what it says without its particulars, own frames, the nearest first."""

    type: str
    message: str
    frames: tuple[str, ...] = ()

    @property
    def phrase(self) -> str:
        """The cause as text that is kept, and read again as the same cause."""
        head = ": ".join(part for part in (self.type, self.message) if part)
        return "\n".join((*(f"{_FRAME_LINE}{frame}" for frame in reversed(self.frames)), head))


class _Forms(NamedTuple):
    wrappers: tuple[str, ...]
    general_types: frozenset[str]
    foreign_frames: tuple[str, ...]
    cause_above: tuple[str, ...]


def read_cause(text: str) -> Cause:
    """The cause of the failure a text tells of; with an empty message where it tells of none."""
    lines = [
        _PREFIX.sub("", _ESCAPES.sub("", line)).rstrip()[:_MOST_LINE]
        for line in text[-_LOOKED_AT:].splitlines()
    ]
    headed = [found for at, line in enumerate(lines) if (found := _head(lines, at, line)) is not None]
    if not headed:
        return _plain_cause(lines)
    chosen = _choose(lines, headed)
    frames = _frames_around(lines, chosen.at, is_below=chosen.frames_below)
    return Cause(chosen.type, _without_particulars(chosen.message), frames)


def likeness(one: Cause, other: Cause) -> float:
    """How sure it is that two causes are one fault, from 0 to 1; at least `ALIKE` to be told of."""
    if one.type and other.type and one.type.casefold() != other.type.casefold():
        return 0.0
    if _are_apart(_names(one.message), _names(other.message)):
        return 0.0
    words, others = telling_words(one.message), telling_words(other.message)
    share = len(words & others) / max(len(words), len(others)) if words and others else float(words == others)
    if frozenset(one.frames) & frozenset(other.frames):
        return share
    is_general = one.type in _forms().general_types or not one.type
    tells = min(len(words), len(others)) >= _TELLING and share >= _SAME
    if one.frames and other.frames:
        return share if tells and not is_general else 0.0
    # Of one of them nobody knows where it was.
    return share if not is_general or tells else 0.0


class _Head(NamedTuple):
    """A line that names a fault."""

    at: int
    type: str
    message: str
    lead: str = ""
    frames_below: bool = True


def _head(lines: Sequence[str], at: int, line: str) -> _Head | None:
    """The fault a line names; None for any other line."""
    if not line or _is_wrapper(line):
        return None
    pytest_line = _PYTEST.match(line)
    if pytest_line:
        said = pytest_line["said"]
        found = _HEAD.match(said)
        if found:
            return _Head(at, _short(found["type"]), found["message"] or "", "E", frames_below=True)
        return _Head(at, "assert", said, "E") if said.startswith("assert ") else None
    rust = _RUST_PANIC.match(line)
    if rust:
        message = rust["message"] or next((one for one in lines[at + 1 : at + 3] if one.strip()), "")
        return _Head(at, "panic", message)
    go = _GO_PANIC.match(line)
    if go:
        return _Head(at, "panic", go["message"].removesuffix(" [recovered]"))
    for pattern, kind in ((_RUBY, ""), (_COMPILER, "error"), (_GO_TEST, "FAIL")):
        other = pattern.match(line)
        if other:
            named = other.groupdict()
            return _Head(at, _short(named.get("type") or named.get("code") or kind), other["message"])
    expect = _JEST_EXPECT.match(line)
    if expect:
        return _Head(at, "AssertionError", f"expect({expect['message']}")
    found = _HEAD.match(line)
    if found is None:
        return None
    return _split_inner(
        _Head(at, _short(found["type"]), found["message"] or "", (found["lead"] or "").strip())
    )


def _split_inner(head: _Head) -> _Head:
    """The innermost of the exceptions .NET writes on one line."""
    inner = head.message.rpartition(" ---> ")[2] if " ---> " in head.message else ""
    found = _HEAD.match(inner) if inner else None
    return (
        head if found is None else head._replace(type=_short(found["type"]), message=found["message"] or "")
    )


def _choose(lines: Sequence[str], headed: Sequence[_Head]) -> _Head:
    """Which of the faults is the cause of the others."""
    below = [head for head in headed if head.lead in ("Caused by:", "--->", "[cause]:", "[errors]:")]
    if below:
        return below[-1]
    anyhow = next((at for at, line in enumerate(lines) if line.strip() == "Caused by:"), None)
    if anyhow is not None:
        causes = []
        for line in lines[anyhow + 1 :]:
            found = _ANYHOW_CAUSE.match(line)
            if found is None:
                break
            causes.append(found["message"])
        if causes:
            return _Head(anyhow, "", causes[-1])
    above = next((at for at, line in enumerate(lines) if _says(line, _forms().cause_above)), None)
    if above is not None:
        before = [head for head in headed if head.at < above]
        if before:
            return before[-1]._replace(frames_below=False)
    if any(head.lead == "Next" for head in headed):
        return headed[0]
    # A traceback ends with its exception, while a stack trace begins with it; what is said later is said of it.
    is_python = any(line.lstrip().startswith("Traceback (most recent") for line in lines)
    telling = [head for head in headed if head.message] or list(headed)
    last = telling[-1] if is_python or telling[-1].lead == "E" else telling[0]
    return last._replace(frames_below=not is_python)


def _plain_cause(lines: Sequence[str]) -> Cause:
    """The cause in a text that no form fits: the last line that speaks of a failure, else the last at all."""
    kept = [line for line in lines if line.strip() and not _is_wrapper(line)]
    frames = tuple(line.removeprefix(_FRAME_LINE) for line in kept if line.startswith(_FRAME_LINE))
    said = [line for line in kept if not line.startswith(_FRAME_LINE)]
    telling = [line for line in said if _ANY_ERROR.search(line)] or said
    inline = _INLINE.search(telling[-1]) if telling else None
    message = _without_particulars(inline["message"] if inline else telling[-1]) if telling else ""
    return Cause(
        _short(inline["type"]) if inline else "",
        message,
        tuple(reversed(frames))[:_MOST_FRAMES] or _frames_around(lines, 0, is_below=True),
    )


def _frames_around(lines: Sequence[str], at: int, *, is_below: bool) -> tuple[str, ...]:
    """Own frames, the one nearest to the fault first: those of its stack, else the test that failed."""
    kept = [line.removeprefix(_FRAME_LINE) for line in lines if line.startswith(_FRAME_LINE)]
    if kept:
        return tuple(reversed(kept))[:_MOST_FRAMES]
    stack = lines[at:] if is_below else list(reversed(lines[:at]))
    frames = [frame for line in stack if (frame := _frame(line))]
    frames = frames or [frame for line in lines if (frame := _frame(line))]
    tests = [test for line in lines if (test := _test(line))]
    named = dict.fromkeys(one[:_MOST_FRAME] for one in (*tests[:1], *frames))
    return tuple(named)[:_MOST_FRAMES]


def _frame(line: str) -> str | None:
    lowered = line.lower()
    if any(mark in lowered for mark in _forms().foreign_frames):
        return None
    place = _PLACE.search(line)
    if place:
        return _file_name(place["file"])
    rust = _RUST_PANIC.match(line)
    if rust:
        return _file_name(rust["file"])
    for pattern in _FRAMES:
        found = pattern.match(line)
        if found:
            named = found.groupdict()
            parts = (_file_name(named.get("file") or ""), (named.get("function") or "").split("(")[0].strip())
            return " ".join(part for part in parts if part) or None
    return None


def _test(line: str) -> str | None:
    summary = _PYTEST_SUMMARY.match(line)
    if summary:
        return summary["test"].rpartition("::")[2]
    for pattern in (_GO_FAIL, _JEST_TEST):
        found = pattern.match(line)
        if found:
            return found["test"].strip()
    return None


def _file_name(path: str) -> str:
    return re.split(r"[/\\]", path.removeprefix("file://"))[-1].split(":")[0].split("?")[0].strip()


def _short(name: str) -> str:
    return re.split(r"[.\\$]|::", name)[-1]


def _without_particulars(message: str) -> str:
    placed = _PLACE.sub("", message)
    plain = _PARTICULARS.sub(" ", _PATH.sub(lambda found: _kept_name(found[0]), placed))
    return shorten(" ".join(plain.split()).strip(" .:;,"), _MOST_MESSAGE)


def _kept_name(path: str) -> str:
    """Of a path its file's name, where it has one that is not made up for the occasion."""
    name = _file_name(path)
    return f" {name} " if _NAMED_FILE.fullmatch(name) else " "


def _names(message: str) -> frozenset[str]:
    """What a message names in quotes: which key, which module."""
    quoted = (next(filter(None, found), "") for found in _NAMES.findall(message))
    return frozenset(name.strip().casefold() for name in quoted if any(map(str.isalpha, name)))


def _are_apart(names: frozenset[str], others: frozenset[str]) -> bool:
    return bool(names) and bool(others) and not names & others


def _is_wrapper(line: str) -> bool:
    return _says(line, _forms().wrappers)


def _says(line: str, texts: Iterable[str]) -> bool:
    lowered = line.lower()
    return any(text in lowered for text in texts)


@cache
def _forms() -> _Forms:
    read = tomllib.loads(read_data("drift.memory.work", "error_forms.toml"))
    return _Forms(
        tuple(read["wrappers"]),
        frozenset(read["general_types"]),
        tuple(read["foreign_frames"]),
        tuple(read["cause_above"]),
    )
