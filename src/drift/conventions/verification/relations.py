"""Whether symbols are there as claimed, and whether they call, extend, import or cover what they are said to."""

import re
from collections.abc import Iterable
from typing import Final

from drift.analyses.lookup import find_file, find_symbols
from drift.analyses.reaching_tests import find_reaching_tests
from drift.conventions.verification.form import ClaimObject, Told, VerifiedClaim
from drift.conventions.verification.ground import ClaimVerdict, Ground
from drift.conventions.verification.names import check_symbol
from drift.conventions.verification.tokens import Claim, ClaimKind
from drift.index import IndexReader
from drift.index.records import SymbolRecord
from drift.kernel.errors import needed
from drift.kernel.similar import similar_names

_NAME: Final = re.compile(r"[\w$]{1,200}")
_RECEIVERS: Final = frozenset({"self", "cls", "this"})
_UNKNOWN: Final = "unknown"
_AS_A_WORD: Final = " as a word"
_MOST: Final = 5
_MOST_STEPS: Final = 8
_MOST_CALLEES: Final = 500


def verify_symbol(claim: ClaimObject, ground: Ground, reader: IndexReader) -> VerifiedClaim:
    """A symbol: whether it is there, in the file that is named, with the signature that is given."""
    name = needed("name", claim.name, when="kind=symbol")
    told = Told("symbol", f"{name} in {claim.file}" if claim.file else name)
    if claim.file is not None and find_file(reader, claim.file) is None:
        return told.is_not("resource", f"{claim.file} is no file of the project")
    everywhere = find_symbols(reader, name).symbols
    here = find_symbols(reader, name, file=claim.file).symbols if claim.file else everywhere
    if here:
        return _as_signed(told, here, claim.signature)
    if everywhere:
        return told.is_not("mapping", *(f"it is at {_place(one)}" for one in everywhere[:_MOST]))
    found = check_symbol(Claim(ClaimKind.SYMBOL, name, is_sure=True), ground)
    if found is None or found.verdict is ClaimVerdict.UNCLEAR:
        return told.is_open(found.evidence if found else "it may mean something else than a symbol")
    if found.verdict is not ClaimVerdict.FOUND:
        return told.is_not("naming", found.evidence, similar=found.similar)
    if found.evidence.endswith(_AS_A_WORD):
        return told.is_open(
            "no symbol is known by this name, but the word stands in the source", found.evidence
        )
    return told.is_so(found.evidence)


def verify_relationship(claim: ClaimObject, reader: IndexReader) -> VerifiedClaim:
    """A call, a parent, an import or what a test runs."""
    if claim.extends is not None:
        return _verify_parent(needed("name", claim.name, when="extends is given"), claim.extends, reader)
    if claim.imports is not None:
        return _verify_import(needed("file", claim.file, when="imports is given"), claim.imports, reader)
    if claim.covers is not None:
        return _verify_test(needed("name", claim.name, when="covers is given"), claim.covers, reader)
    caller = needed("caller", claim.caller, when="kind=relationship")
    return _verify_call(caller, needed("callee", claim.callee, when="kind=relationship"), reader)


def _as_signed(told: Told, symbols: tuple[SymbolRecord, ...], signature: str | None) -> VerifiedClaim:
    if signature is None:
        return told.is_so(*(_place(one) for one in symbols[:_MOST]))
    claimed = _parameters(signature)
    if claimed is None:
        return told.is_open(f"no list of parameters stands in {signature!r}")
    fitting = [one for one in symbols if _has_parameters(one, claimed)]
    if fitting:
        return told.is_so(f"{_place(fitting[0])} {fitting[0].signature}")
    return told.is_not("mapping", *(f"{_place(one)} {one.signature}" for one in symbols[:_MOST]))


def _has_parameters(symbol: SymbolRecord, claimed: list[frozenset[str]]) -> bool:
    """Whether its parameters are those, one by one; where in a parameter its name stands depends on the language."""
    own = [one.name for one in symbol.parameters if one.kind != "receiver" and one.name not in _RECEIVERS]
    return len(own) == len(claimed) and all(name in words for name, words in zip(own, claimed, strict=True))


def _parameters(signature: str) -> list[frozenset[str]] | None:
    """The words of each parameter that a signature lists, but for receivers; None where it has no list."""
    start = signature.find("(")
    if start < 0:
        return None
    parts, depth = [""], 0
    for sign in signature[start:]:
        depth += (sign in "([{<") - (sign in ")]}>")
        if depth == 0:
            break
        if sign == "," and depth == 1:
            parts.append("")
        else:
            parts[-1] += sign
    words = (frozenset(_NAME.findall(part)) for part in parts)
    return [each for each in words if each and not each & _RECEIVERS]


def _verify_call(caller: str, callee: str, reader: IndexReader) -> VerifiedClaim:
    told = Told("relationship", f"{caller} calls {callee}")
    callers = find_symbols(reader, caller)
    if not callers.symbols:
        return told.is_not("naming", f"no symbol is called {caller}", similar=callers.similar)
    targets = find_symbols(reader, callee)
    seen = _find_call(callers.symbols[:_MOST], targets.symbols, callee, reader=reader)
    if seen is not None:
        return told.is_so(seen)
    unknown = [
        f"{one.path}:{call.line} calls {call.text}, and it is not known where that leads"
        for one in callers.symbols[:_MOST]
        for call in reader.calls.calls_of(one.id)
        if _last(call.text) == _last(callee) and call.outcome == _UNKNOWN
    ]
    if unknown:
        return told.is_open(unknown[0])
    if not targets.symbols:
        return told.is_not("naming", f"nothing is called {callee}", similar=targets.similar)
    return told.is_not("logic", *_ways(callers.symbols, targets.symbols, reader))


def _find_call(
    callers: Iterable[SymbolRecord], targets: Iterable[SymbolRecord], callee: str, *, reader: IndexReader
) -> str | None:
    """Where one of the callers calls one of the targets, or something outside of that name."""
    wanted = {one.id for one in targets}
    for one in callers:
        for each in reader.calls.callees(one.id, limit=_MOST_CALLEES):
            if each.symbol.id in wanted:
                return f"{one.path}:{each.line}, confidence {each.confidence:g} ({each.reason})"
        for call in reader.calls.calls_of(one.id):
            if call.external_name and _ends_in(call.external_name, callee):
                return f"{one.path}:{call.line} calls {call.external_name}, which is outside"
    return None


def _ways(
    callers: Iterable[SymbolRecord], targets: Iterable[SymbolRecord], reader: IndexReader
) -> Iterable[str]:
    """How else the one comes to the other."""
    source, target = next(iter(callers)), next(iter(targets))
    yield f"{_place(source)} has no call of it"
    for start, end, said in ((source, target, "through"), (target, source, "the other way round, through")):
        paths = reader.calls.shortest_paths(start.id, end.id, max_depth=_MOST_STEPS, limit=1)
        if paths:
            names = [one.qualname for one in reader.symbols.many(paths[0])]
            yield f"{said} {' -> '.join(names)}"
            return


def _verify_parent(name: str, parent: str, reader: IndexReader) -> VerifiedClaim:
    told = Told("relationship", f"{name} extends {parent}")
    types = find_symbols(reader, name)
    if not types.symbols:
        return told.is_not("naming", f"no symbol is called {name}", similar=types.similar)
    seen: set[int] = set()
    waiting = list(types.symbols[:_MOST])
    shown: list[str] = []
    is_open = False
    while waiting and len(seen) < _MOST_CALLEES:
        one = waiting.pop()
        seen.add(one.id)
        for base in reader.symbols.bases(one.id):
            if _ends_in(base.external_name or base.text, parent):
                return told.is_so(f"{_place(one)} {base.kind} {base.text}")
            shown.append(f"{_place(one)} {base.kind} {base.text}")
            is_open |= base.target_symbol_id is None
            above = reader.symbols.get(base.target_symbol_id) if base.target_symbol_id is not None else None
            if above is not None and above.id not in seen:
                waiting.append(above)
    if is_open:
        return told.is_open(
            "a parent is outside of the project, and what that extends is not known", *shown[:_MOST]
        )
    return told.is_not("mapping", *(shown[:_MOST] or [f"{_place(types.symbols[0])} extends nothing"]))


def _verify_import(file: str, module: str, reader: IndexReader) -> VerifiedClaim:
    told = Told("relationship", f"{file} imports {module}")
    found = find_file(reader, file)
    if found is None:
        return told.is_not("resource", f"{file} is no file of the project")
    imports = reader.facts.imports_of(found.id)
    paths = {one.target_file_id: one for one in imports if one.target_file_id is not None}
    wanted = find_file(reader, module)
    for one in imports:
        names = {one.module, f"{one.module}.{one.name}", one.name, one.external_package}
        if module in names or (wanted is not None and wanted.id in paths and one.target_file_id == wanted.id):
            return told.is_so(f"{one.path}:{one.line} {one.module}{f' ({one.name})' if one.name else ''}")
    return told.is_not(
        "mapping", "it does not", similar=similar_names(module, {one.module for one in imports})
    )


def _verify_test(test: str, covered: str, reader: IndexReader) -> VerifiedClaim:
    told = Told("relationship", f"{test} covers {covered}")
    targets = find_symbols(reader, covered)
    if not targets.symbols:
        return told.is_not("naming", f"no symbol is called {covered}", similar=targets.similar)
    rows = [row for one in targets.symbols[:_MOST] for row in find_reaching_tests(reader, one.id)]
    for row in rows:
        if test in {row.test, row.file} or _ends_in(row.test, test):
            return told.is_so(f"{row.file}:{row.line} {row.test}, {row.depth} calls away")
    if find_file(reader, test) is None and not find_symbols(reader, test).symbols:
        return told.is_not("naming", f"no test is called {test}", similar=tuple(row.test for row in rows[:3]))
    shown = tuple(f"{row.file}:{row.line} {row.test}" for row in rows[:_MOST])
    return told.is_not("logic", *(shown or ("no test is seen to run it",)))


def _last(name: str) -> str:
    words = _NAME.findall(name)
    return words[-1] if words else name


def _ends_in(full: str, wanted: str) -> bool:
    """Whether a full name is the wanted one, or ends in it by whole words."""
    own, asked = _NAME.findall(full), _NAME.findall(wanted)
    return bool(asked) and own[-len(asked) :] == asked


def _place(symbol: SymbolRecord) -> str:
    return f"{symbol.path}:{symbol.line} {symbol.qualname}"
