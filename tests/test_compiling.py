"""What is done to modules before they are compiled, and that nothing is where nobody asked for it."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "drift"


@pytest.fixture(scope="module")
def building():
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hook(building):
    return building.CompilingHook(str(ROOT), {}, None, None, str(ROOT), "wheel")


def test_a_wheel_is_pure_unless_it_is_asked_for_otherwise(hook, monkeypatch):
    monkeypatch.delenv("DRIFT_COMPILE", raising=False)
    data = {"force_include": {}, "pure_python": True}

    hook.initialize("standard", data)
    hook.finalize("standard", data, "")

    assert data == {"force_include": {}, "pure_python": True}
    assert hook.dependencies() == []


def test_who_compiles_needs_a_compiler_of_python(hook, monkeypatch):
    monkeypatch.setenv("DRIFT_COMPILE", "1")

    assert [each.partition(">")[0] for each in hook.dependencies()] == ["mypy", "setuptools"]


def test_what_is_found_once_is_found_once_when_compiled_too(building):
    source = (
        "class Table:\n"
        "    count = 0\n\n"
        "    @cached_property\n"
        "    def rows(self) -> list[int]:\n"
        '        """Found once."""\n'
        "        Table.count += 1\n"
        "        return [1]\n"
    )

    made = {}
    exec(building.made_fit("scan/link/tables.py", source), made)
    table = made["Table"]()

    assert table.rows is table.rows
    assert made["Table"].count == 1


def test_types_of_tuples_lose_their_shape_and_nothing_else_changes(building):
    source = (
        "from typing import Literal\n"
        'Name = tuple[Literal["näme"], str]\n'
        "Both = (\n    Name | tuple[\n        int, Name\n    ] | None\n)\n"
        "LIMIT = 3\n"
        "def pair() -> tuple[int, str]: ...\n"
    )

    assert building.loosened(source) == (
        "from typing import Any, Literal\n"
        "Name = tuple[Any, ...]\n"
        "Both = (\n    Name | tuple[Any, ...] | None\n)\n"
        "LIMIT = 3\n"
        "def pair() -> tuple[int, str]: ...\n"
    )


def test_all_that_is_compiled_is_there_and_can_be_made_fit(building):
    modules = {path.relative_to(PACKAGE).as_posix(): path for path in building.modules_of(PACKAGE)}

    for name, path in modules.items():
        fit = building.made_fit(name, path.read_text())
        compile(fit, name, "exec")
        assert "@cached_property" not in fit, name

    assert {building.SHARED, *building.RECURSIVE} < set(modules)
    assert "\nKey = Any\n" in building.made_fit(building.SHARED, modules[building.SHARED].read_text())
    assert "scan/link/evaluation.py" in modules
    assert not [name for name in modules if name.endswith("semantics.py")]
