"""The text of a call says what is called, however long the chain before it is."""

import pytest

from drift.scan.extractors import extractor_of

LINK = "filter(alpha_and_beta)"


@pytest.mark.parametrize(
    ("language", "name", "source"),
    [
        ("python", "a.py", f"query{f'.{LINK}' * 12}.first()\n"),
        ("php", "a.php", f"<?php\n$query{f'->{LINK}' * 12}->first();\n"),
        ("cpp", "a.cpp", f"void f() {{ query{f'.{LINK}' * 12}.first(); }}\n"),
        ("go", "a.go", f"package a\n\nfunc f() {{ query{f'.{LINK}' * 12}.first() }}\n"),
        ("rust", "a.rs", f"fn f() {{ query{f'.{LINK}' * 12}.first(); }}\n"),
        ("java", "A.java", f"class A {{ void f() {{ query{f'.{LINK}' * 12}.first(); }} }}\n"),
        ("csharp", "A.cs", f"class A {{ void F() {{ query{f'.{LINK}' * 12}.first(); }} }}\n"),
        ("typescript", "a.ts", f"query{f'.{LINK}' * 12}.first();\n"),
    ],
)
def test_a_long_chain_keeps_the_name_of_what_is_called(language, name, source):
    facts = extractor_of(language)(source.encode(), name)

    assert sum(call.text.endswith("first") for call in facts.calls) == 1
    assert sum(call.text.endswith("filter") for call in facts.calls) == 12
    assert all(len(call.text) <= 120 for call in facts.calls)
