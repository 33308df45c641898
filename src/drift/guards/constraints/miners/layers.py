"""Folders that use each other in one direction: what is below knows nothing of what is above.

Counted are pairs of files, one of which uses the other. Of two folders beside each other the one that is used and hardly
uses back is below.
"""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from drift.conventions.statistics import wilson
from drift.guards.constraints.form import Constraint, Predicate, Where
from drift.guards.constraints.miners.settings import parameters

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Scene

Pair = tuple[str, str]


def propose_layers(scene: "Scene") -> Iterator[Constraint]:
    """For each folder that is below others: it uses none of them."""
    settings, judging = parameters("layers"), parameters("judging")
    pairs, sizes = _count(scene)
    above: dict[str, list[str]] = defaultdict(list)
    for (upper, lower), times in pairs.items():
        back = pairs[lower, upper]
        # Each pair for itself need not be sure, the folder as a whole has to be.
        is_one_way = times >= max(3, 4 * back) and wilson(times, times + back) > wilson(1, 2)
        if is_one_way and min(sizes[upper], sizes[lower]) >= settings["least_source_files"]:
            above[lower].append(upper)
    for lower, uppers in above.items():
        named = sorted(uppers, key=lambda each: (-pairs[each, lower], each))[: settings["most_upper"]]
        holding = sum(pairs[each, lower] for each in named)
        total = holding + sum(pairs[lower, each] for each in named)
        is_sure = wilson(holding, total) >= judging["least_confidence"]
        if holding >= settings["least_sites"] and is_sure:
            yield _constraint(lower, named)


def _constraint(lower: str, uppers: list[str]) -> Constraint:
    return Constraint(
        f"layers/{lower}",
        "must_separate",
        "structural",
        f"{lower} uses nothing of {', '.join(sorted(posixpath.basename(each) for each in uppers))}, which use it",
        Predicate("uses", {"never": tuple(f"{each}/**" for each in sorted(uppers))}),
        Where(files=(f"{lower}/**",)),
        guidance=f"Move what is needed down into {lower}, or hand it in from above.",
    )


def _count(scene: "Scene") -> tuple[Counter[Pair], Counter[str]]:
    """How often folders beside each other use each other, and how many source files each has."""
    pairs: Counter[Pair] = Counter()
    for link in scene.links:
        source, target = scene.every[link.source], scene.every[link.target]
        if link.is_type_only or source.role != "source" or target.role != "source":
            continue
        pair = split(source.path, target.path)
        if pair is not None:
            pairs[pair] += 1
    sizes: Counter[str] = Counter()
    for file in scene.files.values():
        if file.role == "source" and file.language:
            folder = posixpath.dirname(file.path)
            while folder:
                sizes[folder] += 1
                folder = posixpath.dirname(folder)
    return pairs, sizes


def split(source: str, target: str) -> Pair | None:
    """The two folders beside each other that two files are in; None where one is in the folder of the other."""
    left, right = source.split("/")[:-1], target.split("/")[:-1]
    for number, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return "/".join(left[: number + 1]), "/".join(right[: number + 1])
    return None
