"""Custom rules: what the project itself forbids, and what nobody means to commit."""

from collections.abc import Iterator
from typing import Final

from drift.dimensions import read_own_dimensions
from drift.guards.custom_rules import CustomRule, RuleError, builtin_rules, find_violations, read_own_rules
from drift.guards.gating.form import Found, Settings, Subject, new_ones
from drift.index import read_index_state
from drift.index.file_queries import FileFilter
from drift.index.records import FileRecord
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural
from drift.quality import Finding, Rule, finding
from drift.quality.gate import NotMeasurableError

CUSTOM: Final = "custom-rules"
SETTINGS: Final[Settings] = {"builtin": False}
_ROLES: Final = frozenset({"source", "test", "config"})


def check_custom(subject: Subject, settings: Settings) -> Found:
    """The gate. A rule that cannot be read fails it: one that is left out would let everything pass."""
    state = subject.project.state
    try:
        own = read_own_rules(state)
    except RuleError as error:
        raise DriftError(
            ErrorCode.CONFIG_INVALID, str(error), Recovery(hint="docs/ci.md tells what a rule may say.")
        ) from error
    rules = (*own, *(builtin_rules() if settings["builtin"] else ()))
    if not rules:
        raise NotMeasurableError("there are no rules in .drift/rules/")
    if own and read_index_state(subject.reader.path).rules != read_own_dimensions(state).digest:
        raise DriftError(
            ErrorCode.SCAN_REQUIRED,
            "The rules in .drift/rules/ ask for queries that the index was not made with.",
            Recovery(hint="Run `drift scan`."),
        )
    told = subject.told(_findings(subject, rules))
    new = new_ones(told)
    failing = [each for each in new if each.severity != "info"]
    message = f"{plural(len(rules), 'rule')}, {plural(len(new), 'place')} where one fires"
    return Found(not failing, message, told, {"rules": len(rules)}, tuple(map(_described, rules)))


def _findings(subject: Subject, rules: tuple[CustomRule, ...]) -> Iterator[Finding]:
    change = subject.change
    files = [each for each in _files(subject) if each.role in _ROLES]
    found = find_violations(
        subject.reader, subject.project.root, rules, files=files, check=subject.check_cancelled
    )
    for each in found:
        # What holds for a file as a whole is told wherever the file was changed.
        is_new = change is None or not each.line or change.has_line(each.path, each.line)
        if is_new and not (change is not None and each.text and each.text in change.moved):
            yield finding(
                each.rule.id,
                each.rule.message,
                file=each.path,
                lines=(each.line, each.line),
                symbol=each.symbol,
                snippet=each.text,
                severity=each.rule.severity,
            )


def _files(subject: Subject) -> list[FileRecord]:
    if subject.change is None:
        return list(subject.reader.files.page(FileFilter(), limit=-1))
    found = (subject.reader.files.at(path) for path in sorted(subject.change.files))
    return [each for each in found if each is not None]


def _described(rule: CustomRule) -> Rule:
    return Rule(rule.id, rule.severity, rule.message.rstrip("."), "A rule of this project.", rule.message)
