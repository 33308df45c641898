"""What comes with what in a project: tests beside files, handlers for commands, names and parents of the types of a folder."""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from drift.conventions.statistics import wilson
from drift.guards.constraints.form import Constraint, Predicate, Where
from drift.guards.constraints.miners.settings import parameters
from drift.kernel.words import split_parts

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Scene
    from drift.index.site_records import SiteClass


def propose_companions(scene: "Scene") -> Iterator[Constraint]:
    """Tests beside the files of a folder, and types that come in pairs."""
    settings = parameters("companions")
    for folder, suffix in _folders(scene):
        for template in settings["tests"]:
            if template.endswith(suffix):
                yield Constraint(
                    f"beside/{folder}:{template.removeprefix('{dir}/')}",
                    "must_colocate",
                    "testing",
                    f"Each file in {folder} has its test beside it: {template.removeprefix('{dir}/')}",
                    Predicate("companion", {"is": (template,)}),
                    Where(files=(f"{folder}/**/*{suffix}",), exclude=("**/*.test.*", "**/*.spec.*", "**/*_test.*", "**/test_*", "**/__tests__/**", "**/index.*", "**/*.d.ts")),
                    guidance="Write the test there.",
                )  # fmt: skip
    for pair in settings["classes"]:
        yield Constraint(
            f"pair/{pair['of'].removeprefix('*')}-{pair['is'][0].partition('}')[2]}",
            "cardinality" if pair.get("once") else "structure",
            "structural",
            f"Each {pair['of']} has a {pair['is'][0].replace('{name}', pair['of'])}",
            Predicate("companion", {"classes": (pair["of"],), "is": tuple(pair["is"])}),
            guidance="Write the other one, too.",
        )


def _folders(scene: "Scene") -> list[tuple[str, str]]:
    """The folders of two levels with enough files of an ending."""
    found: Counter[tuple[str, str]] = Counter()
    for file in scene.files.values():
        if file.role == "source" and file.language:
            suffix = posixpath.splitext(file.path)[1]
            parts = file.path.split("/")[:-1]
            for depth in range(1, min(len(parts), 3) + 1):
                found["/".join(parts[:depth]), suffix] += 1
    least = parameters("companions")["least_sites"]
    return sorted(key for key, times in found.items() if times >= least)


def propose_names(scene: "Scene") -> Iterator[Constraint]:
    """The ending and the parent that the types of a folder share."""
    by_folder: dict[str, list[SiteClass]] = defaultdict(list)
    for each in scene.classes:
        file = scene.every[each.file_id]
        if file.role == "source" and each.kind in ("class", "struct"):
            by_folder[posixpath.dirname(file.path)].append(each)
    parents: dict[int, list[str]] = defaultdict(list)
    for base in scene.bases:
        parents[base.symbol_id].append(base.text.split("<")[0].split("[")[0].split("(")[0])
    least = parameters("names")["least_sites"]
    for folder, found in sorted(by_folder.items()):
        if folder and len(found) >= least:
            yield from _ending(folder, found)
            yield from _parent(folder, found, parents)


def _ending(folder: str, found: list["SiteClass"]) -> Iterator[Constraint]:
    endings = Counter(parts[-1] for each in found if len(parts := split_parts(each.name)) > 1)
    for ending, times in endings.most_common(1):
        if _is_sure(times, len(found)):
            yield Constraint(
                f"names/{folder}",
                "naming",
                "structural",
                f"The types in {folder} are called *{ending}",
                Predicate("names", {"patterns": (f"*{ending}",), "kinds": ("class", "struct")}),
                Where(files=(f"{folder}/*",)),
                guidance=f"Let its name end in {ending}.",
            )


def _parent(folder: str, found: list["SiteClass"], parents: dict[int, list[str]]) -> Iterator[Constraint]:
    shared = Counter(parent for each in found for parent in set(parents.get(each.id, ())))
    for parent, times in shared.most_common(1):
        if _is_sure(times, len(found)):
            yield Constraint(
                f"parents/{folder}",
                "structure",
                "structural",
                f"The types in {folder} descend from {parent}",
                Predicate("names", {"parents": (parent,), "kinds": ("class", "struct")}),
                Where(files=(f"{folder}/*",)),
                guidance=f"Let it descend from {parent}, as the others do.",
            )


def _is_sure(times: int, total: int) -> bool:
    least: float = parameters("judging")["least_confidence"]
    return wilson(times, total) >= least


def propose_cause(scene: "Scene") -> Iterator[Constraint]:
    """Errors that are thrown for others keep them as their cause, by language."""
    for language in sorted(scene.languages):
        yield Constraint(
            f"cause/{language}",
            "must_propagate",
            "errors",
            f"An error that is thrown for another keeps it as its cause ({language})",
            Predicate("cause", {}),
            Where(languages=(language,)),
            guidance="Hand the caught error on as the cause of the new one.",
        )
