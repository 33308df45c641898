"""Parameters whose values FastAPI has a function make: what they are, and that the function runs."""

import pytest
from link_cases import Edge, edges_of, link_texts, name_place, python_facts

SERVICES = """class Store:
    def read(self): ...
class Other:
    def read(self): ...
"""
DEPENDENCIES = """from typing import Annotated
from fastapi import Depends
from services import Store
def get_store(): return Store()
def get_later():
    yield Store()
class Pager:
    def __init__(self, store=Depends(get_later)): self.store = store
    def page(self): self.store.read()
def get_nested(pager: Annotated[Pager, Depends()]): return pager.store
StoreDep = Annotated[Store, Depends(get_store)]
"""
MAIN = """from typing import Annotated
from fastapi import APIRouter, Depends
from services import Store
from dependencies import *
from dependencies import StoreDep, Pager, get_store, get_later, get_nested
router = APIRouter()
@router.get("/"%s)
def show(%s):
    %s
"""


def linked(parameter: str, body: str, extra: str = "") -> tuple[set[Edge], set[Edge]]:
    """The calls that are seen, and what runs without one."""
    texts = {
        "services.py": SERVICES,
        "dependencies.py": DEPENDENCIES,
        "main.py": MAIN % (extra, parameter, body),
    }
    facts, links = python_facts(texts), link_texts(texts)
    unseen = set()
    for path, one in links.items():
        for number, said in one.implicit:
            access = facts[path].accesses[number]
            caller = name_place(facts, type(said.targets[0].place)(path, access.scope))
            unseen.update((caller, name_place(facts, target.place)) for target in said.targets)
    return edges_of(facts, links), unseen


@pytest.mark.parametrize(
    ("parameter", "provider"),
    [
        ("store=Depends(get_store)", "dependencies.get_store"),
        ("store=Depends(get_later)", "dependencies.get_later"),
        ("store=Depends(get_nested)", "dependencies.get_nested"),
        ("store: Annotated[Store, Depends(get_store)]", "dependencies.get_store"),
        ("store: StoreDep", "dependencies.get_store"),
        ("store: Store = Depends()", "services.Store"),
    ],
)
def test_a_provided_parameter_is_known_and_its_provider_runs(parameter, provider):
    seen, unseen = linked(parameter, "store.read()")

    assert ("main.show", "services.Store.read") in seen
    assert ("main.show", "services.Other.read") not in seen
    assert ("main.show", provider) in unseen


def test_a_class_that_provides_is_made():
    seen, unseen = linked("pager=Depends(Pager)", "pager.page()")

    assert ("main.show", "dependencies.Pager.page") in seen
    assert ("dependencies.Pager.page", "services.Store.read") in seen
    assert ("main.show", "dependencies.Pager.__init__") in unseen
    assert ("dependencies.Pager.__init__", "dependencies.get_later") in unseen
    assert ("dependencies.get_nested", "dependencies.Pager.__init__") in unseen


def test_a_dependency_that_gives_nothing_runs_too():
    _, unseen = linked("", "pass", extra=", dependencies=[Depends(get_store)]")

    assert ("main.show", "dependencies.get_store") in unseen


def test_a_plain_type_makes_nothing():
    _, unseen = linked("store: Store", "store.read()")

    assert not any(caller == "main.show" for caller, _ in unseen)
