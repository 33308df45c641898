"""Tests in Python: pytest functions, pytest classes, unittest cases."""

import keyword
from collections import Counter
from typing import Final

from drift.analyses.import_forms import PlainImport, PythonImport
from drift.analyses.test_templates.habits import majority
from drift.analyses.test_templates.sheet import (
    Argument,
    Draft,
    Plan,
    arguments,
    indent,
    last_part,
    project_type,
    variable_for,
)
from drift.analyses.test_templates.subjects import Subject, Thrown
from drift.index.records import BaseRecord

_STEP: Final = "    "
_CASES: Final = ("TestCase", "TestBase")
_MOST_BESIDE: Final = 40
_ASYNC_MARKS: Final = ("pytest.mark.asyncio", "pytest.mark.anyio")


def write_python_test(plan: Plan) -> Draft:
    """A module of tests, or the tests to add to one."""
    is_unittest = plan.habits.framework.value == "unittest"
    if is_unittest or plan.habits.style.value == "classes":
        blocks = _classes(plan, is_unittest=is_unittest)
    else:
        blocks = ["\n".join(each) for each in _tests(plan, plan.subjects, receiver="")]
    body = "\n\n\n".join(blocks) + "\n"
    if not is_unittest:
        plan.imports.add_form(PlainImport("import pytest"), "pytest")
    statements = _sorted(plan.imports.statements())
    if plan.existing is not None:
        return Draft(body, "at the end of the file", _missing(plan, statements))
    return Draft("\n".join([*statements, "", "", body]))


def _sorted(statements: tuple[str, ...]) -> tuple[str, ...]:
    """Whole modules first, as formatters order them."""
    return tuple(sorted(statements, key=lambda each: not each.startswith("import ")))


def _missing(plan: Plan, statements: tuple[str, ...]) -> tuple[str, ...]:
    """Without the modules that the file imports already."""
    around = plan.imports.around
    have = {f"import {each.module}" for each in (around.own if around else ()) if each.name is None}
    return tuple(each for each in statements if each not in have)


def _classes(plan: Plan, *, is_unittest: bool) -> list[str]:
    """One class for each class under test, one more for the functions."""
    groups: dict[str, list[Subject]] = {}
    bare = [each for each in plan.subjects if each.owner is None]
    stem = plan.target.path.rpartition("/")[2].removesuffix(".py").strip("_")
    alone = bare[0].symbol.name if len(bare) == 1 else stem
    for each in plan.subjects:
        groups.setdefault(each.owner.name if each.owner else alone, []).append(each)
    parent = f"({_parent(plan)})" if is_unittest else ""
    blocks = []
    for name, subjects in groups.items():
        title = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
        header = f"class {plan.free(f'{title}Tests' if is_unittest else f'Test{title}')}{parent}:"
        tests = ["\n".join(indent(each, _STEP)) for each in _tests(plan, subjects, receiver="self")]
        blocks.append(f"{header}\n" + "\n\n".join(tests))
    return blocks


def _parent(plan: Plan) -> str:
    """The class that test classes around derive from, and none that only has its name."""
    bases = [base for each in _classes_beside(plan) for base in each if base.text.endswith(_CASES)]
    found = majority(each.text for each in bases)
    if (
        found is not None
        and "." not in found
        and _import_parent(plan, [one for one in bases if one.text == found])
    ):
        return found
    plan.imports.add_form(PlainImport("import unittest"), "unittest")
    return "unittest.TestCase"


def _classes_beside(plan: Plan) -> list[list[BaseRecord]]:
    """The parents of each test class of the file there is, else of those in its folder, else of those learnt from."""
    folder = plan.test_path.rpartition("/")[0]
    beside = [path for path in plan.peers if path.rpartition("/")[0] == folder][:_MOST_BESIDE]
    own = [plan.test_path] if plan.existing is not None else []
    for paths in (own, beside, [sample.path for sample in plan.habits.samples]):
        records = [file for path in paths if (file := plan.reader.files.at(path)) is not None]
        found = [
            bases
            for file in records
            for each in plan.reader.symbols.of_file(file.id)
            if each.kind == "class" and (bases := plan.reader.symbols.bases(each.id))
        ]
        if any(base.text.endswith(_CASES) for bases in found for base in bases):
            return found
    return []


def _import_parent(plan: Plan, bases: list[BaseRecord]) -> bool:
    """Import what most of the tests around mean by the name of their parent."""
    name = bases[0].text
    own = Counter(one.target_symbol_id for one in bases if one.target_symbol_id is not None)
    outside = majority(one.external_name for one in bases if one.external_name)
    symbol = plan.reader.symbols.get(own.most_common(1)[0][0]) if own else None
    if symbol is not None and 2 * own[symbol.id] >= len(bases):
        plan.imports.add_symbol(symbol)
        return True
    if outside is None or not outside.endswith(f".{name}"):
        return plan.imports.add_outside(name)
    around = plan.imports.around
    named = [one for one in around.own if (one.alias or one.name) == name] if around is not None else []
    if not named:
        plan.imports.add_form(PythonImport(outside.rpartition(".")[0]), name)
    return True


def _tests(plan: Plan, subjects: "tuple[Subject, ...] | list[Subject]", *, receiver: str) -> list[list[str]]:
    tests = []
    for each in subjects:
        tests.append(_test(plan, each, None, receiver=receiver))
        tests += [_test(plan, each, error, receiver=receiver) for error in each.errors]
    return tests


def _test(plan: Plan, subject: Subject, error: Thrown | None, *, receiver: str) -> list[str]:
    case = f"raises {last_part(error.name)}" if error else ""
    name = plan.name(subject, case, fallback="test: snake", lead="test")
    lines, call, fixtures = _arranged(plan, subject)
    lines += [""] if lines else []
    mark = _async_mark(plan, receiver) if subject.is_async else None
    if subject.is_async and mark is None:
        plan.imports.add_form(PlainImport("import asyncio"), "asyncio")
        call = f"asyncio.run({call})"
    elif subject.is_async:
        call = f"await {call}"
    lines += _raises(plan, subject, error, call) if error else _checked(plan, subject, call)
    given = ", ".join([receiver, *fixtures] if receiver else fixtures)
    word = "async def" if mark else "def"
    return [*([f"@{mark}"] if mark else []), f"{word} {name}({given}):", *indent(lines, _STEP)]


def _async_mark(plan: Plan, receiver: str) -> str | None:
    """The mark by which asynchronous tests run here; None where none is in use."""
    if plan.habits.framework.value == "unittest" and receiver:
        return None
    texts = [sample.text for sample in plan.habits.samples]
    return majority(mark for mark in _ASYNC_MARKS for text in texts if mark in text)


def _checked(plan: Plan, subject: Subject, call: str) -> list[str]:
    is_procedure = subject.symbol.return_text == "None"
    name = subject.symbol.name
    if is_procedure:
        return [call, "", _fail(plan, f'"TODO: say what {name}() should have changed"')]
    said = f'f"TODO: say what {name}() should give; it gave {{result!r}}"'
    return [f"result = {call}", "", _fail(plan, said)]


def _fail(plan: Plan, text: str) -> str:
    return f"self.fail({text})" if plan.habits.framework.value == "unittest" else f"pytest.fail({text})"


def _raises(plan: Plan, subject: Subject, error: Thrown, call: str) -> list[str]:
    name = _error_name(plan, error.name)
    context = "self.assertRaises" if plan.habits.framework.value == "unittest" else "pytest.raises"
    place = f"{subject.symbol.path}:{error.line}"
    return [f"# TODO: arguments that lead to {place}", f"with {context}({name}):", f"{_STEP}{call}"]


def _error_name(plan: Plan, name: str) -> str:
    plan.imports.add_name(name.partition(".")[0])
    if "." in name and (known := plan.imports.known(name.partition(".")[0])) and known.name is None:
        plan.imports.add_form(PlainImport(f"import {known.module}"), known.module)
    return name


def _arranged(plan: Plan, subject: Subject) -> tuple[list[str], str, list[str]]:
    """The lines before the call, the call, and the fixtures they need."""
    lines: list[str] = []
    fixtures: list[str] = []
    symbol, owner = subject.symbol, subject.owner
    taken = [symbol.name, "result"]
    if owner is None:
        called = plan.imports.add_symbol(symbol) or symbol.name
    else:
        name = owner.symbol.qualname if owner.symbol is not None else owner.name
        if owner.symbol is not None:
            plan.imports.add_symbol(owner.symbol)
        variable = variable_for(owner.name, snake=True)
        variable = f"{variable}_instance" if keyword.iskeyword(variable) else variable
        taken.append(variable)
        if subject.is_static:
            called = f"{name}.{symbol.name}"
        else:
            called = f"{variable}.{symbol.name}"
            made = arguments(plan, owner.parameters, avoid=taken)
            lines += _values(plan, made, fixtures, is_dependency=True)
            making = f"{name}({_given(made)})" if owner.obstacle is None else f"...  # TODO: {owner.obstacle}"
            lines.append(f"{variable} = {making}")
            taken += [each.name for each in made]
    found = arguments(plan, subject.parameters, avoid=taken)
    lines += _values(plan, found, fixtures, is_dependency=False)
    return lines, f"{called}({_given(found)})", list(dict.fromkeys(fixtures))


def _given(found: list[Argument]) -> str:
    return ", ".join(
        f"{each.parameter.name}={each.name}" if each.parameter.kind == "keyword" else each.name
        for each in found
    )


def _values(plan: Plan, found: list[Argument], fixtures: list[str], *, is_dependency: bool) -> list[str]:
    return [_value(plan, each, fixtures, is_dependency=is_dependency) for each in found]


def _value(plan: Plan, each: Argument, fixtures: list[str], *, is_dependency: bool) -> str:
    if each.expression is not None:
        return f"{each.name} = {each.expression}"
    kind = project_type(plan, each.parameter.type_text)
    if not (is_dependency and plan.may_mock and kind is not None):
        return f"{each.name} = ...  # TODO: {each.wanted}"
    plan.imports.add_symbol(kind)
    if plan.habits.mock is not None and plan.habits.mock.value == "pytest-mock":
        fixtures.append("mocker")
        return f"{each.name} = mocker.Mock(spec={kind.qualname})"
    plan.imports.add_form(PythonImport("unittest.mock"), "Mock")
    return f"{each.name} = Mock(spec={kind.qualname})"
