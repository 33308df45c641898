"""Objects of Python that stand for another: made when they are first asked, or closed when a block ends."""

import pytest
from typed_cases import Linked

START = """from contextlib import closing
from django.utils.functional import SimpleLazyObject
from werkzeug.local import LocalProxy
class Box:
    def go(self): ...
    def __enter__(self): ...
    def __exit__(self, *rest): ...
class Other:
    def go(self): ...
def make(): return Box()
"""


@pytest.mark.parametrize(
    "body",
    [
        "box = SimpleLazyObject(make)\nbox.go()\n",
        "box = SimpleLazyObject(lambda: make())\nbox.go()\n",
        "box = LocalProxy(make)\nbox.go()\n",
        "with closing(Box()) as box:\n    box.go()\n",
    ],
)
def test_what_stands_for_an_object_has_its_methods(body):
    found = Linked("python", (".py",), {"main.py": START + body})

    assert found.targets("main.py", "box.go") == ["main.py:Box.go"]
    assert found.call("main.py", "box.go").reason != "unique-name"


def test_closing_runs_nothing_that_with_would_run_of_the_object():
    found = Linked("python", (".py",), {"main.py": START + "with closing(Box()) as box:\n    box.go()\n"})

    assert found.call("main.py", "__enter__").outcome == "external"
    assert found.links["main.py"].implicit == ()
