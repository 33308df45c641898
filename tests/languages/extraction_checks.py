"""What every extractor's tests share: facts are well formed, facts are what the fixture says, fuzzing.

An expected file is TOML beside the fixture's sources, one table for each source file:

    ["shop/cart.py"]
    symbols = ["class Cart 5", "method Cart.total 12"]
    calls = ["Cart.total -> sum 13"]

Each list is optional and compared whole and in order of the file; what is not listed is not compared.
"""

import random
import tomllib
from collections.abc import Callable, Iterator
from enum import IntFlag
from pathlib import Path

from grammar import faults

from drift.languages.facts import CallTrait, FileFacts, HandlingTrait

Extract = Callable[[bytes, str], FileFacts]

_SCOPED = (
    "imports",
    "calls",
    "accesses",
    "bindings",
    "stores",
    "returns",
    "references",
    "constants",
    "environment_reads",
    "setting_reads",
    "handlings",
    "constructs",
    "elements",
    "markup_bindings",
)


def check_facts(facts: FileFacts, source: bytes) -> None:
    """Assert what holds for the facts of any file: numbers in range, spans inside, texts not too long."""
    line_count = source.count(b"\n") + 1
    assert not faults(facts, FileFacts)
    assert facts.symbols[0].kind == "module"
    for number in range(len(facts.symbols)):
        _check_symbol(facts, number, source)
    for name in _SCOPED:
        for fact in getattr(facts, name):
            assert 0 <= fact.scope < len(facts.symbols), fact
            assert 1 <= fact.line <= line_count, fact
    for call in facts.calls:
        assert len(call.text) <= 120, call
        check_expression(("list", call.callee, *(value for _, value in call.arguments)), facts)
    values = [bound.value for bound in (*facts.bindings, *facts.stores, *facts.returns)]
    check_expression(("list", *values, *(found.target for found in facts.references)), facts)
    check_expression(("list", *(read.receiver for read in facts.accesses)), facts)
    assert all(0 <= entry.symbol < len(facts.symbols) for entry in facts.entry_points), facts.entry_points
    assert all(1 <= problem.line <= line_count for problem in facts.problems), facts.problems
    assert all(0 <= detail.call < len(facts.calls) for detail in facts.call_details), facts.call_details
    for member in facts.members:
        assert 0 < member.symbol < len(facts.symbols), member
        assert len(member.value) <= 120, member
        assert 1 <= member.line <= line_count, member
    for guard in facts.guards:
        assert 0 <= guard.symbol < len(facts.symbols), guard
        assert guard.entry is None or guard.entry < len(facts.entry_points), guard
        assert len(guard.text) <= 120, guard
    for found in facts.constructs:
        assert 0 <= found.start_byte <= found.end_byte <= len(source), found
        assert len(found.detail or "") <= 4_000, found
    for fingerprint in facts.fingerprints:
        assert 0 <= fingerprint.hash < 1 << 63
        assert 1 <= fingerprint.line <= fingerprint.end_line <= line_count
    counted = facts.code_lines + facts.comment_lines + facts.blank_lines
    assert counted == len(source.split(b"\n")) - (source.endswith(b"\n") or not source)
    assert all(type(value) is tuple for value in facts[4:5] + facts[6:])


def _check_symbol(facts: FileFacts, number: int, source: bytes) -> None:
    symbol = facts.symbols[number]
    assert 0 <= symbol.parent < max(number, 1), (number, symbol)
    assert 0 <= symbol.start_byte <= symbol.end_byte <= len(source), symbol
    assert 1 <= symbol.line <= symbol.end_line <= source.count(b"\n") + 1, symbol
    assert len(symbol.doc) <= 2_000, symbol
    assert list(symbol.modifiers) == sorted(set(symbol.modifiers)), symbol
    types = [parameter.type for parameter in symbol.parameters] + [base.type for base in symbol.bases]
    check_expression(("list", symbol.return_type, symbol.value_type, *types), facts)
    for parameter in symbol.parameters:
        assert len(parameter.type_text or "") <= 200, parameter
        assert len(parameter.default_text or "") <= 200, parameter


def check_expression(expression: object, facts: FileFacts) -> None:
    """Assert that the calls and symbols that an expression names are there; its forms are held by its types."""
    waiting = [expression]
    while waiting:
        value = waiting.pop()
        match value:
            case ("result", int() as number):
                assert 0 <= number < len(facts.calls), value
            case ("symbol", int() as number):
                assert 0 <= number < len(facts.symbols), value
            case ("generic", inner, int() as count):
                assert count > 0, value
                waiting.append(inner)
            case tuple():
                waiting += value


def qualified_name(facts: FileFacts, number: int) -> str:
    """Dotted names from the outermost symbol in; the file itself is `<module>`."""
    names: list[str] = []
    while number:
        names.append(facts.symbols[number].name)
        number = facts.symbols[number].parent
    return ".".join(reversed(names)) or "<module>"


def describe(facts: FileFacts) -> dict[str, list[str]]:
    """The facts as the lines an expected file holds."""

    def where(number: int) -> str:
        return qualified_name(facts, number)

    return {
        "symbols": [
            f"{symbol.kind} {where(number)} {symbol.line}"
            for number, symbol in sorted(enumerate(facts.symbols), key=lambda item: item[1].start_byte)
            if number
        ],
        "modifiers": [
            f"{where(number)}: {' '.join(symbol.modifiers)}"
            for number, symbol in enumerate(facts.symbols)
            if number and symbol.modifiers
        ],
        "signatures": [symbol.signature for symbol in facts.symbols[1:] if symbol.signature],
        "bases": [
            f"{where(number)} {base.kind} {base.text}"
            for number, symbol in enumerate(facts.symbols)
            for base in symbol.bases
        ],
        "imports": [
            f"{where(found.scope)}: {found.module} {found.name or '-'} as {found.alias or '-'}"
            + (" reexport" if found.is_reexport else "")
            + (" type" if found.is_type_only else "")
            + f" {found.line}"
            for found in facts.imports
        ],
        "calls": [
            f"{where(call.scope)} -> {'' if call.kind == 'call' else call.kind + ' '}{call.text} {call.line}"
            for call in sorted(facts.calls, key=lambda call: (call.line, call.column))
        ],
        "entry_points": [
            f"{entry.kind} {where(entry.symbol)}" + (f" {entry.detail}" if entry.detail else "")
            for entry in facts.entry_points
        ],
        "guards": [
            (
                f"{facts.entry_points[guard.entry].detail}:"
                if guard.entry is not None
                else f"{where(guard.symbol)}:"
            )
            + f" {guard.how} {guard.text}"
            for guard in facts.guards
        ],
        "mounts": [
            f"{mount.kind} {mount.prefix} {' '.join(mount.guards)}".rstrip()
            for mount in facts.mounts
            if mount.guards
        ],
        "members": [
            f"{where(member.symbol)}"
            + (f"[{member.key}]" if member.key is not None else "")
            + f" {member.value}"
            for member in facts.members
        ],
        "configuration": [
            f"{kind} {where(read.scope)} {read.name} {'required' if read.is_required else 'optional'}"
            + (f" = {read.default_text}" if read.default_text is not None else "")
            for kind, reads in (("environment", facts.environment_reads), ("setting", facts.setting_reads))
            for read in reads
        ],
        "environment": [
            f"{where(read.scope)} {read.name}" + (f" = {read.default_text}" if read.default_text else "")
            for read in facts.environment_reads
        ],
        "handlings": [
            f"{where(found.scope)} {found.kind} {', '.join(found.types)}".rstrip()
            + (" empty" if found.is_empty else "")
            + f" {found.line}"
            for found in facts.handlings
        ],
        "handlers": [
            f"{where(found.scope)} {found.kind} {found.variable or '-'} {_flags(HandlingTrait, found.traits)}".rstrip()
            for found in facts.handlings
            if found.kind in {"catch", "check"}
        ],
        "constructs": [
            f"{where(found.scope)} {found.kind}"
            + (f" {found.detail}" if found.detail else "")
            + f" {found.line}"
            for found in facts.constructs
        ],
        "elements": [
            f"{where(found.scope)} {found.tag}"
            + (f"#{found.identity}" if found.identity is not None else "")
            + "".join(f".{each}" for each in (found.classes or "").split())
            + "".join(f" {key}" + ("" if value is None else f"={value}") for key, value in found.attributes)
            + f" {found.line}"
            for found in facts.elements
        ],
        "markup_bindings": [
            f"{where(found.scope)} {found.kind} {found.element}.{found.property} = {found.path}"
            + "".join(
                f" {word}={value}"
                for word, value in zip(("mode", "converter", "source", "in"), found[6:], strict=True)
                if value
            )
            + f" {found.line}"
            for found in facts.markup_bindings
        ],
        "member_reads": [
            f"{where(found.scope)} {dotted} {found.line}"
            for found in facts.references
            if found.kind == "value" and (dotted := _dotted(found.target)).count(".")
        ],
        "styles": [
            " ".join(
                str(each) for each in (found.line, found.kind, found.name, found.owner) if each is not None
            )
            for found in facts.styles
        ],
        "call_details": [
            f"{facts.calls[found.call].text} {_flags(CallTrait, found.traits)}".rstrip()
            + (f" {found.keyword}:" if found.keyword else "")
            + (f" {found.literal!r}" if found.literal is not None else "")
            for found in facts.call_details
        ],
        "complexity": [
            f"{where(number)} {symbol.complexity.cyclomatic} {symbol.complexity.cognitive}"
            for number, symbol in enumerate(facts.symbols)
            if number and symbol.complexity
        ],
        "comments": [f"{found.line} {found.text.splitlines()[0]}" for found in facts.comments],
    }


def _dotted(expression: object) -> str:
    """A member as it is written; what it is a member of otherwise as the word for it."""
    match expression:
        case ("member", inner, str() as name):
            return f"{_dotted(inner)}.{name}"
        case ("name", str() as name):
            return name
        case (str() as word, *_):
            return word
    return "?"


def _flags(kind: type[IntFlag], value: int) -> str:
    return " ".join(str(flag.name).lower() for flag in kind if flag & value)


def expectations(project: Path) -> list[tuple[str, str, list[str]]]:
    """(file, kind of fact, expected lines) of each list in the project's `expected.toml`."""
    expected = tomllib.loads((project / "expected.toml").read_text("utf-8"))
    return [(path, kind, lines) for path, lists in expected.items() for kind, lines in lists.items()]


def compare_with_expected(extract: Extract, project: Path, *, path: str, kind: str, lines: list[str]) -> None:
    """Assert that a file of the project gives exactly these lines, and well-formed facts."""
    source = (project / path).read_bytes()
    facts = extract(source, path)
    check_facts(facts, source)
    assert describe(facts)[kind] == lines


def mutations(source: bytes, seed: int, count: int) -> Iterator[bytes]:
    """Damaged copies of a source: bytes flipped, cut, doubled, shuffled, nested."""
    chance = random.Random(seed)
    noise = (
        b"\x00",
        b"\xff",
        b"(",
        b")",
        b"{",
        b"}",
        b'"',
        b"'",
        b"\\",
        b"\n",
        b"@",
        b":",
        b"*",
        b"=",
        b"\xe2\x82",
    )
    for _ in range(count):
        damaged = bytearray(source)
        for _ in range(chance.randint(1, 6)):
            start = chance.randrange(len(damaged) + 1)
            end = min(len(damaged), start + chance.randint(0, 60))
            match chance.randrange(6):
                case 0:
                    damaged[start:end] = b""
                case 1:
                    damaged[start:start] = chance.choice(noise) * chance.randint(1, 4)
                case 2:
                    damaged[end:end] = damaged[start:end] * chance.randint(1, 3)
                case 3:
                    damaged = damaged[:start] or bytearray(b"x")
                case 4 if start < len(damaged):
                    damaged[start] = chance.randrange(256)
                case _:
                    damaged[start:start] = damaged[chance.randrange(len(damaged) + 1) :][:40]
        yield bytes(damaged)


def check_survives(extract: Extract, source: bytes, path: str, *, seed: int = 7, count: int = 60) -> None:
    """Assert that damaged copies of a source never raise and give well-formed facts."""
    for damaged in mutations(source, seed, count):
        check_facts(extract(damaged, path), damaged)
