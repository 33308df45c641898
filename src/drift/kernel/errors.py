"""Everything that can go wrong, each with a code, a message for a person and a way out.

One exception class carries one of these codes:

    the caller can mend it     INVALID_ARGUMENT  MISSING_REQUIRED_PARAM  INVALID_CURSOR  CONFIG_INVALID
                               TOOL_NOT_FOUND  TOOL_REMOVED  PROJECT_NOT_FOUND  PACK_NOT_FOUND
                               PATTERN_NOT_FOUND  SYMBOL_NOT_FOUND  FILE_NOT_FOUND  RESOURCE_NOT_FOUND
                               TEMPLATE_NOT_FOUND  INVALID_TEMPLATE_URI  PARAMETER_VALIDATION_FAILED
                               PATH_OUTSIDE_PROJECT  TOO_LARGE  FORBIDDEN  UNAUTHORIZED  CONFLICT
    what was checked fails     QUALITY_GATE_FAILED
    something must come first  SCAN_REQUIRED  CALLGRAPH_NOT_BUILT  DNA_NOT_ANALYZED
                               CORTEX_UNAVAILABLE  STORE_UNAVAILABLE  NOT_REGISTERED
    try again later            RATE_LIMITED  SERVER_BUSY  CANCELLED  TIMEOUT
    our fault                  INTERNAL_ERROR  ANALYSIS_FAILED
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

T = TypeVar("T")


class ErrorCode(StrEnum):
    """The closed set of codes a caller may meet."""

    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    MISSING_REQUIRED_PARAM = "MISSING_REQUIRED_PARAM"
    INVALID_CURSOR = "INVALID_CURSOR"
    CONFIG_INVALID = "CONFIG_INVALID"
    TOOL_NOT_FOUND = "TOOL_NOT_FOUND"
    TOOL_REMOVED = "TOOL_REMOVED"
    PROJECT_NOT_FOUND = "PROJECT_NOT_FOUND"
    PACK_NOT_FOUND = "PACK_NOT_FOUND"
    PATTERN_NOT_FOUND = "PATTERN_NOT_FOUND"
    SYMBOL_NOT_FOUND = "SYMBOL_NOT_FOUND"
    FILE_NOT_FOUND = "FILE_NOT_FOUND"
    RESOURCE_NOT_FOUND = "RESOURCE_NOT_FOUND"
    TEMPLATE_NOT_FOUND = "TEMPLATE_NOT_FOUND"
    INVALID_TEMPLATE_URI = "INVALID_TEMPLATE_URI"
    PARAMETER_VALIDATION_FAILED = "PARAMETER_VALIDATION_FAILED"
    PATH_OUTSIDE_PROJECT = "PATH_OUTSIDE_PROJECT"
    TOO_LARGE = "TOO_LARGE"
    FORBIDDEN = "FORBIDDEN"
    UNAUTHORIZED = "UNAUTHORIZED"
    CONFLICT = "CONFLICT"
    QUALITY_GATE_FAILED = "QUALITY_GATE_FAILED"
    SCAN_REQUIRED = "SCAN_REQUIRED"
    CALLGRAPH_NOT_BUILT = "CALLGRAPH_NOT_BUILT"
    DNA_NOT_ANALYZED = "DNA_NOT_ANALYZED"
    CORTEX_UNAVAILABLE = "CORTEX_UNAVAILABLE"
    STORE_UNAVAILABLE = "STORE_UNAVAILABLE"
    NOT_REGISTERED = "NOT_REGISTERED"
    RATE_LIMITED = "RATE_LIMITED"
    SERVER_BUSY = "SERVER_BUSY"
    CANCELLED = "CANCELLED"
    TIMEOUT = "TIMEOUT"
    INTERNAL_ERROR = "INTERNAL_ERROR"
    ANALYSIS_FAILED = "ANALYSIS_FAILED"


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """What a code means and the way out when the raiser knows no better one."""

    meaning: str
    hint: str


ERRORS: Mapping[ErrorCode, ErrorKind] = {
    ErrorCode.INVALID_ARGUMENT: ErrorKind(
        "An argument has a value the tool does not take", "Correct the named argument and call again."
    ),
    ErrorCode.MISSING_REQUIRED_PARAM: ErrorKind(
        "A required argument is missing", "Add the named argument and call again."
    ),
    ErrorCode.INVALID_CURSOR: ErrorKind(
        "The page cursor is expired, altered or from another query", "Repeat the query without a cursor."
    ),
    ErrorCode.CONFIG_INVALID: ErrorKind(
        "drift.toml or a DRIFT_* variable has a wrong value",
        "Correct the named key; docs/configuration.md lists all.",
    ),
    ErrorCode.TOOL_NOT_FOUND: ErrorKind(
        "No tool has this name", "Call drift_discover to see the tools there are."
    ),
    ErrorCode.TOOL_REMOVED: ErrorKind("The tool was retired", "Call the tool that replaced it."),
    ErrorCode.PROJECT_NOT_FOUND: ErrorKind(
        "No registered project has this name, id or path", "Call drift_projects with action=list, or add it."
    ),
    ErrorCode.PACK_NOT_FOUND: ErrorKind("No pack has this name", "Call drift_discover with section=packs."),
    ErrorCode.PATTERN_NOT_FOUND: ErrorKind("No pattern has this id", "List the patterns first."),
    ErrorCode.SYMBOL_NOT_FOUND: ErrorKind(
        "The index knows no such symbol", "Check the spelling or give file:line."
    ),
    ErrorCode.FILE_NOT_FOUND: ErrorKind(
        "The file does not exist in the project", "Give a path relative to the root."
    ),
    ErrorCode.RESOURCE_NOT_FOUND: ErrorKind(
        "No resource has this URI", "List resources and templates first."
    ),
    ErrorCode.TEMPLATE_NOT_FOUND: ErrorKind(
        "No template has this address or name", "Call list_templates to see those there are."
    ),
    ErrorCode.INVALID_TEMPLATE_URI: ErrorKind(
        "The address of a template has another form", "Write template://CATEGORY/TOOLCHAIN/VARIANT."
    ),
    ErrorCode.PARAMETER_VALIDATION_FAILED: ErrorKind(
        "A parameter of a template is missing, unknown or has a value it does not take",
        "Correct the named parameters; validate_template checks them without making anything.",
    ),
    ErrorCode.PATH_OUTSIDE_PROJECT: ErrorKind(
        "The path leads outside the project root", "Give a path relative to the project root, without '..'."
    ),
    ErrorCode.TOO_LARGE: ErrorKind("The request or answer is over a size limit", "Ask for less at a time."),
    ErrorCode.FORBIDDEN: ErrorKind(
        "The caller lacks a scope this tool needs", "Sign in with the named scope."
    ),
    ErrorCode.UNAUTHORIZED: ErrorKind("The caller is not known", "Send a valid bearer token."),
    ErrorCode.CONFLICT: ErrorKind(
        "Somebody changed it since it was read", "Read it again, then decide whether your change still holds."
    ),
    ErrorCode.QUALITY_GATE_FAILED: ErrorKind(
        "A quality gate failed or could not be evaluated, and the caller asked for an error then",
        "Mend what the checks name, or call without fail_on_violation to see the findings.",
    ),
    ErrorCode.SCAN_REQUIRED: ErrorKind("The project has not been scanned", "Run: drift scan"),
    ErrorCode.CALLGRAPH_NOT_BUILT: ErrorKind("The call graph has not been built", "Run: drift scan"),
    ErrorCode.DNA_NOT_ANALYZED: ErrorKind("Conventions have not been analysed", "Run: drift scan"),
    ErrorCode.CORTEX_UNAVAILABLE: ErrorKind("The memory store is not available", "Run: drift doctor"),
    ErrorCode.STORE_UNAVAILABLE: ErrorKind("A store could not be opened", "Run: drift doctor"),
    ErrorCode.NOT_REGISTERED: ErrorKind(
        "This version of Drift has nothing registered there", "Update Drift, or use another server's tools."
    ),
    ErrorCode.RATE_LIMITED: ErrorKind(
        "Too many calls in the time window", "Wait for retryAfterMs, then call again."
    ),
    ErrorCode.SERVER_BUSY: ErrorKind(
        "Too many requests are in flight", "Wait for running calls, then call again."
    ),
    ErrorCode.CANCELLED: ErrorKind(
        "The caller cancelled the call", "Call again if the answer is still wanted."
    ),
    ErrorCode.TIMEOUT: ErrorKind("The work took longer than allowed", "Narrow the question and call again."),
    ErrorCode.INTERNAL_ERROR: ErrorKind(
        "Drift failed; the cause is in its log", "Call again; if it persists, run: drift doctor"
    ),
    ErrorCode.ANALYSIS_FAILED: ErrorKind(
        "An analysis could not finish", "The log on stderr names the cause."
    ),
}


@dataclass(frozen=True, slots=True)
class Recovery:
    """What the caller can do next, beyond the code's own hint."""

    hint: str | None = None
    similar: tuple[str, ...] = ()
    alternative_tools: tuple[str, ...] = ()
    command: str | None = None
    retry_after_ms: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


class DriftError(Exception):
    """A failure with a code, a message for a person and a way out."""

    def __init__(self, code: ErrorCode, message: str, recovery: Recovery | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.recovery = recovery or Recovery()

    def as_wire(self) -> dict[str, Any]:
        """The error as callers see it; empty ways out are left out."""
        recovery = self.recovery
        ours = {
            "code": str(self.code),
            "message": self.message,
            "hint": recovery.hint or ERRORS[self.code].hint,
            "similar": list(recovery.similar),
            "alternativeTools": list(recovery.alternative_tools),
            "command": recovery.command,
            "retryAfterMs": recovery.retry_after_ms,
        }
        known = {key: value for key, value in ours.items() if value not in (None, [])}
        details = {key: value for key, value in recovery.details.items() if value not in (None, [], ())}
        # Ours come first for the reader, and last so that details cannot replace them.
        return {**known, **details, **known}


class UnclearError(DriftError):
    """What a caller wrote may mean several things; a person who can be asked would know which."""

    def __init__(self, written: str, choices: Mapping[str, str], *, message: str, recovery: Recovery) -> None:
        super().__init__(ErrorCode.INVALID_ARGUMENT, message, recovery)
        self.written = written
        self.choices = choices
        """What to write instead, by what a person reads."""


def invalid(
    argument: str, problem: str, *, hint: str | None = None, similar: tuple[str, ...] = ()
) -> DriftError:
    """An INVALID_ARGUMENT error that names the argument."""
    return DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"{argument}: {problem}",
        Recovery(hint=hint, similar=similar, details={"argument": argument}),
    )


def needed(argument: str, value: T | None, *, when: str) -> T:
    """The value of an argument that may be left out otherwise. Raises MISSING_REQUIRED_PARAM where it is."""
    if value is None:
        raise missing(argument, f"required when {when}")
    return value


def missing(argument: str, message: str) -> DriftError:
    """An error for an argument that was left out."""
    details = {"argument": argument}
    return DriftError(ErrorCode.MISSING_REQUIRED_PARAM, f"{argument}: {message}", Recovery(details=details))
