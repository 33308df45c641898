"""In these languages every method stands in its class, so none need be looked for elsewhere."""

import pytest

from drift.languages.table import LANGUAGES
from drift.scan.extractors import extractor_of
from drift.scan.link import MemorySources
from drift.scan.link.languages.table import semantics_for
from drift.scan.link.sources import WatchedSources
from drift.scan.link.tables import outside_methods

ODD = {
    "python": "class A: pass\ndef run(self): pass\nA.run = run\nclass B:\n    def f(self):\n        def g(self): pass\n",
    "java": "class A { void f() { new Object() { void g(A this) {} }; } }\nvoid h(A self) {}\n",
    "php": "<?php\nfunction f($this_one) {}\n$g = function () { return $this; };\n$h = new class { function m() {} };\n",
    "csharp": "static class E { static void F(this string s) { void G(int x) {} } }\nvoid H(E e) {}\n",
    "ruby": "class Cart\n  def total = 1\nend\ndef helper = 2\ndef self.odd = 3\n",
    "wpf": (
        '<Window xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml" x:Class="Shop.Main">'
        '<Button x:Name="save" Click="Save"/><TextBox x:Name="amount"/></Window>'
    ),
}


def test_languages_that_say_so_are_looked_at_here():
    sources = WatchedSources(MemorySources({}), lambda _: None)

    said = {one.name for one in LANGUAGES if not semantics_for(one.name, sources).has_outside_methods}

    assert said == set(ODD)


@pytest.mark.parametrize("language", sorted(ODD))
def test_no_method_stands_outside_its_class(language):
    facts = extractor_of(language)(ODD[language].encode(), f"odd.{language}")

    assert len(facts.symbols) > 2
    assert outside_methods(facts) == {}
