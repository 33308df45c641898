"""Properties: reading one runs its getter, setting it its setter, in each language that has both."""

import pytest
from link_cases import name_place, python_facts
from script_cases import ScriptProject

from drift.scan.link import MemorySources, Place
from drift.scan.link.link import link

PYTHON = """
class Box:
    @property
    def size(self):
        return 1
    @size.setter
    def size(self, value):
        pass

def read(box: Box):
    return box.size

def write(box: Box):
    box.size = 2

def change(box: Box):
    box.size += 2
"""
SCRIPT = """
class Box {
  get size() { return 1; }
  set size(value) {}
}
function read() { const box = new Box(); return box.size; }
function write() { const box = new Box(); box.size = 2; }
"""


def lines_run(facts, links):
    """The function and the line of the property it runs."""
    return {
        (name_place(facts, Place(path, facts[path].accesses[number].scope)), symbol_line(facts, one.place))
        for path, found in links.items()
        for number, said in found.implicit
        for one in said.targets
    }


def symbol_line(facts, place):
    return facts[place.path].symbols[place.symbol].line


def test_python_runs_the_getter_or_the_setter():
    facts = python_facts({"main.py": PYTHON})

    found = lines_run(facts, link(MemorySources(facts, {"main.py": PYTHON})))

    assert found == {("main.read", 4), ("main.write", 7), ("main.change", 4), ("main.change", 7)}


@pytest.mark.parametrize("name", ["main.js", "main.ts"])
def test_scripts_run_the_getter_or_the_setter(name):
    project = ScriptProject({name: SCRIPT})

    found = lines_run(project.facts, project.links)

    assert {(function.rpartition(".")[2], line) for function, line in found} == {("read", 3), ("write", 4)}


@pytest.mark.parametrize("name", ["main.js", "main.ts"])
def test_a_member_called_class_is_one_like_any_other(name):
    source = """
class Box { get class() { return 1; } set class(value) {} }
function read() { const box = new Box(); return box.class; }
function write() { const box = new Box(); box.class = 2; }
function other(props) { props.class = props.inner.class; }
"""
    project = ScriptProject({name: source})

    assert lines_run(project.facts, project.links) == {(f"{name}.read", 2), (f"{name}.write", 2)}
