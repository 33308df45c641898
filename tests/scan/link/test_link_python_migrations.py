"""Migrations of Django name each other by their application and their file."""

import pytest

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

_HEAD = "from django.db import migrations\nclass Migration(migrations.Migration):\n"


@pytest.mark.parametrize("folder", ["", "apps/"])
def test_what_a_migration_depends_on_is_used_by_it(tmp_path, folder):
    said = '    dependencies = [("bills", "0001_initial"), ("shop", "0001_initial"), ("auth", "0002_more")]\n'
    files = {
        "manage.py": "",
        f"{folder}shop/__init__.py": "",
        f"{folder}shop/migrations/__init__.py": "",
        f"{folder}shop/migrations/0001_initial.py": f"{_HEAD}    dependencies = []\n",
        f"{folder}shop/migrations/0002_more.py": f"{_HEAD}{said}",
        f"{folder}shop/plans.py": f"{_HEAD}{said}",
        f"{folder}bills/__init__.py": "",
        f"{folder}bills/migrations/__init__.py": "",
        f"{folder}bills/migrations/0001_initial.py": f"{_HEAD}    initial = True\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        used = {}
        for path in files:
            record = reader.files.at(path)
            modules = [one for one in reader.symbols.of_file(record.id) if one.kind == "module"]
            used[path] = {use.path for one in modules for use in reader.facts.references_to(one.id)}

    assert {path: by for path, by in used.items() if by} == {
        f"{folder}shop/migrations/0001_initial.py": {f"{folder}shop/migrations/0002_more.py"},
        f"{folder}bills/migrations/0001_initial.py": {f"{folder}shop/migrations/0002_more.py"},
    }
