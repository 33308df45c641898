"""Patterns over paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.analyses.file_globs import PathGlob


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.py", "a.py", True),
        ("*.py", "deep/er/a.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/b/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/b/c/a.py", True),
        ("**/test_?.py", "x/test_1.py", True),
        ("src/", "src/a/b.py", True),
        ("src/**", "src/a/b.py", True),
        ("./src/*.py", "src/a.py", True),
        ("**/a/**/b.py", "x/a/y/b.py", True),
        ("**/a/**/b.py", "x/y/b.py", False),
        ("[ab].py", "c.py", False),
    ],
)
def test_patterns_fit_as_people_expect(pattern, path, fits):
    assert PathGlob(pattern).matches(path) is fits


@given(st.lists(st.text(alphabet="ab*", min_size=1, max_size=12), min_size=1, max_size=20).map("/".join))
def test_no_pattern_takes_long_or_fails(pattern):
    glob = PathGlob(pattern)

    assert glob.matches("/".join(["a" * 200] * 40)) in {True, False}


@given(st.lists(st.text(alphabet="abc", min_size=1, max_size=5), min_size=1, max_size=6).map("/".join))
def test_a_path_fits_itself_and_begins_as_its_pattern_says(path):
    glob = PathGlob(f"./{path}" if "/" in path else path)

    assert glob.matches(path)
    assert path.startswith(glob.beginning)
