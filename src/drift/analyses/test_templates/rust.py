"""Tests in Rust: in the module they are of, or in the tests folder of the crate."""

import re
from typing import Final

from drift.analyses.test_templates.sheet import (
    Argument,
    Draft,
    Plan,
    arguments,
    has_type_parameter,
    indent,
    variable_for,
)
from drift.analyses.test_templates.subjects import Owner, Subject
from drift.index.records import SymbolRecord

_STEP: Final = "    "
_TYPE_PARAMETER: Final = re.compile(r"[A-Z]\w?")
_BY_TRAIT: Final = {
    "AsRef<Path>": 'std::path::Path::new("text")',
    "AsRef<str>": '"text"',
    "AsRef<[u8]>": 'b"text"',
    "BufRead": "std::io::empty()",
    "Into<PathBuf>": '"text"',
    "Into<String>": '"text"',
    "RangeBounds<usize>": "0..1",
    "Read": "std::io::empty()",
    "ToString": '"text"',
    "Write": "std::io::sink()",
}
_LIFETIME: Final = re.compile(r"'\w+\s*")


def write_rust_test(plan: Plan) -> Draft:
    """A `mod tests` for the end of the file, functions for the one there is, or a file of its own."""
    is_inline = plan.test_path == plan.target.path
    tests = [_test(plan, each, fails=False) for each in plan.subjects]
    tests += [_test(plan, each, fails=True) for each in plan.subjects if _is_result(each)]
    lines = [line for test in tests for line in ("", *test)][1:]
    if not is_inline:
        for each in plan.subjects:
            plan.imports.add_symbol(each.owner.symbol if each.owner and each.owner.symbol else each.symbol)
        statements = plan.imports.statements()
        body = "\n".join(lines) + "\n"
        if plan.existing is not None:
            return Draft(body, "at the end of the file", statements)
        return Draft("\n".join([*statements, "", body]) if statements else body)
    inner = "\n".join(indent(lines, _STEP))
    end = _end_of_module(plan)
    if end is not None:
        return Draft(f"{inner}\n", f"before line {end}, the end of mod tests")
    return Draft(
        f"#[cfg(test)]\nmod tests {{\n{_STEP}use super::*;\n\n{inner}\n}}\n", "at the end of the file"
    )


def _end_of_module(plan: Plan) -> int | None:
    """The last line of the `mod tests` that the file has."""
    symbols = plan.reader.symbols.of_file(plan.target.id)
    found = (
        each for each in symbols if each.name in {"tests", "test"} and each.kind in {"namespace", "module"}
    )
    return next((each.end_line for each in found if each.parent_id is not None), None)


def _is_result(subject: Subject) -> bool:
    return re.match(r"(?:\w+::)*Result\b", subject.symbol.return_text or "") is not None


def _test(plan: Plan, subject: Subject, *, fails: bool) -> list[str]:
    # A bare name would hide the function itself, which the glob brings in.
    case = "gives an error" if fails else "gives result"
    name = plan.name(subject, case, fallback="snake")
    lines, call = _arranged(plan, subject)
    lines += [""] if lines else []
    if subject.is_async:
        call = f"{call}.await"
    if fails:
        lines += ["// TODO: arguments that make it fail", f"assert!({call}.is_err());"]
    else:
        is_value = subject.symbol.return_text is not None
        what = "should give" if is_value else "should have changed"
        said = f'todo!("say what {subject.symbol.name} {what}");'
        lines += [f"let _result = {call};" if is_value else f"{call};", "", said]
    mark = "#[tokio::test]" if subject.is_async else "#[test]"
    word = "async fn" if subject.is_async else "fn"
    return [mark, f"{word} {name}() {{", *indent(lines, _STEP), "}"]


def _arranged(plan: Plan, subject: Subject) -> tuple[list[str], str]:
    symbol, owner = subject.symbol, subject.owner
    receiver = next((each for each in symbol.parameters if each.kind == "receiver"), None)
    lines: list[str] = []
    taken = [symbol.name]
    called = symbol.qualname.replace(".", "::")  # of a type that is declared elsewhere
    if owner is not None:
        called = f"{owner.name}::{symbol.name}"
    if owner is not None and receiver is not None:
        variable = variable_for(owner.name, snake=True)
        taken.append(variable)
        mutable = "mut " if "mut" in (receiver.type_text or "") else ""
        made = arguments(plan, owner.parameters, avoid=taken)
        lines += [_value(each, owner.name) for each in made]
        lines.append(f"let {mutable}{variable}{_said_type(owner)} = {_making(plan, subject, made)};")
        taken += [each.name for each in made]
        called = f"{variable}.{symbol.name}"
    found = arguments(plan, subject.parameters, avoid=taken)
    lines += [_bounded(symbol, each) or _value(each, owner.name if owner else "") for each in found]
    return lines, f"{called}({', '.join(each.name for each in found)})"


def _making(plan: Plan, subject: Subject, made: list[Argument]) -> str:
    owner = subject.owner
    if owner is None:
        return 'todo!("a value")'
    if owner.obstacle is not None:
        variant = _variant(plan, owner)
        return variant or f'todo!("{owner.obstacle}")'
    if owner.factory is not None:
        return f"{owner.name}::new({', '.join(each.name for each in made)})"
    marks = plan.reader.symbols.decorators(owner.symbol.id) if owner.symbol is not None else []
    if any(each.name == "derive" and "Default" in each.text for each in marks):
        return f"{owner.name}::default()"
    return f'todo!("a {owner.name}")'


def _variant(plan: Plan, owner: Owner) -> str | None:
    """The first of an enum's variants that holds nothing."""
    if owner.symbol is None or owner.symbol.kind != "enum":
        return None
    members = plan.reader.symbols.members(owner.symbol.id)
    plain = (each.name for each in members if each.kind == "constant" and each.signature == each.name)
    return next((f"{owner.name}::{name}" for name in plain), None)


def _said_type(owner: Owner) -> str:
    """The type of what is made: without it nothing could be called on what is still to do."""
    is_plain = owner.symbol is not None and "<" not in owner.symbol.signature
    return f": {owner.name}" if is_plain else ""


def _bounded(function: SymbolRecord, each: Argument) -> str | None:
    """A value for a parameter whose type is one of the function's own: by the trait that it must have."""
    name = (each.parameter.type_text or "").strip()
    if _TYPE_PARAMETER.fullmatch(name) is None:
        return None
    bound = re.search(rf"\b{name}\s*:\s*([\w:]+(?:<[\w:&' ]+>)?)", function.signature)
    value = _BY_TRAIT.get(re.sub(r"(?:\w+::)+", "", bound[1])) if bound is not None else None
    return f"let {each.name} = {value};" if value is not None else None


def _value(each: Argument, owner: str) -> str:
    if each.expression is not None:
        return f"let {each.name} = {each.expression};"
    wanted = each.wanted.replace('"', "'").replace("{", "{{").replace("}", "}}")
    type_text = _LIFETIME.sub("", each.parameter.type_text or "").replace("&mut  ", "&mut ").strip()
    type_text = re.sub(r"\bSelf\b", owner, type_text)
    is_sayable = type_text and "impl " not in type_text and "<>" not in type_text
    if not is_sayable or has_type_parameter(type_text):
        return f'let {each.name} = todo!("{wanted}");'
    return f'let {each.name}: {type_text} = todo!("{wanted}");'
