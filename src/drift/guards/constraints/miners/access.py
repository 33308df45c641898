"""Where data is reached: in which folder, or in types of which ending, nearly all of it stands."""

import posixpath
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from drift.conventions.statistics import wilson
from drift.guards.constraints.data_access import find_accesses
from drift.guards.constraints.form import Constraint, Predicate, Where, fits_path
from drift.guards.constraints.miners.settings import parameters

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Scene


def propose_access(scene: "Scene") -> Iterator[Constraint]:
    """The folders, and the ending of types, that hold nearly all that reaches data, by language."""
    apart = tuple(parameters("access")["apart"])
    for language in sorted(scene.languages):
        found = [
            (scene.path(each.call.file), scene.place(each.call.caller))
            for each in find_accesses(scene)
            if scene.files[each.call.file].language == language
            and not fits_path(apart, scene.path(each.call.file))
        ]
        if not found:
            continue
        where = Where(exclude=apart, languages=(language,))
        folders = _folders([path for path, _ in found])
        if folders and _is_part(scene, folders, language):
            patterns = tuple(f"{each}/**" for each in folders)
            yield _constraint(language, where, " and ".join(folders), {"in": patterns})
        for suffix in parameters("access")["suffixes"]:
            named = sum(1 for _, place in found if place and (place.owner or "").endswith(suffix))
            if _is_sure(named, len(found)):
                told = f"classes called *{suffix}"
                yield _constraint(language, where, told, {"classes": (f"*{suffix}",)})


def _folders(paths: list[str]) -> list[str]:
    """The fewest folders that nearly all of the paths are in, each with a good part of them; none where there are no such."""
    settings = parameters("access")
    found: list[str] = []
    holding = 0
    for folder, times in Counter(map(posixpath.dirname, paths)).most_common(settings["most_folders"]):
        if not folder or times < settings["least_part"] * len(paths):
            break
        found.append(folder)
        holding += times
        if _is_sure(holding, len(paths)):
            return sorted(found)
    return []


def _is_part(scene: "Scene", folders: list[str], language: str) -> bool:
    """Whether the folders leave enough out to be a rule: that all code is in the folder of all code is none."""
    files = [each for each in scene.files.values() if each.role == "source" and each.language == language]
    inside = sum(1 for each in files if each.path.startswith(tuple(f"{folder}/" for folder in folders)))
    most: float = parameters("access")["most_share"]
    return inside <= most * len(files)


def _is_sure(holding: int, total: int) -> bool:
    least: float = parameters("judging")["least_confidence"]
    return wilson(holding, total) >= least


def _constraint(language: str, where: Where, told: str, values: dict[str, tuple[str, ...]]) -> Constraint:
    place = told.removeprefix("classes called ").replace(" and ", "+")
    return Constraint(
        f"access/{language}:{place}",
        "data_flow",
        "data",
        f"Data is reached in {told} alone",
        Predicate("access", values),
        where,
        guidance=f"Ask for it what stands in {told}.",
    )
