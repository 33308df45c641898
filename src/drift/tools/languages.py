"""One tool for each language: what only it has, and how the project uses it."""

from typing import Annotated, Literal

from drift.analyses.language_profiles import Asked, LanguageData, find_in_language
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.arguments import ProjectFile
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer

_TOKENS = (150, 2000)

Area = Annotated[ProjectFile | None, "File or folder"]
FrameworkName = Annotated[str | None, Length(40), "routes: of this one"]
WithTests = Annotated[bool, "Tests, too"]


def _answer(call: Call, language: str, action: str, asked: Asked, page: Page) -> Answer[LanguageData]:
    with opened_index(call) as reader:
        found = find_in_language(reader, language, action, asked)
        return list_answer(call, page, found.rows, found.data, summary=found.summary, warnings=found.warnings)


@tool(
    category="detail",
    title="JavaScript and TypeScript",
    tokens=_TOKENS,
    needs=Layer.CALLS,
    languages=frozenset({"javascript", "typescript"}),
    examples=({}, {"action": "hooks"}),
)
def drift_typescript(
    call: Call,
    action: Literal["status", "routes", "components", "hooks", "errors", "decorators"] = "status",
    path: Area = None,
    framework: FrameworkName = None,
    include_tests: WithTests = False,
    page: Page = Page(),
) -> Answer[LanguageData]:
    """JavaScript and TypeScript of the project. Routes, React components, hooks against their rules, promises nobody awaits."""
    return _answer(call, "typescript", action, Asked(path, framework, include_tests), page)


@tool(
    category="detail",
    title="Python",
    tokens=_TOKENS,
    needs=Layer.CALLS,
    languages=frozenset({"python"}),
    examples=({}, {"action": "async"}),
)
def drift_python(
    call: Call,
    action: Literal["status", "routes", "errors", "decorators", "async"] = "status",
    path: Area = None,
    framework: FrameworkName = None,
    include_tests: WithTests = False,
    page: Page = Page(),
) -> Answer[LanguageData]:
    """Python of the project. Routes, decorators, handlers that hide errors, blocking calls in asynchronous functions."""
    return _answer(call, "python", action, Asked(path, framework, include_tests), page)
