"""Why the catalog takes something not, in the words clients of it know, with what a report of it would need."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from drift.kernel.errors import DriftError, ErrorCode, Recovery

Fault = Literal["validation", "limit", "integrity", "permission"]

FEEDBACK_HINT: Final = "Submit feedback/submit with reproEntry"
_PREVIEW_CHARACTERS: Final = 200


def refuse(
    argument: str,
    error: str,
    *,
    fault: Fault = "validation",
    code: ErrorCode = ErrorCode.INVALID_ARGUMENT,
    hint: str | None = None,
    similar: tuple[str, ...] = (),
    **details: Any,
) -> DriftError:
    """An error whose details name the argument, the catalog's own word for it and the kind of fault."""
    return DriftError(
        code,
        f"{argument}: {error}",
        Recovery(
            hint=hint,
            similar=similar,
            details={"argument": argument, "error": error, "fault": fault, **details},
        ),
    )


def refuse_entry(
    error: str,
    entry: Mapping[str, Any],
    *,
    hint: str | None = None,
    validation: Sequence[Mapping[str, Any]] = (),
    schema: Mapping[str, Any] | None = None,
) -> DriftError:
    """A refused instruction, with enough of it to report the refusal as a defect."""
    return refuse(
        "entry",
        error,
        hint=hint,
        validation=list(validation),
        schema=schema,
        feedbackHint=FEEDBACK_HINT,
        reproEntry=repro_of(entry),
    )


def too_large(argument: str, size: int, most: int, *, unit: str) -> DriftError:
    """Something over a limit of the catalog."""
    return refuse(
        argument,
        f"has {size:,} {unit}; at most {most:,} are taken",
        fault="limit",
        code=ErrorCode.TOO_LARGE,
        hint="Split the instruction into several, or shorten it.",
    )


def repro_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The beginning of an entry, small enough for a report."""
    body = entry.get("body")
    preview = body[:_PREVIEW_CHARACTERS] if isinstance(body, str) else None
    found = {"id": entry.get("id"), "bodyPreview": preview}
    return {key: value[:_PREVIEW_CHARACTERS] for key, value in found.items() if isinstance(value, str)}
