"""Paths told from expressions that an address has to fit."""

import pytest

from drift.languages.path_patterns import path_of_pattern


@pytest.mark.parametrize(
    ("written", "path"),
    [
        (r"\/groups\/[^/]+\/expenses(\?|$)", "/groups/{}/expenses"),
        (r"^\/orders\/\d+$", "/orders/{}"),
        (r"\/orders\/create\?.*paid=yes", "/orders/create"),
        (r"\/orders\/[\w-]{8,36}\/edit", "/orders/{}/edit"),
        (r"\/(a|b)\/items", "/{}/items"),
        (r"\/groups\/(one|two)", "/groups/{}"),
        (r"\/groups\/(?:one|two)$", "/groups/{}"),
        (r"\/groups(?:\/.*)?$", "/groups"),
        ("/groups/[^/]+/${PATHS[tab]}(\\\\?|$)", "/groups/{}/{}"),
        (r"\/api\/v1\.0", "/api/v1.0"),
        (r"\/dist|\/build", None),
        (r"\/\*.*?\*\/", None),
        (r"\/+$", None),
        (r"\/\/", None),
        (r"\/", None),
        (r"login", None),
        ("\\/a" * 200, None),
        ("/" + "[" * 250, None),
    ],
)
def test_the_path_of_an_expression_is_told_where_it_is_one(written, path):
    assert path_of_pattern(written) == path
