"""Findings: ids that survive moved lines, baselines, order."""

import pytest

from drift.quality.findings import against_baseline, count_severities, finding, in_order
from drift.quality.rules import rules


def found(rule="complexity/cyclomatic", file="shop/cart.py", **given):
    return finding(rule, "too many paths", file=file, symbol="total", snippet="def total(a,  b):", **given)


def test_an_id_survives_moved_lines_and_other_white_space():
    moved = finding(
        "complexity/cyclomatic", "m", file="shop/cart.py", symbol="total",
        snippet="def total(a,\n    b):", lines=(90, 120),
    )  # fmt: skip

    assert moved.id == found(lines=(3, 9)).id


@pytest.mark.parametrize(
    "other",
    [
        {"rule": "complexity/cognitive"},
        {"file": "shop/order.py"},
    ],
)
def test_an_id_is_of_one_rule_and_one_place(other):
    assert found(**other).id != found().id


def test_what_is_found_alike_twice_gets_ids_of_their_own_by_place():
    first, second = in_order([found(lines=(20, 30)), found(lines=(2, 9))])

    assert (first.line, second.line) == (2, 20)
    assert second.id == f"{first.id}-2"


def test_the_gravest_comes_first():
    ordered = in_order([found(severity="info"), found(severity="error", lines=(9, 9)), found()])

    assert [one.severity for one in ordered] == ["error", "warning", "info"]
    assert count_severities(ordered) == {"error": 1, "warning": 1, "info": 1}


def test_a_baseline_tells_new_findings_from_known_ones():
    known, new = found(), found(file="new.py")

    assert [one.baseline for one in against_baseline([known, new], {known.id})] == ["unchanged", "new"]


def test_lines_never_begin_before_the_file_or_end_before_they_begin():
    one = found(lines=(0, -3))

    assert (one.line, one.end_line) == (1, 1)


def test_every_rule_says_why_it_matters_and_what_to_do():
    for rule in rules().values():
        assert rule.id.count("/") == 1
        assert rule.severity in {"error", "warning", "info"}
        assert min(len(rule.title), len(rule.why), len(rule.help)) > 10
