"""Builds the wheel: as it stands, or with DRIFT_COMPILE=1 with the core of linking compiled by mypyc.

    DRIFT_COMPILE=1 python -m pip wheel --no-deps .      # needs a C compiler; `make compiled` also compares indexes

The compiled modules lie beside their sources, which stay what is read, checked and run everywhere else; an index is the
same of both. Compiling takes minutes and gives a wheel for one interpreter on one platform.
"""

import ast
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "DRIFT_COMPILE"
NEEDED = ["mypy>=2.4", "setuptools>=80"]
# Where linking spends its time. Languages stand outside: their classes are derived from those that are left out here,
# and what is interpreted cannot be derived from what is compiled.
COMPILED = ("languages/expressions.py", "scan/link/*.py")
LEFT_OUT = frozenset({"__init__.py", "file_semantics.py", "run_time_semantics.py", "semantics.py"})
# Types of tuples that hold each other: mypyc would follow them without end.
RECURSIVE = ("languages/expressions.py", "scan/link/values.py")
# A number that a thousand sets hold: one of mypyc's own would be made anew in each of them.
SHARED = "scan/link/keys.py"
CONFIG = "[mypy]\nmypy_path = {place}\nfollow_imports = normal\n"
_CACHED = re.compile(r"    @cached_property\n    def (\w+)\(self\) -> (.*):\n")
_UNCACHED = """\
    _kept_{name}: "{type} | None" = None

    @property
    def {name}(self) -> {type}:
        if self._kept_{name} is None:
            self._kept_{name} = self._make_{name}()
        return self._kept_{name}

    def _make_{name}(self) -> {type}:
"""


class CompilingHook(BuildHookInterface[Any]):
    """Adds compiled modules to a wheel where that is asked for."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return NEEDED if os.environ.get(SWITCH) == "1" else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if os.environ.get(SWITCH) != "1" or version == "editable":
            return
        self._place = Path(tempfile.mkdtemp(prefix="drift-compile-"))
        made = compile_package(Path(self.root, "src", "drift"), self._place)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(path): inside for path, inside in made.items()})

    def finalize(self, *_: Any) -> None:
        if hasattr(self, "_place"):
            shutil.rmtree(self._place)


def compile_package(package: Path, place: Path) -> dict[Path, str]:
    """The compiled modules of the package, made in `place`, with where each stands in a wheel."""
    # Here: only who compiles has them.
    from mypyc.build import mypycify
    from setuptools import Distribution

    copy = place / package.name
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    modules = sorted(modules_of(copy))
    for module in modules:
        module.write_text(made_fit(module.relative_to(copy).as_posix(), module.read_text()))
    config = place / "mypy.ini"
    config.write_text(CONFIG.format(place=place))
    with chdir(place):
        names = [str(module.relative_to(place)) for module in modules]
        extensions = mypycify(["--config-file", str(config), *names], opt_level="2", debug_level="0")
        build = Distribution({"name": package.name, "ext_modules": extensions}).get_command_obj("build_ext")
        build.build_lib, build.build_temp = str(place / "made"), str(place / "objects")
        build.ensure_finalized()
        build.run()
    made = place / "made"
    return {path: path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()}


def modules_of(package: Path) -> Iterator[Path]:
    """The modules that are compiled."""
    return (path for form in COMPILED for path in package.glob(form) if path.name not in LEFT_OUT)


def made_fit(path: str, source: str) -> str:
    """A module in a form that mypyc takes and that does the same."""
    # It takes `cached_property` for `property`, and would find out anew whenever somebody asks.
    fit = _CACHED.sub(lambda found: _UNCACHED.format(name=found[1], type=found[2]), source)
    if path == SHARED:
        return _with_any(fit.replace("\nKey = int\n", "\nKey = Any\n"))
    return loosened(fit) if path in RECURSIVE else fit


def loosened(source: str) -> str:
    """The same with the types of tuples of a certain shape as those of any tuple, which is all they are when it runs."""
    lines = source.splitlines(keepends=True)
    for node in reversed(list(_shapes(ast.parse(source)))):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        rest = lines[last].encode()[node.end_col_offset :].decode()
        head = lines[first].encode()[: node.col_offset].decode()
        lines[first : last + 1] = [f"{head}tuple[Any, ...]{rest}"]
    return _with_any("".join(lines))


def _with_any(source: str) -> str:
    return source.replace("from typing import ", "from typing import Any, ", 1)


def _shapes(module: ast.Module) -> Iterator[ast.Subscript]:
    """The outermost types of tuples in the names a module gives to types, in the order of the text."""
    for statement in module.body:
        if isinstance(statement, ast.Assign):
            waiting: list[ast.AST] = [statement.value]
            while waiting:
                node = waiting.pop(0)
                if (
                    isinstance(node, ast.Subscript)
                    and isinstance(node.value, ast.Name)
                    and node.value.id == "tuple"
                ):
                    yield node
                else:
                    waiting[:0] = ast.iter_child_nodes(node)
