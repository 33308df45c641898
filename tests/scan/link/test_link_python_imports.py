"""Which file a Python import text means."""

import pytest

from drift.languages.facts import FileFacts, Import, Symbol
from drift.scan.link import MemorySources
from drift.scan.link.languages.python.semantics import PythonSemantics
from drift.scan.link.sources import WatchedSources

EMPTY = FileFacts("python", 0, 0, 0, (Symbol("module", "m", 0, 1, 0, 1, 0, 0),))


def lead(paths: list[str], source: str, module: str, texts: dict[str, str] | None = None):
    sources = MemorySources(dict.fromkeys([*paths, source], EMPTY), texts or {})
    rules = PythonSemantics(WatchedSources(sources, lambda _: None))
    return rules.destination(source, EMPTY, Import(0, 1, module, None, "x"))


@pytest.mark.parametrize(
    ("paths", "source", "module", "file"),
    [
        (["a.py"], "main.py", "a", "a.py"),
        (["a/__init__.py", "a/b.py"], "main.py", "a", "a/__init__.py"),
        (["a/__init__.py", "a/b.py"], "main.py", "a.b", "a/b.py"),
        (["a/__init__.py", "a/b.py"], "a/c.py", ".b", "a/b.py"),
        (["a/__init__.py", "a/b.py"], "a/d/c.py", "..b", "a/b.py"),
        (["a/__init__.py"], "a/c.py", ".", "a/__init__.py"),
        (["a/__init__.py", "a/b/c.py"], "a/d.py", ".b.c", "a/b/c.py"),
        (["src/a/__init__.py", "src/a/b.py"], "tests/t.py", "a.b", "src/a/b.py"),
        (["src/space/b.py"], "main.py", "space.b", "src/space/b.py"),
        (["tools/x.py"], "tools/main.py", "x", "tools/x.py"),
        (["a.pyi", "a.py"], "main.py", "a", "a.py"),
        (["a.pyi"], "main.py", "a", "a.pyi"),
        (["one/conftest.py", "two/conftest.py"], "two/test_x.py", "conftest", "two/conftest.py"),
    ],
)
def test_a_module_text_leads_to_a_file(paths, source, module, file):
    assert lead(paths, source, module).file == file


def test_a_project_inside_the_project_is_a_source_root_of_its_own():
    paths = ["services/api/src/space/core.py"]

    found = lead(paths, "main.py", "space.core", {"services/api/pyproject.toml": ""})

    assert found.file == "services/api/src/space/core.py"


@pytest.mark.parametrize("module", ["os", "os.path", "numpy.linalg"])
def test_a_module_nobody_in_the_project_has_is_external(module):
    found = lead(["a.py"], "main.py", module)

    assert found.external == module
    assert found.external_package == module.partition(".")[0]


@pytest.mark.parametrize("module", ["....x", ".", "..", "...", ".x.y.z", "a..b", "", "a.b"])
def test_texts_that_lead_nowhere_have_a_problem_or_a_place_but_never_fail(module):
    found = lead(["a.py"], "main.py", module)

    given = [found.file, found.package, found.external, found.problem]
    assert sum(part is not None for part in given) == 1


def test_a_folder_of_the_project_is_told_from_an_outside_package_of_the_same_name():
    found = lead(["yaml/loader.py"], "main.py", "yaml.gone")

    assert found.problem == "the project has no module yaml.gone"
