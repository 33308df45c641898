"""Where the outside world enters Ruby code: routes, tests, tasks, commands, jobs, scripts.

A block that a framework runs by itself is a symbol of its own, named by the call that is given it; any other block is
part of the method it stands in.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import last_name
from drift.languages.facts import EntryPoint, Return
from drift.languages.frameworks import Rule, describe, find_rule, load_frameworks
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS
from drift.languages.ruby.constants import path_form
from drift.languages.ruby.functions import read_parameters
from drift.languages.ruby.statements import visit_body
from drift.languages.ruby.walk import CLASS_METHOD, arguments_of
from drift.languages.table import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.frameworks import Selector
    from drift.languages.ruby.walk import RubyWalk

_FRAMEWORKS: Final = load_frameworks("ruby")
_SUITES: Final = _FRAMEWORKS.names("tests", "suites")
_HOOKS: Final = _FRAMEWORKS.names("tests", "hooks")
_MATCHING: Final = _FRAMEWORKS.names("tests", "matching")
_NAMING: Final = _FRAMEWORKS.names("tests", "definitions")
_TEST_BASES: Final = _FRAMEWORKS.texts("tests", "base_endings")
_HELPER_ENDINGS: Final = ("Helper", "Helpers")
_TEST_PREFIXES: Final = _FRAMEWORKS.texts("tests", "method_prefixes")
_SPACES: Final = _FRAMEWORKS.names("tasks", "spaces")
_COMMAND_BASES: Final = _FRAMEWORKS.names("commands", "bases")
_NO_SCRIPTS: Final = next(each.file_names for each in LANGUAGES if each.name == "ruby")
_SCRIPT_SUFFIXES: Final = (".rb", ".rake", ".gemspec", ".ru")


class _Site:
    """A call with a block, as the matcher asks about it."""

    is_call = True
    owners: Iterable[str] = ()

    def __init__(self, ruby: RubyWalk, node: Node, name: str) -> None:
        self._ruby = ruby
        self._node = node
        self.name = name
        owner = node.child_by_field_name("receiver")
        self.receiver = "" if owner is None else ruby.text.brief(owner, MOST_TEXT_CHARACTERS)

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        text = self.constant(selectors)
        return [] if text is None else [text]

    def constant(self, selectors: tuple[Selector, ...]) -> str | None:
        arguments = arguments_of(self._node)
        for selector in selectors:
            if isinstance(selector, int) and selector < len(arguments):
                return _title(self._ruby, arguments[selector])
        return None

    def written(self) -> str:
        return self._ruby.text.brief(self._node, MOST_TEXT_CHARACTERS)

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        return any(
            found.module == package or found.module.startswith(f"{package}/")
            for found in self._ruby.imports
            for package in packages
        )


def _title(ruby: RubyWalk, node: Node) -> str | None:
    """What an argument says to a reader: a string, a symbol, a class, the task before its dependencies."""
    text = ruby.string_of(node)
    if text is not None:
        return text
    if node.type == "pair":
        key = node.child_by_field_name("key")
        return None if key is None else ruby.string_of(key)
    if node.type in {"constant", "scope_resolution"}:
        return ruby.text.brief(node, MOST_TEXT_CHARACTERS)
    return None


def enter_block(ruby: RubyWalk, node: Node, block: Node, *, name: str) -> Expression:
    """The value of a block that a framework runs, after gathering its code as a symbol; None for any other block."""
    if ruby.method is not None and ruby.symbols[ruby.method].kind != "function":
        return None
    is_plain = node.child_by_field_name("receiver") is None
    if name in _SUITES:
        return _enter_suite(ruby, node, block)
    if name in _SPACES and is_plain:
        return _enter_space(ruby, node, block)
    if name in _NAMING and is_plain and _is_in_suite(ruby):
        return _define_named(ruby, node, block, name)
    if name in _HOOKS and is_plain and _is_in_tests(ruby):
        return _keep_block(ruby, node, block, f"<{name}>")
    site = _Site(ruby, node, name)
    rule = find_rule(_FRAMEWORKS.calls.get(name, ()), site)
    if rule is None:
        return None
    value = _keep_block(ruby, node, block, f"<{name}>")
    if value is not None and value[0] == "symbol":
        detail = _detail(ruby, rule, site)
        ruby.entry_points.append(EntryPoint(value[1], rule.kind, detail, ruby.line(node)))
    return value


@contextmanager
def matcher_test(ruby: RubyWalk, node: Node, name: str) -> Iterator[None]:
    """Around the reading of a call that is a test, though it has no block: `should respond_with :success`."""
    matcher = arguments_of(node)[0]
    block = matcher.child_by_field_name("block")
    end = matcher.end_byte if block is None else block.start_byte
    title = ruby.text.brief_slice(matcher.start_byte, end, limit=MOST_SIGNATURE_CHARACTERS).rstrip()
    number = ruby.keep(ruby.begin("function", f"<{name}>", node))
    detail = " > ".join([*ruby.suite_titles, title])
    ruby.entry_points.append(EntryPoint(number, "test", detail, ruby.line(node)))
    around = ruby.variables
    with ruby.inside(number, is_class=False):
        ruby.variables = dict(around)
        yield


def checks_alone(ruby: RubyWalk, node: Node, name: str) -> bool:
    """Whether a call in the body of a group or of a class of tests, and not in a test, hands a matcher to it."""
    if name not in _MATCHING or node.child_by_field_name("block") is not None or not _is_in_tests(ruby):
        return False
    if ruby.method is not None and ruby.symbols[ruby.method].name.strip("<>") not in _SUITES:
        return False
    arguments = arguments_of(node)
    return bool(arguments) and ruby.string_of(arguments[0]) is None


def _detail(ruby: RubyWalk, rule: Rule, site: _Site) -> str:
    if rule.kind == "test":
        title = site.constant(rule.detail)
        return " > ".join([*ruby.suite_titles, title] if title else [*ruby.suite_titles, f"<{site.name}>"])
    if rule.kind == "cli":
        return f"{rule.word} {':'.join([*ruby.task_names, site.constant(rule.detail) or ''])}"
    return describe(rule, site)


def _is_in_suite(ruby: RubyWalk) -> bool:
    return bool(ruby.suite_titles)


def _is_in_tests(ruby: RubyWalk) -> bool:
    """Whether a hook is one of tests: in a group of them, or in a class of them."""
    if ruby.suite_titles or ruby.class_number is None:
        return bool(ruby.suite_titles)
    return _is_test_class(ruby, ruby.class_number)


def _enter_suite(ruby: RubyWalk, node: Node, block: Node) -> Expression:
    arguments = arguments_of(node)
    title = _title(ruby, arguments[0]) if arguments else None
    if arguments and len(arguments) > 1 and arguments[1].type == "string":
        title = f"{title or ''} {ruby.string_of(arguments[1]) or ''}".strip()
    ruby.suite_titles.append(title or "<group>")
    outer, mixins = ruby.described_class, ruby.suite_mixins
    described = path_form(ruby, arguments[0] if arguments else None)
    ruby.described_class = described or outer
    if last_name(described).endswith(_HELPER_ENDINGS):  # of a module of helpers, which the tests have, too
        ruby.suite_mixins = (*mixins, described)
    method = node.child_by_field_name("method")
    is_outermost = len(ruby.suite_titles) == 1 and not ruby.suite
    if is_outermost:
        ruby.suite = len(ruby.symbols)  # the number that the block is about to have
    value = _keep_block(ruby, node, block, f"<{'' if method is None else ruby.text.text(method)}>")
    if is_outermost:
        ruby.suite = 0
    ruby.suite_titles.pop()
    ruby.described_class, ruby.suite_mixins = outer, mixins
    return value


def mix_into_tests(ruby: RubyWalk, node: Node, name: str) -> bool:
    """Whether a call is `include Helpers` in a group of tests, whose tests then have its methods."""
    if name != "include" or not ruby.suite_titles or ruby.class_number is not None:
        return False
    for argument in arguments_of(node):
        form = path_form(ruby, argument)
        if form is None:
            ruby.visit(argument)
            continue
        ruby.refer(argument, form, "type")
        ruby.suite_mixins = (*ruby.suite_mixins, form)
    return True


def _enter_space(ruby: RubyWalk, node: Node, block: Node) -> Expression:
    """A namespace of tasks or routes: its code runs where it stands."""
    arguments = arguments_of(node)
    title = _title(ruby, arguments[0]) if arguments else None
    ruby.task_names.append(title or "")
    visit_body(ruby, block.child_by_field_name("body"))
    ruby.task_names.pop()
    return ("literal", "none")


def _define_named(ruby: RubyWalk, node: Node, block: Node, name: str) -> Expression:
    """`let(:cart) { … }` defines what tests of the group call by that name."""
    arguments = arguments_of(node)
    named = ruby.string_of(arguments[0]) if arguments else name.rstrip("!")
    return _keep_block(ruby, node, block, named or f"<{name}>")


def _keep_block(ruby: RubyWalk, node: Node, block: Node, name: str) -> Expression:
    """A block as a function of its own, which sees the variables around it."""
    signature = ruby.text.brief_slice(node.start_byte, block.start_byte, limit=MOST_SIGNATURE_CHARACTERS)
    number = ruby.keep(ruby.begin("function", name, node)._replace(signature=signature))
    around = ruby.variables
    with ruby.inside(number, is_class=False):
        ruby.variables = dict(around)
        parameters = read_parameters(ruby, block.child_by_field_name("parameters"), {})
        ruby.symbols[number] = ruby.symbols[number]._replace(parameters=parameters)
        value = visit_body(ruby, block.child_by_field_name("body"))
        ruby.returns.append(Return(number, value, ruby.line(block)))
    return ("symbol", number)


def note_class(ruby: RubyWalk, number: int) -> None:
    """Methods of a class that its framework runs: those of test classes, of jobs, by what the class descends from."""
    symbol = ruby.symbols[number]
    rules = [
        _FRAMEWORKS.methods[base.text.lstrip(":")]
        for base in symbol.bases
        if base.text.lstrip(":") in _FRAMEWORKS.methods
    ]
    is_tests = _is_test_class(ruby, number)
    if not rules and not is_tests:
        return
    for member, each in enumerate(ruby.symbols):
        if (
            member <= number
            or each.parent != number
            or each.kind != "method"
            or CLASS_METHOD in each.modifiers
        ):
            continue
        if is_tests and each.name.startswith(_TEST_PREFIXES):
            ruby.entry_points.append(EntryPoint(member, "test", f"{symbol.name} > {each.name}", each.line))
        for found in rules:
            rule = next(iter(found.get(each.name, ())), None)
            if rule is not None:
                detail = f"{rule.word} {symbol.name}".strip()
                ruby.entry_points.append(EntryPoint(member, rule.kind, detail, each.line))


def _is_test_class(ruby: RubyWalk, number: int) -> bool:
    return any(
        base.kind == "extends" and base.text.endswith(_TEST_BASES) for base in ruby.symbols[number].bases
    )


def note_method(ruby: RubyWalk, number: int) -> None:
    """A method that `desc` stands before, in a class of commands."""
    described, ruby.described = ruby.described, ""
    symbol = ruby.symbols[number]
    bases = {base.text.lstrip(":") for base in ruby.symbols[symbol.parent].bases}
    if described and not bases.isdisjoint(_COMMAND_BASES) and symbol.visibility == "public":
        ruby.entry_points.append(EntryPoint(number, "cli", f"command {described}", symbol.line))


def note_description(ruby: RubyWalk, node: Node) -> None:
    """`desc "build PATH", "…"` says what the next command is called."""
    arguments = arguments_of(node)
    ruby.described = (ruby.string_of(arguments[0]) if arguments else None) or ""


def note_script(ruby: RubyWalk) -> None:
    """A file that is run by its name, or runs itself where it is not loaded by another."""
    source = ruby.text.source
    is_script = source.startswith(b"#!") or b"__FILE__ == $0" in source or b"$0 == __FILE__" in source
    is_script |= b"__FILE__ == $PROGRAM_NAME" in source or not ruby.path.endswith(_SCRIPT_SUFFIXES)
    name = ruby.path.rpartition("/")[2]
    is_run = name == "config.ru" or (is_script and name not in _NO_SCRIPTS)
    if is_run and any(call.scope == 0 for call in ruby.calls):
        ruby.entry_points.append(EntryPoint(0, "main", "rackup" if name == "config.ru" else "script", 1))
