"""Tests in PHP: PHPUnit classes or Pest functions; Mockery, Prophecy or PHPUnit's own mocks."""

from typing import Final

from drift.analyses.import_forms import PathImport
from drift.analyses.test_templates.habits import majority
from drift.analyses.test_templates.naming import class_name, root_of
from drift.analyses.test_templates.sheet import (
    Argument,
    Draft,
    Plan,
    arguments,
    indent,
    last_part,
    variable_for,
)
from drift.analyses.test_templates.subjects import Subject, Thrown

_STEP: Final = "    "
_SIMPLE: Final = frozenset(
    {
        "self",
        "static",
        "array",
        "string",
        "int",
        "float",
        "bool",
        "mixed",
        "callable",
        "iterable",
        "object",
        "null",
    }
)


def write_php_test(plan: Plan) -> Draft:
    """A test class or file of functions, or what to add to one."""
    is_pest = plan.habits.framework.value == "pest"
    step = "" if is_pest else _STEP
    tests = [
        _test(plan, subject, error, is_pest=is_pest)
        for subject in plan.subjects
        for error in (None, *subject.errors)
    ]
    body = "\n\n".join("\n".join(indent(each, step)) for each in tests)
    _import_global(plan)
    parent = "" if is_pest or _is_in_class(plan) else _parent(plan)
    statements = tuple(sorted(line for each in plan.imports.statements() for line in each.splitlines()))
    if plan.existing is not None:
        symbols = plan.reader.symbols.of_file(plan.existing.id)
        found = next((each for each in symbols if each.kind == "class"), None)
        place = (
            f"before line {found.end_line}, the end of class {found.name}"
            if found
            else "at the end of the file"
        )
        if found is None and not is_pest:
            body = f"class {plan.free(class_name(plan.test_path))} extends {parent}\n{{\n{body}\n}}"
        around = plan.imports.around
        have = {
            f"use {each.module}\\{each.name};".replace("\\\\", "\\")
            for each in (around.own if around else ())
        }
        return Draft(f"{body}\n", place, tuple(each for each in statements if each not in have))
    namespace = _namespace(plan)
    head = f"<?php\n\n{f'namespace {namespace};{chr(10) * 2}' if namespace and not is_pest else ''}"
    uses = "\n".join(statements) + "\n\n" if statements else ""
    if is_pest:
        return Draft(f"{head}{uses}{body}\n")
    stem = class_name(plan.test_path)
    return Draft(f"{head}{uses}class {stem} extends {parent}\n{{\n{body}\n}}\n")


def _import_global(plan: Plan) -> None:
    """Use the classes without a namespace by name, which means something else inside of one."""
    home = _namespace(plan) if plan.existing is None else plan.existing.package
    for each in plan.subjects:
        owner = each.owner.symbol if each.owner is not None else None
        record = plan.reader.files.at(owner.path) if owner is not None else None
        if owner is not None and home and record is not None and not record.package:
            plan.imports.add_form(PathImport("use "), owner.name)


def _is_in_class(plan: Plan) -> bool:
    symbols = plan.reader.symbols.of_file(plan.existing.id) if plan.existing is not None else []
    return any(each.kind == "class" for each in symbols)


def _parent(plan: Plan) -> str:
    """The class that test classes around derive from."""
    whole = majority(
        _whole_name(plan, each.path, base.text)
        for sample in plan.habits.samples
        for each in sample.classes
        for base in plan.reader.symbols.bases(each.id)
        if each.name.endswith("Test")
        or (base.text.endswith("TestCase") and not each.name.endswith("TestCase"))
    )
    home, _, name = (whole or "PHPUnit\\Framework\\TestCase").rpartition("\\")
    if home and (plan.existing is not None or home != _namespace(plan)):
        plan.imports.add_form(PathImport(f"use {home}\\"), name)
    return name


def _whole_name(plan: Plan, path: str, name: str) -> str:
    """A class as a file names it, with its namespace."""
    file = plan.reader.files.at(path)
    if "\\" in name or file is None:
        return name.strip("\\")
    known = next((one for one in plan.reader.facts.imports_of(file.id) if one.alias == name), None)
    home = known.module.strip("\\") if known is not None else file.package or ""
    last = known.name if known is not None and known.name else name
    return f"{home}\\{last}" if home else last


def _namespace(plan: Plan) -> str:
    folder = plan.test_path.rpartition("/")[0]
    beside = [path for path in plan.peers if path.rpartition("/")[0] == folder]
    records = (plan.reader.files.at(path) for path in beside)
    found = majority(each.package or "" for each in records if each is not None)
    if found is not None:
        return found
    known = (each for path in plan.peers if (each := plan.reader.files.at(path)) is not None and each.package)
    roots = (root_of(each.path, each.package or "", "\\") for each in known)
    for home, name in (each for each in roots if f"{folder}/".startswith(f"{each[0]}/".lstrip("/"))):
        return "\\".join([name, *(part for part in folder[len(home) :].split("/") if part)])
    parts = [part[:1].upper() + part[1:] for part in folder.split("/") if part.isidentifier()]
    return "\\".join(parts)


def _test(plan: Plan, subject: Subject, error: Thrown | None, *, is_pest: bool) -> list[str]:
    lines, call = _arranged(plan, subject)
    lines += [""] if lines else []
    name = subject.symbol.name
    if is_pest:
        what = f"throws {last_part(error.name)}" if error else "gives the expected result"
        lines += _pest_throws(plan, subject, error, call) if error else _checked(subject, call)
        return [f"it('{plan.free(f'{name} {what}')}', function () {{", *indent(lines, _STEP), "});"]
    case = f"throws {last_part(error.name)}" if error else ""
    named = plan.name(subject, case, fallback="test: camel", lead="test")
    lines = [*lines, *(_throws(plan, subject, error, call) if error else _checked(subject, call))]
    return [f"public function {named}(): void", "{", *indent(lines, _STEP), "}"]


def _checked(subject: Subject, call: str) -> list[str]:
    name = subject.symbol.name
    if subject.symbol.return_text in {"void", "never"}:
        return [f"{call};", "", f"$this->fail('TODO: say what {name}() should have changed');"]
    said = f"'TODO: say what {name}() should give; it gave ' . get_debug_type($result)"
    return [f"$result = {call};", "", f"$this->fail({said});"]


def _error_class(plan: Plan, error: Thrown) -> str:
    if error.name.startswith("\\"):
        return f"{error.name}::class"
    plan.imports.add_name(error.name.partition("\\")[0])
    known = plan.imports.known(error.name)
    is_global = known is None and "\\" not in error.name and not plan.reader.symbols.named(error.name)
    return f"\\{error.name}::class" if is_global else f"{error.name}::class"


def _throws(plan: Plan, subject: Subject, error: Thrown, call: str) -> list[str]:
    lead = f"// TODO: arguments that lead to {subject.symbol.path}:{error.line}"
    return [lead, f"$this->expectException({_error_class(plan, error)});", "", f"{call};"]


def _pest_throws(plan: Plan, subject: Subject, error: Thrown, call: str) -> list[str]:
    lead = f"// TODO: arguments that lead to {subject.symbol.path}:{error.line}"
    return [lead, f"expect(fn () => {call})->toThrow({_error_class(plan, error)});"]


def _arranged(plan: Plan, subject: Subject) -> tuple[list[str], str]:
    symbol, owner = subject.symbol, subject.owner
    lines: list[str] = []
    taken = ["result", "this"]
    if owner is None or owner.symbol is None:
        plan.imports.add_symbol(symbol)
        called = symbol.name
    else:
        plan.imports.add_symbol(owner.symbol)
        variable = variable_for(owner.name, snake=False)
        taken.append(variable)
        called = f"{owner.name}::{symbol.name}" if subject.is_static else f"${variable}->{symbol.name}"
        if not subject.is_static:
            made = arguments(plan, owner.parameters, avoid=taken)
            lines += [_value(plan, each, is_dependency=True) for each in made]
            given = ", ".join(f"${each.name}" for each in made)
            making = (
                f"new {owner.name}({given});"
                if owner.obstacle is None
                else f"null; // TODO: {owner.obstacle}"
            )
            lines.append(f"${variable} = {making}")
            taken += [each.name for each in made]
    found = arguments(plan, subject.parameters, avoid=taken)
    lines += [_value(plan, each, is_dependency=False) for each in found]
    return lines, f"{called}({', '.join(f'${each.name}' for each in found)})"


def _value(plan: Plan, each: Argument, *, is_dependency: bool) -> str:
    if each.expression is not None:
        return f"${each.name} = {each.expression};"
    type_text = (each.parameter.type_text or "").strip("?").partition("<")[0]  # what only comments say
    is_class = type_text.strip("\\").replace("\\", "").isidentifier() and type_text.lower() not in _SIMPLE
    is_asked_for = is_dependency or not (each.parameter.type_text or "").startswith("?")
    if not (is_asked_for and is_class and plan.may_mock):
        return f"${each.name} = null; // TODO: {each.wanted}"
    plan.imports.add_name(type_text.partition("\\")[0] if not type_text.startswith("\\") else "")
    way = plan.habits.mock.value if plan.habits.mock is not None else "createMock"
    if way == "mockery":
        return f"${each.name} = \\Mockery::mock({type_text}::class);"
    if way == "prophecy":
        return f"${each.name} = $this->prophesize({type_text}::class)->reveal();"
    return f"${each.name} = $this->createMock({type_text}::class);"
