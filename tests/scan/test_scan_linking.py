"""Links as rows: by the numbers of the file a link leads to, implicit calls after the real ones."""

import pytest

from drift.index.ids import FileId, call_id, symbol_id
from drift.kernel.errors import DriftError
from drift.languages.facts import Access, Base, Call, FileFacts, Import, Reference, Symbol
from drift.scan.link.links import BaseLink, CallLink, FileLinks, ImportLink, Place, ReferenceLink, Target
from drift.scan.linking import link_rows

HERE, THERE = FileId(1), FileId(2)
IDS = {"a.py": HERE, "b.py": THERE}
NUMBERS = {"a.py": None, "b.py": (0, 9, 4)}
SYMBOLS = (
    Symbol("module", "a", -1, 1, 0, 9, 0, 90),
    Symbol("class", "A", 0, 2, 0, 9, 5, 80, bases=(Base("B", None),)),
)
FACTS = FileFacts(
    "python", 9, 0, 0, SYMBOLS,
    imports=(Import(0, 1, "b", "B", None),),
    calls=(Call(1, 4, 8, None, "B.make", ((None, None),)), Call(1, 5, 8, None, "print")),
    accesses=(Access(1, 6, None, "size"), Access(1, 7, None, "title")),
    references=(Reference(1, 8, 2, None, "type"),),
)  # fmt: skip


def target(number, confidence=1.0, reason="import"):
    return Target(Place("b.py", number), confidence, reason)


LINKS = FileLinks(
    imports=(ImportLink(file="b.py", symbols=(Place("b.py", 1),)),),
    bases=(BaseLink(1, 0, (Place("b.py", 1),)),),
    calls=(
        CallLink("resolved", (target(2, 0.5),), (target(2, 0.9, "override"),)),
        CallLink("external", external_name="print"),
    ),
    references=(ReferenceLink((target(1, 0.75),)),),
    implicit=((1, CallLink("resolved", (target(2, 0.8, "attribute"),))),),
)


def rows_of(links=LINKS, facts=FACTS):
    return link_rows("a.py", facts, links, ids=IDS, numbers_of=NUMBERS.__getitem__)


def test_a_link_leads_to_the_number_the_other_file_gave_the_symbol():
    rows = rows_of()

    assert rows.imports[0][8:10] == (THERE, symbol_id(THERE, 9))
    assert rows.bases[0][4] == symbol_id(THERE, 9)
    assert rows.references == ((symbol_id(HERE, 1), 0, 8, 2, "type", symbol_id(THERE, 9), 0.75, "import"),)


def test_a_callee_found_in_two_ways_is_told_in_the_surer_one():
    edges = [edge for edge in rows_of().edges if edge[2] == call_id(HERE, 0)]

    assert edges == [(symbol_id(THERE, 4), symbol_id(HERE, 1), call_id(HERE, 0), 4, 0.9, "override")]


def test_an_implicit_call_comes_after_the_real_ones_and_has_its_edge():
    rows = rows_of()

    caller = symbol_id(HERE, 1)
    assert rows.calls == (
        (call_id(HERE, 0), caller, 4, 8, "B.make", 1, "call", "resolved", None),
        (call_id(HERE, 1), caller, 5, 8, "print", 0, "call", "external", "print"),
        (call_id(HERE, 2), caller, 7, 0, "title", 0, "implicit", "resolved", None),
    )
    assert rows.edges[-1] == (symbol_id(THERE, 4), caller, call_id(HERE, 2), 7, 0.8, "attribute")


def test_a_file_with_more_calls_than_can_be_numbered_is_refused():
    links = FileLinks(implicit=((0, CallLink("resolved")),) * ((1 << 20) + 1))

    with pytest.raises(DriftError, match="more than 1,048,576 calls"):
        rows_of(links, FACTS._replace(calls=(), imports=(), references=()))
