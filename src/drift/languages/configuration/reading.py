"""The reads of configuration in one file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.call_sites import CallSite, call_at, is_text, keyed, positional
from drift.languages.configuration.rules import last_name, rules_of
from drift.languages.facts import EnvironmentRead
from drift.languages.limits import MOST_TEXT_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.configuration.rules import CallRule, Rules
    from drift.languages.enclosure import Scopes
    from drift.languages.facts import FileFacts
    from drift.languages.syntax import SourceText

    Found = tuple[str, EnvironmentRead]  # its kind, and the read

# What follows a read whose lack is an error: `.unwrap()`, `.expect("…")`, `?`, `?? throw new …`.
_FAILING: Final = re.compile(
    rb"\s{0,40}(?:\.(?:unwrap|expect)\(|\?[;,)\s.]|\?\? ?throw\b|\|\| ?(?:die|exit|raise)\b)"
)
_MOST_BEHIND: Final = 80
_NO_DEFAULT: Final = re.compile(r"\s{0,4}(?:$|Field\((?:\.\.\.)?[,)])")
# A text whose rest is put together at run time: f"APP_{key}", `APP_${key}`, "APP_" + key, "APP_%s" % key.
_BEGINNING: Final = re.compile(
    r"""[@$rbfuRBFU]{0,3}["'`]([A-Za-z_][\w.:]{0,100})(?:["'`]\s{0,4}[+.%]|\$?\{|#\{|%s)"""
)
_ALIAS: Final = re.compile(r"(?:validation_alias|alias|env)\s{0,4}=\s{0,4}[\"'](\w{1,100})[\"']")


def with_configuration(facts: FileFacts, scopes: Scopes, *, root: Node, text: SourceText) -> FileFacts:
    """The facts of a file, with its reads of settings, and whether what it reads is required."""
    rules = rules_of(facts.language)
    known = {(each.line, each.name) for each in facts.environment_reads}
    reads: list[EnvironmentRead] = []
    settings: list[EnvironmentRead] = []
    required = dict.fromkeys(known, rules.is_bare_required)
    for kind, read in _found(facts, rules, scopes, root=root, text=text):
        if kind == "setting":
            settings.append(read)
        elif (read.line, read.name) in known:
            required[read.line, read.name] = bool(read.is_required)
        else:
            reads.append(read)
    if not (known or reads or settings):
        return facts
    judged = [
        each._replace(is_required=each.default_text is None and required[each.line, each.name])
        for each in facts.environment_reads
    ]
    return facts._replace(
        environment_reads=tuple(sorted([*judged, *reads], key=lambda each: each.line) if reads else judged),
        setting_reads=tuple(sorted(settings, key=lambda each: each.line)),
    )


def _found(
    facts: FileFacts, rules: Rules, scopes: Scopes, *, root: Node, text: SourceText
) -> Iterator[Found]:
    yield from _by_calls(facts, rules, root=root, text=text)
    yield from _by_texts(rules, scopes, text)
    if rules.decorators:
        yield from _by_decorators(facts, rules)
    if rules.fields:
        yield from _by_fields(facts, rules)


def _by_calls(facts: FileFacts, rules: Rules, *, root: Node, text: SourceText) -> Iterator[Found]:
    calls = rules.calls
    for call in facts.calls if calls else ():
        # Asked of every call: the common way out is one look at a table.
        rows = calls.get(last_name(call.text))
        if rows is None:
            continue
        rule = next((rule for name, rule in rows if _is_named(call.text, name)), None)
        if rule is None or (rule.packages and not _imports_any(facts, rule.packages)):
            continue
        site = call_at(root, text.line_start(call.line) + call.column, text)
        name = None if site is None else _name_in(site, rule, facts, text)
        if site is not None and name:
            default = _default_in(site, rule, text)
            is_required = default is None and (rule.required or _is_failing(site.node, text))
            yield rule.kind, EnvironmentRead(call.scope, call.line, name, default, is_required=is_required)


def _is_named(called: str, name: str) -> bool:
    called = called.partition("<")[0]
    if not called.endswith(name):
        return False
    before = called[: -len(name)][-1:]
    return not before or before in ".>:_" or (name[0].isupper() and before == "_")


def _imports_any(facts: FileFacts, packages: tuple[str, ...]) -> bool:
    return any(each.module.startswith(packages) for each in facts.imports)


def _name_in(site: CallSite, rule: CallRule, facts: FileFacts, text: SourceText) -> str | None:
    """What is read: the text that is given, its beginning with a *, the value of a constant of the file, or a name in angle brackets."""
    given = positional(site.arguments)
    if rule.first:
        if not given or text.brief(given[0], MOST_TEXT_CHARACTERS).rpartition(".")[2] != rule.first:
            return None
        given = given[1:]
    if not given:
        return None
    written = text.brief(given[0], MOST_TEXT_CHARACTERS)
    if (beginning := _BEGINNING.match(written)) is not None:
        return f"{beginning[1]}*"
    if is_text(given[0]):
        return written.lstrip("@$rbfuRBFU").strip("\"'`") or None
    constant = written.rpartition(".")[2].rpartition(":")[2].lstrip("$")
    if not constant.isidentifier():
        return None
    values = {each.value for each in facts.constants if each.name == constant and each.kind == "string"}
    return values.pop() if len(values) == 1 else f"<{written.lstrip('$')}>"


def _default_in(site: CallSite, rule: CallRule, text: SourceText) -> str | None:
    given, named = positional(site.arguments), dict(keyed(site.arguments, text))
    for selector in rule.default:
        node = named.get(selector) if isinstance(selector, str) else None
        if isinstance(selector, int) and selector < len(given):
            node = given[selector]
        if node is not None:
            return text.brief(node, MOST_TEXT_CHARACTERS)
    return None


def _is_failing(node: Node, text: SourceText) -> bool:
    return _FAILING.match(text.source, node.end_byte, node.end_byte + _MOST_BEHIND) is not None


def _by_texts(rules: Rules, scopes: Scopes, text: SourceText) -> Iterator[Found]:
    for rule in rules.texts:
        if rule.needs not in text.source:
            continue
        found = [
            (each.start(), each[1].decode("utf-8", "replace"), each.end())
            for each in rule.pattern.finditer(text.source)
        ]
        numbers = scopes.numbers([place for place, _, _ in found])
        for place, name, end in found:
            is_required = rule.required or _FAILING.match(text.source, end, end + _MOST_BEHIND) is not None
            told = rule.name.format(name)
            read = EnvironmentRead(numbers[place], text.line_of(place), told, None, is_required=is_required)
            yield rule.kind, read


def _by_decorators(facts: FileFacts, rules: Rules) -> Iterator[Found]:
    for number, symbol in enumerate(facts.symbols):
        for decorator in symbol.decorators:
            pattern = rules.decorators.get(last_name(decorator.name))
            for found in pattern.finditer(decorator.text) if pattern is not None else ():
                default = found[2]
                read = EnvironmentRead(number, decorator.line, found[1], default, is_required=default is None)
                yield "setting", read


def _by_fields(facts: FileFacts, rules: Rules) -> Iterator[Found]:
    """Fields of a class of settings: required where they have no default."""
    holders = {
        number
        for number, symbol in enumerate(facts.symbols)
        if any(base.text.endswith(rules.fields) for base in symbol.bases)
    }
    for number, symbol in enumerate(facts.symbols) if holders else ():
        if (
            symbol.parent in holders
            and symbol.kind in {"field", "constant", "property"}
            and symbol.name != "model_config"
        ):
            alias = _ALIAS.search(symbol.signature)
            value = symbol.signature.partition("=")[2]
            default = None if _NO_DEFAULT.match(value) else value.strip()[:MOST_TEXT_CHARACTERS]
            name = alias[1] if alias is not None else symbol.name.upper()
            read = EnvironmentRead(number, symbol.line, name, default, is_required=default is None)
            yield "environment", read
