"""The same text in two places of a file is linked once where it means the same, and twice where it does not."""

from hypothesis import given, settings
from hypothesis import strategies as st
from link_cases import link_texts, python_facts

from drift.scan.link import MemorySources
from drift.scan.link.analysis import Analysis
from drift.scan.link.calling import follow_call
from drift.scan.link.evaluation import EVALUATORS
from drift.scan.link.flows import given_arguments
from drift.scan.link.languages.table import semantics_for
from drift.scan.link.links import CallLink
from drift.scan.link.outcomes import call_link
from drift.scan.link.program import Program

PARTS = {
    "function": "def f(): pass\n",
    "shadowed": "def outer():\n    def f(): pass\n    f()\n",
    "plain": "def plain():\n    f()\n    f.g()\n",
    "given": "def given(f):\n    f()\n    f.g()\n",
    "body": "class Body:\n    def f(): pass\n    f()\n    def method(self):\n        f()\n        self.f()\n",
    "heir": "class Heir(Body):\n    def own(self):\n        self.f()\n        super().f()\n",
    "both": "class Both:\n    def f(self): pass\n    @classmethod\n    def made(cls):\n        cls.f()\n    def method(self):\n        self.f()\n",
    "top": "f()\n",
}


def targets_of(text: str) -> list[list[int]]:
    """The numbers of the symbols that each call in turn leads to."""
    said = link_texts({"main.py": text})["main.py"]
    return [sorted(target.place.symbol for target in call.targets) for call in said.calls]


def test_a_name_of_a_class_body_is_seen_in_the_body_and_not_in_its_methods():
    text = "def f(): pass\nclass Body:\n    def f(): pass\n    f()\n    def method(self):\n        f()\n"

    assert targets_of(text) == [[3], [1]]


def test_a_name_that_a_function_shadows_means_another_thing_there():
    text = "def f(): pass\ndef a():\n    f()\ndef b():\n    def f(): pass\n    f()\ndef c():\n    f()\n"

    assert targets_of(text) == [[1], [4], [1]]


def test_a_method_of_the_same_name_is_that_of_the_class_around():
    method = "    def run(self): pass\n    def go(self):\n        self.run()\n"

    assert targets_of(f"class A:\n{method}class B:\n{method}") == [[2], [5]]


def link_each_alone(text: str) -> list[CallLink]:
    """What is said of each call when nothing is known of the others."""
    sources = MemorySources(python_facts({"main.py": text}), {})
    said = []
    for call in sources.facts_of("main.py").calls:
        analysis = Analysis(Program(sources, semantics_for), EVALUATORS, given_arguments)
        said.append(call_link(analysis, call, call.scope, runs=follow_call(analysis, call, call.scope)))
    return said


@settings(max_examples=60)
@given(st.lists(st.sampled_from(sorted(PARTS)), min_size=1, max_size=8, unique=True))
def test_what_is_said_of_a_call_does_not_depend_on_the_same_text_elsewhere(names):
    text = "".join(PARTS[name] for name in names)

    assert list(link_texts({"main.py": text})["main.py"].calls) == link_each_alone(text)
