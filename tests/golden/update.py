"""Write the answers of all cases, or of those named, anew: `python tests/golden/update.py [path…]`.

Read the difference against the project before you keep it: a wrong answer written down is worse than none. A new case
is a file with the call in its first line, such as `drift_callers {"symbol": "pay"}`.
"""

import sys
import tempfile
from pathlib import Path

from golden_answers import CASES, Shop, read_case, write_project


def main():
    wanted = [Path(each).resolve() for each in sys.argv[1:]] or CASES
    shops = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in wanted:
            project = path.parent.name
            if project not in shops:
                root = Path(folder, project)
                shops[project] = Shop(write_project(project, root), Path(folder))
            case = read_case(path)
            if case.wrong:
                continue  # written by hand, as it should be
            answer = shops[project].answer(case)
            if answer.startswith("Error [INTERNAL_ERROR]"):
                sys.exit(f"{path}: the tool is broken; nothing was written for it")
            path.write_text(case.head + answer, "utf-8")
        for shop in shops.values():
            shop.close()


if __name__ == "__main__":
    main()
