"""Layers of a project, found in who depends on whom, and the dependencies that go against them.

What it does: takes the folders a project is made of, puts them in the order in which the fewest names are used backwards,
and makes a layer of all folders that stand equally far from the ground. A little that is used against the order, where
much goes with it, is a violation; where about as much goes both ways, it is a tangle.
Why it matters: a lower layer that uses a higher one can no longer be understood, tested or moved without it. Example: of
`repositories`, which `services` use by forty names, one file imports `services.mail`. Known limits: a project whose
folders all use each other evenly has no layers to speak of, which the answer says.
"""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from drift.analyses.modules.cuts import cheapest_cut
from drift.analyses.modules.cycles import find_groups
from drift.analyses.modules.graph import Dependency, ModuleGraph, folder_of
from drift.kernel.ranking import Sort
from drift.kernel.words import split_words

_MOST_SHARE: Final = 0.6
_MOST_UNNAMED: Final = 0.25  # of a folder whose name says nothing of a layer
_MOST_SPLITS: Final = 4
_MOST_AREAS: Final = 100
_MOST_NAMED: Final = 3
_EXCEPTION: Final = 3  # times as much goes the other way
_FEW: Final = 3


class Layer(NamedTuple):
    """Areas that stand equally far above the ground, which is 0."""

    name: str
    height: int
    areas: tuple[str, ...]


class Layering(NamedTuple):
    """The areas of a project in layers, the highest first, what goes against them, and what is no order at all."""

    layers: tuple[Layer, ...]
    area_of: Mapping[str, str]
    graph: ModuleGraph
    violations: tuple[Dependency, ...]
    tangles: tuple[Dependency, ...]  # areas that use each other about as much either way

    def layer_of(self, path: str) -> str:
        area = self.area_of.get(path, ".")
        return next((one.name for one in self.layers if area in one.areas), ".")


@dataclass(frozen=True, slots=True)
class LayerRow:
    """A layer, its height above the ground, the folders in it, and how many files they have."""

    name: str
    height: int
    folders: tuple[str, ...]
    files: int


def find_layers(graph: ModuleGraph) -> Layering:
    """The layers of the files of a graph; parts that do not touch each other have layers of their own."""
    areas = find_areas(graph.members)
    between = graph.grouped(lambda path: areas[path])
    weights = {edge: one.weight for edge, one in between.edges.items()}
    back = {edge for group in find_groups(between) for edge in cheapest_cut(group, weights).edges}
    heights = _heights(between, back)
    parts = _parts(between)
    levels: dict[tuple[str, int], list[str]] = defaultdict(list)
    for area, height in heights.items():
        levels[parts[area], height].append(area)
    taken: Counter[str] = Counter()
    layers = [
        Layer(_name(sorted(levels[key]), taken), key[1], tuple(sorted(levels[key])))
        for key in sorted(levels, key=lambda key: (key[0], -key[1]))
    ]
    against = sorted(back, key=lambda edge: (weights[edge], edge))
    weak = [edge for edge in against if _is_weak(edge, weights)]
    others = [edge for edge in against if edge not in weak]
    return Layering(
        tuple(layers),
        areas,
        between,
        tuple(between.edges[edge] for edge in weak),
        tuple(between.edges[edge] for edge in others),
    )


def _is_weak(edge: tuple[str, str], weights: Mapping[tuple[str, str], int]) -> bool:
    """Whether little goes that way against much the other way: an exception, not half of a tangle."""
    ahead = weights.get((edge[1], edge[0]), 0)
    return weights[edge] * _EXCEPTION <= ahead if ahead else weights[edge] <= _FEW


def _parts(graph: ModuleGraph) -> dict[str, str]:
    """Of each area the first one of all that it is connected with."""
    found: dict[str, str] = {}
    for start in sorted(graph.members):
        stack = [] if start in found else [start]
        while stack:
            area = stack.pop()
            if area not in found:
                found[area] = start
                stack += [*graph.targets[area], *graph.sources[area]]
    return found


def find_areas(paths: Collection[str]) -> dict[str, str]:
    """Of each file the folder it counts to: the first ones below what all share, large ones split further."""
    roots = {_shared_folder(paths)}
    for _ in range(_MOST_SPLITS):
        areas = {path: _area(path, roots) for path in paths}
        sizes = Counter(areas.values())
        large = {area for area, size in sizes.items() if _is_large(area, size / len(paths))} - roots
        if not large:
            return areas
        split = (
            roots
            | {_shared_folder([path for path in paths if areas[path] == area]) for area in large}
            | large
        )
        if len({_area(path, split) for path in paths}) > _MOST_AREAS:
            return areas
        roots = split
    return {path: _area(path, roots) for path in paths}


def _is_large(area: str, share: float) -> bool:
    return share > (_MOST_UNNAMED if _role(area) is None else _MOST_SHARE)


def _shared_folder(paths: Collection[str]) -> str:
    folders = [folder_of(path).split("/") if "/" in path else [] for path in paths]
    shared: list[str] = []
    for parts in zip(*folders, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return "/".join(shared)


def _area(path: str, roots: Collection[str]) -> str:
    """The folder next below the deepest of the roots that the file is in."""
    root = max((one for one in roots if not one or path.startswith(f"{one}/")), key=len, default="")
    rest = path[len(root) + 1 :] if root else path
    first, slash, _ = rest.partition("/")
    below = f"{root}/{first}" if root else first
    return below if slash else root or "."


def _heights(graph: ModuleGraph, back: Collection[tuple[str, str]]) -> dict[str, int]:
    """Of each area how many steps its longest way down has, without the steps that go backwards."""
    heights: dict[str, int] = {}
    # What nobody uses and that uses nobody stands in no layer.
    for start in (name for name in graph.members if graph.targets[name] or graph.sources[name]):
        stack = [start]
        while stack:
            area = stack[-1]
            below = [one for one in graph.targets[area] if (area, one) not in back]
            missing = [one for one in below if one not in heights]
            if missing and area not in heights:
                stack.extend(missing)
                continue
            heights[area] = 1 + max((heights[one] for one in below), default=-1)
            stack.pop()
    return heights


def _name(areas: list[str], taken: Counter[str]) -> str:
    roles = Counter(role for area in areas if (role := _role(area)) is not None)
    first = min(roles, key=lambda role: (-roles[role], role), default=None)
    if first is not None and 2 * roles[first] > len(areas):
        name = first
    else:
        more = len(areas) - _MOST_NAMED
        name = ", ".join(area.rpartition("/")[2] for area in areas[:_MOST_NAMED])
        name += f" and {more} more" if more > 0 else ""
    taken[name] += 1
    return name if taken[name] == 1 else f"{name} {taken[name]}"


def _role(area: str) -> str | None:
    last = [word.lower() for word in split_words(area.rpartition("/")[2])]
    return next((role for word in reversed(last) if (role := _roles().get(word)) is not None), None)


@cache
def _roles() -> Mapping[str, str]:
    text = files(__package__).joinpath("layers.toml").read_text("utf-8")
    return {word: role for role, words in tomllib.loads(text)["roles"].items() for word in words}


def layer_rows(layering: Layering) -> tuple[LayerRow, ...]:
    members = layering.graph.members
    return tuple(
        LayerRow(one.name, one.height, one.areas, sum(len(members[area]) for area in one.areas))
        for one in layering.layers
    )


VIOLATION_SORTS: Final[Mapping[str, Sort[Dependency]]] = {
    "weight": Sort(lambda one: (one.weight, one.source, one.target), "asc")
}
