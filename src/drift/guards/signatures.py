"""Calls that do not fit what they call: too many arguments, too few, or one under a name that is not there.

Held against every function that the call may mean, with what may run in its place: a call is accused where it fits none.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from drift.guards.intentions import is_meant, written_language
from drift.guards.made_constructors import made_parameters, signature_of
from drift.guards.overlay import OverlaidCall, OverlaidFile, Overlay
from drift.languages.facts import Call, Parameter, Symbol
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.arities import is_other_class
from drift.scan.link.calling import callee_values
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.links import Place
from drift.scan.link.sureness import sure_values
from drift.scan.link.type_counts import arguments_behind
from drift.scan.link.values import FILE_SHIFT, Value, symbol_of
from drift.scan.link.wholeness import has_plain_line, is_remade

_OWN_REASONS: Final = frozenset({"self", "inherited", "super"})
_PLAIN_REASONS: Final = _OWN_REASONS | {"scope", "import", "package", "constructor", "annotation"}
"""How a target is found that is what the name says; what flowed there may be one of several."""
_HARMLESS_DECORATORS: Final = frozenset(
    {
        "staticmethod", "classmethod", "abstractmethod", "abc.abstractmethod", "override", "typing.override", "overload",
        "typing.overload", "final", "typing.final", "lru_cache", "functools.lru_cache", "cache", "functools.cache",
        "Override", "Deprecated", "SuppressWarnings", "Obsolete",
    }
)  # fmt: skip
"""Those after which a function takes what it says."""


_OVERLOADING: Final = frozenset({"csharp", "java"})
_INTERFACE: Final = re.compile(r"(?:^|[.?])I[A-Z][a-z]\w{0,200}$")
_TYPED_ELSEWHERE: Final = re.compile(
    r"(?:(?:private|public|protected|readonly|static|override|const|export)\s{1,5}){0,5}[#\w$]{1,200}[?!]?\s{0,5}:|this\."
)


class Rules(NamedTuple):
    """What a language refuses in a call."""

    extra: bool = True
    lacking: bool = True
    keywords: bool = False
    spreads: bool = False  # whether an element of a list may be all of them: the same form
    any_decorator: bool = False  # decorators are annotations that change nothing


RULES: Final = {
    "python": Rules(keywords=True),
    "typescript": Rules(spreads=True, any_decorator=True),
    "java": Rules(any_decorator=True),
    "go": Rules(spreads=True, any_decorator=True),
    "php": Rules(extra=False, keywords=True, spreads=True, any_decorator=True),
    "csharp": Rules(keywords=True, any_decorator=True),
    "rust": Rules(any_decorator=True),
}


class Mismatch(NamedTuple):
    """A call that does not fit: what is wrong, and the function as it is."""

    line: int
    name: str
    text: str
    problem: str
    signature: str
    place: Place


def mismatches(overlay: Overlay, file: OverlaidFile) -> Iterator[Mismatch]:
    """The calls of a text that fit nothing they may mean."""
    rules = RULES.get(written_language(file))
    if rules is None:
        return
    for call in file.calls():
        found = _mismatch(overlay, file, call, rules=rules)
        if found is not None:
            yield found


def _mismatch(overlay: Overlay, file: OverlaidFile, found: OverlaidCall, *, rules: Rules) -> Mismatch | None:
    call, link = found.call, found.link
    targets = (*link.targets, *link.overriders)
    if not link.targets or call.kind not in {"call", "new"} or not _is_sure(overlay, file, found):
        return None
    if f"<{call.text}" in file.lines[call.line - 1]:
        return None  # a component in JSX is given its attributes
    if is_meant(file, call.line) or _is_of_every_class(overlay, file, found):
        return None
    first: tuple[str, Place] | None = None
    for target in targets:
        symbol = overlay.symbol(target.place)
        made = made_parameters(overlay, target.place) if symbol.kind == "class" else None
        if made is None and (
            symbol.kind not in CODE_KINDS - {"property", "macro"}
            or _is_changed(symbol, rules)
            or _is_rebound(overlay, target.place)
        ):
            return None
        if link.reason != "constructor" and not call.text.endswith(symbol.name):
            return None  # something answers for it, or it goes by another name
        optional = optional_parameters(overlay, target.place.path, target.place.symbol)
        if optional is None:
            return None
        taken = made if made is not None else _taken(overlay, file, found, symbol)
        problem = fit(call, taken, rules=rules, optional=optional)
        if problem is None:
            return None
        first = first or (problem, target.place)
    if first is None:
        return None
    symbol = overlay.symbol(first[1])
    made = made_parameters(overlay, first[1]) if symbol.kind == "class" else None
    told = describe(symbol if made is None else symbol._replace(parameters=tuple(made)))
    return Mismatch(call.line, symbol.name, call.text, first[0], told, first[1])


def _is_sure(overlay: Overlay, file: OverlaidFile, found: OverlaidCall) -> bool:
    """Whether the call means what was found and nothing that was not."""
    callee, reason = found.call.callee, found.link.reason
    if callee is None or found.link.external_name is not None:
        return False
    analysis = overlay.linking.linker.analysis
    scope = (analysis.program.files[file.path] << 16) + found.call.scope
    if reason == "constructor":
        made = callee_values(analysis, found.call, scope)
        if not all(isinstance(one, int) and _is_as_written(analysis, symbol_of(one)) for one in made):
            return False
        count = arguments_behind(found.call.text)
        if count and any(is_other_class(analysis, one, count) for one in made):
            return False  # `List<string>` is not the project's `List`
    if callee[0] != "member" or reason in _OWN_REASONS:
        return reason in _PLAIN_REASONS
    values = sure_values(analysis, callee[1], scope)
    return values is not None and not any(_may_be_overloaded(analysis, one) for one in values)


def _is_as_written(analysis: Analysis, owner: int) -> bool:
    """Whether the constructors of a class are those that its text and its parents' say."""
    return has_plain_line(analysis, owner) and not is_remade(analysis, owner, with_constructors=True)


def _may_be_overloaded(analysis: Analysis, value: Value) -> bool:
    """Whether an object has a parent class out of sight that may have the method with other parameters."""
    if not isinstance(value, int) or analysis.program.symbol(symbol_of(value)).kind not in TYPE_KINDS:
        return False
    semantics = analysis.program.semantics_at(symbol_of(value))
    return semantics.language in _OVERLOADING and any(
        isinstance(one, str) and one not in semantics.memberless and not _INTERFACE.search(one)
        for one in line_of_descent(analysis, symbol_of(value))
    )


def _is_of_struct(overlay: Overlay, place: Place) -> bool:
    """Whether something is a struct of C#, or a constructor of one."""
    program = overlay.linking.linker.analysis.program
    number = program.number(place)
    kinds = {program.symbol(one).kind for one in (number, program.parent(number))}
    return "struct" in kinds and program.semantics_at(number).language == "csharp"


def _is_of_every_class(overlay: Overlay, file: OverlaidFile, found: OverlaidCall) -> bool:
    """Whether a call may mean what every class or struct has beside its own: `Equals(one, other)`, `new Point()`."""
    call = found.call
    if not call.arguments and any(_is_of_struct(overlay, one.place) for one in found.link.targets):
        return True
    program = overlay.linking.linker.analysis.program
    semantics = program.semantics_at(program.files[file.path] << FILE_SHIFT)
    return semantics.has_overloads and call.text in semantics.root_members


def _is_rebound(overlay: Overlay, place: Place) -> bool:
    """Whether the name of a function is given something else where it stands: `convert = staticmethod(convert)`."""
    program = overlay.linking.linker.analysis.program
    number = program.number(place)
    table, symbol = program.table_of(number), program.symbol(number)
    return any(one.kind == "value" for one in table.names[symbol.parent].get(symbol.name, ()))


def _is_changed(symbol: Symbol, rules: Rules) -> bool:
    """Whether a decorator may have changed what a function takes."""
    return not rules.any_decorator and any(
        each.name not in _HARMLESS_DECORATORS for each in symbol.decorators
    )


def _taken(overlay: Overlay, file: OverlaidFile, found: OverlaidCall, symbol: Symbol) -> Sequence[Parameter]:
    """What is to be given: not the object, unless a method is called through its class."""
    parameters = symbol.parameters
    if "extension" in symbol.modifiers and _is_through_object(overlay, file, found):
        return parameters[1:]
    if not parameters or parameters[0].kind != "receiver":
        return parameters
    if (
        "classmethod" in symbol.modifiers
        or symbol.kind == "constructor"
        or found.link.reason == "constructor"
    ):
        return parameters[1:]
    if _is_through_object(overlay, file, found):
        return parameters[1:]
    return (parameters[0]._replace(kind="plain"), *parameters[1:])


def _is_through_object(overlay: Overlay, file: OverlaidFile, found: OverlaidCall) -> bool:
    callee = found.call.callee
    if callee is None or callee[0] != "member":
        return True  # a bare name in a method is of the object at hand
    analysis = overlay.linking.linker.analysis
    scope = (analysis.program.files[file.path] << 16) + found.call.scope
    values = analysis.evaluate(callee[1], scope)
    symbol = analysis.program.symbol
    return not any(
        isinstance(one, int)
        and one & 3 == 0
        and symbol(one >> 2).kind in {"class", "struct", "enum", "trait", "interface"}
        for one in values
    )


def optional_parameters(overlay: Overlay, path: str, number: int) -> frozenset[str] | None:
    """The parameters that need not be given, where facts do not tell: `b?: string`, and those of a type elsewhere.

    None where what is taken is said by a type elsewhere: `const f: Handler = (a, b) => …`, or a field that may hold another.
    """
    facts = overlay.linking.sources.facts_of(path)
    if facts.language != "typescript":
        return frozenset()
    found = facts.symbols[number]
    signature = found.signature
    if not signature:
        program = overlay.linking.linker.analysis.program
        signature = signature_of(overlay, program.number(Place(path, number)))
    if "arrow" in found.modifiers and _TYPED_ELSEWHERE.match(signature):
        return None
    # A template is called without parentheses: what it gives is not seen as arguments.
    is_template = "TemplateStringsArray" in signature
    return frozenset(
        each.name for each in found.parameters if is_template or f"{each.name}:" not in signature
    )


def fit(
    call: Call, parameters: Sequence[Parameter], *, rules: Rules, optional: frozenset[str] = frozenset()
) -> str | None:
    """What is wrong with the arguments of a call for these parameters; None where they fit or nobody can say."""
    keywords = [keyword for keyword, _ in call.arguments if keyword is not None]
    is_spread = any(each in {"*", "**"} for each in keywords)
    is_spread |= rules.spreads and any(
        value is not None and value[0] in {"item", "result"} for _, value in call.arguments[-1:]
    )
    plain = [each for each in parameters if each.kind == "plain"]
    named = {each.name for each in parameters if each.kind in {"plain", "keyword"}}
    takes_rest = any(each.kind == "rest" for each in parameters)
    takes_any = any(each.kind == "keywords" for each in parameters)
    if rules.keywords and not takes_any and not (takes_rest and not rules.extra):
        unknown = [each for each in keywords if each not in named and each not in {"*", "**"}]
        if unknown:
            return f"there is no parameter {unknown[0]}"
    positional = len(call.arguments) - len(keywords)
    if rules.extra and not takes_rest and positional > len(plain):
        return f"{positional} arguments are given by place, at most {len(plain)} are taken"
    if not rules.lacking or is_spread:
        return None
    # Where a language lets one stand behind a keyword, it is still the one of its place.
    places = [at for at, (keyword, _) in enumerate(call.arguments) if keyword is None]
    given = {plain[at].name for at in places if at < len(plain)} | set(keywords)
    lacking = [
        each.name
        for each in parameters
        if each.kind in {"plain", "keyword"}
        and each.default_text is None
        and each.name not in given
        and each.name not in optional
    ]
    return f"{lacking[0]} is required and not given" if lacking else None


def describe(symbol: Symbol) -> str:
    """A function as one calls it: its name and what it takes."""
    taken = [each for each in symbol.parameters if each.kind != "receiver"]
    written = list(map(_describe, taken))
    by_keyword = next((at for at, each in enumerate(taken) if each.kind == "keyword"), None)
    if by_keyword is not None and not any(each.kind == "rest" for each in taken):
        written.insert(by_keyword, "*")
    return f"{symbol.name}({', '.join(written)})"


def _describe(parameter: Parameter) -> str:
    mark = {"rest": "*", "keywords": "**"}.get(parameter.kind, "")
    default = f"={parameter.default_text}" if parameter.default_text is not None else ""
    return f"{mark}{parameter.name}{default}"
