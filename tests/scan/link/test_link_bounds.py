"""Whatever the code, linking ends, and says the same each time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from link_cases import edges_of, link_texts, python_facts

from drift.languages.facts import Call, FileFacts, Symbol
from drift.scan.link import MemorySources
from drift.scan.link.analysis import MOST_VALUES
from drift.scan.link.link import link

LONG = 400


def calls_of(text: str):
    return link_texts({"main.py": text})["main.py"].calls


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"x{n} = x{n + 1}" for n in range(LONG)) + "\nx0()\n",
        "\n".join(f"def f{n}(): return f{n + 1}()" for n in range(LONG)) + "\nf0()()\n",
        "\n".join(f"class C{n + 1}(C{n}): pass" for n in range(LONG)) + f"\nC{LONG}().run()\n",
        "def f(x): return f(x)\nf(f)(f)\n",
        "class A(A): pass\nA().run()\n",
        "class A(B): pass\nclass B(A): pass\nA().run()\n",
        "x = x\nx()\na = b\nb = a\na.c.d()\n",
        "x = [x]\nx[0][0]()\n",
        "from main import *\nimport main\nf()\nmain.main.main()\n",
        "def f(*a, **k): f(*a, **k)\nf(f, f=f)\n",
        "def d(f): return d(f)\n@d\n@d\ndef g(): g()\ng()\n",
        "class A:\n def __call__(self): return self()\nA()()()\n",
        "class A:\n def __getattr__(self, n): return self\nA().b.c.d()\n",
        "f = " + "[" * 60 + "f" + "]" * 60 + "\nf" + "[0]" * 60 + "()\n",
    ],
)
def test_code_that_leads_in_circles_or_very_far_is_linked(text):
    assert all(said.outcome for said in calls_of(text))


def test_what_a_name_may_be_has_a_bound():
    def called_in_a_loop(count: int):
        functions = "".join(f"def f{n}(): pass\n" for n in range(count))
        values = ", ".join(f"f{n}" for n in range(count))
        return calls_of(f"{functions}for f in [{values}]:\n    f()\n")[-1]

    at_most, beyond = called_in_a_loop(MOST_VALUES), called_in_a_loop(MOST_VALUES + 1)

    assert (at_most.outcome, len(at_most.targets)) == ("ambiguous", MOST_VALUES)
    assert (beyond.outcome, beyond.targets) == ("unknown", ())


def test_an_inconsistent_order_of_parents_still_finds_members():
    text = "class A:\n def f(self): pass\nclass B(A): pass\nclass C(A, B): pass\nC().f()\n"

    assert calls_of(text)[-1].outcome == "resolved"


def test_forms_and_languages_nobody_knows_are_unknown():
    symbols = (Symbol("module", "x", 0, 1, 0, 1, 0, 0),)
    call = Call(0, 1, 0, ("strange", 1), "x")
    facts = FileFacts("klingon", 1, 0, 0, symbols, calls=(call,))

    (said,) = link(MemorySources({"x.kl": facts}))["x.kl"].calls

    assert said.outcome == "unknown"


NAMES = st.sampled_from(["a", "b", "c", "f", "A"])
LINES = st.one_of(
    st.builds("{} = {}".format, NAMES, NAMES),
    st.builds("{} = {}()".format, NAMES, NAMES),
    st.builds("{} = [{}, {}]".format, NAMES, NAMES, NAMES),
    st.builds("{}.{} = {}".format, NAMES, NAMES, NAMES),
    st.builds("{}.{}()".format, NAMES, NAMES),
    st.builds("{}({}, *{})".format, NAMES, NAMES, NAMES),
    st.builds("{}[0]()".format, NAMES),
    st.builds("def {}({}, *{}): return {}({})".format, NAMES, NAMES, NAMES, NAMES, NAMES),
    st.builds(
        "class {}({}):\n def {}(self, {}): return self.{}({})".format,
        NAMES,
        NAMES,
        NAMES,
        NAMES,
        NAMES,
        NAMES,
    ),
    st.builds("from {} import {}".format, st.sampled_from(["one", "two", "os"]), NAMES),
    st.builds("from {} import *".format, st.sampled_from(["one", "two"])),
)
TEXTS = st.lists(LINES, max_size=12).map("\n".join)


@settings(max_examples=150)
@given(TEXTS, TEXTS)
def test_any_code_is_linked_with_confidences_that_sum_to_at_most_one(one, two):
    texts = {"one.py": one, "two.py": two}
    facts = python_facts(texts)

    linked = link(MemorySources(facts))

    for path, found in linked.items():
        assert len(found.calls) == len(facts[path].calls)
        assert len(found.imports) == len(facts[path].imports)
        assert len(found.references) == len(facts[path].references)
        for said in found.calls:
            assert sum(target.confidence for target in said.targets) <= 1.000001
            assert (said.outcome in {"resolved", "ambiguous"}) == bool(said.targets)
            for target in (*said.targets, *said.overriders):
                assert 0 <= target.place.symbol < len(facts[target.place.path].symbols)


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from link_cases import link_texts
functions = "".join(f"def f{n}(): pass\\n" for n in range(30))
classes = "".join(f"class C{n}:\\n def run(self): f{n}()\\n" for n in range(30))
calls = "".join(f"def use{n}(x): x.run(); use{n + 1}(x)\\nuse{n}(C{n}())\\n" for n in range(30))
print(link_texts({"a.py": functions + classes + calls, "b.py": "from a import *\\n" + calls}))
"""


def test_links_do_not_depend_on_how_strings_are_hashed():
    said = set()
    for seed in ("1", "2", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(Path(__file__).parent)],
            env=environment, capture_output=True, check=True, text=True,
        )  # fmt: skip
        said.add(run.stdout)

    assert len(said) == 1
    assert "resolved" in said.pop()


def test_edges_are_found_through_many_hands():
    text = "def f(): pass\ndef a(x): b(x)\ndef b(x): c(x)\ndef c(x): x()\na(f)\n"
    facts = python_facts({"main.py": text})

    assert ("main.c", "main.f") in edges_of(facts, link_texts({"main.py": text}))
