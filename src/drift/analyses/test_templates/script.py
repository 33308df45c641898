"""Tests in JavaScript and TypeScript: Jest, Vitest, Mocha, node:test, Bun, AVA, Playwright."""

import re
from typing import Final

from drift.analyses.import_forms import PlainImport, ScriptHand, ScriptImport
from drift.analyses.import_script import learn_hand
from drift.analyses.test_templates.components import (
    import_hook_runner,
    is_component,
    is_hook,
    rendered,
)
from drift.analyses.test_templates.habits import majority
from drift.analyses.test_templates.promises import gives_promise, sends_requests
from drift.analyses.test_templates.sheet import (
    Argument,
    Draft,
    Plan,
    arguments,
    has_type_parameter,
    indent,
    last_part,
    project_type,
    variable_for,
)
from drift.analyses.test_templates.subjects import Subject, Thrown
from drift.index.records import SymbolRecord

_WITHOUT_TEST: Final = frozenset({"jasmine", "mocha"})  # their tests begin with `it` alone
_STEP: Final = "  "
_MODULES: Final = {
    "vitest": "vitest",
    "node:test": "node:test",
    "bun:test": "bun:test",
    "playwright": "@playwright/test",
}
_MOCKS: Final = {
    "vi.fn": "vi.fn()",
    "jest.fn": "jest.fn()",
    "sinon": "sinon.stub()",
    "node:test mock": "mock.fn()",
    "jasmine.createSpy": "jasmine.createSpy()",
}
_LIBRARY_LINE: Final = re.compile(
    r"^(?:import|const|var|let)\b[^\n]*['\"](?:chai|assert|node:assert|assert/strict|node:assert/strict|should|sinon)['\"][^\n]*$",
    re.MULTILINE,
)
_MOST_CALLS: Final = 200
_JEST_GLOBALS: Final = "@jest/globals"


def write_script_test(plan: Plan) -> Draft:
    """A file of tests, or those to add to one."""
    plan = plan._replace(subjects=tuple(_with_promise(plan, each) for each in plan.subjects))
    blocks = [line for group in _groups(plan) for line in ("", *group)][1:]
    hand = _hand(plan)
    body = "\n".join(_in_hand(line, hand) for line in blocks) + "\n"
    _import_framework(plan, body, hand)
    statements = plan.imports.statements()
    if plan.existing is not None:
        around = plan.imports.around
        have = {each.alias or each.name for each in (around.own if around else ())}
        missing = tuple(each for each in statements if not _bound_names(each) <= have)
        return Draft(body, "at the end of the file", missing)
    head = "\n".join(statements)
    return Draft(f"{head}\n\n{body}" if head else body)


def _with_promise(plan: Plan, subject: Subject) -> Subject:
    around = plan.imports.around
    if around is None or subject.is_async:
        return subject
    return subject._replace(gives_promise=gives_promise(plan.reader, around.root, subject.symbol))


def _bound_names(statement: str) -> set[str]:
    """The names that an import gives to the file."""
    head = re.split(r"\bfrom\b|=", statement, maxsplit=1)[0]
    return set(re.findall(r"[\w$]+", head)) - {"import", "const", "var", "let", "type", "as"}


def _hand(plan: Plan) -> ScriptHand:
    return learn_hand(plan.imports.around) if plan.imports.around is not None else ScriptHand()


def _in_hand(line: str, hand: ScriptHand) -> str:
    """The line with the quotes and semicolons of the files around."""
    text = line if hand.quote == "'" else re.sub(r"'([^'\"\\]*)'", r'"\1"', line)
    return text if hand.end else re.sub(r";(?=\s*(?://.*)?$)", "", text)


def _groups(plan: Plan) -> list[list[str]]:
    """The tests of each function, in a describe of its own where tests are nested so."""
    groups = []
    for subject in plan.subjects:
        tests = [_test(plan, subject, None), *(_test(plan, subject, error) for error in subject.errors)]
        lines = [line for test in tests for line in ("", *test)][1:]
        if _is_nested(plan):
            title = f"{subject.owner.name}.{subject.symbol.name}" if subject.owner else subject.symbol.name
            lines = [f"{_word(plan, 'describe')}('{title}', () => {{", *indent(lines, _STEP), "});"]
        groups.append(lines)
    return groups


def _is_nested(plan: Plan) -> bool:
    return plan.habits.style.value.startswith("describe") and plan.habits.framework.value != "ava"


def _word(plan: Plan, word: str) -> str:
    return f"test.{word}" if plan.habits.framework.value == "playwright" and word == "describe" else word


def _test(plan: Plan, subject: Subject, error: Thrown | None) -> list[str]:
    framework = plan.habits.framework.value
    says_test = framework in {"ava", "playwright"} or "test" in plan.habits.style.value
    runs = "test" if says_test and framework not in _WITHOUT_TEST else "it"
    given = "t" if framework == "ava" else ""
    is_async = "async " if subject.is_async else ""
    if is_component(subject):
        lines, is_async = rendered(plan, subject, _hand(plan)), ""
    else:
        lines, call = _arranged(plan, subject)
        if is_hook(subject) and _is_of_react(plan):
            import_hook_runner(plan, _hand(plan))
            call = f"renderHook(() => {call}).result.current"
        lines = [*_answering(plan, subject), *lines]
        lines += [""] if lines else []
        lines += _throws(plan, subject, error, call) if error else _checked(subject, call)
    return [
        f"{runs}('{_title(plan, subject, error)}', {is_async}({given}) => {{",
        *indent(lines, _STEP),
        "});",
    ]


def _answering(plan: Plan, subject: Subject) -> list[str]:
    """What stands in for the network, where the function asks a server and nothing else answers in its place."""
    around = plan.imports.around
    if around is None or not plan.may_mock or not sends_requests(plan.reader, around.root, subject.symbol):
        return []
    stub = _MOCKS[plan.habits.mock.value if plan.habits.mock else _default_mock(plan)]
    if not stub.endswith(".fn()"):
        return []
    answer = "{ ok: true, status: 200, json: async () => ({}), text: async () => '' }"
    return [f"globalThis.fetch = {stub}.mockResolvedValue({answer}); // TODO: what the server answers"]


def _is_of_react(plan: Plan) -> bool:
    return "react" in plan.reader.facts.external_packages()


def _title(plan: Plan, subject: Subject, error: Thrown | None) -> str:
    naming = plan.habits.naming
    is_should = naming is not None and "should" in naming.value
    what = f"throw {last_part(error.name)}" if error else "give the expected result"
    told = f"should {what}" if is_should else what.replace("throw ", "throws ").replace("give ", "gives ")
    whole = told if _is_nested(plan) else f"{subject.symbol.name} {told}"
    return plan.free(whole) if not _is_nested(plan) else whole


def _checked(subject: Subject, call: str) -> list[str]:
    called = f"await {call}" if subject.is_async else call
    name = subject.symbol.name
    if subject.symbol.return_text in {"void", "Promise<void>"}:
        return [f"{called};", "", f"throw new Error('TODO: say what {name}() should have changed');"]
    said = f"`TODO: say what {name}() should give; it gave ${{String(result)}}`"
    return [f"const result = {called};", "", f"throw new Error({said});"]


def _throws(plan: Plan, subject: Subject, error: Thrown, call: str) -> list[str]:
    name = error.name.replace("::", ".")
    plan.imports.add_name(name.partition(".")[0])
    way = plan.habits.assertion.value if plan.habits.assertion is not None else ""
    lead = f"// TODO: arguments that lead to {subject.symbol.path}:{error.line}"
    if plan.habits.framework.value == "ava":
        check = (
            f"await t.throwsAsync({call}, {{ instanceOf: {name} }});"
            if subject.is_async
            else (f"t.throws(() => {call}, {{ instanceOf: {name} }});")
        )
        return [lead, check]
    if way == "expect().toBe" or (not way and plan.habits.framework.value not in {"mocha", "node:test"}):
        expected = f"await expect({call}).rejects.toThrow({name});"
        return [lead, expected if subject.is_async else f"expect(() => {call}).toThrow({name});"]
    if way in {"expect().to", "should"}:
        return [lead, *_chai(way, call, name, is_async=subject.is_async)]
    check = (
        f"await assert.rejects({call}, {name});"
        if subject.is_async
        else f"assert.throws(() => {call}, {name});"
    )
    return [lead, check]


def _chai(way: str, call: str, name: str, *, is_async: bool) -> list[str]:
    if is_async:
        caught = f"const error = await {call}.catch((reason) => reason);"
        checked = (
            f"expect(error).to.be.instanceOf({name});"
            if way != "should"
            else f"error.should.be.instanceOf({name});"
        )
        return [caught, checked]
    return [
        f"expect(() => {call}).to.throw({name});"
        if way != "should"
        else f"(() => {call}).should.throw({name});"
    ]


def _import_framework(plan: Plan, body: str, hand: ScriptHand) -> None:
    texts = [sample.text for sample in plan.habits.samples]
    framework = plan.habits.framework.value
    module = _MODULES.get(framework)
    if framework == "jest" and any(_JEST_GLOBALS in text for text in texts):
        module = _JEST_GLOBALS
    has_globals = (
        framework == "vitest"
        and texts
        and not any(f"{quote}vitest{quote}" in text for text in texts for quote in "'\"")
    )
    if module is not None and not has_globals:
        for word in ("describe", "expect", "it", "jest", "mock", "test", "vi"):
            if re.search(rf"(?<![\w.]){word}(?:\.\w+)?\(", body):
                plan.imports.add_form(ScriptImport(module, "named", hand), word)
    if framework == "ava":
        plan.imports.add_form(ScriptImport("ava", "default", hand), "test")
    _import_library(plan, body, hand, texts)


def _import_library(plan: Plan, body: str, hand: ScriptHand, texts: list[str]) -> None:
    """What the assertions and stubs are called on, as the tests around get it."""
    lines = [line.strip() for text in texts for line in _LIBRARY_LINE.findall(text)]
    wanted = [
        ("assert", r"\bassert\.", ScriptImport("node:assert", "default", hand)),
        ("sinon", r"\bsinon\.", ScriptImport("sinon", "default", hand)),
        ("should", r"\.should\.", ScriptImport("should", "default", hand)),
        ("expect", r"\)\.to\.", ScriptImport("chai", "named", hand)),
    ]
    for name, use, form in wanted:
        if re.search(use, body):
            own = majority(line for line in lines if re.search(rf"\b{name}\b", line))
            plan.imports.add_form(PlainImport(own) if own else form, name)


def _arranged(plan: Plan, subject: Subject) -> tuple[list[str], str]:
    """The lines before the call, and the call."""
    symbol, owner = subject.symbol, subject.owner
    lines: list[str] = []
    taken = [symbol.name, "result", "error", "t"]
    if owner is None or owner.symbol is None:
        outer = symbol.qualname.split(".")
        bound = plan.imports.add_symbol(symbol) or outer[0]
        called = ".".join([bound, *outer[1:]])
    else:
        bound = plan.imports.add_symbol(owner.symbol) or owner.symbol.qualname
        variable = variable_for(bound, snake=False)
        variable = f"{variable}Instance" if variable == bound else variable
        taken.append(variable)
        is_static = subject.is_static or symbol.signature.startswith(f"{owner.name}.{symbol.name} =")
        called = f"{bound if is_static else variable}.{symbol.name}"
        if not is_static:
            made = arguments(plan, owner.parameters, avoid=taken)
            lines += [_stub(plan, each, subject) for each in made]
            making = f"new {bound}({_given(plan, made)})" if owner.obstacle is None else _unknown(plan)
            note = f" // TODO: {owner.obstacle}" if owner.obstacle else ""
            lines.append(f"const {variable} = {making};{note}")
            taken += [each.name for each in made]
    found = arguments(plan, subject.parameters, avoid=taken)
    lines += [_value(plan, each) for each in found]
    return lines, f"{called}({', '.join(each.name for each in found)})"


def _given(plan: Plan, found: list[Argument]) -> str:
    return ", ".join(f"{each.name} as never" if _is_stub(plan, each) else each.name for each in found)


def _is_stub(plan: Plan, each: Argument) -> bool:
    is_typed = plan.test_path.endswith(("ts", "tsx"))
    return is_typed and each.expression is None and _dependency(plan, each) is not None


def _value(plan: Plan, each: Argument) -> str:
    if each.expression is not None:
        return f"const {each.name} = {each.expression};"
    return f"const {each.name} = {_unknown(plan)}; // TODO: {each.wanted}"


def _stub(plan: Plan, each: Argument, subject: Subject) -> str:
    """What stands in for a dependency: with the methods that the function itself calls."""
    kind = _dependency(plan, each)
    if each.expression is not None or kind is None:
        return _value(plan, each)
    near = plan.reader.calls.callees(subject.symbol.id, limit=_MOST_CALLS)
    names = dict.fromkeys(one.symbol.name for one in near if one.symbol.parent_id == kind.id)
    stub = _MOCKS[plan.habits.mock.value if plan.habits.mock else _default_mock(plan)]
    inner = ", ".join(f"{name}: {stub}" for name in names if name.isidentifier())
    return (
        f"const {each.name} = {{ {inner} }};"
        if inner
        else f"const {each.name} = {{}}; // TODO: {each.wanted}"
    )


def _default_mock(plan: Plan) -> str:
    return {
        "vitest": "vi.fn",
        "jest": "jest.fn",
        "jasmine": "jasmine.createSpy",
        "node:test": "node:test mock",
    }.get(plan.habits.framework.value, "sinon")


def _unknown(plan: Plan) -> str:
    return "undefined as never" if plan.test_path.endswith(("ts", "tsx")) else "undefined"


def _dependency(plan: Plan, each: Argument) -> SymbolRecord | None:
    """The type of the project that a dependency has, where tests may stand in for it."""
    type_text = (each.parameter.type_text or "").partition("<")[0]
    return project_type(plan, type_text) if plan.may_mock and not has_type_parameter(type_text) else None
