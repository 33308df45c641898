"""Tests in Java: JUnit 3, 4 and 5, TestNG; Mockito where it is used."""

from typing import Final

from drift.analyses.import_forms import PathImport
from drift.analyses.test_templates.arranging import Wording, arrange
from drift.analyses.test_templates.naming import class_name
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
_TEST: Final = {
    "junit5": "org.junit.jupiter.api.Test",
    "junit4": "org.junit.Test",
    "testng": "org.testng.annotations.Test",
}
_ASSERTIONS: Final = {
    "junit5": "org.junit.jupiter.api.Assertions",
    "junit4": "org.junit.Assert",
    "testng": "org.testng.Assert",
}


def write_java_test(plan: Plan) -> Draft:
    """A test class, or the methods to add to one."""
    tests = [_test(plan, subject, error) for subject in plan.subjects for error in (None, *subject.errors)]
    body = "\n\n".join("\n".join(indent(each, _STEP)) for each in tests)
    framework = plan.habits.framework.value
    if framework in _TEST:
        home, _, name = _TEST[framework].rpartition(".")
        plan.imports.add_form(PathImport(f"import {home}."), name)
    statements = tuple(line for each in plan.imports.statements() for line in each.splitlines())
    ordered = tuple(sorted(statements, key=lambda each: ("import static" in each, each)))
    if plan.existing is not None:
        return Draft(f"{body}\n", _place(plan), _missing(plan, ordered))
    stem = class_name(plan.test_path)
    opened = "class" if framework == "junit5" else "public class"
    parent = " extends TestCase" if framework == "junit3" else ""
    if parent:
        ordered = ("import junit.framework.TestCase;", *ordered)
    package = f"package {plan.target.package};\n\n" if plan.target.package else ""
    return Draft(f"{package}{chr(10).join(ordered)}\n\n{opened} {stem}{parent} {{\n\n{body}\n}}\n")


def _place(plan: Plan) -> str:
    stem = plan.test_path.rpartition("/")[2].rpartition(".")[0]
    existing = plan.existing
    symbols = plan.reader.symbols.of_file(existing.id) if existing is not None else []
    found = next((each for each in symbols if each.kind == "class" and each.name == stem), None)
    found = found or next((each for each in symbols if each.kind == "class"), None)
    return f"before line {found.end_line}, the end of class {found.name}" if found else "in the test class"


def _missing(plan: Plan, statements: tuple[str, ...]) -> tuple[str, ...]:
    around = plan.imports.around
    own = around.own if around else ()
    have = {f"{each.module}.{each.name}" for each in own}
    starred = {each.module for each in own if each.name == "*"}
    return tuple(
        each
        for each in statements
        if (path := each.removeprefix("import ").removeprefix("static ").rstrip(";")) not in have
        and path.rpartition(".")[0] not in starred
    )


def _test(plan: Plan, subject: Subject, error: Thrown | None) -> list[str]:
    framework = plan.habits.framework.value
    case = f"throws {last_part(error.name)}" if error else ""
    lead = "test" if framework == "junit3" else None
    fallback = "test: camel" if framework == "junit3" else "camel"
    name = plan.name(subject, case, fallback=fallback, lead=lead)
    lines, call = arrange(plan, subject, _WORDING)
    lines += [""] if lines else []
    lines += _throws(plan, subject, error, call) if error else _checked(plan, subject, call)
    opened = "void" if framework == "junit5" else "public void"
    thrown = " throws Exception" if " throws " in subject.symbol.signature else ""
    mark = [] if framework == "junit3" else ["@Test"]
    return [*mark, f"{opened} {name}(){thrown} {{", *indent(lines, _STEP), "}"]


def _checked(plan: Plan, subject: Subject, call: str) -> list[str]:
    _static(plan, "fail")
    name = subject.symbol.name
    if subject.symbol.return_text == "void":
        return [f"{call};", "", f'fail("TODO: say what {name}() should have changed");']
    said = f'fail("TODO: say what {name}() should give; it gave " + result);'
    return [f"Object result = {call};", "", said]


def _throws(plan: Plan, subject: Subject, error: Thrown, call: str) -> list[str]:
    plan.imports.add_name(error.name.partition(".")[0])
    lead = f"// TODO: arguments that lead to {subject.symbol.path.rpartition('/')[2]}:{error.line}"
    framework = plan.habits.framework.value
    if plan.habits.assertion is not None and plan.habits.assertion.value == "assertj":
        plan.imports.add_form(
            PathImport("import static org.assertj.core.api.Assertions."), "assertThatThrownBy"
        )
        return [lead, f"assertThatThrownBy(() -> {call}).isInstanceOf({error.name}.class);"]
    if framework == "junit3":
        caught = [
            f"try {{ {call};",
            f'{_STEP}fail("expected {error.name}");',
            f"}} catch ({error.name} expected) {{",
        ]
        return [lead, *caught, f"{_STEP}// as it should be", "}"]
    _static(plan, "assertThrows")
    return [lead, f"assertThrows({error.name}.class, () -> {call});"]


def _static(plan: Plan, name: str) -> None:
    home = _ASSERTIONS.get(plan.habits.framework.value)
    if home is not None:
        plan.imports.add_form(PathImport(f"import static {home}."), name)


def _class_name(owner: Owner) -> str:
    return owner.name if owner.symbol is None else owner.symbol.qualname


def _can_make(owner: Owner) -> bool:
    """Whether `new` makes one: not of classes inside of others that belong to an object of these."""
    assert owner.symbol is not None  # asked by the caller
    is_inner = "." in owner.symbol.qualname and {"static", "record"}.isdisjoint(owner.symbol.modifiers)
    return owner.obstacle is None and not is_inner


def _making(owner: Owner, variable: str, given: str) -> str:
    assert owner.symbol is not None  # asked by the caller
    name = owner.symbol.qualname
    if not _can_make(owner):
        why = owner.obstacle or f"{name} belongs to an object of its outer class"
        return f"{name} {variable} = null; // TODO: {why}"
    return f"{name} {variable} = new {name}({given});"


def _value(plan: Plan, each: Argument, *, is_dependency: bool) -> str:
    type_text = " ".join((each.parameter.type_text or "Object").split())
    if has_type_parameter(type_text) or "@" in type_text:
        return f"var {each.name} = (Object) null; // TODO: {each.wanted}"
    plan.imports.add_type(type_text)
    if each.expression is not None:
        return f"{type_text} {each.name} = {each.expression};"
    is_mockito = plan.habits.mock is not None and plan.habits.mock.value == "mockito"
    kind = project_type(plan, type_text)
    if is_dependency and plan.may_mock and is_mockito and kind is not None and kind.kind != "enum":
        plan.imports.add_form(PathImport("import static org.mockito.Mockito."), "mock")
        return f"{type_text} {each.name} = mock({type_text}.class);"
    return f"{type_text} {each.name} = null; // TODO: {each.wanted}"


_WORDING: Final = Wording(("result",), _class_name, _making, _value, _can_make)
