"""The framework files: every row is one a rule can state, and a new row is all a new form takes."""

import tomllib
from dataclasses import replace
from importlib.resources import files

import pytest

from drift.languages.frameworks import METHODS_OF_HTTP, load_frameworks, rules
from drift.languages.python import extract
from drift.languages.python import registrations as python_registrations

LANGUAGES = sorted(
    each.name.removesuffix(".toml")
    for each in files("drift.languages.frameworks").iterdir()
    if each.name.endswith(".toml")
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_of_a_framework_file_can_be_read(language):
    frameworks = load_frameworks(language)

    assert frameworks.decorators or frameworks.calls or frameworks.words


def test_a_place_for_a_verb_stands_for_every_method_of_http():
    found = rules._by_name([{"names": ["add_{verb}"], "kind": "http", "word": "{VERB}"}])

    assert {name: of[0].word for name, of in found.items()} == {
        f"add_{method.lower()}": method for method in METHODS_OF_HTTP
    }


@pytest.mark.parametrize(
    "row",
    [
        {"names": ["x"], "kind": "htpp"},
        {"names": ["x"], "kind": "http", "pth": 0},
        {"names": ["x"], "kind": "http", "needs": ["luck"]},
        {"names": ["x"], "kind": "http", "shown": "never"},
    ],
)
def test_a_row_that_states_something_unknown_is_refused(row):
    with pytest.raises(ValueError, match=r"unknown|none of"):
        rules._by_name([row])


def test_a_new_route_form_is_a_row_of_data(monkeypatch):
    source = b'@web.expose("/carts")\ndef carts(): ...\n'
    assert not extract(source, "app.py").entry_points
    text = files("drift.languages.frameworks").joinpath("python.toml").read_text("utf-8")
    row = '[[decorators]]\nnames = ["expose"]\nkind = "http"\nword = "GET"\ndetail = 0\nneeds = ["call", "path"]\n'
    tables = tomllib.loads(text + row)
    monkeypatch.setattr(
        python_registrations,
        "_FRAMEWORKS",
        replace(load_frameworks("python"), decorators=rules._by_name(tables["decorators"])),
    )

    (found,) = extract(source, "app.py").entry_points

    assert (found.kind, found.detail) == ("http", "GET /carts")


def test_a_mount_that_states_something_unknown_is_refused():
    with pytest.raises(ValueError, match="unknown"):
        rules._mount({"names": ["x"], "kind": "own", "prefix": 0, "luck": 1})
