"""A class of errors that is raised without being called is made first; an object that is raised is not made anew."""

import pytest
from typed_cases import Linked

ERRORS = """class Failure(Exception):
    def __init__(self): ...
class Space:
    class Fault(Exception):
        def __init__(self): ...
def act(error, failure: Failure):
    {body}
"""


def made(body: str) -> list[str]:
    found = Linked("python", (".py",), {"main.py": ERRORS.format(body=body)})
    links = [said for _, said in found.links["main.py"].implicit]
    return [found.name(target.place) for said in links for target in said.targets]


@pytest.mark.parametrize(
    ("body", "constructor"),
    [
        ("raise Failure", "Failure.__init__"),
        ("raise Space.Fault", "Space.Fault.__init__"),
        ("raise Failure from error", "Failure.__init__"),
        ("kind = Failure; raise kind", "Failure.__init__"),
    ],
)
def test_a_class_that_is_raised_is_made(body, constructor):
    assert made(body) == [f"main.py:{constructor}"]


@pytest.mark.parametrize("body", ["raise", "raise error", "raise failure", "raise Failure()"])
def test_what_is_an_object_already_is_not_made_by_raising_it(body):
    assert made(body) == []
