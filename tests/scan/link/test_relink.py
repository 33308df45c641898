"""Linking again after a change says exactly what linking from the start would."""

from hypothesis import given, settings
from hypothesis import strategies as st
from link_cases import python_facts

from drift.languages.facts import FileFacts
from drift.scan.link import MemorySources, link, relink

FILES = ("a.py", "b.py", "pkg/__init__.py", "pkg/c.py", "pkg/d.py", "apart/e.py")
BODIES = (
    "",
    "def f(x): x.run()\n",
    "class A:\n    def run(self): pass\n",
    "class A:\n    def run(self): pass\n    def only_here(self): self.run()\n",
    "from a import f\nfrom b import A\nf(A())\n",
    "from pkg.c import A\nimport pkg\nA().run()\npkg.d.f(A())\n",
    "from .c import *\nfrom .d import f\n",
    "from pkg import A, f\nf(A())\n",
    "def g(x): x.only_here()\n",
    "import os\nos.getcwd()\n",
    "from apart.e import f\nf(1)\n",
    "from typing import Protocol\nclass P(Protocol):\n    def run(self): ...\ndef f(p: P): p.run()\n",
)
PROJECTS = st.dictionaries(st.sampled_from(FILES), st.sampled_from(BODIES), min_size=1)


def sources(texts: dict[str, str]) -> MemorySources:
    return MemorySources(python_facts(texts), texts)


class Counting:
    """Sources that know whose facts were asked for."""

    def __init__(self, inner: MemorySources) -> None:
        self.inner = inner
        self.asked: set[str] = set()

    def paths(self) -> tuple[str, ...]:
        return self.inner.paths()

    def facts_of(self, path: str) -> FileFacts:
        self.asked.add(path)
        return self.inner.facts_of(path)

    def text_of(self, path: str) -> str | None:
        return self.inner.text_of(path)


@settings(max_examples=250, deadline=None)
@given(PROJECTS, st.lists(PROJECTS, min_size=1, max_size=4))
def test_links_after_any_changes_are_those_of_a_fresh_start(first, steps):
    texts = dict(first)
    linked = link(sources(texts))
    for step in steps:
        before = dict(texts)
        # What a step repeats goes away: edits, additions and deletions come in any mixture.
        for path, text in step.items():
            if before.get(path) == text and len(texts) > 1:
                del texts[path]
            else:
                texts[path] = text
        changed = {path for path in before.keys() | texts.keys() if before.get(path) != texts.get(path)}

        linked = relink(sources(texts), linked, changed)

        assert linked == link(sources(texts))


def test_nothing_changed_links_nothing_again():
    texts = {"a.py": BODIES[1], "b.py": BODIES[2]}
    counting = Counting(sources(texts))
    before = link(counting.inner)

    after = relink(counting, before, ())

    assert after == before
    assert counting.asked == set()


def test_files_that_have_nothing_to_do_with_a_change_are_not_asked_for():
    texts = {"a.py": "def f(): pass\n", "b.py": "from a import f\nf()\n", "c.py": "x = 1\n"}
    before = link(sources(texts))
    texts["a.py"] = "def f(): return 1\n"
    counting = Counting(sources(texts))

    relink(counting, before, {"a.py"})

    assert counting.asked == {"a.py", "b.py"}


def test_a_second_method_of_a_name_unsettles_calls_in_files_that_did_not_change():
    texts = {
        "a.py": "class A:\n def very_special(self): pass\n",
        "b.py": "def f(x): x.very_special()\n",
        "c.py": "",
    }
    before = link(sources(texts))
    texts["c.py"] = "class C:\n def very_special(self): pass\n"

    after = relink(sources(texts), before, {"c.py"})

    assert before["b.py"].calls[0].outcome == "resolved"
    assert after["b.py"].calls[0].outcome == "unknown"
    assert after == link(sources(texts))
