import sys
from pathlib import Path

import pytest

from drift.dimensions import (
    CATEGORIES,
    DimensionError,
    casing_of,
    read_dimension,
    shipped_dimensions,
    variant_of,
)
from drift.languages.constructs import _patterns
from drift.languages.sites import queries_for
from drift.languages.syntax import GRAMMARS, load_grammar

DOCS = Path(__file__).parent.parent.parent / "docs"
TEXT = """
title = "Suffix of exception classes"
looks_at = "Names of exception classes."
why = "They are found by name."
claim = "Exception classes end in {variant}"
example = "class ShopError(Exception): ..."
limits = "None."
[variants]
Error = "`Error`"
none = "nothing of the kind"
[[sites]]
languages = ["python"]
query = "(class_definition name: (identifier) @text) @site"
classify = [{ variant = "Error", suffix = ["Error"] }, { variant = "none" }]
"""


def test_a_text_of_the_form_is_a_dimension():
    found = read_dimension(TEXT, name="errors/suffix")

    assert (found.id, found.category, found.languages) == ("errors/suffix", "errors", ("python",))
    assert found.sentence("Error") == "Exception classes end in `Error`"
    assert [variant_of(found.sites[0], text) for text in ("ShopError", "Sold")] == ["Error", "none"]


def test_a_text_of_an_empty_variant_decides_nothing():
    found = read_dimension(
        TEXT.replace("classify = [", 'classify = [{ variant = "", equals = ["AnError"] }, '),
        name="errors/suffix",
    )

    assert [variant_of(found.sites[0], text) for text in ("AnError", "ShopError")] == [None, "Error"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "Suffix of exception classes"', "", "title: must be a text"),
        ("{variant}", "it", "claim: must have {variant}"),
        ('[{ variant = "Error"', '[{ variant = "Fault"', "classify: Fault is none of Error, none"),
        ("suffix = [", "sufix = [", "classify: Error has one test of"),
        ("@text)", "@txt)", "sites, number 1: query: must mark a @variant.NAME, or the @text"),
        ("@site", "@here", "query: must mark the site with @site"),
        ('query = "(class', 'finder = "files"\nquery = "(class', "either a query or a finder"),
        ('languages = ["python"]', "languages = 3.5", "languages: must be a list"),
        ('limits = "None."', 'limits = "None."\nlimit = 3', "limit: is no key of the dimension"),
        ("[variants]", "[variants", "it is no TOML"),
        ("[variants]", 'unclaimed = ["Fault"]\n[variants]', "unclaimed: Fault is none of Error, none"),
    ],
)
def test_what_is_wrong_is_named(old, new, said):
    with pytest.raises(DimensionError) as caught:
        read_dimension(TEXT.replace(old, new, 1), name="errors/suffix")

    assert said in str(caught.value)


def test_patterns_of_a_projects_own_rules_cannot_be_slow():
    slow = TEXT.replace('suffix = ["Error"]', "match = ['(a+)+$']")
    own = read_dimension(slow, name="errors/suffix", is_own=True)

    assert variant_of(own.sites[0], "a" * 5_000 + "!") == "none"
    predicate = TEXT.replace("@text) @site", '@text) @site (#match? @text \\"(a+)+$\\")')
    with pytest.raises(DimensionError, match="match"):
        read_dimension(predicate, name="errors/suffix", is_own=True)


@pytest.mark.parametrize(
    ("name", "casing"),
    [
        ("user_name", "snake_case"),
        ("userName", "camelCase"),
        ("UserName", "PascalCase"),
        ("user-name", "kebab-case"),
        ("USER_NAME", "SCREAMING_SNAKE"),
        ("user", None),
        ("USER", None),
    ],
)
def test_a_name_of_one_word_has_no_casing(name, casing):
    assert casing_of(name) == casing


def test_every_shipped_dimension_can_be_read_and_has_a_query_that_compiles():
    dimensions = shipped_dimensions()

    assert {each.category for each in dimensions.values()} <= set(CATEGORIES)
    for grammar in GRAMMARS:
        _patterns(grammar)  # all patterns of the grammar at once, as a scan has them


def test_a_query_of_each_shipped_dimension_names_itself_where_it_does_not_compile():
    from tree_sitter import Query

    for grammar in GRAMMARS:
        for name, rule in queries_for(grammar, shipped_dimensions().values()):
            assert Query(load_grammar(grammar), rule.query).pattern_count, f"{name} in {grammar}"


def test_one_file_more_is_a_dimension_more_in_docs_and_counts(monkeypatch):
    from drift.dimensions import library

    sys.path.insert(0, str(DOCS))
    from writers.conventions import conventions_blocks

    texts = {**library._texts(), "errors/zz-new": TEXT}
    before = len(shipped_dimensions())
    monkeypatch.setattr(library, "_texts", lambda: texts)
    for each in (library.shipped_dimensions, library._read):
        each.cache_clear()
    try:
        blocks = conventions_blocks()

        assert len(library.shipped_dimensions()) == before + 1
        assert f"There are {before + 1} dimensions" in blocks["dimension-counts"]
        assert "`errors/zz-new`" in blocks["dimensions"]
        assert "errors/zz-new" in {each.id for each in library.queried_dimensions("python")}
    finally:
        monkeypatch.undo()
        for each in (library.shipped_dimensions, library._read):
            each.cache_clear()


@pytest.mark.parametrize(
    ("doc", "variant"),
    [
        ("Pay an order.", "with"),
        ("Pay an order.\nAt once.", "with"),
        ("Pay an order", "without"),
        ("Pay an order\n\nAt once.", "without"),
        ("Pay an order\n@param order what is paid", "without"),
        ("Pay an order of\na customer.", None),
    ],
)
def test_a_summary_that_goes_on_in_the_next_line_decides_nothing(doc: str, variant: str | None) -> None:
    dimension = shipped_dimensions()["documentation/summary-stop"]
    [source] = dimension.sites

    assert source.text == "whole_doc"
    assert variant_of(source, doc) == variant
