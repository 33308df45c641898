"""Tests in Ruby: RSpec, Minitest in classes or with describe, with the factories or fixtures of the project."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from drift.analyses.source_text import read_lines
from drift.analyses.test_templates.habits import majority
from drift.analyses.test_templates.naming import class_name
from drift.analyses.test_templates.sheet import (
    Argument,
    Draft,
    Plan,
    arguments,
    indent,
    variable_for,
)
from drift.analyses.test_templates.subjects import Owner, Subject, Thrown
from drift.index.listing_queries import PathFilter
from drift.kernel.words import split_words

_STEP: Final = "  "
_MAGIC: Final = "# frozen_string_literal: true"
_HELPER: Final = re.compile(r"^require(?:_relative)?[ (]+[\"'][^\"'\n]*helper[\"']\)?$", re.MULTILINE)
_TYPE: Final = re.compile(r"^RSpec\.describe[^\n]*, type: :(\w+)", re.MULTILINE)
_TYPES: Final = {"controllers": "controller", "helpers": "helper", "requests": "request", "models": "model"}
_FACTORY: Final = re.compile(r"^[ \t]*+(?:factory|Fabricator)[ (]:(\w+)", re.MULTILINE)
_MADE: Final = re.compile(r"\b((?:FactoryBot|FactoryGirl)\.create|create|Fabricate)\(:\w")
_FIXTURE: Final = re.compile(r"^(\w+):\s*$")
_PLACE_IN_PATH: Final = re.compile(r"/[:*](\w+)")
_MOST_FACTORIES: Final = 60
_MOST_LINES: Final = 2_000


class _Ways(NamedTuple):
    """How the tests around say what a test needs."""

    is_spec: bool  # with describe and it
    is_rspec: bool
    type: str | None
    factories: frozenset[str]
    making: str


def write_ruby_test(plan: Plan) -> Draft:
    """A file of specs or a class of tests, or what to add to one."""
    ways = _learn(plan)
    groups = [_group(plan, subject, ways) for subject in plan.subjects]
    lines = [line for group in groups for line in ("", *group)][1:]
    body = "\n".join(indent(lines, _STEP))
    if plan.existing is not None:
        return Draft(f"{body}\n", _place(plan))
    texts = [sample.text for sample in plan.habits.samples]
    has_magic = sum(text.startswith(_MAGIC) for text in texts) * 2 > len(texts)
    usual = 'require "spec_helper"' if ways.is_rspec else 'require "minitest/autorun"'
    helper = majority(line for text in texts for line in _HELPER.findall(text)) or usual
    head = [*([_MAGIC, ""] if has_magic else []), helper, *_own(plan), ""]
    return Draft("\n".join([*head, _opening(plan, ways), body, "end", ""]))


def _learn(plan: Plan) -> _Ways:
    is_rspec = plan.habits.framework.value == "rspec"
    folder = plan.test_path.rpartition("/")[0]
    beside = [sample.text for sample in plan.habits.samples if sample.path.rpartition("/")[0] == folder]
    texts = [sample.text for sample in plan.habits.samples]
    making = majority(name for text in texts for name in _MADE.findall(text)) or "create"
    said = majority(name for text in beside for name in _TYPE.findall(text)) or _type_of_folder(plan)
    return _Ways(
        is_rspec or plan.habits.style.value == "describe/it", is_rspec, said, _factories(plan), making
    )


def _type_of_folder(plan: Plan) -> str | None:
    """The type that specs of a folder have without saying it, as rspec-rails infers it."""
    parts = plan.test_path.split("/")
    return next((_TYPES[part] for part in parts[1:-1] if parts[0] == "spec" and part in _TYPES), None)


def _factories(plan: Plan) -> frozenset[str]:
    """What the project's factories make, by its name."""
    found: set[str] = set()
    around = plan.imports.around
    paths = plan.reader.listings.paths(PathFilter(language="ruby", role="test"))
    wanted = [path for path in paths if "factor" in path or "fabricat" in path][:_MOST_FACTORIES]
    for path in wanted if around is not None else ():
        assert around is not None  # or none is wanted
        found.update(_FACTORY.findall("\n".join(read_lines(around.root, path, first=1, count=_MOST_LINES))))
    return frozenset(found)


def _own(plan: Plan) -> list[str]:
    """What the test requires of the code itself, where nothing loads that by its name."""
    owner = plan.subjects[0].owner
    symbol = owner.symbol if owner is not None and owner.symbol is not None else plan.subjects[0].symbol
    plan.imports.add_symbol(symbol)
    return list(plan.imports.statements())


def _opening(plan: Plan, ways: _Ways) -> str:
    owner = plan.subjects[0].owner
    name = _constant(owner) if owner is not None else None
    if ways.is_rspec:
        said = f", type: :{ways.type}" if ways.type else ""
        return f"RSpec.describe {name or repr(class_name(plan.target.path))}{said} do"
    if ways.is_spec:
        return f"describe {name or repr(class_name(plan.target.path))} do"
    title = "".join(word[:1].upper() + word[1:] for word in split_words(class_name(plan.target.path)))
    return f"class {name or title}Test < {_parent(plan)}"


def _parent(plan: Plan) -> str:
    folder = plan.test_path.rpartition("/")[0]
    bases = [
        (sample.path.rpartition("/")[0] == folder, base.text)
        for sample in plan.habits.samples
        for each in sample.classes
        for base in plan.reader.symbols.bases(each.id)
        if each.name.endswith("Test") and base.kind == "extends"
    ]
    found = majority(text for is_near, text in bases if is_near) or majority(text for _, text in bases)
    return found or "Minitest::Test"


def _place(plan: Plan) -> str:
    """Before the end of what holds the tests of the file."""
    assert plan.existing is not None  # asked by the caller
    symbols = plan.reader.symbols.of_file(plan.existing.id)
    holders = [
        each for each in symbols if each.kind == "class" or each.name in {"<describe>", "<RSpec.describe>"}
    ]
    outer = max(holders, key=lambda each: each.end_line - each.line, default=None)
    return f"before line {outer.end_line}, its last end" if outer is not None else "at the end of the file"


def _constant(owner: Owner) -> str:
    return (owner.symbol.qualname if owner.symbol is not None else owner.name).replace(".", "::")


def _group(plan: Plan, subject: Subject, ways: _Ways) -> list[str]:
    tests = [_test(plan, subject, error, ways) for error in (None, *subject.errors)]
    lines = [line for test in tests for line in ("", *test)][1:]
    if not ways.is_spec:
        return lines
    sign = "." if subject.is_static else "#"
    return [f'describe "{sign}{subject.symbol.name}" do', *indent(lines, _STEP), "end"]


def _test(plan: Plan, subject: Subject, error: Thrown | None, ways: _Ways) -> list[str]:
    lines = _body(plan, subject, error, ways)
    what = f"raises {error.name}" if error is not None else "gives the expected result"
    if ways.is_spec:
        opening = f'it "{what}" do'
    elif plan.habits.style.value == "test blocks":
        opening = f'test "{plan.free(f"{subject.symbol.name} {what}")}" do'
    else:
        case = f"raises {error.name.rpartition(':')[2]}" if error is not None else ""
        opening = f"def {plan.name(subject, case, fallback='test: snake', lead='test')}"
    return [opening, *indent(lines, _STEP), "end"]


def _body(plan: Plan, subject: Subject, error: Thrown | None, ways: _Ways) -> list[str]:
    route = _route(plan, subject)
    if route is not None and error is None:
        return _asked(route, subject, ways)
    lines, call = _arranged(plan, subject, ways)
    lines += [""] if lines else []
    if error is not None:
        lead = f"# TODO: arguments that lead to {subject.symbol.path}:{error.line}"
        name = error.name.replace(".", "::")
        check = (
            f"expect {{ {call} }}.to raise_error({name})"
            if ways.is_rspec
            else f"assert_raises({name}) {{ {call} }}"
        )
        return [*lines, lead, check]
    said = f"TODO: say what {subject.symbol.name} should give; it gave #{{result.inspect}}"
    return [*lines, f"result = {call}", "", _fail(ways, said)]


def _fail(ways: _Ways, said: str) -> str:
    return f'{"raise" if ways.is_rspec else "flunk"} "{said}"'


def _route(plan: Plan, subject: Subject) -> str | None:
    """The request that runs the action of a controller."""
    entries = plan.reader.facts.entry_points_at(subject.symbol.id)
    found = (each.detail for each in entries if each.kind == "http" and each.detail and " /" in each.detail)
    return next(found, None) if plan.target.path.endswith("_controller.rb") else None


def _asked(route: str, subject: Subject, ways: _Ways) -> list[str]:
    verbs, _, path = route.partition(" ")
    verb = verbs.partition(",")[0].lower()
    names = _PLACE_IN_PATH.findall(path)
    if ways.type == "controller":
        given = ", ".join(f"{name}: 1" for name in names)
        call = f"{verb} :{subject.symbol.name}" + (f", params: {{ {given} }}" if given else "")
    else:
        whole = re.sub(r"\([^()]{0,200}+\)", "", _PLACE_IN_PATH.sub("/1", path))
        call = f'{verb} "{whole}"'
    note = f"  # TODO: {', '.join(names)}" if names else ""
    said = f"TODO: say what {route} should answer; it gave #{{response.status}}"
    return [f"{call}{note}", "", _fail(ways, said)]


def _arranged(plan: Plan, subject: Subject, ways: _Ways) -> tuple[list[str], str]:
    symbol, owner = subject.symbol, subject.owner
    lines: list[str] = []
    taken = [symbol.name, "result"]
    called = symbol.name
    if owner is not None and owner.symbol is not None:
        name = "described_class" if ways.is_rspec else _constant(owner)
        is_sent_to_class = subject.is_static or "/mailers/" in plan.target.path
        if is_sent_to_class:
            called = f"{name}.{symbol.name}"
        elif owner.symbol.kind == "trait" and ways.type == "helper":
            called = f"helper.{symbol.name}"
        else:
            variable = variable_for(owner.name, snake=True)
            taken.append(variable)
            made = arguments(plan, owner.parameters, avoid=taken)
            lines += _making(plan, owner, name, variable, made, ways)
            taken += [each.name for each in made]
            called = f"{variable}.{symbol.name}"
    # What takes a block runs without one.
    wanted = [each for each in subject.parameters if f"&{each.name.lstrip('&')}" not in symbol.signature]
    found = arguments(plan, wanted, avoid=taken)
    lines += [_value(each, ways) for each in found]
    return lines, f"{called}({_given(found)})" if found else called


def _making(
    plan: Plan, owner: Owner, name: str, variable: str, made: Sequence[Argument], ways: _Ways
) -> list[str]:
    assert owner.symbol is not None  # asked by the caller
    if owner.symbol.kind == "trait":
        return [f"{variable} = Class.new {{ include {_constant(owner)} }}.new"]
    if variable in ways.factories:
        return [f"{variable} = {ways.making}(:{variable})"]
    fixture = _fixture(plan, variable)
    if fixture is not None:
        return [f"{variable} = {fixture}"]
    lines = [_value(each, ways) for each in made]
    return [*lines, f"{variable} = {name}.new({_given(made)})" if made else f"{variable} = {name}.new"]


def _fixture(plan: Plan, variable: str) -> str | None:
    """The first of the fixtures of a model, where tests load them."""
    around = plan.imports.around
    home = plan.test_path.partition("/")[0]
    table = f"{variable}s"
    if around is None or "/models/" not in plan.target.path:
        return None
    lines = read_lines(around.root, f"{home}/fixtures/{table}.yml", first=1, count=_MOST_LINES)
    names = (found[1] for line in lines if (found := _FIXTURE.match(line)))
    first = next((one for one in names if one != "DEFAULTS"), None)
    return f"{table}(:{first})" if first is not None else None


def _value(each: Argument, ways: _Ways) -> str:
    if each.name in ways.factories:
        return f"{each.name} = {ways.making}(:{each.name})"
    if each.expression is not None:
        return f"{each.name} = {each.expression}"
    return f"{each.name} = nil # TODO: {each.wanted}"


def _given(found: Sequence[Argument]) -> str:
    return ", ".join(
        f"{each.parameter.name.rstrip(':')}: {each.name}" if each.parameter.kind == "keyword" else each.name
        for each in found
    )
