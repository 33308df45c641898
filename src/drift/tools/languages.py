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
FrameworkName = Annotated[str | None, Length(40), "routes, data-access: of this one"]
WithTests = Annotated[bool, "Tests, too"]


def _answer(call: Call, language: str, action: str, asked: Asked, page: Page) -> Answer[LanguageData]:
    with opened_index(call) as reader:
        found = find_in_language(reader, call.project.root, language=language, action=action, asked=asked)
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
    action: Literal[
        "status", "routes", "components", "hooks", "errors", "data-access", "decorators"
    ] = "status",
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
    action: Literal["status", "routes", "errors", "data-access", "decorators", "async"] = "status",
    path: Area = None,
    framework: FrameworkName = None,
    include_tests: WithTests = False,
    page: Page = Page(),
) -> Answer[LanguageData]:
    """Python of the project. Routes, decorators, handlers that hide errors, blocking calls in asynchronous functions."""
    return _answer(call, "python", action, Asked(path, framework, include_tests), page)


@tool(
    category="detail",
    title="Java",
    tokens=_TOKENS,
    needs=Layer.CALLS,
    languages=frozenset({"java"}),
    examples=({}, {"action": "annotations"}),
)
def drift_java(
    call: Call,
    action: Literal["status", "routes", "errors", "data-access", "annotations"] = "status",
    path: Area = None,
    framework: FrameworkName = None,
    include_tests: WithTests = False,
    page: Page = Page(),
) -> Answer[LanguageData]:
    """Java of the project. Routes, annotations with counts and examples, handlers that hide errors."""
    return _answer(call, "java", action, Asked(path, framework, include_tests), page)


@tool(
    category="detail",
    title="PHP",
    tokens=_TOKENS,
    needs=Layer.CALLS,
    languages=frozenset({"php"}),
    examples=({}, {"action": "traits"}),
)
def drift_php(
    call: Call,
    action: Literal["status", "routes", "errors", "data-access", "traits"] = "status",
    path: Area = None,
    framework: FrameworkName = None,
    include_tests: WithTests = False,
    page: Page = Page(),
) -> Answer[LanguageData]:
    """PHP of the project. Routes, traits and who uses them, errors that are hidden or switched off."""
    return _answer(call, "php", action, Asked(path, framework, include_tests), page)


@tool(
    category="detail",
    title="Go",
    tokens=_TOKENS,
    needs=Layer.CALLS,
    languages=frozenset({"go"}),
    examples=({}, {"action": "goroutines"}),
)
def drift_go(
    call: Call,
    action: Literal["status", "routes", "errors", "data-access", "interfaces", "goroutines"] = "status",
    path: Area = None,
    framework: FrameworkName = None,
    include_tests: WithTests = False,
    page: Page = Page(),
) -> Answer[LanguageData]:
    """Go of the project. Routes, interfaces and who satisfies them, errors that nobody takes, goroutines without recover or end."""
    return _answer(call, "go", action, Asked(path, framework, include_tests), page)


@tool(
    category="detail",
    title="Rust",
    tokens=_TOKENS,
    needs=Layer.CALLS,
    languages=frozenset({"rust"}),
    examples=({}, {"action": "errors"}),
)
def drift_rust(
    call: Call,
    action: Literal["status", "routes", "errors", "data-access", "traits", "async", "unsafe"] = "status",
    path: Area = None,
    framework: FrameworkName = None,
    include_tests: WithTests = False,
    page: Page = Page(),
) -> Answer[LanguageData]:
    """Rust of the project. Routes, traits and impls, unwrap and panic outside tests, unsafe blocks, blocking calls in asynchronous functions."""
    return _answer(call, "rust", action, Asked(path, framework, include_tests), page)


@tool(
    category="detail",
    title="C and C++",
    tokens=_TOKENS,
    needs=Layer.CALLS,
    languages=frozenset({"cpp"}),
    examples=({}, {"action": "memory"}),
)
def drift_cpp(
    call: Call,
    action: Literal["status", "errors", "classes", "memory", "templates", "virtual"] = "status",
    path: Area = None,
    include_tests: WithTests = False,
    page: Page = Page(),
) -> Answer[LanguageData]:
    """C and C++ of the project. Memory asked for and given back by hand, classes, templates, destructors that should be virtual."""
    return _answer(call, "cpp", action, Asked(path, None, include_tests), page)


@tool(
    category="detail",
    title="C#",
    tokens=_TOKENS,
    needs=Layer.CALLS,
    languages=frozenset({"csharp"}),
    examples=({}, {"action": "async"}),
)
def drift_csharp(
    call: Call,
    action: Literal["status", "routes", "errors", "data-access", "attributes", "async"] = "status",
    path: Area = None,
    framework: FrameworkName = None,
    include_tests: WithTests = False,
    page: Page = Page(),
) -> Answer[LanguageData]:
    """C# of the project. Routes, attributes, async void, waiting for tasks in asynchronous methods, handlers that hide errors."""
    return _answer(call, "csharp", action, Asked(path, framework, include_tests), page)


@tool(
    category="detail",
    title="XAML",
    tokens=_TOKENS,
    needs=Layer.CALLS,
    languages=frozenset({"wpf"}),
    examples=({}, {"action": "bindings"}),
)
def drift_wpf(
    call: Call,
    action: Literal["status", "bindings", "mvvm", "datacontext", "commands"] = "status",
    path: Area = None,
    include_tests: WithTests = False,
    page: Page = Page(),
) -> Answer[LanguageData]:
    """XAML of the project (WPF, Avalonia, MAUI). Bindings that lead nowhere, contexts of views, commands, silent view models."""
    return _answer(call, "wpf", action, Asked(path, None, include_tests), page)
