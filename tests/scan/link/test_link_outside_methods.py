"""In these languages every method stands in its class, so none need be looked for elsewhere."""

import pytest

from drift.scan.extractors import extractor_of
from drift.scan.link.hierarchy import _WITHOUT_OUTSIDE_METHODS
from drift.scan.link.tables import outside_methods

ODD = {
    "python": "class A: pass\ndef run(self): pass\nA.run = run\nclass B:\n    def f(self):\n        def g(self): pass\n",
    "java": "class A { void f() { new Object() { void g(A this) {} }; } }\nvoid h(A self) {}\n",
    "php": "<?php\nfunction f($this_one) {}\n$g = function () { return $this; };\n$h = new class { function m() {} };\n",
    "csharp": "static class E { static void F(this string s) { void G(int x) {} } }\nvoid H(E e) {}\n",
}


@pytest.mark.parametrize("language", sorted(_WITHOUT_OUTSIDE_METHODS))
def test_no_method_stands_outside_its_class(language):
    facts = extractor_of(language)(ODD[language].encode(), f"odd.{language}")

    assert len(facts.symbols) > 2
    assert outside_methods(facts) == {}
