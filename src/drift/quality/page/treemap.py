"""A map of files: the area of each is its code, its colour how much is wrong with it. Squarified, after Bruls and others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.quality.page.markup import Markup, element, join

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from drift.quality.page.content import FileCell

WIDTH: Final = 1200
HEIGHT: Final = 640
STEPS: Final = 7
_MOST_DEBT: Final = 5
_MOST_FILES: Final = 2_000  # what is smaller could not be seen
_HEAD: Final = 14
_LEAST_FOR_HEAD: Final = (60.0, 44.0)
_LEAST_FOR_NAME: Final = (48.0, 13.0)
_LETTER: Final = 6.0
_LEAST_SIDE: Final = 0.4


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float


@dataclass(slots=True)
class _Folder:
    name: str
    folders: dict[str, _Folder] = field(default_factory=dict)
    files: list[FileCell] = field(default_factory=list)
    size: int = 0


def draw_map(files: Sequence[FileCell]) -> Markup:
    """The map as SVG, coloured by debt; what another colouring needs stands beside each file."""
    largest = sorted((one for one in files if one.code_lines), key=lambda one: (-one.code_lines, one.path))
    hardest = max((one.cognitive for one in largest), default=0)
    drawn = list(_draw(_tree(largest[:_MOST_FILES]), Box(0, 0, WIDTH, HEIGHT), hardest))
    label = f"{len(drawn)} rectangles: the files by their code"
    return element(
        "svg", join(drawn), class_="map", viewBox=Markup(f"0 0 {WIDTH} {HEIGHT}"), role="img", aria_label=label
    )  # fmt: skip


def squarify(sizes: Sequence[float], box: Box) -> list[Box]:
    """A rectangle for each size, largest first, that fill the box and are as square as they come."""
    boxes: list[Box] = []
    scale = box.width * box.height / total if (total := sum(sizes)) else 0.0
    areas = [size * scale for size in sizes]
    at = 0
    while at < len(areas):
        side = min(box.width, box.height)
        end = at + 1
        while end < len(areas) and _worst(areas[at : end + 1], side) <= _worst(areas[at:end], side):
            end += 1
        row, box = _lay(areas[at:end], box)
        boxes += row
        at = end
    return boxes


def _worst(areas: Sequence[float], side: float) -> float:
    """The worst ratio of sides in a row along a side."""
    total = sum(areas)
    if not total or not side:
        return float("inf")
    return max(side * side * max(areas) / (total * total), total * total / (side * side * min(areas)))


def _lay(areas: Sequence[float], box: Box) -> tuple[list[Box], Box]:
    """A row along the shorter side, and what is left of the box."""
    total = sum(areas)
    row, at = [], 0.0
    if box.width >= box.height:
        depth = total / box.height if box.height else 0.0
        for area in areas:
            length = area / depth if depth else 0.0
            row.append(Box(box.x, box.y + at, depth, length))
            at += length
        return row, Box(box.x + depth, box.y, max(0.0, box.width - depth), box.height)
    depth = total / box.width if box.width else 0.0
    for area in areas:
        length = area / depth if depth else 0.0
        row.append(Box(box.x + at, box.y, length, depth))
        at += length
    return row, Box(box.x, box.y + depth, box.width, max(0.0, box.height - depth))


def _tree(files: Sequence[FileCell]) -> _Folder:
    root = _Folder("")
    for one in files:
        here = root
        here.size += one.code_lines
        for name in one.path.split("/")[:-1]:
            here = here.folders.setdefault(name, _Folder(name))
            here.size += one.code_lines
        here.files.append(one)
    return root


def _draw(root: _Folder, whole: Box, hardest: int) -> Iterator[Markup]:
    waiting = [(root, whole)]
    while waiting:  # a folder may lie deeper than calls may nest
        folder, box = waiting.pop()
        while len(folder.folders) == 1 and not folder.files:
            (only,) = folder.folders.values()
            folder = _Folder(
                f"{folder.name}/{only.name}" if folder.name else only.name,
                only.folders,
                only.files,
                only.size,
            )
        if folder is not root and box.width > _LEAST_FOR_HEAD[0] and box.height > _LEAST_FOR_HEAD[1]:
            yield _name(folder.name, box, class_="folder")
            box = Box(box.x + 1, box.y + _HEAD, box.width - 2, box.height - _HEAD - 1)
        parts: list[_Folder | FileCell] = [*folder.folders.values(), *folder.files]
        parts.sort(key=lambda one: -_size(one))
        for part, place in zip(parts, squarify([_size(one) for one in parts], box), strict=True):
            if isinstance(part, _Folder):
                waiting.append((part, place))
            elif place.width > _LEAST_SIDE and place.height > _LEAST_SIDE:
                yield _cell(part, place, hardest)


def _size(one: _Folder | FileCell) -> int:
    return one.size if isinstance(one, _Folder) else one.code_lines


def _cell(one: FileCell, box: Box, hardest: int) -> Markup:
    debt = "not measured" if one.debt is None else f"{one.debt:g} of {_MOST_DEBT}"
    told = (
        f"{one.path}: {one.code_lines:,} lines of code, debt {debt}, cognitive complexity {one.cognitive:,}"
    )
    by_debt = step((one.debt or 0) / _MOST_DEBT)
    # Few files have most of the complexity, so its root tells the others apart.
    by_complexity = step((one.cognitive / hardest) ** 0.5 if hardest else 0)
    rectangle = element(
        "rect", element("title", told), class_=f"file s{by_debt}", data_debt=by_debt, data_complexity=by_complexity,
        x=round(box.x, 1), y=round(box.y, 1), width=round(box.width, 1), height=round(box.height, 1),
    )  # fmt: skip
    if box.width < _LEAST_FOR_NAME[0] or box.height < _LEAST_FOR_NAME[1]:
        return rectangle
    return join([rectangle, _name(one.path.rpartition("/")[2], box, class_="name")])


def step(share: float) -> int:
    """Which of the colours a share between 0 and 1 gets."""
    return min(STEPS - 1, max(0, int(share * STEPS)))


def _name(name: str, box: Box, *, class_: str) -> Markup:
    room = int((box.width - 6) / _LETTER)
    shown = name if len(name) <= room else f"{name[: max(1, room - 1)]}…"
    return element("text", shown, class_=class_, x=round(box.x + 3, 1), y=round(box.y + 10.5, 1))
