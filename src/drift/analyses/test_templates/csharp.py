"""Tests in C#: xUnit, NUnit, MSTest; Moq, NSubstitute or FakeItEasy where they are used."""

import re
from typing import Final

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.import_forms import PlainImport
from drift.analyses.test_templates.arranging import Wording, arrange
from drift.analyses.test_templates.habits import majority
from drift.analyses.test_templates.naming import class_name, root_of
from drift.analyses.test_templates.sheet import (
    Argument,
    Draft,
    Plan,
    has_type_parameter,
    indent,
    last_part,
    project_type,
)
from drift.analyses.test_templates.subjects import Owner, Subject, Thrown

_STEP: Final = "    "
_FILE_SCOPED: Final = re.compile(r"^namespace [\w.]+;", re.MULTILINE)
_WORD: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_EVERYWHERE: Final = ("GlobalUsings.cs", "GlobalUsing.cs", "Usings.cs", "Imports.cs")
_KEYWORDS: Final = frozenset(
    """
    bool byte sbyte char decimal double float int uint nint nuint long ulong short ushort object string dynamic void
    Task Guid CancellationToken List Dictionary IEnumerable IList ICollection IReadOnlyList HashSet DateTime TimeSpan
    DateTimeOffset Func Action Uri Type Exception Stream
    """.split()  # noqa: SIM905 - as long as a list of quoted words it would not be read
)
_OF_SYSTEM: Final = {
    "System": {"Guid", "DateTime", "TimeSpan", "DateTimeOffset", "Func", "Action", "Uri", "Type", "Exception"},
    "System.Collections.Generic": {
        "List", "Dictionary", "IEnumerable", "IList", "ICollection", "IReadOnlyList", "HashSet",
    },
    "System.IO": {"Stream"},
    "System.Threading": {"CancellationToken"},
    "System.Threading.Tasks": {"Task"},
}  # fmt: skip
_OLD_XUNIT: Final = re.compile(r"(?:1|2\.[0-4])\b")
_NOTHING: Final = frozenset({"void", "Task", "ValueTask"})
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
    lines = f"{mark}public class {stem}\n{{\n{body}\n}}".split("\n")
    if _has_blocks(plan):
        inner = "\n".join(indent(lines, _STEP))
        return Draft(f"{head}\n\nnamespace {namespace}\n{{\n{inner}\n}}\n")
    inner = "\n".join(lines)
    return Draft(f"{head}\n\nnamespace {namespace};\n\n{inner}\n")


def _has_blocks(plan: Plan) -> bool:
    """Whether the tests around have their namespaces in braces, which older compilers ask for."""
    texts = [sample.text for sample in plan.habits.samples]
    return bool(texts) and not any(_FILE_SCOPED.search(text) for text in texts)


def _using(plan: Plan, namespace: str) -> None:
    plan.imports.add_form(PlainImport(f"using {namespace};"), namespace)


def _namespace(plan: Plan) -> str:
    """What the tests around have for their folders, or the code's own with Tests behind it."""
    folder = plan.test_path.rpartition("/")[0]
    beside = [path for path in plan.peers if path.rpartition("/")[0] == folder]
    records = [each for path in plan.peers if (each := plan.reader.files.at(path)) is not None]
    found = majority(each.package for each in records if each.package and each.path in beside)
    roots = (root_of(each.path, each.package, ".") for each in records if each.package)
    for home, name in (each for each in roots if f"{folder}/".startswith(f"{each[0]}/".lstrip("/"))):
        inner = [part for part in folder[len(home) :].split("/") if part]
        found = found or ".".join([name, *inner])
    return found or _named_after(folder) or f"{plan.target.package or 'Project'}.Tests"


def _named_after(folder: str) -> str | None:
    """The namespace of a project that is named after its folder, with the folders inside of that."""
    parts = folder.split("/")
    at = next((number for number, part in enumerate(parts) if "." in part and "Test" in part), None)
    return ".".join(parts[at:]) if at is not None else None


def _test(plan: Plan, subject: Subject, error: Thrown | None) -> list[str]:
    case = f"throws {last_part(error.name)}" if error else ""
    name = plan.name(subject, case, fallback="Pascal_Parts")
    lines, call = arrange(plan, subject, _WORDING)
    lines += [""] if lines else []
    lines += _throws(plan, subject, error, call) if error else _checked(plan, subject, call)
    opened = "public async Task" if subject.is_async else "public void"
    mark = _MARKS[plan.habits.framework.value]
    return [mark, f"{opened} {name}()", "{", *indent(lines, _STEP), "}"]


def _checked(plan: Plan, subject: Subject, call: str) -> list[str]:
    name = subject.symbol.name
    # xUnit has Assert.Fail since 2.5.
    is_old = _OLD_XUNIT.match(plan.versions.get("xunit", "")) and plan.habits.framework.value == "xunit"
    fail = "throw new Xunit.Sdk.XunitException" if is_old else "Assert.Fail"
    called = f"await {call}" if subject.is_async else call
    if subject.symbol.return_text in _NOTHING:
        return [f"{called};", "", f'{fail}("TODO: say what {name}() should have changed");']
    said = f'{fail}($"TODO: say what {name}() should give; it gave {{result}}");'
    return [f"var result = {called};", "", said]


def _throws(plan: Plan, subject: Subject, error: Thrown, call: str) -> list[str]:
    _import_types(plan, error.name)
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


def _class_name(owner: Owner) -> str:
    """A class with those around it."""
    return owner.symbol.qualname if owner.symbol is not None else owner.name


def _can_make(owner: Owner) -> bool:
    is_generic = owner.symbol is not None and re.search(
        rf"(?<!\w){owner.name}<", owner.symbol.signature.partition(":")[0]
    )
    return owner.obstacle is None and not is_generic


def _making(owner: Owner, variable: str, given: str) -> str:
    if _can_make(owner):
        return f"var {variable} = new {_class_name(owner)}({given});"
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
    if _is_open(plan, type_text) or type_text.endswith("*"):
        return f"dynamic {each.name} = null!; // TODO: {each.wanted}"
    kind = project_type(plan, type_text)
    _import_types(plan, type_text)
    type_text = _WORD.sub(lambda found: _with_outer(plan, found[0]), type_text)
    mock = plan.habits.mock.value if plan.habits.mock is not None else ""
    if is_dependency and plan.may_mock and mock in _MOCKS and kind is not None:
        namespace, form = _MOCKS[mock]
        _using(plan, namespace)
        return f"var {each.name} = {form.replace('{type}', type_text)};"
    return f"{type_text} {each.name} = default!; // TODO: {each.wanted}"


def _is_open(plan: Plan, type_text: str) -> bool:
    """Whether a type is said with parameters of a generic class or method, which only that can name."""
    symbols = [each for one in plan.subjects for each in (one.symbol, one.owner and one.owner.symbol) if each]
    lists = [found for one in symbols for found in re.findall(rf"\b{one.name}<([^<>()]*)>", one.signature)]
    names = {name for each in lists for name in _WORD.findall(each)}
    return has_type_parameter(type_text) or not names.isdisjoint(_WORD.findall(type_text))


def _import_types(plan: Plan, type_text: str) -> None:
    """Use the namespaces of a type; of one that the project does not declare all that the file under test uses."""
    for name in _WORD.findall(type_text):
        if name in _KEYWORDS:
            for namespace in (each for each, names in _OF_SYSTEM.items() if name in names):
                _using(plan, namespace)
            continue
        kind = project_type(plan, name)
        if kind is not None:
            plan.imports.add_symbol(kind)
        else:
            for namespace in _used(plan):
                _using(plan, namespace)


def _with_outer(plan: Plan, name: str) -> str:
    """A type that is declared in a class of the file with the name of that, which a test has to say."""
    symbols = plan.reader.symbols.of_file(plan.target.id)
    inner = [each for each in symbols if each.name == name and each.kind in CLASS_KINDS and each.parent_id]
    by_id = {each.id: each for each in symbols}
    for each in inner:
        outer = by_id.get(each.parent_id) if each.parent_id is not None else None
        if outer is not None and outer.kind in CLASS_KINDS:
            return f"{_with_outer(plan, outer.name)}.{name}"
    return name


def _used(plan: Plan) -> list[str]:
    """The namespaces that the file under test uses, and those its project uses everywhere."""
    folders = plan.target.path.split("/")[:-1]
    above = ["/".join(folders[:count]) for count in range(len(folders) + 1)]
    paths = [plan.target.path, *(f"{each}/{name}".lstrip("/") for each in above for name in _EVERYWHERE)]
    records = (plan.reader.files.at(path) for path in paths)
    imports = [one for each in records if each is not None for one in plan.reader.facts.imports_of(each.id)]
    said = (one.module for one in imports if one.name == "*" and one.alias is None)
    # What every project has says nothing of a type.
    return list(dict.fromkeys([*said, *(one for one in plan.implied if one.startswith("Microsoft."))]))


_WORDING: Final = Wording(("result", "act"), _class_name, _making, _value, _can_make)
