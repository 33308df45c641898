"""Components of React under test: what they show, by the library that the tests around render with."""

import re
from typing import Final

from drift.analyses.import_forms import ScriptHand, ScriptImport
from drift.analyses.test_templates.habits import majority
from drift.analyses.test_templates.sheet import Plan
from drift.analyses.test_templates.subjects import Subject

_LIBRARY: Final = re.compile(
    r"from ['\"](@testing-library/[\w-]+|[^'\"\n]{0,80}?test-utils[^'\"\n]{0,80}+)['\"]"
)
_USUAL: Final = "@testing-library/react"


def is_component(subject: Subject) -> bool:
    """Whether a function is rendered rather than called, as its name and its file say."""
    symbol = subject.symbol
    is_page = symbol.path.endswith((".tsx", ".jsx"))
    return is_page and symbol.kind == "function" and symbol.name[:1].isupper() and "." not in symbol.qualname


def rendered(plan: Plan, subject: Subject, hand: ScriptHand) -> list[str]:
    """The lines that show a component and fail with what is there to see."""
    name = plan.imports.add_symbol(subject.symbol) or subject.symbol.name
    libraries = (found for each in plan.habits.samples for found in _LIBRARY.findall(each.text))
    module = majority(each for each in libraries if not each.startswith(".")) or _USUAL
    plan.imports.add_form(ScriptImport(module, "named", hand), "render")
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
