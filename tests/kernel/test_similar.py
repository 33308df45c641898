import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.similar import similar_names

TOOLS = ["drift_callers", "drift_context", "drift_impact_analysis", "drift_patterns_list", "drift_signature"]


def test_a_misspelt_name_finds_the_one_that_was_meant():
    assert similar_names("drift_calers", TOOLS)[0] == "drift_callers"
    assert similar_names("Impact-Analysis", TOOLS)[0] == "drift_impact_analysis"


def test_a_name_like_none_of_them_finds_nothing():
    assert similar_names("zzzzqqqq", TOOLS) == ()


def test_no_more_names_are_given_than_asked_for():
    assert len(similar_names("drift", TOOLS, 2)) == 2


def test_equally_near_names_come_in_alphabetical_order():
    assert similar_names("load_x", ["load_c", "load_a", "load_b"]) == ("load_a", "load_b", "load_c")


@given(st.text(max_size=300), st.lists(st.text(max_size=30), max_size=20))
def test_any_text_may_be_compared_and_only_known_names_come_back(name, known):
    assert set(similar_names(name, known)) <= set(known)


def test_a_huge_name_is_compared_by_its_beginning():
    assert similar_names("drift_callers" + "x" * 10_000_000, ["unlike"]) == ()


def test_nothing_is_imported_until_a_caller_has_made_a_mistake():
    code = "import sys, drift.kernel.similar; print('rapidfuzz' in sys.modules)"

    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert output == "False\n"


def test_names_that_share_a_few_letters_alone_are_not_offered():
    assert similar_names("nosuchthing", ["Int", "min", "Sch", "is_iterable_but_not_string"]) == ()


def test_a_name_that_goes_on_from_what_was_typed_comes_first():
    assert similar_names("impact", ["imports", "pack", "impact-analysis"])[0] == "impact-analysis"
