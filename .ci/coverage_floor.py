"""Fail when tests run too few lines of the product, or not all of those that keep it safe.

Reads the data of `coverage run` and the floor of `coverage_floor.toml`. With --safety, after the tests that it names
with --tests, only the lines that keep Drift safe are looked at.
"""

import sys
import tomllib
from pathlib import Path

from coverage import Coverage

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src" / "drift"


def modules_of(places: list[str]) -> list[Path]:
    """The modules that the places name; a place that names none is a mistake in the list."""
    modules = []
    for place in places:
        path = SOURCE / place
        found = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        if not found or not found[0].exists():
            sys.exit(f"{place} is not in {SOURCE}")
        modules.extend(found)
    return modules


def missing_lines(measured: Coverage, module: Path) -> str:
    _name, _statements, _excluded, _missing, described = measured.analysis2(str(module))
    return described


def main() -> None:
    floor = tomllib.loads((HERE / "coverage_floor.toml").read_text("utf-8"))
    if "--tests" in sys.argv:
        print(*floor["tests"])
        return
    measured = Coverage()
    measured.load()
    is_enough = True
    if "--safety" not in sys.argv:
        percent = measured.report(show_missing=False, skip_covered=True, file=sys.stdout, sort="cover")
        print(f"{percent:.1f} % of the lines are run by the tests; at least {floor['percent']} % are wanted.")
        is_enough = percent >= floor["percent"]
    left_out = {
        module.relative_to(SOURCE).as_posix(): lines
        for module in modules_of(floor["whole"])
        if (lines := missing_lines(measured, module))
    }
    for name, lines in left_out.items():
        print(f"src/drift/{name}: no test runs {lines}")
    sys.exit(not is_enough or bool(left_out))


if __name__ == "__main__":
    main()
