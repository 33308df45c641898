"""Fail when tests run too few lines of the product, or not all of those that keep it safe.

Reads what slipcover counted (its JSON is the argument) and the floor of `coverage_floor.toml`.
"""

import json
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
SOURCE = ROOT / "src" / "drift"


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


def main() -> None:
    floor = tomllib.loads((HERE / "coverage_floor.toml").read_text("utf-8"))
    counted = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    files = {(ROOT / name).resolve(): lines for name, lines in counted["files"].items()}
    least = sorted(files.items(), key=lambda file: -len(file[1]["missing_lines"]))[:20]
    for path, lines in least:
        print(f"{len(lines['missing_lines']):5} lines not run in {path.relative_to(ROOT)}")
    percent = counted["summary"]["percent_covered"]
    wanted = floor["percent"]
    print(f"{percent:.1f} % of the counted lines are run by the tests; at least {wanted} % are wanted.")
    left_out = False
    for module in modules_of(floor["whole"]):
        if lines := files[module]["missing_lines"]:
            print(f"{module.relative_to(ROOT)}: no test runs {', '.join(map(str, lines))}")
            left_out = True
    sys.exit(percent < floor["percent"] or left_out)


if __name__ == "__main__":
    main()
