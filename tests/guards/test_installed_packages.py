"""What packages installed in a project say, without ever being loaded."""

import pytest

from drift.guards import installed_packages
from drift.guards.installed_packages import may_say_name

PLACE = ".venv/lib/python3.11/site-packages/lib"


@pytest.fixture
def root(tmp_path):
    (tmp_path / PLACE / "inner").mkdir(parents=True)
    (tmp_path / PLACE / "inner" / "forms.py").write_text("def get_choices(): ...\n")
    (tmp_path / PLACE / "read.me").write_text("get_hidden")
    return tmp_path


def test_a_name_is_said_where_a_text_of_the_package_has_it(root):
    assert may_say_name(root, "python", "lib", name="get_choices")
    assert not may_say_name(root, "python", "lib", name="get_hidden")
    assert not may_say_name(root, "python", "elsewhere", name="get_choices")


def test_of_a_package_that_was_not_read_whole_nothing_is_denied(root, monkeypatch):
    (root / PLACE / "large.py").write_text("x" * 60)
    monkeypatch.setattr(installed_packages, "_MOST_BYTES", 50)
    assert may_say_name(root, "python", "lib", name="get_hidden")

    (root / PLACE / "large.py").unlink()
    monkeypatch.setattr(installed_packages, "_MOST_FILES", 0)
    assert may_say_name(root, "python", "lib", name="get_hidden")


@pytest.mark.parametrize("package", ["**", "../lib", "lib/../..", "", "a" * 300])
def test_what_is_no_name_of_a_package_is_not_looked_for(root, package, monkeypatch):
    monkeypatch.setattr(installed_packages, "_texts", None)

    assert may_say_name(root, "python", package, name="get_hidden")
