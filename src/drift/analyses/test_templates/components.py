"""Components of React under test: what they show, by the library that the tests around render with."""

import re
from typing import Final

from drift.analyses.import_forms import ScriptHand, ScriptImport
from drift.analyses.source_text import read_lines
from drift.analyses.test_templates.habits import majority
from drift.analyses.test_templates.sheet import Plan
from drift.analyses.test_templates.subjects import Subject

_LIBRARY: Final = re.compile(
    r"from ['\"](@testing-library/[\w-]+|[^'\"\n]{0,80}?test-utils[^'\"\n]{0,80}+)['\"]"
)
_HOOK: Final = re.compile(r"use[A-Z]")
_MOST_LINES: Final = 1_000
_USUAL: Final = "@testing-library/react"


def is_component(subject: Subject) -> bool:
    """Whether a function is rendered rather than called, as its name and its file say."""
    symbol = subject.symbol
    is_page = symbol.path.endswith((".tsx", ".jsx"))
    return is_page and symbol.kind == "function" and symbol.name[:1].isupper() and "." not in symbol.qualname


def is_hook(subject: Subject) -> bool:
    """Whether a function runs only while a component is rendered, as its name says."""
    symbol = subject.symbol
    return symbol.kind == "function" and "." not in symbol.qualname and _HOOK.match(symbol.name) is not None


def import_hook_runner(plan: Plan, hand: ScriptHand) -> None:
    """Import what runs a hook."""
    plan.imports.add_form(ScriptImport(_USUAL, "named", hand), "renderHook")
    _say_if_missing(plan, _USUAL)


def _say_if_missing(plan: Plan, module: str) -> None:
    """A problem where no package.json above the test asks for the library."""
    around = plan.imports.around
    folder, texts = plan.test_path.rpartition("/")[0], []
    while around is not None:
        path = f"{folder}/package.json".lstrip("/")
        texts += read_lines(around.root, path, first=1, count=_MOST_LINES)
        if not folder:
            break
        folder = folder.rpartition("/")[0]
    if not any(f'"{module}"' in line for line in texts):
        plan.imports.problems.append(f"{module}: no package.json above the test asks for it")


def rendered(plan: Plan, subject: Subject, hand: ScriptHand) -> list[str]:
    """The lines that show a component and fail with what is there to see."""
    name = plan.imports.add_symbol(subject.symbol) or subject.symbol.name
    libraries = (found for each in plan.habits.samples for found in _LIBRARY.findall(each.text))
    module = majority(each for each in libraries if not each.startswith(".")) or _USUAL
    plan.imports.add_form(ScriptImport(module, "named", hand), "render")
    if module == _USUAL:
        _say_if_missing(plan, module)
    lines, given = [], ""
    if subject.parameters:
        is_typed = plan.test_path.endswith("tsx")
        wanted = " ".join((subject.parameters[0].type_text or "its properties").split())
        lines, given = (
            [f"const props = {{}}{' as never' if is_typed else ''}; // TODO: {wanted}", ""],
            " {...props}",
        )
    said = f"`TODO: say what {subject.symbol.name} should show; it shows ${{container.innerHTML}}`"
    return [*lines, f"const {{ container }} = render(<{name}{given} />);", "", f"throw new Error({said});"]
