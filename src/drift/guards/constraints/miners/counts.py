"""How many of a kind there are: one type in each file of a folder, one route for each handler."""

import posixpath
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.conventions.statistics import wilson
from drift.guards.constraints.companions import outer_types
from drift.guards.constraints.form import Constraint, Predicate, Where, fits_path
from drift.guards.constraints.miners.settings import parameters

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Scene
    from drift.index.ids import FileId

_ONCE: Final = ("1",)


def propose_counts(scene: "Scene") -> Iterator[Constraint]:
    """The widest folders whose files declare one type each, by language; and handlers that serve one route each."""
    settings = parameters("counts")
    apart = tuple(settings["apart"])
    for language, kinds in settings["kinds"].items():
        by_file: dict[FileId, int] = defaultdict(int)
        for each in outer_types(scene):
            by_file[each.file_id] += each.kind in kinds
        files = {
            each.path: by_file[id_]
            for id_, each in scene.files.items()
            if each.role == "source" and each.language == language and not fits_path(apart, each.path)
        }
        for folder in _widest(files):
            yield Constraint(
                f"one-type/{folder or language}",
                "cardinality",
                "structural",
                f"Each {language} file{f' in {folder}' if folder else ''} declares exactly one type",
                Predicate("declares", {"kinds": tuple(kinds), "times": _ONCE}),
                Where((f"{folder}/**",) if folder else (), apart, (language,)),
                guidance="Give each type a file of its own.",
            )
    if scene.routes:
        yield Constraint(
            "one-route",
            "cardinality",
            "api",
            "Each handler serves exactly one route",
            Predicate("routes", {"times": _ONCE}),
            guidance="Write a handler for each route.",
        )


def _widest(files: dict[str, int]) -> list[str]:
    """The folders nearest to the root of which nearly each file has one, none of them within another."""
    by_folder: dict[str, list[int]] = defaultdict(list)
    for path, count in files.items():
        folder = posixpath.dirname(path)
        while folder:
            by_folder[folder].append(count)
            folder = posixpath.dirname(folder)
        by_folder[""].append(count)
    found: list[str] = []
    least: float = parameters("judging")["least_confidence"]
    for folder, counts in sorted(
        by_folder.items(), key=lambda one: (one[0].count("/"), one[0] != "", one[0])
    ):
        is_inside = any(not each or folder.startswith(f"{each}/") for each in found)
        if not is_inside and wilson(counts.count(1), len(counts)) >= least:
            found.append(folder)
    return found
