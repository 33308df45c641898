"""Which templates make up a new project, and the files they make together."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.similar import similar_names
from drift.templates.checking import require_valid
from drift.templates.definition import Template
from drift.templates.filling import FilledTemplate, fill
from drift.templates.library import Library, shared_parameters

ALL: Final = "all"
_LICENCE, _TEST = "licence", "test"
_ORDER: Final = (
    "manifest", "source", _TEST, "makefile", "readme", "gitignore", "editorconfig", "ci", "pre-commit", "dockerfile",
    _LICENCE, "agents",
)  # fmt: skip
_MOST_FILES: Final = 200


def choose_templates(
    library: Library, toolchain: str, wanted: Sequence[str], *, given: Mapping[str, Any]
) -> list[Template]:
    """The templates that names mean for a toolchain: categories, CATEGORY/VARIANT, addresses, or `all`.

    A category means all its templates but of licences the one that is wanted, and no test where there are to be none.
    Raises INVALID_ARGUMENT for an unknown toolchain, TEMPLATE_NOT_FOUND.
    """
    library.select(toolchain)  # raises where there is none of that name
    names = [each for name in wanted or [ALL] for each in (_ORDER if name == ALL else (name,))]
    chosen = [template for name in names for template in _meant(library, toolchain, name, given=given)]
    return list({each.uri: each for each in chosen}.values())


def make_files(templates: Sequence[Template], given: Mapping[str, Any], *, year: int) -> list[FilledTemplate]:
    """The files of templates with values they share. Raises PARAMETER_VALIDATION_FAILED, INVALID_ARGUMENT."""
    if len(templates) > _MOST_FILES:
        raise invalid("templates", f"{len(templates)} are more than {_MOST_FILES}")
    if facts := next((each for each in templates if each.uses_project), None):
        hint = "generate_template makes it."
        raise invalid("templates", f"{facts.uri} tells of a project that is there already", hint=hint)
    require_valid(templates, given)
    made = [fill(template, given, year=year) for template in templates]
    seen: dict[str, str] = {}
    for each in made:
        # Systems differ in whether two cases are two files.
        if (other := seen.setdefault(each.filename.lower(), each.template)) != each.template:
            raise invalid("templates", f"{other} and {each.template} both make {each.filename}")
    return made


def _meant(library: Library, toolchain: str, name: str, *, given: Mapping[str, Any]) -> Iterator[Template]:
    if name.startswith("template://"):
        yield library.find(name)
        return
    category, _slash, variant = name.partition("/")
    if variant:
        yield library.find(f"template://{category}/{toolchain}/{variant}")
        return
    found = [
        each for each in library.select(toolchain) if each.category == category and not each.uses_project
    ]
    if not found:
        raise _unknown(library, toolchain, category)
    # The project's own stand in for none of Drift's unless they are named.
    shipped = [each for each in found if each.origin == "drift"]
    if category == _LICENCE and shipped:
        shipped = [each for each in shipped if each.variant == _licence_variant(given)]
    if category == _TEST and given.get("has_tests") is False:
        return
    yield from shipped or found


def _licence_variant(given: Mapping[str, Any]) -> str:
    parameter = shared_parameters()["license"]
    chosen = given.get(parameter.name)
    spdx = chosen if chosen in parameter.enum else parameter.default
    return str(spdx).lower().replace(".", "-")


def _unknown(library: Library, toolchain: str, category: str) -> DriftError:
    known = sorted({each.category for each in library.select(toolchain)})
    return DriftError(
        ErrorCode.TEMPLATE_NOT_FOUND,
        f"{toolchain} has no templates called {category[:60]!r}; there are {', '.join(known)}",
        Recovery(similar=tuple(similar_names(category, known)), alternative_tools=("list_templates",)),
    )
