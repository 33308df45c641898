"""Data files of packages."""

import sys
from importlib.util import module_from_spec, spec_from_loader

import pytest

from drift.kernel.data_files import read_data


def test_a_data_file_is_read_though_the_loader_of_its_package_gives_no_data(tmp_path, monkeypatch):
    (tmp_path / "words.toml").write_text('plain = "für"\n', encoding="utf-8")
    spec = spec_from_loader("counted", loader=None, is_package=True)
    package = module_from_spec(spec)
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "counted", package)

    assert read_data("counted", "words.toml") == 'plain = "für"\n'


def test_a_missing_data_file_is_an_error():
    with pytest.raises(FileNotFoundError):
        read_data("drift.kernel", "nothing.toml")
