"""Tests in C++ with GoogleTest, Catch2, doctest or Boost.Test, and in C with nothing but assert."""

import re
from typing import Final

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.import_forms import PlainImport
from drift.analyses.test_templates.habits import majority
from drift.analyses.test_templates.sheet import (
    Argument,
    Draft,
    Plan,
    arguments,
    has_type_parameter,
    indent,
    last_part,
    variable_for,
)
from drift.analyses.test_templates.subjects import Owner, Subject, Thrown

_STEP: Final = "  "
_HEADERS: Final = {
    "gtest": "<gtest/gtest.h>",
    "catch2": "<catch2/catch_test_macros.hpp>",
    "doctest": "<doctest/doctest.h>",
    "boost": "<boost/test/unit_test.hpp>",
    "assert.h": "<assert.h>",
}
_HEADER_LINE: Final = re.compile(r'^#\s*include\s+([<"][^>"\n]*[>"])', re.MULTILINE)
_TEST_HEADER: Final = re.compile(r"gtest|gmock|catch|doctest|boost/test")
_PLAIN_TYPE: Final = re.compile(
    r"(?:(?:struct|enum|unsigned|signed|long|short) )*[A-Za-z_][\w:]*(?:<[\w:<>, *]*>)?(?P<stars>\s*\**)"
)
_TYPE_NAME: Final = re.compile(r"(?<![\w:])[A-Za-z_]\w*(?!\w*::)")
_TYPES: Final = CLASS_KINDS | {"type"}
_WORDS_BEFORE: Final = re.compile(r"\b(?:const|volatile|register|restrict|static|inline|constexpr)\b\s*")


def write_cpp_test(plan: Plan) -> Draft:
    """A file of tests, or those to add to one."""
    tests = [_test(plan, subject, error) for subject in plan.subjects for error in (None, *subject.errors)]
    import_subjects(plan)
    body = "\n\n".join("\n".join(each) for each in tests) + "\n"
    framework = plan.habits.framework.value
    lines = [line for sample in plan.habits.samples for line in _HEADER_LINE.findall(sample.text)]
    lines = [line for line in lines if _TEST_HEADER.search(line)]
    header = majority(line for line in lines if _is_header_of(line, framework)) or _HEADERS[framework]
    plan.imports.add_form(PlainImport(f"#include {header}"), header)
    statements = plan.imports.statements()
    if plan.existing is not None:
        around = plan.imports.around
        have = {f"#include {each.module}" for each in (around.own if around else ())}
        return Draft(body, "at the end of the file", tuple(each for each in statements if each not in have))
    head = "\n".join(sorted(statements, key=lambda each: header not in each))
    if framework == "assert.h":
        calls = "".join(
            f"{_STEP}{name}();\n" for name in re.findall(r"^static void (\w+)\(void\)", body, re.MULTILINE)
        )
        body = f"{body}\nint main(void) {{\n{calls}{_STEP}return 0;\n}}\n"
    return Draft(f"{head}\n\n{body}")


def import_subjects(plan: Plan) -> None:
    """Include what declares the functions under test."""
    for each in plan.subjects:
        plan.imports.add_symbol(each.owner.symbol if each.owner and each.owner.symbol else each.symbol)


def _is_header_of(line: str, framework: str) -> bool:
    return {"gtest": "g", "catch2": "catch", "doctest": "doctest", "boost": "boost"}.get(
        framework, "?"
    ) in line


def _test(plan: Plan, subject: Subject, error: Thrown | None) -> list[str]:
    lines, call = arranged_call(plan, subject)
    lines += [""] if lines else []
    lines += thrown(plan, subject, error, call) if error else checked(plan, subject, call)
    case = f"throws {last_part(error.name)}" if error else ""
    framework = plan.habits.framework.value
    name = subject.symbol.name
    if framework in {"catch2", "doctest"}:
        what = f"{name} {case or 'gives the expected result'}"
        return [f'TEST_CASE("{plan.free(what)}") {{', *indent(lines, _STEP), "}"]
    if framework == "boost":
        named = plan.name(subject, case, fallback="snake")
        return [f"BOOST_AUTO_TEST_CASE({named}) {{", *indent(lines, _STEP), "}"]
    if framework == "assert.h":
        named = plan.name(subject, case, fallback="test: snake", lead="test")
        return [f"static void {named}(void) {{", *indent(lines, _STEP), "}"]
    suite = subject.owner.name if subject.owner else plan.target.path.rpartition("/")[2].rpartition(".")[0]
    title = "".join(part[:1].upper() + part[1:] for part in re.split(r"\W|_", suite))
    return [
        f"TEST({title}Test, {plan.name(subject, case, fallback='Pascal')}) {{",
        *indent(lines, _STEP),
        "}",
    ]


def checked(plan: Plan, subject: Subject, call: str) -> list[str]:
    """The call, and the failing TODO after it."""
    name = subject.symbol.name
    is_procedure = subject.symbol.return_text == "void"
    said = f"TODO: say what {name}() should {'have changed' if is_procedure else 'give'}"
    fail = {
        "gtest": f'FAIL() << "{said}";',
        "catch2": f'FAIL("{said}");',
        "doctest": f'FAIL("{said}");',
        "boost": f'BOOST_FAIL("{said}");',
        "qttest": f'QFAIL("{said}");',
        "assert.h": f'assert(!"{said}");',
    }[plan.habits.framework.value]
    if is_procedure or plan.family == "c":
        return [f"{call};" if is_procedure else f"(void){call};", "", fail]
    return [f"auto&& result = {call};", "(void)result;", "", fail]


def thrown(plan: Plan, subject: Subject, error: Thrown, call: str) -> list[str]:
    """The check that the call throws."""
    check = {
        "gtest": "EXPECT_THROW",
        "catch2": "REQUIRE_THROWS_AS",
        "doctest": "REQUIRE_THROWS_AS",
        "boost": "BOOST_CHECK_THROW",
    }.get(plan.habits.framework.value)
    lead = f"// TODO: arguments that lead to {subject.symbol.path}:{error.line}"
    if plan.habits.framework.value == "qttest":
        return [lead, f"QVERIFY_EXCEPTION_THROWN({call}, {error.name});"]
    return (
        [lead, f"{check}({call}, {error.name});"] if check else [lead, f"(void){call};", 'assert(!"TODO");']
    )


def arranged_call(plan: Plan, subject: Subject) -> tuple[list[str], str]:
    """The lines before the call, and the call."""
    symbol, owner = subject.symbol, subject.owner
    lines: list[str] = []
    taken = [symbol.name, "result"]
    called = symbol.qualname.replace(".", "::") if plan.family != "c" else symbol.name
    if owner is not None:
        whole = (owner.symbol.qualname if owner.symbol is not None else owner.name).replace(".", "::")
        variable = variable_for(owner.name, snake=True)
        taken.append(variable)
        called = f"{whole}::{symbol.name}" if subject.is_static else f"{variable}.{symbol.name}"
        if not subject.is_static:
            made = arguments(plan, owner.parameters, avoid=taken)
            lines += [_value(plan, each) for each in made]
            lines.append(_making(owner, whole, variable, ", ".join(each.name for each in made)))
            taken += [each.name for each in made]
    found = arguments(plan, subject.parameters, avoid=taken)
    lines += [_value(plan, each) for each in found if each.parameter.type_text != "void"]
    return lines, f"{called}({', '.join(each.name for each in found if each.parameter.type_text != 'void')})"


def _qualified(plan: Plan, bare: str) -> str:
    """The type with the namespace of what the code under test sees without saying it."""
    homes = {each.symbol.qualname for each in plan.subjects}

    def whole(match: re.Match[str]) -> str:
        for one in plan.reader.symbols.named(match[0]):
            home = one.qualname.rpartition(".")[0]
            is_type = one.kind in _TYPES and one.language == "cpp" and bool(home)
            if is_type and any(each.startswith(f"{home}.") for each in homes):
                return one.qualname.replace(".", "::")
        return match[0]

    return _TYPE_NAME.sub(whole, bare) if plan.family != "c" else bare


def _making(owner: Owner, whole: str, variable: str, given: str) -> str:
    if owner.obstacle is not None:
        return f"{whole}& {variable} = *static_cast<{whole}*>(nullptr);  // TODO: {owner.obstacle}"
    note = "  // TODO: template arguments" if owner.symbol and "template" in owner.symbol.modifiers else ""
    made = f"({given})" if given else ""
    return f"{whole} {variable}{made};{note}"


def _value(plan: Plan, each: Argument) -> str:
    is_c = plan.family == "c"
    bare = _WORDS_BEFORE.sub("", " ".join((each.parameter.type_text or "").split())).replace("&", "").strip()
    bare = _qualified(plan, bare)
    found = _PLAIN_TYPE.fullmatch(bare)
    if each.expression is not None and not is_c:
        word = "std::string" if each.expression.startswith('"') and "string" in bare else "auto"
        return (
            f"{word} {each.name} = {each.expression};"
            if word == "auto"
            else f"{word} {each.name}({each.expression});"
        )
    if found is None or has_type_parameter(bare):
        kind = "void *" if is_c else "auto "
        return f"{kind}{each.name} = {'NULL' if is_c else 'nullptr'};  // TODO: {each.wanted}"
    if found["stars"].strip():
        kind = bare.replace("*", "").strip()
        return f"{kind} {found['stars'].strip()}{each.name} = {'NULL' if is_c else 'nullptr'};  // TODO: {each.wanted}"
    return f"{bare} {each.name}{' = {0}' if is_c else '{}'};  // TODO: {each.wanted}"
