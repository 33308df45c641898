"""What comes with what, and how it is called: a test beside each service, a handler for each command."""

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from drift.guards.constraints.form import Constraint, Site, fits_name, fits_path

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Scene
    from drift.index.site_records import SiteClass


def check_companion(scene: "Scene", constraint: Constraint) -> Iterator[Site]:
    """Each type that `classes` fits, or else each file, has a type or a file of the name that `is` makes of its own.

    `times` says how many: `1` exactly one, `+` at least one.
    """
    templates = constraint.predicate.get("is")
    is_once = constraint.predicate.get("times") == ("1",)
    classes = constraint.predicate.get("classes")
    if classes:
        yield from _check_classes(scene, constraint, classes, templates, is_once=is_once)
        return
    paths = {each.path for each in scene.every.values()}
    for id_, file in scene.files.items():
        if scene.is_about(constraint.where, id_):
            found = sum(1 for template in templates if _fits_any(companion_path(template, file.path), paths))
            holds = found == 1 if is_once else found > 0
            told = companion_path(templates[0], file.path) if templates else ""
            yield Site(file.path, 1, 1, None, holds, told)


def _check_classes(
    scene: "Scene", constraint: Constraint, classes: tuple[str, ...], templates: tuple[str, ...], *, is_once: bool
) -> Iterator[Site]:  # fmt: skip
    known = scene.classes
    names = Counter(
        each.name
        for each in known
        if each.file_id in scene.every and scene.every[each.file_id].role == "source"
    )
    for one in known:
        if one.file_id not in scene.files or not scene.is_about(constraint.where, one.file_id):
            continue
        if fits_name(classes, one.name):
            wanted = [fill(template, one.name) for template in templates]
            found = sum(names[each] for each in wanted)
            holds = found == 1 if is_once else found > 0
            yield Site(scene.path(one.file_id), one.line, one.line, one.name, holds, wanted[0])


def check_names(scene: "Scene", constraint: Constraint) -> Iterator[Site]:
    """Types, of those that `bases` or `decorators` fit, are called as one of `patterns` and descend from one of `parents`."""
    wanted = constraint.predicate
    asked = [_fitting(((each.symbol_id, each.text) for each in scene.bases), wanted.get("bases"))]
    asked.append(_fitting(scene.class_decorators, wanted.get("decorators")))
    parents = _fitting(((each.symbol_id, each.text) for each in scene.bases), wanted.get("parents"))
    patterns, kinds = wanted.get("patterns"), wanted.get("kinds")
    for one in scene.classes:
        if one.file_id not in scene.files or not scene.is_about(constraint.where, one.file_id):
            continue
        if (not kinds or one.kind in kinds) and all(each is None or one.id in each for each in asked):
            is_named = not patterns or fits_name(patterns, one.name)
            holds = is_named and (parents is None or one.id in parents)
            yield Site(scene.path(one.file_id), one.line, one.line, one.name, holds, one.name)


def check_declares(scene: "Scene", constraint: Constraint) -> Iterator[Site]:
    """Each file declares as many types of `kinds`, `patterns` and `parents` as one of `times` says; those within others do not count."""
    wanted = constraint.predicate
    parents = _fitting(((each.symbol_id, each.text) for each in scene.bases), wanted.get("parents"))
    kinds, patterns, times = wanted.get("kinds"), wanted.get("patterns"), wanted.get("times") or ("1",)
    declared: dict[int, list[SiteClass]] = {id_: [] for id_ in scene.files}
    for one in outer_types(scene):
        is_named = not patterns or fits_name(patterns, one.name)
        if (not kinds or one.kind in kinds) and is_named and (parents is None or one.id in parents):
            declared.setdefault(one.file_id, []).append(one)
    for id_, file in scene.files.items():
        if scene.is_about(constraint.where, id_):
            found = declared[id_]
            if not found and not patterns and parents is None:
                continue  # a script or a list of imports has no type to count
            holds = str(len(found)) in times
            line = found[-1].line if found else 1
            told = ", ".join(each.name for each in found[:5]) or "none"
            yield Site(file.path, line, line, None, holds, told)


def outer_types(scene: "Scene") -> "Iterator[SiteClass]":
    """The types that stand in no other."""
    ends: dict[int, int] = {}
    for one in sorted(scene.classes, key=lambda each: (each.file_id, each.line, -each.end_line)):
        if one.line > ends.get(one.file_id, 0):
            ends[one.file_id] = one.end_line
            yield one


def companion_path(template: str, path: str) -> str:
    """The path that a template makes of a file's: {dir}, {name} with and {stem} without what follows its first dot."""
    folder, name = posixpath.split(path)
    stem = name.partition(".")[0]
    made = template.replace("{dir}", folder).replace("{name}", name).replace("{stem}", stem)
    return made.removeprefix("/")


def fill(template: str, name: str) -> str:
    """The name that a template makes of another, {name}; with {name-Suffix}, without that ending."""
    before, _, rest = template.partition("{name")
    ending, _, behind = rest.partition("}")
    return f"{before}{name.removesuffix(ending.removeprefix('-'))}{behind}"


def _fits_any(wanted: str, paths: set[str]) -> bool:
    if "*" not in wanted:
        return wanted in paths
    return any(fits_path((wanted,), path) for path in paths)


def _fitting(rows: Iterable[tuple[int, str]], wanted: tuple[str, ...]) -> set[int] | None:
    """The types with a text that is wanted; None where nothing is."""
    if not wanted:
        return None
    return {id_ for id_, text in rows if fits_name(wanted, text.split("<")[0].split("[")[0].split("(")[0])}
