"""Projects to scan: copies of real ones, and generated ones of any size, always the same."""

import os
import random
import shutil
import subprocess
from pathlib import Path

MODULES_IN_PACKAGE = 40
IMPORTS = 3
LONG_AGO_NS = 1_600_000_000_000_000_000
# Only the commits of a benchmark are made here: no signing, no hooks, nobody's settings.
_GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false")
_ENVIRON = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}


def git(root: Path, *args: str) -> None:
    environ = {"PATH": os.environ["PATH"], "HOME": str(root), **_ENVIRON}
    subprocess.run([*_GIT, *args], cwd=root, env=environ, check=True, stdout=subprocess.DEVNULL)


def commit_all(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--no-verify", "-m", message)


def copy_project(source: Path, place: Path) -> Path:
    """A copy with a repository of its own and without what earlier scans left."""
    root = place / source.name
    shutil.copytree(source, root, symlinks=True, ignore=shutil.ignore_patterns(".git", ".drift"))
    git(root, "init", "-q")
    commit_all(root, "copy")
    return root


def make_project(root: Path, files: int) -> None:
    """So many small Python modules that import and call each other, committed."""
    chance = random.Random(files)
    for number in range(files):
        write_module(root, number, _module_text(number, files, chance))
    for directory in root.iterdir():
        write_old(directory / "__init__.py", "")
    git(root, "init", "-q")
    commit_all(root, "one")


def module_path(number: int) -> str:
    return f"part_{number // MODULES_IN_PACKAGE:04}/module_{number:05}.py"


def write_module(root: Path, number: int, text: str) -> None:
    write_old(root / module_path(number), text)


def write_old(path: Path, text: str) -> None:
    """Write a file as if long ago: one changed just now is compared by content, which is not what is measured."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))


def commit_other_branch(root: Path, files: int) -> int:
    """Commit the branch `other`, which differs in two files of five; how many differ."""
    git(root, "checkout", "-q", "-b", "other")
    differing = 0
    for number in range(files):
        path = root / module_path(number)
        match number % 10:
            case 0:
                path.write_text(f"{path.read_text()}\n\ndef added_{number}():\n    return Store{number}()\n")
            case 3:
                path.write_text(path.read_text().replace("return total", "return str(total)"))
            case 5:
                path.rename(path.with_name(f"moved_{number:05}.py"))
            case 7:
                path.unlink()
            case _:
                continue
        differing += 1
    commit_all(root, "two")
    return differing


def _module_text(number: int, files: int, chance: random.Random) -> str:
    others = sorted({chance.randrange(files) for _ in range(IMPORTS)} - {number})
    lines = [f'"""Module {number} of a generated project."""', ""]
    lines += [
        f"from part_{each // MODULES_IN_PACKAGE:04}.module_{each:05} import Store{each}, load_{each}"
        for each in others
    ]
    parent = f"(Store{others[0]})" if others and others[0] < number and number % 4 == 0 else ""
    lines += [
        "",
        "",
        f"class Store{number}{parent}:",
        "    def __init__(self, size=0):",
        "        self.size = size",
        "",
        "    def save(self, item):",
        f"        return self.check_{number}(item)",
        "",
        f"    def check_{number}(self, item):",
        "        if item is None:",
        "            raise ValueError(self.size)",
        "        return item",
        "",
        "",
        f"def load_{number}(item):",
        f"    store = Store{number}()",
        "    total = 0",
        *(f"    total += load_{each}(Store{each}().save(item))" for each in others),
        "    item.save(store)",
        "    return total",
    ]
    return "\n".join(lines) + "\n"
