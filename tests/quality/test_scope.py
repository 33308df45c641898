"""Scope: which files an analysis looks at, and what is refused with a reason."""

import pytest

from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.languages.table import LANGUAGES
from drift.project import StateDir
from drift.quality.scope import choose_scope, toolchains


@pytest.fixture(scope="module")
def reader(example_shop):
    with IndexReader(StateDir(example_shop).index_db) as reader:
        yield reader


def test_a_folder_a_file_and_the_whole_project_can_be_looked_at(reader):
    whole = choose_scope(reader)
    some = whole.files[0].path

    assert choose_scope(reader, some).paths == {some}
    folder = next(one.path.partition("/")[0] for one in whole.files if "/" in one.path)
    assert choose_scope(reader, f"./{folder}/").paths == {
        path for path in whole.paths if path.startswith(f"{folder}/")
    }


def test_a_toolchain_means_its_languages(reader):
    assert {one.language for one in choose_scope(reader, toolchain="node").files} == {"typescript"}
    assert {one.language for one in choose_scope(reader, toolchain="auto").files} > {"python"}


def test_patterns_include_and_leave_out(reader):
    chosen = choose_scope(reader, include=["*.py"], exclude=["tests/"])

    assert all(path.endswith(".py") and not path.startswith("tests/") for path in chosen.paths)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"project_path": "nowhere"}, "No code of the project lies in 'nowhere'"),
        ({"toolchain": "rust"}, "toolchain rust"),
        ({"toolchain": "cobol"}, "toolchain: 'cobol' is not known"),
        ({"include": ["*.nope"]}, "there are"),
        ({"exclude": [" "]}, "exclude: a pattern is empty"),
    ],
)
def test_what_fits_nothing_is_refused_with_the_reason(reader, given, told):
    with pytest.raises(DriftError, match=told):
        choose_scope(reader, **given)


def test_every_toolchain_is_of_languages_that_are_known():
    known = {language.name for language in LANGUAGES}

    assert all(languages <= known for languages in toolchains().values())
