"""What is kept of a file is one rule for all languages."""

import pytest

from drift.languages.limits import MOST_ELEMENTS
from drift.scan.extractors import extractor_of

NAMES = [f"name_{number}" for number in range(MOST_ELEMENTS + 20)]
LISTED = ", ".join(NAMES)
SOURCES = {
    "python": f"held = [{LISTED}]",
    "javascript": f"const held = [{LISTED}];",
    "typescript": f"const held = [{LISTED}];",
    "rust": f"fn f() {{ let held = [{LISTED}]; }}",
    "java": f"class C {{ Object[] held = {{ {LISTED} }}; }}",
    "csharp": f"class C {{ object[] held = {{ {LISTED} }}; }}",
    "go": f"package p\nfunc f() {{ held := []func(){{ {LISTED} }}; g(held) }}\n",
    "php": "<?php $held = [" + ", ".join(f"${name}" for name in NAMES) + "];",
}


def names_in(form):
    if isinstance(form, tuple):
        if form[:1] == ("name",) and str(form[1]).lstrip("$").startswith("name_"):
            return {form[1]}
        return set().union(*map(names_in, form)) if form else set()
    return set()


@pytest.mark.parametrize("language", SOURCES)
def test_as_many_elements_of_a_literal_are_kept_in_every_language(language):
    facts = extractor_of(language)(SOURCES[language].encode(), "held.x")
    held = set().union(*(names_in(one.value) for one in (*facts.bindings, *facts.stores)))

    assert len(held) == MOST_ELEMENTS
