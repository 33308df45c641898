"""Secrets: no new line holds one.

What it does: looks for secrets (`analyses/secrets`) in the changed files, and tells those that stand in new lines; of a whole
project, all of them.
Why it matters: once it is pushed, a secret has to be withdrawn; before, it has only to be deleted.
Known limits: those of the rules, of a file its first two million bytes; a file that cannot be read makes the gate errored; what a project wants to keep is marked with `drift:allow-secret` in its line.
"""

from typing import Final

from drift.analyses.secrets.findings import Secret
from drift.analyses.secrets.judging import Level
from drift.analyses.secrets.project import SEVERITIES, at_least, find_in_files, find_in_project
from drift.guards.gating.form import Found, Settings, Subject, new_ones
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural
from drift.quality import Finding, Rule, Severity, finding

SECRETS: Final = "secrets"
SETTINGS: Final[Settings] = {"min_level": "medium"}
_GRAVE: Final = frozenset(SEVERITIES[:2])
_LEVELS: Final[dict[str, Level]] = {"high": "high", "medium": "medium", "low": "low"}


def check_secrets(subject: Subject, settings: Settings) -> Found:
    """The gate: fails where the product surely gets a grave secret; the rest is told."""
    level = _LEVELS.get(str(settings["min_level"]), "medium")
    secrets = [
        each for each in at_least(_secrets(subject), level, None) if subject.is_wanted(each.file, each.line)
    ]
    told = subject.told(_finding(each) for each in secrets)
    new = new_ones(told)
    failing = [each for each in new if each.severity == "error"]
    rules = {each.rule: _described(each) for each in secrets}
    return Found(
        not failing,
        f"{plural(len(new), 'secret')} in new lines",
        told,
        {"secrets": len(new)},
        tuple(rules.values()),
    )


def _secrets(subject: Subject) -> tuple[Secret, ...]:
    root = subject.project.root
    if subject.change is None:
        found = find_in_project(subject.reader, root, check_cancelled=subject.check_cancelled)
    else:
        changed = sorted(path for path, change in subject.change.files.items() if change.added)
        found = find_in_files(root, changed)
    if found.unread:
        raise DriftError(
            ErrorCode.ANALYSIS_FAILED,
            f"{plural(len(found.unread), 'file')} could not be read: {', '.join(found.unread[:3])}",
            Recovery(hint="Give whoever runs the gate the right to read them."),
        )
    return found.rows


def _finding(secret: Secret) -> Finding:
    return finding(
        f"secrets/{secret.rule}",
        f"{secret.what[:1].upper()}{secret.what[1:]} {secret.value}: {secret.why}",
        file=secret.file,
        lines=(secret.line, secret.line),
        snippet=secret.snippet,
        severity=_severity(secret),
        evidence={"confidence": secret.confidence, "severity": secret.severity},
        suggestion=secret.next,
    )


def _severity(secret: Secret) -> Severity:
    if secret.where != "product" or secret.severity == "low":
        return "info"
    return "error" if secret.severity in _GRAVE and secret.level == "high" else "warning"


def _described(secret: Secret) -> Rule:
    return Rule(
        f"secrets/{secret.rule}",
        _severity(secret),
        f"A secret in a file: {secret.what}",
        "Whoever can read the repository, or ever could, has it.",
        secret.next,
    )
