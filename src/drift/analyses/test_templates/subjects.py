"""What a test can call: the functions of a file, the objects they belong to, what they throw."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.import_choice import family_of
from drift.analyses.targets import require_symbols
from drift.index import IndexReader
from drift.index.ids import FileId, SymbolId
from drift.index.records import FileRecord, HandlingRecord, ParameterRecord, SymbolRecord
from drift.kernel.errors import DriftError, ErrorCode, Recovery

MOST_SUBJECTS: Final = 6
_MOST_ERRORS: Final = 4
_MOST_ANCESTORS: Final = 8
_CALLED: Final = frozenset({"function", "method"})
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
_RUBY_NAME: Final = re.compile(r"[A-Za-z_]\w*[?!]?")
_ERROR_NAME: Final = re.compile(r"[A-Za-z_\\][\w.\\:]*")
_TYPE_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_NO_VALUE: Final = frozenset({"interface", "trait", "enum"})
_OF_RUST: Final = frozenset({"drop", "fmt"})
_WAITED_FOR: Final = frozenset({"Task", "ValueTask"})
_MADE_BY_MACROS: Final = frozenset({"accessor", "alias", "delegated"})
_SEES_PRIVATE: Final = frozenset({"python", "rust", "go"})
_MAIN: Final = frozenset({"go", "rust", "java", "csharp", "cpp"})
_FIELD: Final = re.compile(
    r"(?P<name>\w+)\s*+:\s*+(?P<type>[^=]+?)(?<!\s)\s*+(?:=\s*+(?P<default>.+))?$", re.DOTALL
)


class Thrown(NamedTuple):
    """An error a function throws, and the line of its file where."""

    name: str
    line: int


class Owner(NamedTuple):
    """What has to be made before a method can be called; `obstacle` says why it cannot simply be made."""

    symbol: SymbolRecord | None
    name: str
    parameters: tuple[ParameterRecord, ...]
    factory: SymbolRecord | None = None
    obstacle: str | None = None


class Subject(NamedTuple):
    """A function under test."""

    symbol: SymbolRecord
    owner: Owner | None
    errors: tuple[Thrown, ...]
    gives_promise: bool = False  # though nothing in its declaration says so

    @property
    def parameters(self) -> tuple[ParameterRecord, ...]:
        """What a caller has to give: neither the object itself nor what has a default."""
        return required(self.symbol.parameters)

    @property
    def is_static(self) -> bool:
        """Whether it is called on the class itself."""
        return not {"static", "classmethod"}.isdisjoint(self.symbol.modifiers)

    @property
    def is_async(self) -> bool:
        """Whether its result has to be waited for."""
        returns = self.symbol.return_text or ""
        is_said = self.gives_promise or "async" in self.symbol.modifiers
        return is_said or returns.startswith(("Promise<", "Task<", "ValueTask<")) or returns in _WAITED_FOR


class Refused(NamedTuple):
    """A symbol that a test cannot call, and why."""

    symbol: SymbolRecord
    reason: str


class Chosen(NamedTuple):
    """The functions to test, those that cannot be, and those left out for brevity."""

    subjects: tuple[Subject, ...]
    refused: tuple[Refused, ...]
    left_out: tuple[str, ...] = ()


def required(parameters: Iterable[ParameterRecord]) -> tuple[ParameterRecord, ...]:
    """The parameters that a call cannot do without."""
    return tuple(
        each
        for each in parameters
        if each.kind in {"plain", "keyword"}
        and each.default_text is None
        and each.name not in {"*", "/", "..."}
    )


def choose_subjects(reader: IndexReader, file: FileId, wanted: Sequence[SymbolRecord] | None) -> Chosen:
    """The functions of a file that a test can call; of `wanted` ones, classes stand for their methods."""
    symbols = reader.symbols.of_file(file)
    by_id = {each.id: each for each in symbols}
    usable: dict[str, SymbolRecord] = {}
    refused: list[Refused] = []
    for symbol in _asked_for(symbols, wanted):
        is_named = wanted is not None and any(each.id == symbol.id for each in wanted)
        reason = _obstacle(symbol, by_id, is_named=is_named)
        if reason is None:
            # Without overloads beyond the first and declarations of what is defined.
            usable.setdefault(f"{_receiver_type(symbol) or ''}.{symbol.qualname}", symbol)
        elif is_named or not symbol.name.startswith(("<", "{")):
            refused.append(Refused(symbol, reason))
    chosen = list(usable.values())
    thrown = [each for each in reader.facts.handlings_of(file) if each.kind == "throw"]
    subjects = (_subject(reader, each, by_id, symbols, thrown) for each in chosen[:MOST_SUBJECTS])
    left = tuple(each.qualname for each in chosen[MOST_SUBJECTS:])
    return Chosen(tuple(subjects), tuple(refused), left)


def _asked_for(symbols: Sequence[SymbolRecord], wanted: Sequence[SymbolRecord] | None) -> list[SymbolRecord]:
    functions = [each for each in symbols if each.kind in _CALLED]
    if wanted is None:
        return functions
    holders = {each.id for each in wanted if each.kind in CLASS_KINDS}
    holders |= {
        each.parent_id for each in wanted if each.kind == "constructor" and each.parent_id is not None
    }
    named = {each.id for each in wanted if each.kind in _CALLED}
    return [each for each in functions if each.id in named or each.parent_id in holders]


def _obstacle(symbol: SymbolRecord, by_id: Mapping[SymbolId, SymbolRecord], *, is_named: bool) -> str | None:
    """Why a test cannot call a function; None where it can."""
    plain = _RUBY_NAME if symbol.language == "ruby" else _PLAIN_NAME
    if plain.fullmatch(symbol.name) is None:
        return "it has no name a test could call it by"
    marks = set(symbol.modifiers)
    for mark, reason in (
        ("abstract", "it is abstract, there is nothing to run"),
        ("test", "it is a test itself"),
        ("deleted", "it is deleted"),
        ("destructor", "it is a destructor"),
        ("overload", "it is an overload without a body"),
        ("declared", "it is a declaration of something elsewhere"),
    ):
        if mark in marks:
            return reason
    if not is_named and symbol.language == "ruby" and not _MADE_BY_MACROS.isdisjoint(marks):
        return "it is declared by a macro, there is nothing of its own to run"
    if symbol.language == "rust" and symbol.qualname.startswith(("tests.", "test.")):
        return "it helps the tests"
    if not is_named and symbol.language == "rust" and symbol.name in _OF_RUST:
        return "its language calls it"
    if not is_named and symbol.name.startswith("__") and symbol.language in {"python", "php"}:
        return "its language calls it"
    if symbol.name.lower() in {"main", "init"} and symbol.language in _MAIN and symbol.name != "Init":
        return "it is where the program starts"
    return _unseen(symbol, by_id)


def _unseen(symbol: SymbolRecord, by_id: Mapping[SymbolId, SymbolRecord]) -> str | None:
    """Why code in another file cannot name it."""
    chain = [symbol]
    while (parent := _parent(chain[-1], by_id)) is not None and parent.kind != "module":
        chain.append(parent)
    outer = [each for each in chain[1:] if each.kind != "namespace"]
    is_script = family_of(symbol.language) == "script"
    for each in outer:
        is_old_class = is_script and each is outer[-1] and _is_old_class(each, symbol)
        if each.kind not in CLASS_KINDS and not is_old_class:
            return f"it is local to {each.qualname}"
        if _PLAIN_NAME.fullmatch(each.name) is None:
            return f"its class {each.qualname} has no name"
    if is_script and not {"exported", "default"} & set(chain[-1].modifiers):
        return f"{chain[-1].path} does not export {chain[-1].name}"
    if symbol.language not in _SEES_PRIVATE and any(one.visibility == "private" for one in chain):
        return "it is private"
    if symbol.language in {"php", "csharp", "cpp", "ruby"} and symbol.visibility == "protected":
        return "it is protected"
    return None


def _is_old_class(function: SymbolRecord, member: SymbolRecord) -> bool:
    """Whether a function is a class as scripts had them: with a capital, and no component."""
    is_shown = member.path.endswith((".tsx", ".jsx"))
    return (
        function.kind == "function"
        and member.kind == "method"
        and function.name[:1].isupper()
        and not is_shown
    )


def _parent(symbol: SymbolRecord, by_id: Mapping[SymbolId, SymbolRecord]) -> SymbolRecord | None:
    return by_id.get(symbol.parent_id) if symbol.parent_id is not None else None


def _subject(
    reader: IndexReader,
    symbol: SymbolRecord,
    by_id: Mapping[SymbolId, SymbolRecord],
    symbols: Sequence[SymbolRecord],
    throws: Sequence[HandlingRecord],
) -> Subject:
    thrown: dict[str, Thrown] = {}
    for each in throws:
        if each.symbol_id == symbol.id:
            for name in each.types:
                if _ERROR_NAME.fullmatch(name):
                    thrown.setdefault(name, Thrown(name, each.line))
    if family_of(symbol.language) != "cpp":
        thrown = {name: one for name, one in thrown.items() if _last(name)[:1].isupper()}
    owner = _owner(reader, symbol, by_id, symbols)
    return Subject(symbol, owner, tuple(thrown.values())[:_MOST_ERRORS])


def _last(name: str) -> str:
    return re.split(r"[.:\\]", name)[-1]


def _owner(
    reader: IndexReader,
    symbol: SymbolRecord,
    by_id: Mapping[SymbolId, SymbolRecord],
    symbols: Sequence[SymbolRecord],
) -> Owner | None:
    parent = _parent(symbol, by_id)
    if parent is None or parent.kind in {"module", "namespace"}:
        return _received(reader, symbol, symbols)
    if parent.kind == "function":  # a class as JavaScript had them before it had classes
        return Owner(parent, parent.name, required(parent.parameters))
    return _made(reader, parent, symbols)


def _received(reader: IndexReader, symbol: SymbolRecord, symbols: Sequence[SymbolRecord]) -> Owner | None:
    """The owner of a method that stands outside its type: by the type of its receiver."""
    name = _receiver_type(symbol)
    if name is None:
        return None
    folder = symbol.path.rpartition("/")[0]
    found = [
        each
        for each in reader.symbols.named(name)
        if each.kind in CLASS_KINDS and each.language == symbol.language
    ]
    near = sorted(found, key=lambda each: (each.path.rpartition("/")[0] != folder, each.path))
    return _made(reader, near[0], symbols) if near else Owner(None, name, ())


def _receiver_type(symbol: SymbolRecord) -> str | None:
    """The name of the type a method is declared for outside of it; None of all others."""
    receiver = next((each for each in symbol.parameters if each.kind == "receiver"), None)
    if receiver is None or symbol.kind != "method":
        return None
    names = _TYPE_NAME.findall(receiver.type_text or "")
    return names[0] if names else None


def _made(reader: IndexReader, owner: SymbolRecord, symbols: Sequence[SymbolRecord]) -> Owner:
    if owner.kind in _NO_VALUE:
        return Owner(owner, owner.name, (), obstacle=f"{owner.name} is {_article(owner.kind)}")
    if "abstract" in owner.modifiers:
        return Owner(owner, owner.name, (), obstacle=f"{owner.name} is abstract: use a subclass")
    factory = _factory(reader, owner, symbols)
    if factory is not None:
        return Owner(owner, owner.name, required(factory.parameters), factory)
    if _is_closed(reader, owner):
        return _closed_owner(reader, owner)
    return Owner(owner, owner.name, _constructor_parameters(reader, owner))


def _is_closed(reader: IndexReader, owner: SymbolRecord) -> bool:
    """Whether it has constructors, and none that a test may call."""
    made = [
        one for one in _members(reader, owner) if one.kind == "constructor" and "static" not in one.modifiers
    ]
    return owner.language not in _SEES_PRIVATE and bool(made) and not any(map(_is_usable, made))


def _closed_owner(reader: IndexReader, owner: SymbolRecord) -> Owner:
    """What makes one in place of its constructors: a static method of its own that returns it."""
    makers = [
        one
        for one in _members(reader, owner)
        if one.kind == "method" and "static" in one.modifiers and one.visibility != "private"
    ]
    # PHP writes self and static for the class itself; JavaScript writes nothing at all.
    own = {owner.name, "self", "static"}
    typed = [one for one in makers if own & set(_TYPE_NAME.findall(one.return_text or ""))]
    if not typed:
        return Owner(owner, owner.name, (), obstacle=f"every constructor of {owner.name} is private")
    maker = min(typed, key=lambda one: (len(required(one.parameters)), one.line))
    given = ", ".join(each.name for each in required(maker.parameters))
    dot = "::" if family_of(owner.language) in {"php", "cpp"} else "."
    reason = (
        f"every constructor of {owner.name} is private: take it from {owner.name}{dot}{maker.name}({given})"
    )
    return Owner(owner, owner.name, (), obstacle=reason)


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _constructor_parameters(reader: IndexReader, owner: SymbolRecord) -> tuple[ParameterRecord, ...]:
    """What its fullest open constructor needs, which may be inherited; of data classes the fields."""
    current: SymbolRecord | None = owner
    for _ in range(_MOST_ANCESTORS):
        if current is None:
            break
        members = _members(reader, current)
        usable = [each for each in members if each.kind == "constructor" and _is_usable(each)]
        if usable:
            fullest = max(usable, key=lambda each: (len(required(each.parameters)), -each.line))
            return required(fullest.parameters)
        if "data" in current.modifiers and current.language == "python":
            return _fields(members)
        above = (each.target_symbol_id for each in reader.symbols.bases(current.id))
        current = next((reader.symbols.get(each) for each in above if each is not None), None)
    return ()


def _members(reader: IndexReader, owner: SymbolRecord) -> list[SymbolRecord]:
    """The members of a class, wherever its parts stand."""
    if "partial" not in owner.modifiers:
        return reader.symbols.members(owner.id)
    parts = [one for one in reader.symbols.named(owner.name) if one.qualname == owner.qualname]
    return [member for part in parts for member in reader.symbols.members(part.id)]


def _is_usable(constructor: SymbolRecord) -> bool:
    is_open = constructor.visibility != "private"
    return is_open and {"static", "deleted"}.isdisjoint(constructor.modifiers)


def _fields(members: Iterable[SymbolRecord]) -> tuple[ParameterRecord, ...]:
    found = (_FIELD.match(each.signature) for each in members if each.kind == "field")
    return tuple(
        ParameterRecord(each["name"], "keyword", each["type"])
        for each in found
        if each and not each["default"]
    )


def _factory(
    reader: IndexReader, owner: SymbolRecord, symbols: Sequence[SymbolRecord]
) -> SymbolRecord | None:
    """The function that makes one where the language has no constructors: NewThing, Thing::new."""
    if owner.language == "rust":
        return next((one for one in reader.symbols.members(owner.id) if one.name == "new"), None)
    if owner.language != "go":
        return None
    wanted = {f"New{owner.name}", f"new{owner.name}", f"new{owner.name[:1].upper()}{owner.name[1:]}"}
    folder = owner.path.rpartition("/")[0]
    here = [one for one in symbols if one.name in wanted and one.kind == "function"]
    found = here or [one for name in sorted(wanted) for one in reader.symbols.named(name)]
    return next((one for one in found if one.path.rpartition("/")[0] == folder), None)


def require_wanted(reader: IndexReader, file: FileRecord, function: str) -> list[SymbolRecord]:
    """The symbols of the file that a name means; several of one name are all meant."""
    found = [one for one in require_symbols(reader, function, file=file.path) if one.path == file.path]
    names = {one.qualname: one for one in found if one.kind != "constructor"}
    if len(names) <= 1:
        return found
    raise DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"{function!r} means {len(names)} symbols of {file.path}.",
        Recovery(hint="Give a longer name such as Class.method, or path:line.", similar=tuple(names)[:10]),
    )
