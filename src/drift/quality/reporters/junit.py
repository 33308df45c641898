"""Reports as JUnit's XML: a suite for each check, in it a case for each finding, or one for the check itself."""

import re
from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from drift.quality.findings import Finding
from drift.quality.reporters.report import CheckOutcome, Report

# XML 1.0 has no way to write these, not even as a reference.
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_NO_FAILURE: Final = "info"


def write_junit(report: Report) -> str:
    """The suites. What is only worth knowing is no failure."""
    suites = list(_suites(report))
    counts = [sum(each) for each in zip(*(suite.counts for suite in suites), strict=True)]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f"<testsuites name={_attribute(report.tool)} {_counted(counts)}>",
            *(line for suite in suites for line in suite.lines(report.notes if suite is suites[-1] else ())),
            "</testsuites>",
            "",
        ]
    )


class _Suite:
    """The cases of one check."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._cases: list[str] = []
        self.counts = [0, 0, 0, 0]  # tests, failures, errors, skipped

    def add(self, name: str, outcome: str = "", *, at: Finding | None = None, kind: int = 0) -> None:
        self.counts[0] += 1
        if kind:
            self.counts[kind] += 1
        place = f" file={_attribute(at.file)} line={_attribute(str(at.line))}" if at else ""
        case = f"<testcase classname={_attribute(self._name)} name={_attribute(name)}{place} time={_attribute('0')}"
        self._cases.append(f"    {case}>{outcome}</testcase>" if outcome else f"    {case}/>")

    def lines(self, notes: Sequence[str]) -> Iterator[str]:
        yield f"  <testsuite name={_attribute(self._name)} {_counted(self.counts)}>"
        yield from self._cases
        if notes:
            yield f"    {_output(chr(10).join(notes))}"
        yield "  </testsuite>"


def _suites(report: Report) -> Iterator[_Suite]:
    told: set[str] = set()
    for check in report.checks:
        told.update(check.rules)
        yield _check_suite(report, check, [one for one in report.findings if one.rule in check.rules])
    rest = [one for one in report.findings if one.rule not in told]
    if rest or not report.checks:
        suite = _Suite(report.tool)
        _add_findings(report, suite, rest)
        if not rest:
            suite.add(report.summary)
        yield suite


def _check_suite(report: Report, check: CheckOutcome, findings: Sequence[Finding]) -> _Suite:
    suite = _Suite(check.check)
    has_failure = any(one.severity != _NO_FAILURE for one in findings)
    match check.status:
        case "errored":
            suite.add(check.check, _element("error", check.message, check.message), kind=2)
        case "skipped":
            suite.add(check.check, f"<skipped message={_attribute(check.message)}/>", kind=3)
        case "failed" if not has_failure:  # else a gate that failed would look as if it passed
            suite.add(check.check, _element("failure", check.message, check.message), kind=1)
        case _:
            suite.add(f"{check.check}: {check.message}")
    is_told = check.status in {"failed", "warned"}
    _add_findings(report, suite, findings if is_told else (), is_failed=check.status == "failed")
    return suite


def _add_findings(
    report: Report, suite: _Suite, findings: Sequence[Finding], *, is_failed: bool = True
) -> None:
    for one in findings:
        name = f"{one.file}:{one.line} {one.rule} [{one.id}]"
        # What was there before, or breaks no gate, is told and fails nothing.
        is_failure = is_failed and one.severity != _NO_FAILURE and one.baseline != "unchanged"
        text = f"{one.message}\n{one.suggestion or report.rule(one.rule).help}"
        outcome = (
            _element("failure", one.message, text, kind=one.severity) if is_failure else _output(one.message)
        )
        suite.add(name, outcome, at=one, kind=1 if is_failure else 0)


def _element(name: str, message: str, text: str, *, kind: str = "error") -> str:
    return f"<{name} message={_attribute(message)} type={_attribute(kind)}>{escape(_sayable(text))}</{name}>"


def _output(text: str) -> str:
    return f"<system-out>{escape(_sayable(text))}</system-out>"


def _counted(counts: Sequence[int]) -> str:
    names = ("tests", "failures", "errors", "skipped")
    return " ".join(f'{name}="{count}"' for name, count in zip(names, counts, strict=True)) + ' time="0"'


def _attribute(text: str) -> str:
    return quoteattr(_sayable(text))


def _sayable(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
