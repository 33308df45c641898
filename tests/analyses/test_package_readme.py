"""The first paragraph of a readme: what reads as a sentence, wherever badges and headings stand before it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.analyses.workspaces.readme import read_first_paragraph

PARAGRAPH = "A library for people who bake bread."


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("README.md", f"# Bread\n\n[![b](u)](v)\n\n{PARAGRAPH}\n", 5),
        ("readme.rst", f"Bread for all the people\n=====\n\n{PARAGRAPH}\n", 4),
        ("README", PARAGRAPH, 1),
        ("README.md", f"<p align='center'><img src='x'></p>\n\n| a | b |\n\n{PARAGRAPH}\n", 5),
        ("README.md", f"<img\n  src='x' alt='Bread for all of the people'\n  width='9'>\n\n{PARAGRAPH}\n", 5),
        ("README.md", f"<!-- made for those who\nbake bread at home -->\n{PARAGRAPH}\n", 3),
        ("README.md", f"[See the presentation of our bread](u)\n\n{PARAGRAPH}\n", 3),
        ("README.md", f"- one item of many here\n\n{PARAGRAPH}", 3),
    ],
)
def test_the_first_sentence_is_found_with_its_line(tmp_path, name, text, line):
    (tmp_path / name).write_text(text)

    found = read_first_paragraph(tmp_path, "")

    assert found is not None
    assert (found.text, found.file, found.line) == (PARAGRAPH, name, line)


def test_a_readme_without_a_sentence_says_nothing(tmp_path):
    (tmp_path / "README.md").write_text("# Title\n\n* a\n")

    assert read_first_paragraph(tmp_path, "") is None
    assert read_first_paragraph(tmp_path, "nowhere") is None


def test_a_readme_that_leads_out_of_the_project_is_not_read(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "secret").write_text(PARAGRAPH)
    (tmp_path / "in/README.md").symlink_to(tmp_path / "secret")

    assert read_first_paragraph(tmp_path / "in", "") is None


@given(text=st.text(alphabet="[](){}<>!#*-ab \n|=`", max_size=300))
def test_whatever_a_readme_holds_its_paragraph_is_short_and_on_a_line_of_it(tmp_path_factory, text):
    place = tmp_path_factory.getbasetemp() / "any"
    place.mkdir(exist_ok=True)
    (place / "README.md").write_text(text)

    found = read_first_paragraph(place, "")

    assert found is None or (len(found.text) <= 400 and 1 <= found.line <= text.count("\n") + 1)
