"""`drift conventions` and `drift conventions test`."""

import pytest

from drift.cli.exits import Exit

RULE = """
id = "errors/own-suffix"
title = "Suffix of errors"
looks_at = "Names of classes."
why = "They are found by name."
claim = "Errors end in {variant}"
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


@pytest.fixture
def shop(place):
    for number in range(3):
        names = (f"Cart{number}Error", f"Pay{number}Error")
        (place.project / f"part_{number}.py").write_text(
            "".join(f"class {name}(Exception): ...\n\n\n" for name in names)
        )
    (place.project / "part_3.py").write_text("class SoldOut(Exception): ...\n")
    return place


def test_a_style_guide_tells_rules_with_their_counts_and_languages(shop):
    done = shop.run("conventions", "errors")

    assert done.code == Exit.OK
    assert "Exception classes are named with the suffix `Error` (python: 6 of 7 in 4 files" in " ".join(
        done.out.split()
    )


def test_a_rule_of_the_project_is_tried_and_an_unknown_one_named(shop):
    rules = shop.project / ".drift" / "rules"
    rules.mkdir(parents=True)
    (rules / "own.toml").write_text(RULE)
    shop.run("scan")

    done = shop.run("conventions", "test", "errors/own-suffix")

    assert done.code == Exit.OK
    assert "part_3.py:1  none" in done.out
    assert "7 sites: Error 6, none 1" in done.out
    assert shop.run("conventions", "test", "errors/no-such").code != Exit.OK
