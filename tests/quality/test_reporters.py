"""Reporters: one report in every form, whatever a hostile repository puts into names and messages."""

import csv
import io
import json
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest

from drift.kernel.tokens import count_tokens
from drift.quality.findings import finding, in_order
from drift.quality.reporters import CheckOutcome, Report, Table, write_report, write_within

NASTY = "a|b <script>&\"' ]]> \x00\x1b[31m \ud83d =1+1\n# next"
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RULE = {
    "type": "object",
    "required": ["id"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "string"},
        "name": {"type": "string"},
        "shortDescription": TEXT,
        "fullDescription": TEXT,
        "help": TEXT,
        "defaultConfiguration": {"type": "object", "properties": {"level": LEVEL}},
    },
}
LOCATION = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "additionalProperties": False,
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        "uri": {"type": "string", "format": "uri-reference"},
                        "uriBaseId": {"type": "string"},
                    },
                },
                "region": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        "startLine": {"type": "integer", "minimum": 1},
                        "endLine": {"type": "integer", "minimum": 1},
                    },
                },
            },
        },
        "logicalLocations": {"type": "array", "items": {"properties": {"fullyQualifiedName": {"type": "string"}}}},
    },
}  # fmt: skip
RESULT = {
    "type": "object",
    "required": ["message"],
    "additionalProperties": False,
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": -1},
        "level": LEVEL,
        "message": TEXT,
        "locations": {"type": "array", "items": LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "baselineState": {"enum": ["new", "unchanged", "updated", "absent"]},
        "properties": {"type": "object"},
    },
}
DRIVER = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string"},
        "version": {"type": "string"},
        "informationUri": {"type": "string", "format": "uri"},
        "rules": {"type": "array", "uniqueItems": True, "items": RULE},
    },
}
# The rules of the published schema for what we write of it.
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "tool": {"type": "object", "required": ["driver"], "properties": {"driver": DRIVER}},
                    "automationDetails": {"type": "object", "properties": {"id": {"type": "string"}}},
                    "originalUriBaseIds": {"type": "object"},
                    "invocations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["executionSuccessful"],
                            "additionalProperties": False,
                            "properties": {
                                "executionSuccessful": {"type": "boolean"},
                                "toolExecutionNotifications": {
                                    "type": "array",
                                    "items": {"required": ["message"], "properties": {"level": LEVEL, "message": TEXT}},
                                },
                            },
                        },
                    },
                    "results": {"type": "array", "items": RESULT},
                    "properties": {"type": "object"},
                },
            },
        },
    },
}  # fmt: skip


@pytest.fixture
def report():
    findings = in_order(
        finding(
            rule, f"{NASTY} {number}", file=f"a b/ü:{number}.py", symbol=NASTY, lines=(number + 1, number + 2),
            snippet=str(number), evidence={"value": number, "limit": 1.5},
        )
        for number in range(40)
        for rule in ("complexity/cognitive", "debt/comment")
    )  # fmt: skip
    checks = (
        CheckOutcome("complexity", "failed", "too complex", 40.0, 10.0, ("complexity/cognitive",)),
        CheckOutcome("coverage", "errored", f"no report {NASTY}"),
        CheckOutcome("duplication", "skipped", "nobody asked"),
        CheckOutcome("dead code", "passed", "0 of 3", 0.0, 3.0, ("dead-code/unused",)),
    )
    table = Table("files", ("file", "score"), ((NASTY, 1.25), ("=cmd()", None)))
    return Report(
        "quality_gate",
        "shop",
        "failed",
        (("files", 3), ("coverage", None)),
        (table,),
        findings,
        checks,
        (NASTY,),
    )


def test_sarif_keeps_the_rules_of_its_schema(report):
    log = json.loads(write_report(report, "sarif"))

    jsonschema_rs.Draft7Validator(SARIF, validate_formats=True).validate(log)
    (run,) = log["runs"]
    assert len(run["results"]) == len(report.findings)
    assert {one["ruleId"] for one in run["results"]} == {
        rule["id"] for rule in run["tool"]["driver"]["rules"]
    }
    assert all(
        run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"] for one in run["results"]
    )
    assert {one["level"] for one in run["results"]} == {"warning", "note"}


def test_a_check_that_could_not_be_evaluated_is_told_in_sarif(report):
    (invocation,) = json.loads(write_report(report, "sarif"))["runs"][0]["invocations"]

    assert invocation["executionSuccessful"] is False
    assert "coverage" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_junit_loads_and_counts_what_it_has(report):
    root = ET.fromstring(write_report(report, "junit"))

    failures, errors = root.findall(".//failure"), root.findall(".//error")
    assert (len(failures), len(errors), len(root.findall(".//skipped"))) == (40, 1, 1)
    assert root.attrib["failures"] == "40"
    assert root.attrib["errors"] == "1"
    assert int(root.attrib["tests"]) == len(root.findall(".//testcase"))
    assert "<script>&\"'" in failures[0].attrib["message"]


def test_a_suite_without_checks_and_findings_passes():
    root = ET.fromstring(write_report(Report("analyze_satd", ".", "nothing found"), "junit"))

    assert [root.attrib[name] for name in ("tests", "failures", "errors")] == ["1", "0", "0"]


def test_a_check_that_failed_by_what_is_only_worth_knowing_has_a_failure():
    likely = finding("defects/likely", "a.py may need a fix", file="a.py")
    check = CheckOutcome("defects", "failed", "0.9 is over 0.3", 0.9, 0.3, (likely.rule,))

    root = ET.fromstring(
        write_report(Report("quality_gate", ".", "failed", findings=(likely,), checks=(check,)), "junit")
    )

    assert (root.attrib["failures"], root.find(".//failure").attrib["message"]) == ("1", "0.9 is over 0.3")


def test_no_cell_of_a_table_starts_a_formula_or_a_column(report):
    rows = list(csv.reader(io.StringIO(write_report(report, "csv"))))

    assert [len(row) for row in rows] == [2, 2, 2, 2]
    assert rows[3][0].startswith("# a|b")
    assert rows[2] == ["'=cmd()", ""]


def test_markdown_keeps_its_tables_whatever_names_are_made_of(report):
    lines = write_report(report, "markdown").splitlines()

    rows = [line for line in lines if line.startswith("| warning")]
    assert len(rows) == 40
    assert all(line.replace("\\|", "").count("|") == 5 for line in rows)
    assert not any("<script>" in line or "\x1b" in line for line in lines)


@pytest.mark.parametrize("form", ["summary", "detailed"])
def test_text_for_a_terminal_cannot_steer_it(report, form):
    text = write_report(report, form)

    assert "\x1b" not in text
    assert "coverage: errored" in text
    assert ("and 70 more findings" in text) is (form == "summary")


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "markdown", "csv"])
def test_a_report_cut_for_length_is_whole_in_its_form(report, form):
    whole = count_tokens(write_report(report, form))
    text = write_within(report, form, max(600, whole // 3))

    if form in {"json", "sarif"}:
        assert "left out for length" in json.dumps(json.loads(text))
    elif form == "junit":
        ET.fromstring(text)
    elif form == "csv":
        assert len({len(row) for row in csv.reader(io.StringIO(text))}) == 1
    assert "left out for length" in text or whole <= 600
    assert count_tokens(text) <= max(600, whole // 3)
