"""Comments without their markers, docs told apart."""

import pytest

from drift.languages.comments import Commentary, clean_comment
from drift.languages.syntax import SourceText


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("# one", "one"),
        ("#!one", "one"),
        ("// one\n// two", "one\ntwo"),
        ("/// one\n///   two", "one\n  two"),
        ("//! one", "one"),
        ("/* one */", "one"),
        ("/** one\n  * two\n  */", "one\ntwo"),
        ("/**\n * one\n *\n * two\n */", "one\n\ntwo"),
        ("/* list:\n   * a\n   b */", "list:\n* a\nb"),
        ("<!-- one -->", "one"),
        ("//", ""),
        ("/**/", ""),
        ("##### one", "one"),
    ],
)
def test_markers_are_taken_off(raw, text):
    assert clean_comment(raw) == text


def commentary(source, *comments):
    raw = source.encode()
    spans = [
        (raw.index(comment.encode()), raw.index(comment.encode()) + len(comment)) for comment in comments
    ]
    return Commentary(SourceText(raw), spans)


def test_the_comment_right_above_is_the_doc_and_no_plain_comment():
    found = commentary("// one\n// two\nfunc f\n// three\n\nfunc g", "// one", "// two", "// three")

    assert found.take_doc(3) == "one\ntwo"
    assert found.take_doc(6) == ""
    assert [(comment.line, comment.end_line, comment.text) for comment in found.facts()] == [(4, 4, "three")]


def test_a_doc_may_have_to_begin_with_its_own_marker():
    found = commentary("/* plain */\nclass A\n/** doc */\nclass B", "/* plain */", "/** doc */")

    assert found.take_doc(2, ("/**",)) == ""
    assert found.take_doc(4, ("/**",)) == "doc"
    assert [comment.text for comment in found.facts()] == ["plain"]


def test_a_comment_beside_code_stands_alone():
    found = commentary("a // one\n// two\nb", "// one", "// two")

    assert [comment.text for comment in found.facts()] == ["one", "two"]


def test_different_markers_and_columns_do_not_join():
    found = commentary("/// a\n// b\n  // c", "/// a", "// b", "// c")

    assert [comment.text for comment in found.facts()] == ["a", "b", "c"]
