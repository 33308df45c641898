"""Tests in C#: xUnit, NUnit, MSTest; Moq, NSubstitute or FakeItEasy where they are used."""

from typing import Final

from drift.analyses.import_forms import PlainImport
from drift.analyses.test_templates.arranging import Wording, arrange
from drift.analyses.test_templates.habits import majority
from drift.analyses.test_templates.sheet import (
    Argument,
    Draft,
    Plan,
    class_name,
    has_type_parameter,
    indent,
    last_part,
    project_type,
)
from drift.analyses.test_templates.subjects import Owner, Subject, Thrown

_STEP: Final = "    "
_MARKS: Final = {"xunit": "[Fact]", "nunit": "[Test]", "mstest": "[TestMethod]"}
_NAMESPACES: Final = {
    "xunit": "Xunit",
    "nunit": "NUnit.Framework",
    "mstest": "Microsoft.VisualStudio.TestTools.UnitTesting",
}
_MOCKS: Final = {
    "moq": ("Moq", "new Mock<{type}>().Object"),
    "nsubstitute": ("NSubstitute", "Substitute.For<{type}>()"),
    "fakeiteasy": ("FakeItEasy", "A.Fake<{type}>()"),
}


def write_csharp_test(plan: Plan) -> Draft:
    """A test class, or the methods to add to one."""
    tests = [_test(plan, subject, error) for subject in plan.subjects for error in (None, *subject.errors)]
    body = "\n\n".join("\n".join(indent(each, _STEP)) for each in tests)
    framework = plan.habits.framework.value
    _using(plan, _NAMESPACES[framework])
    if any(each.is_async for each in plan.subjects):
        _using(plan, "System.Threading.Tasks")
    statements = tuple(sorted(plan.imports.statements()))
    if plan.existing is not None:
        symbols = plan.reader.symbols.of_file(plan.existing.id)
        found = next((each for each in symbols if each.kind == "class"), None)
        place = (
            f"before line {found.end_line}, the end of class {found.name}" if found else "in the test class"
        )
        around = plan.imports.around
        have = {f"using {each.module};" for each in (around.own if around else ())}
        return Draft(f"{body}\n", place, tuple(each for each in statements if each not in have))
    stem = class_name(plan.test_path)
    if any(each.name == stem for each in plan.reader.symbols.of_file(plan.target.id)):
        stem += "Tests"  # or the name of what is tested would mean the test
    mark = "[TestClass]\n" if framework == "mstest" else ""
    head = "\n".join(statements)
    namespace = _namespace(plan)
    return Draft(f"{head}\n\nnamespace {namespace};\n\n{mark}public class {stem}\n{{\n{body}\n}}\n")


def _using(plan: Plan, namespace: str) -> None:
    plan.imports.add_form(PlainImport(f"using {namespace};"), namespace)


def _namespace(plan: Plan) -> str:
    """That of the tests in the same folder, or the code's own with Tests behind it."""
    folder = plan.test_path.rpartition("/")[0]
    beside = [path for path in plan.peers if path.rpartition("/")[0] == folder]
    records = (plan.reader.files.at(path) for path in beside)
    found = majority(each.package for each in records if each is not None and each.package)
    return found or f"{plan.target.package or 'Project'}.Tests"


def _test(plan: Plan, subject: Subject, error: Thrown | None) -> list[str]:
    case = f"throws {last_part(error.name)}" if error else ""
    name = plan.name(subject, case, fallback="Pascal_Parts")
    lines, call = arrange(plan, subject, _WORDING)
    lines += [""] if lines else []
    lines += _throws(plan, subject, error, call) if error else _checked(subject, call)
    opened = "public async Task" if subject.is_async else "public void"
    mark = _MARKS[plan.habits.framework.value]
    return [mark, f"{opened} {name}()", "{", *indent(lines, _STEP), "}"]


def _checked(subject: Subject, call: str) -> list[str]:
    name = subject.symbol.name
    called = f"await {call}" if subject.is_async else call
    if subject.symbol.return_text in {"void", "Task", "ValueTask"}:
        return [f"{called};", "", f'Assert.Fail("TODO: say what {name}() should have changed");']
    said = f'Assert.Fail($"TODO: say what {name}() should give; it gave {{result}}");'
    return [f"var result = {called};", "", said]


def _throws(plan: Plan, subject: Subject, error: Thrown, call: str) -> list[str]:
    plan.imports.add_name(error.name.partition(".")[0])
    if plan.imports.around is not None and last_part(error.name).startswith(
        ("Argument", "InvalidOperation", "NotSupported")
    ):
        _using(plan, "System")
    lead = f"// TODO: arguments that lead to {subject.symbol.path}:{error.line}"
    is_async = subject.is_async
    if plan.habits.assertion is not None and plan.habits.assertion.value == "fluentassertions":
        _using(plan, "FluentAssertions")
        kind = "Func<Task>" if is_async else "Action"
        check = (
            f"await act.Should().ThrowAsync<{error.name}>();"
            if is_async
            else f"act.Should().Throw<{error.name}>();"
        )
        _using(plan, "System")
        return [lead, f"{kind} act = () => {call};", check]
    throws = "ThrowsException" if plan.habits.framework.value == "mstest" else "Throws"
    if is_async:
        return [lead, f"await Assert.{throws}Async<{error.name}>(() => {call});"]
    # A block, so that a call that gives nothing back fits as well.
    return [lead, f"Assert.{throws}<{error.name}>(() => {{ {call}; }});"]


def _making(owner: Owner, variable: str, given: str) -> str:
    is_generic = owner.symbol is not None and f"{owner.name}<" in owner.symbol.signature
    if owner.obstacle is None and not is_generic:
        return f"var {variable} = new {owner.name}({given});"
    why = owner.obstacle or f"{owner.name} is generic: choose its types"
    return f"dynamic {variable} = null!; // TODO: {why}"


def _value(plan: Plan, each: Argument, *, is_dependency: bool) -> str:
    if each.expression is not None:
        if each.expression.startswith("CancellationToken"):
            _using(plan, "System.Threading")
        if each.expression.startswith("Guid"):
            _using(plan, "System")
        return f"var {each.name} = {each.expression};"
    type_text = " ".join((each.parameter.type_text or "object").split())
    for word in ("ref ", "out ", "in ", "this ", "params ", "scoped "):
        type_text = type_text.removeprefix(word)
    kind = project_type(plan, type_text)
    if kind is not None:
        plan.imports.add_symbol(kind)
    mock = plan.habits.mock.value if plan.habits.mock is not None else ""
    if is_dependency and plan.may_mock and mock in _MOCKS and kind is not None:
        namespace, form = _MOCKS[mock]
        _using(plan, namespace)
        return f"var {each.name} = {form.replace('{type}', type_text)};"
    if has_type_parameter(type_text) or type_text.endswith("*"):
        return f"dynamic {each.name} = null!; // TODO: {each.wanted}"
    return f"{type_text} {each.name} = default!; // TODO: {each.wanted}"


_WORDING: Final = Wording(("result", "act"), lambda owner: owner.name, _making, _value)
