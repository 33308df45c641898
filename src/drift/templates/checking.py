"""Values for a template's parameters: whether they are what it takes, and what stands for those that were not given."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import jsonschema_rs

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names
from drift.kernel.text import shorten
from drift.templates.definition import MOST_CHARS, Parameter, Template
from drift.templates.engine import Value
from drift.templates.library import shared_parameters
from drift.templates.toolchains import toolchains

PROJECT_NAME: Final = "project_name"

_MOST_PATTERN_BYTES: Final = 200_000
_SHOWN_CHARS: Final = 60
_NO_TEXT: Final = f"control characters and more than {MOST_CHARS:,} characters are not taken"
# Names of devices: a folder called so cannot be made on Windows.
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\..{0,100})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParameterFault:
    """A value that a parameter does not take."""

    parameter: str
    problem: str


@dataclass(frozen=True, slots=True)
class Validation:
    """What is wrong with the values for a template."""

    valid: bool
    errors: tuple[ParameterFault, ...] = ()
    missing_required: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def validate(templates: Iterable[Template], given: Mapping[str, Any]) -> Validation:
    """Whether values fit templates that are to be filled together; each takes those that it declares."""
    declared = {each.name: each for template in templates for each in template.parameters}
    # What templates share may be given to any: who makes several gives the same to each.
    known = {**shared_parameters(), **declared}
    errors = [
        ParameterFault(name, problem)
        for name, value in given.items()
        if name in known and (problem := _fault(known[name], value)) is not None
    ]
    if not errors and given.get(PROJECT_NAME):
        names = {template.toolchain for template in templates}
        errors += [ParameterFault(PROJECT_NAME, each) for each in _faults_of_name(given[PROJECT_NAME], names)]
    required = [each.name for template in templates for each in template.parameters if each.is_required]
    missing = tuple(dict.fromkeys(name for name in required if given.get(name) in (None, "")))
    unknown = tuple(shorten(name, _SHOWN_CHARS) for name in given if name not in known)
    return Validation(not (errors or missing or unknown), tuple(errors), missing, unknown)


def require_valid(templates: Iterable[Template], given: Mapping[str, Any]) -> None:
    """Raise PARAMETER_VALIDATION_FAILED for values that do not fit; it names every fault."""
    found = validate(templates, given)
    if found.valid:
        return
    known = sorted({each.name for template in templates for each in template.parameters})
    faults = [
        *(f"{each.parameter}: {each.problem}" for each in found.errors),
        *(f"{name}: is missing" for name in found.missing_required),
        *(f"{name}: is no parameter; there are {', '.join(known) or 'none'}" for name in found.unknown),
    ]
    similar = tuple(near for name in found.unknown for near in similar_names(name, known))
    details = {"missing_required": list(found.missing_required), "unknown": list(found.unknown)}
    raise DriftError(
        ErrorCode.PARAMETER_VALIDATION_FAILED,
        shorten("; ".join(faults), 1_000),
        Recovery(similar=similar, details=details),
    )


def fill_in(template: Template, given: Mapping[str, Any]) -> dict[str, Value]:
    """The values of a template's parameters, defaults where none is given. They have been checked."""
    return {
        each.name: each.value_when_absent if (value := given.get(each.name)) is None else value
        for each in template.parameters
    }


def _fault(parameter: Parameter, value: Any) -> str | None:
    """Why a parameter does not take a value; None where it does, or where there is none."""
    if value is None:
        return None
    if _validator(parameter).is_valid(value):
        return None
    if isinstance(value, str) and parameter.enum:
        return f"got {shorten(repr(value), _SHOWN_CHARS)}; allowed: {', '.join(parameter.enum)}"
    if isinstance(value, str) and parameter.type == "string":
        wanted = f"wanted: {parameter.description}" if parameter.pattern else _NO_TEXT
        return f"got {shorten(repr(value), _SHOWN_CHARS)}; {wanted}"
    return f"is no {parameter.type}{' of texts of one line' if parameter.type == 'array' else ''}"


@lru_cache(maxsize=256)
def _validator(parameter: Parameter) -> jsonschema_rs.Validator:
    # Patterns may come with the repository: this engine needs no more time than the text is long.
    limits = jsonschema_rs.RegexOptions(size_limit=_MOST_PATTERN_BYTES, dfa_size_limit=_MOST_PATTERN_BYTES)
    return jsonschema_rs.validator_for(parameter.schema, pattern_options=limits)


def _faults_of_name(name: str, toolchain_names: Iterable[str]) -> Iterable[str]:
    if _DEVICE.fullmatch(name):
        yield f"{name} is the name of a device on Windows"
    for toolchain in sorted(toolchain_names):
        if name.lower() in toolchains().get(toolchain, {}).get("reserved", ()):
            yield f"{name} is a word that {toolchain} keeps for itself"
