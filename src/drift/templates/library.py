"""The templates there are: those that come with Drift, and those of the project in `.drift/templates/`."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.reading import ProjectFiles, list_files
from drift.kernel.similar import similar_names
from drift.kernel.text import shorten
from drift.templates.definition import ANY, PART, Parameter, Template, read_parameters, read_template
from drift.templates.engine import TemplateError
from drift.templates.toolchains import toolchains

OWN_FOLDER: Final = ".drift/templates"

_MOST_OWN: Final = 100
_MOST_BYTES: Final = 200_000
_SCHEME: Final = "template://"
_LONGEST_URI: Final = 300
_OWN_NAME: Final = re.compile(rf"({PART.pattern})\.({PART.pattern})\.({PART.pattern})\.toml")


@dataclass(frozen=True, slots=True)
class Problem:
    """A template of the project that cannot be used, and why."""

    file: str
    problem: str


@dataclass(frozen=True, slots=True)
class Library:
    """Templates by their address, and what is wrong with those that are missing."""

    templates: Mapping[str, Template]
    problems: tuple[Problem, ...] = ()

    def find(self, uri: str) -> Template:
        """The template at an address. Raises INVALID_TEMPLATE_URI, TEMPLATE_NOT_FOUND."""
        category, toolchain, variant = parse_uri(uri)
        found = self.templates.get(f"{category}/{toolchain}/{variant}")
        if found is None and toolchain in toolchains():
            found = self.templates.get(f"{category}/{ANY}/{variant}")
        if found is not None:
            return found
        broken = next((each for each in self.problems if each.file.startswith(_own_stem(uri))), None)
        known = [each.uri for each in self.templates.values()]
        raise DriftError(
            ErrorCode.TEMPLATE_NOT_FOUND,
            f"There is no template {shorten(uri, 120)!r}"
            + (f": {broken.file}: {broken.problem}" if broken else ""),
            Recovery(
                similar=tuple(similar_names(uri, known)),
                alternative_tools=("list_templates", "search_templates"),
            ),
        )

    def select(self, toolchain: str | None = None, category: str | None = None) -> list[Template]:
        """The templates of a toolchain and category, in the order of listings. Raises INVALID_ARGUMENT for unknown ones."""
        _check("toolchain", toolchain, [*self.toolchains, ANY])
        _check("category", category, self.categories)
        return [
            each
            for each in self.templates.values()
            if (toolchain is None or each.toolchain in {toolchain, ANY}) and category in (None, each.category)
        ]

    @property
    def categories(self) -> list[str]:
        return sorted({each.category for each in self.templates.values()})

    @property
    def toolchains(self) -> list[str]:
        own = {each.toolchain for each in self.templates.values()} - toolchains().keys() - {ANY}
        return [*toolchains(), *sorted(own)]


def _check(argument: str, value: str | None, known: list[str]) -> None:
    if value is not None and value not in known:
        near = tuple(similar_names(value, known))
        raise invalid(argument, f"got {value[:60]!r}; there are {', '.join(known)}", similar=near)


def parse_uri(uri: str) -> tuple[str, str, str]:
    """Category, toolchain and variant of `template://makefile/rust/cli`. Raises INVALID_TEMPLATE_URI."""
    parts = (
        uri.removeprefix(_SCHEME).split("/") if uri.startswith(_SCHEME) and len(uri) <= _LONGEST_URI else []
    )
    if len(parts) != 3 or not all(map(PART.fullmatch, parts)):  # noqa: PLR2004 - the three named above
        raise DriftError(
            ErrorCode.INVALID_TEMPLATE_URI,
            f"{shorten(uri, 120)!r} is no template://CATEGORY/TOOLCHAIN/VARIANT",
            Recovery(alternative_tools=("list_templates",)),
        )
    return parts[0], parts[1], parts[2]


def load_library(root: Path | None) -> Library:
    """The templates that come with Drift, and those of the project at the root."""
    shipped = _shipped()
    if root is None:
        return Library(shipped)
    own, problems = _read_own(root, shipped)
    return Library({**shipped, **own}, tuple(problems))


@cache
def shared_parameters() -> Mapping[str, Parameter]:
    """The parameters that heads may name without declaring them."""
    return read_parameters(_parse(files(__package__), "data/parameters.toml"))


@cache
def _shipped() -> Mapping[str, Template]:
    data = files(__package__).joinpath("data")
    found = [template for folder in _folders(data) for template in _read_folder(folder)]
    order = [*toolchains(), ANY]
    found.sort(key=lambda each: (each.category, order.index(each.toolchain), each.variant))
    return {f"{each.category}/{each.toolchain}/{each.variant}": each for each in found}


def _folders(data: Traversable) -> list[Traversable]:
    return [
        each
        for each in data.iterdir()
        if each.is_dir() and PART.fullmatch(each.name) and each.name != "toolchains"
    ]


def _read_folder(folder: Traversable) -> Iterable[Template]:
    """The templates of a category; one that tells of any toolchain stands for each that has none of that variant."""
    heads = sorted(each.name for each in folder.iterdir() if each.name.endswith(".toml"))
    named = [head.removesuffix(".toml").partition(".") for head in heads]
    special = {(toolchain, variant) for toolchain, _dot, variant in named}
    for toolchain, _dot, variant in named:
        stem = f"{toolchain}.{variant}"
        body = folder.joinpath(f"{stem}.tmpl").read_text("utf-8")
        head = _parse(folder, f"{stem}.toml")
        place = (folder.name, toolchain, variant)
        template = read_template(place, head, body, shared=shared_parameters(), origin="drift")
        if toolchain != ANY or "toolchain." not in body:
            yield template  # the same for all
            continue
        for name in toolchains():
            if (name, variant) not in special:
                yield replace(template, toolchain=name)


def _parse(folder: Traversable, name: str) -> dict[str, Any]:
    return tomllib.loads(folder.joinpath(name).read_text("utf-8"))


def _read_own(root: Path, shipped: Mapping[str, Template]) -> tuple[dict[str, Template], list[Problem]]:
    names = [name for name in list_files(root, OWN_FOLDER) if name.endswith(".toml")]
    found: dict[str, Template] = {}
    problems: list[Problem] = []
    with ProjectFiles(root) as project:
        for name in names[:_MOST_OWN]:
            try:
                template = _read_one(project, name)
                key = f"{template.category}/{template.toolchain}/{template.variant}"
                if key in shipped:
                    raise TemplateError("Drift has a template at this address; choose another variant")
                template.read()
                found[key] = template
            except (OSError, ValueError) as error:
                problems.append(Problem(f"{OWN_FOLDER}/{shorten(name, 100)}", shorten(str(error), 300)))
    if len(names) > _MOST_OWN:
        problems.append(
            Problem(OWN_FOLDER, f"only the first {_MOST_OWN} of {len(names)} templates were read")
        )
    return found, problems


def _read_one(project: ProjectFiles, name: str) -> Template:
    matched = _OWN_NAME.fullmatch(name)
    if matched is None:
        raise TemplateError("it is not called CATEGORY.TOOLCHAIN.VARIANT.toml")
    head = tomllib.loads(_text(project, name))
    body = _text(project, name.removesuffix(".toml") + ".tmpl")
    place = (matched[1], matched[2], matched[3])
    return read_template(place, head, body, shared=shared_parameters(), origin="project")


def _text(project: ProjectFiles, name: str) -> str:
    """A file of the folder; no links, for those that came with the repository may lead to what it has no right to."""
    try:
        content = project.read(f"{OWN_FOLDER}/{name}", _MOST_BYTES, follow_links=False)
    except OSError as error:
        raise TemplateError(f"{shorten(name, 100)} cannot be read: {error.strerror}") from error
    return content.decode("utf-8").replace("\r\n", "\n")


def _own_stem(uri: str) -> str:
    return f"{OWN_FOLDER}/{'.'.join(uri.removeprefix(_SCHEME).split('/'))}."
