import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.conventions.statistics import (
    Tally,
    calibrated,
    consistency,
    least_sites,
    level_of,
    measure,
    wilson,
)


def test_measures_follow_from_counts():
    tallies = {"Error": Tally(18, 9), "Exception": Tally(2, 1)}

    found = measure(tallies, "Error", files_with_any=10, days=15)

    assert found.frequency == pytest.approx(0.9)
    assert found.consistency == pytest.approx(1 - -(0.9 * math.log(0.9) + 0.1 * math.log(0.1)) / math.log(2))
    assert (found.spread, found.age) == (0.9, 0.5)
    assert found.wilson == pytest.approx(0.699, abs=0.001)


def test_few_that_agree_do_not_outrank_many_that_nearly_do():
    assert wilson(3, 3) < wilson(290, 300)


def test_one_variant_alone_is_consistent_and_an_even_split_is_not():
    assert consistency([7]) == 1.0
    assert consistency([4, 4, 4]) == pytest.approx(0.0)


def test_small_projects_need_fewer_sites():
    assert (least_sites(8, project_files=20), least_sites(8, project_files=80)) == (3, 8)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_better_sum_never_scores_less(one, other):
    low, high = sorted((one, other))

    assert calibrated(low) <= calibrated(high)


def test_levels_begin_where_the_words_say():
    assert [level_of(each) for each in (0.85, 0.7, 0.5, 0.49)] == ["high", "medium", "low", "uncertain"]
