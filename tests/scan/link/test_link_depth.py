"""Where a question leads too deep it is cut off, at the same place whatever has been linked before."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from link_cases import python_facts

from drift.scan.link import Linked, Linker, MemorySources

LONG = 60

RETURNS = "".join(f"def f{n}(): return f{n + 1}()\n" for n in range(LONG))
FIELDS = "".join(f"class C{n}:\n    def __init__(self): self.x = C{n + 1}().x\n" for n in range(LONG))
CHAINS = {
    "returns": (
        RETURNS + f"class Box:\n    def run(self): pass\ndef f{LONG}(): return Box()\n",
        "f{}().run()",
    ),
    "fields": (FIELDS + f"def g(): pass\nclass C{LONG}:\n    x = g\n", "C{}().x()"),
}


def link_whole(texts: dict[str, str]) -> dict[str, Linked]:
    """What is said of each file when all are linked, one after the other."""
    return {linked.path: linked for linked in Linker(MemorySources(python_facts(texts), {})).link_all()}


def link_alone(texts: dict[str, str], path: str) -> Linked:
    """What is said of one file by who has linked no other."""
    (linked,) = Linker(MemorySources(python_facts(texts), {})).link_changed({path}, set(), {})
    return linked


def uses_of(chain: str, starts: list[int]) -> dict[str, str]:
    """A file with the chain, and one for each place of it that is asked for, linked in this order."""
    text, call = CHAINS[chain]
    uses = {
        f"use{number:02}.py": f"from chain import *\n{call.format(start)}\n"
        for number, start in enumerate(starts)
    }
    return {"chain.py": text, **uses}


@pytest.mark.parametrize("chain", CHAINS)
def test_what_is_near_is_found_and_what_is_too_far_is_not(chain):
    found = link_whole(uses_of(chain, [LONG - 3, 0]))

    assert [found[path].links.calls[-1].outcome for path in ("use00.py", "use01.py")] == [
        "resolved",
        "unknown",
    ]


@settings(max_examples=25)
@given(
    st.sampled_from(sorted(CHAINS)),
    st.lists(st.integers(0, LONG), min_size=1, max_size=5, unique=True),
)
def test_a_file_linked_alone_comes_to_what_it_comes_to_among_all(chain, starts):
    texts = uses_of(chain, starts)

    whole = link_whole(texts)

    for path in texts.keys() - {"chain.py"}:
        assert link_alone(texts, path) == whole[path]


def test_imports_that_lead_through_very_many_files_are_cut_off():
    texts = {f"m{n}.py": f"from m{n + 1} import run\n" for n in range(LONG)}
    texts |= {f"m{LONG}.py": "def run(): pass\n", "use.py": "from m0 import run\nrun()\n"}

    assert link_alone(texts, "use.py").links.calls[0].outcome == "unknown"
