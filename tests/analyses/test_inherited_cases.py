"""Tests of a class that is nested in another are told as those of the classes that inherit them."""

import pytest

from drift.analyses.testing.inherited_cases import as_inherited
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "manage.py": "",
    "testing/views.py": (
        "from django.test import TestCase\nclass Cases:\n    class Create(TestCase):\n        model = None\n"
        "        def test_create(self):\n            pass\n        def test_edit(self):\n            pass\n"
        "    class All(Create):\n        pass\n"
    ),
    "bills/tests/test_views.py": "from testing.views import Cases\nclass BillTest(Cases.All):\n    model = 1\n",
    "shop/tests/test_views.py": (
        "from testing.views import Cases\nclass OrderTest(Cases.Create):\n    model = 2\n    test_edit = None\n"
        "    class Inner(Cases.Create):\n        pass\n"
    ),
    "shop/tests/test_plain.py": (
        "from django.test import TestCase\nclass PlainTest(TestCase):\n    def test_create(self):\n        pass\n"
    ),
}


@pytest.mark.parametrize(
    ("title", "near", "told"),
    [
        ("Cases.Create.test_create", "shop/views.py", "OrderTest.test_create shop/tests/test_views.py:2"),
        ("Cases.Create.test_create", "bills/views.py", "BillTest.test_create bills/tests/test_views.py:2"),
        ("Cases.Create.test_edit", "shop/views.py", "BillTest.test_edit bills/tests/test_views.py:2"),
        ("PlainTest.test_create", "shop/views.py", "PlainTest.test_create shop/tests/test_plain.py:3"),
    ],
)
def test_a_test_is_told_as_that_of_the_nearest_class_that_inherits_it(tmp_path, title, near, told):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        suites = suites_of(reader)
        suites.read_all(reader)
        (case,) = [one for one in suites.cases.values() if one.title == title]
        found = as_inherited(reader, case, {near})

    assert f"{found.title} {found.path}:{found.line}" == told
