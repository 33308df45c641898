"""Reports as SARIF 2.1.0, as code scanning and editors read them."""

from typing import Any, Final
from urllib.parse import quote

from drift import __version__
from drift.quality.findings import Finding
from drift.quality.reporters.report import CheckOutcome, Report
from drift.quality.rules import Rule, Severity

SCHEMA_URI: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: Final[dict[Severity, str]] = {"error": "error", "warning": "warning", "info": "note"}
_ROOT: Final = "SRCROOT"
_FINGERPRINT: Final = "driftFinding/v1"


def sarif_log(report: Report) -> dict[str, Any]:
    """The log with one run. Where a check could not be evaluated, the run did not succeed."""
    used = sorted({one.rule for one in report.findings})
    places = {rule: place for place, rule in enumerate(used)}
    errored = [one for one in report.checks if one.status == "errored"]
    run = {
        "tool": {
            "driver": {
                "name": "drift",
                "version": __version__,
                "informationUri": "https://github.com/drift-mcp/drift",
                "rules": [_rule(report.rule(rule)) for rule in used],
            }
        },
        "automationDetails": {"id": f"{report.tool}/"},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the project."}}},
        "invocations": [
            {"executionSuccessful": not errored, "toolExecutionNotifications": list(map(_notice, errored))}
        ],
        "results": [_result(one, places[one.rule]) for one in report.findings],
        "properties": {"summary": report.summary, **_figures(report)},
    }
    return {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.id.replace("/", "-").split("-")),
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.help},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(one: Finding, rule_index: int) -> dict[str, Any]:
    place: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(one.file), "uriBaseId": _ROOT},
            "region": {"startLine": one.line, "endLine": one.end_line},
        }
    }
    if one.symbol:
        place["logicalLocations"] = [{"fullyQualifiedName": one.symbol}]
    result: dict[str, Any] = {
        "ruleId": one.rule,
        "ruleIndex": rule_index,
        "level": _LEVELS[one.severity],
        "message": {"text": one.message},
        "locations": [place],
        "partialFingerprints": {_FINGERPRINT: one.id},
    }
    if one.baseline:
        result["baselineState"] = one.baseline
    if one.evidence or one.suggestion:
        told = {"evidence": one.evidence, "suggestion": one.suggestion}
        result["properties"] = {name: value for name, value in told.items() if value}
    return result


def _notice(check: CheckOutcome) -> dict[str, Any]:
    return {"level": "error", "message": {"text": f"{check.check}: {check.message}"}}


def _figures(report: Report) -> dict[str, Any]:
    told: dict[str, Any] = {"figures": dict(report.figures)} if report.figures else {}
    if report.notes:
        told["notes"] = list(report.notes)
    return told


def _uri(path: str) -> str:
    """A relative reference; a colon in its first part would make it a scheme, so that is written out as well."""
    return quote(path.replace("\\", "/"), safe="/", errors="surrogateescape")
