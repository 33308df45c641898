"""Tests in Go: functions of the testing package, with testify where it is used, or Ginkgo."""

import re
from typing import Final

from drift.analyses.import_choice import Choice
from drift.analyses.import_writers import write_import
from drift.analyses.test_templates.habits import majority
from drift.analyses.test_templates.sheet import Argument, Draft, Plan, arguments, indent, variable_for
from drift.analyses.test_templates.subjects import Subject

_STEP: Final = "\t"
_QUALIFIER: Final = re.compile(r"\b([a-z]\w*)\.(?=[A-Z])")
_STANDARD: Final = {
    "errors.New(": "errors",
    "context.Background(": "context",
    "time.Second": "time",
    "httptest.New": "net/http/httptest",
}
_TESTIFY: Final = frozenset({"testify", "testify/suite"})


def write_go_test(plan: Plan) -> Draft:
    """A file of tests, or those to add to one."""
    package = _package(plan)
    prefix = _prefix(plan, package)
    tests = [_test(plan, each, prefix, fails=False) for each in plan.subjects]
    failing = [each for each in plan.subjects if _results(each)[-1:] == ["error"]]
    tests += [_test(plan, each, prefix, fails=True) for each in failing]
    body = "\n\n".join("\n".join(each) for each in tests) + "\n"
    modules = _modules(plan, body, prefix)
    if plan.existing is not None:
        around = plan.imports.around
        have = {each.module for each in (around.own if around else ())}
        missing = tuple(f"import {each}" for each in modules if each.split('"')[1] not in have)
        return Draft(body, "at the end of the file", missing)
    listed = "\n".join(f"\t{each}" for each in modules)
    return Draft(f"package {package}\n\nimport (\n{listed}\n)\n\n{body}")


def _package(plan: Plan) -> str:
    """The package of the tests in the folder: that of the code, or one of their own beside it."""
    if plan.existing is not None and plan.existing.package:
        return plan.existing.package
    own = plan.target.package or "main"
    if own == "main" or any(each.symbol.visibility != "public" for each in plan.subjects):
        return own
    folder = plan.test_path.rpartition("/")[0]
    beside = [path for path in plan.peers if path.rpartition("/")[0] == folder]
    records = (plan.reader.files.at(path) for path in beside)
    return majority(each.package for each in records if each is not None and each.package) or own


def _prefix(plan: Plan, package: str) -> str:
    return f"{plan.target.package}." if package != plan.target.package and plan.target.package else ""


def _test(plan: Plan, subject: Subject, prefix: str, *, fails: bool) -> list[str]:
    symbol, owner = subject.symbol, subject.owner
    words = f"{owner.name}_{symbol.name}" if owner else symbol.name
    name = plan.free(f"Test{words[:1].upper()}{words[1:]}{'_Error' if fails else ''}")
    lines, call = _arranged(plan, subject, prefix)
    lines += [""] if lines else []
    lines += _failing(plan, subject, call) if fails else _checked(plan, subject, call)
    if plan.habits.framework.value == "ginkgo":
        what = "returns an error" if fails else "gives the expected result"
        inner = [f'It("{what}", func() {{', *indent(lines, _STEP), "})"]
        return [f'var _ = Describe("{words}", func() {{', *indent(inner, _STEP), "})"]
    return [f"func {name}(t *testing.T) {{", *indent(lines, _STEP), "}"]


def _checked(plan: Plan, subject: Subject, call: str) -> list[str]:
    results = _results(subject)
    name = subject.symbol.name
    values = [
        f"got{number if number > 1 else ''}" for number, each in enumerate(results, 1) if each != "error"
    ]
    has_error = results[-1:] == ["error"]
    bound = ", ".join([*values, "err"] if has_error else values)
    lines = [f"{bound} := {call}" if bound else call]
    if has_error:
        lines += _no_error(plan, name)
    if not values:
        return [*lines, "", _fail(plan, f'"TODO: say what {name}() should have changed"')]
    verbs = " ".join("%v" for _ in values)
    said = f'"TODO: say what {name}() should give; it gave {verbs}", {", ".join(values)}'
    return [*lines, "", _fail(plan, said, is_format=True)]


def _no_error(plan: Plan, name: str) -> list[str]:
    if plan.habits.framework.value in _TESTIFY:
        return [f"{_testify_word(plan)}.NoError(t, err)"]
    if plan.habits.framework.value == "ginkgo":
        return ["Expect(err).NotTo(HaveOccurred())"]
    return ["if err != nil {", f'\tt.Fatalf("{name}() error = %v", err)', "}"]


def _testify_word(plan: Plan) -> str:
    used = plan.habits.assertion
    return "assert" if used is not None and used.value == "assert" else "require"


def _failing(plan: Plan, subject: Subject, call: str) -> list[str]:
    blanks = ", ".join(["_"] * (len(_results(subject)) - 1) + ["err"])
    lines = ["// TODO: arguments that make it fail", f"{blanks} := {call}"]
    if plan.habits.framework.value in _TESTIFY:
        return [*lines, f"{_testify_word(plan)}.Error(t, err)"]
    if plan.habits.framework.value == "ginkgo":
        return [*lines, "Expect(err).To(HaveOccurred())"]
    return [*lines, "if err == nil {", f'\tt.Fatal("{subject.symbol.name}() error = nil, want one")', "}"]


def _fail(plan: Plan, said: str, *, is_format: bool = False) -> str:
    if plan.habits.framework.value == "ginkgo":
        return f"Fail(fmt.Sprintf({said}))" if is_format else f"Fail({said})"
    return f"t.Fatalf({said})" if is_format else f"t.Fatal({said})"


def _results(subject: Subject) -> list[str]:
    """The types a function gives back."""
    text = (subject.symbol.return_text or "").strip()
    if not text.startswith("("):
        return [text] if text else []
    parts, depth, start = [], 0, 1
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if (sign == "," and depth == 1) or place == len(text) - 1:
            parts.append(text[start:place].strip())
            start = place + 1
    return [each.split()[-1] if each.endswith("error") else each for each in parts if each]


def _arranged(plan: Plan, subject: Subject, prefix: str) -> tuple[list[str], str]:
    symbol, owner = subject.symbol, subject.owner
    taken = [symbol.name, "t", "got", "err", *_QUALIFIER.findall(symbol.signature)]
    lines: list[str] = []
    called = f"{prefix}{symbol.name}"
    if owner is not None:
        variable = variable_for(owner.name, snake=False)
        variable = f"{variable}Instance" if variable in {*taken, plan.target.package} else variable
        taken.append(variable)
        made = arguments(plan, owner.parameters, avoid=taken)
        lines += [_value(each, prefix) for each in made]
        lines += _made(subject, variable, ", ".join(each.name for each in made), prefix)
        taken += [each.name for each in made]
        called = f"{variable}.{symbol.name}"
    found = arguments(plan, subject.parameters, avoid=taken)
    lines += [_value(each, prefix) for each in found]
    return lines, f"{called}({', '.join(each.name for each in found)})"


def _made(subject: Subject, variable: str, given: str, prefix: str) -> list[str]:
    owner = subject.owner
    assert owner is not None  # only asked for methods
    returns = ((owner.factory.return_text if owner.factory else None) or "").strip()
    # What gives an error alone gives the object as one, which has no other methods.
    if owner.factory is not None and returns != "error":
        bound = f"{variable}, err" if returns.rstrip(") ").endswith("error") else variable
        lines = [f"{bound} := {prefix}{owner.factory.name}({given})"]
        if bound != variable:
            lines += ["if err != nil {", "\tt.Fatal(err)", "}"]
        return lines
    kind = owner.symbol.kind if owner.symbol is not None else ""
    is_generic = owner.symbol is not None and f"{owner.name}[" in owner.symbol.signature
    if kind == "struct" and not is_generic:
        return [f"{variable} := &{prefix}{owner.name}{{}} // TODO: set its fields"]
    return [f"var {variable} {prefix}{owner.name} // TODO: a value to call it on"]


def _value(each: Argument, prefix: str) -> str:
    if each.expression is not None:
        return (
            f"{each.name} := {each.expression}"
            if _is_untyped_enough(each)
            else (f"var {each.name} {each.parameter.type_text} = {each.expression}")
        )
    type_text = " ".join((each.parameter.type_text or "any").split())
    if prefix:
        type_text = re.sub(r"(?<![\w.])(?=[A-Z]\w)", prefix, type_text)
    return f"var {each.name} {type_text} // TODO"


def _is_untyped_enough(each: Argument) -> bool:
    """Whether `:=` gives the value the wanted type."""
    return each.expression != "1" or each.parameter.type_text == "int"


def _modules(plan: Plan, body: str, prefix: str) -> list[str]:
    """What the body names, as the file under test imports it."""
    found = {'"testing"'} if "testing.T" in body else set()
    found |= {f'"{module}"' for use, module in _STANDARD.items() if use in body}
    for word in ("assert", "require"):
        if f"\t{word}." in body:
            found.add(f'"github.com/stretchr/testify/{word}"')
    if plan.habits.framework.value == "ginkgo":
        found |= {'. "github.com/onsi/ginkgo/v2"', '. "github.com/onsi/gomega"'}
        found |= {'"fmt"'} if "fmt.Sprintf" in body else set()
    for name in set(_QUALIFIER.findall(body)):
        known = plan.imports.known(name)
        if known is not None:
            is_named = known.module.rstrip("/").rpartition("/")[2] == name
            found.add(f'"{known.module}"' if is_named else f'{name} "{known.module}"')
    if prefix:
        symbol = next(each.owner.symbol if each.owner else each.symbol for each in plan.subjects)
        if symbol is not None:
            found.add(_own_module(plan, symbol.name))
    return sorted(filter(None, found), key=lambda each: ("." in each.split('"')[1], each))


def _own_module(plan: Plan, name: str) -> str:
    """The import path of the package under test, which needs go.mod."""
    around = plan.imports.around
    symbol = next((one for one in plan.reader.symbols.named(name) if one.path == plan.target.path), None)
    if around is None or symbol is None:
        return ""
    # The tests stand in the same folder, from where the writer would see no need of an import.
    elsewhere = around._replace(path=f"{plan.target.path}/-/x_test.go", own=())
    written = write_import(plan.reader, elsewhere, Choice(symbol, ()))
    if isinstance(written, str) or written.statement is None:
        plan.imports.problems.append(f"{name}: the module of its package is not known")
        return ""
    return written.statement.form.write((name,)).removeprefix("import ")
