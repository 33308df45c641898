"""What a mock stands for: read from the text around it, then looked up in the project.

Known limits: the type of a variable is taken from how the test file declares or makes it.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.testing.replaced_modules import Found, ReplacedModules
from drift.analyses.testing.signs import TargetForm, load_signs
from drift.index.ids import FileId, SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

_STRING: Final = re.compile(r"""\(\s*[rbuf]?(["'`])(?P<text>[^"'`\n]{1,300})\1""")
_ARGUMENTS: Final = re.compile(
    r"\(\s*+(?:\(|<any>)?\s*+(?P<first>[\w.$\\]{1,200}?)(?:::class|\.class)?"
    r"(?:\s+as\s++[\w<>. ]{1,80}?\)?)?\s*(?:,\s*[\"'](?P<member>\w{1,100})[\"']|[,)\[\s]|$)"
)
_SPEC: Final = re.compile(r"\(\s*(?:[^()]{0,200},\s*)?spec(?:_set)?\s*=\s*(?P<name>[\w.]{1,200})")
_TYPE: Final = re.compile(r"(?:Mock|Of|For|ForPartsOf|Fake)<\s*(?P<name>[\w.]{1,200})")
# @MockBean private OrderRepository orders: the type of the field that follows.
_FIELD: Final = re.compile(
    r"(?:\([^()\n]{0,200}\))?\s{1,80}(?:(?:private|protected|public|final|static|@\w{1,60})\s{1,80}){0,6}(?P<name>[A-Z][\w.]{0,200})"
)
_SEPARATOR: Final = re.compile(r"::|\\|\.")
# `thing.member = vi.fn()`: what stands right before the call.
_ASSIGNED: Final = re.compile(
    r"\(?(?P<first>[\w.$]{1,200}?)(?:\s+as\s+\w{1,80}\))?\.(?P<member>\w{1,100})\s*=\s*$"
)
# `{ provide: Thing, useValue: { member: vi.fn()`: the last thing provided before the call.
_PROVIDED: Final = re.compile(
    r"\bprovide\s*:\s*(?P<name>[A-Za-z_$][\w.$]{0,200})\s*,\s*use(?:Value|Factory)\b"
)
# `{ provide: Thing, useValue: double }`, `overrideProvider(Thing).useValue(double)`: by another name than its own.
_IN_PLACE: Final = re.compile(
    r"\bprovide\s{0,20}:\s{0,20}(?P<name>[A-Za-z_$][\w$]{0,200})\s{0,40},\s{0,40}use(?:Value|Factory|Class)\s{0,20}:\s{0,20}"
    r"(?:new\s{1,20})?(?P<given>[\w$]{1,200})(?!\s{0,20}=>)"
    r"|\boverride(?:Provider|Guard|Interceptor|Pipe|Filter)\(\s{0,20}(?P<overridden>[A-Za-z_$][\w$]{0,200})\s{0,20},?\s{0,20}\)"
)
_PROVIDED_END: Final = re.compile(r"\.compile(?:Components)?\(|\n\s{0,40}(?:it|test)\(")
_MOST_PROVIDED: Final = 100
_MOST_PROVIDING: Final = 12_000  # characters of a module of a test
_MADE: Final = (
    r"\b{name}[!?]?\s*:\s*(?:[\w.]*Mock\w*<)?(?P<type>[A-Z]\w*)",
    r"\b{name}\s*=\s*(?:await\s+)?new\s+(?P<type>[A-Z]\w*)",
    r"\b{name}\s*=\s*(?:await\s+)?[\w.]+\.(?:get|resolve|create)(?:<[^>\n]*>)?\(\s*(?P<type>[A-Z]\w*)",
    r"\b{name}\s*=\s*(?P<type>[A-Z]\w*)\(",
)
_MOST_TARGETS: Final = 200
_MOST_ASSIGNED: Final = 300  # characters of a line that are looked at: the pattern may start anywhere
_MOST_ANCESTORS: Final = 8
_OPEN: Final = frozenset({"interface", "trait"})


class MockPlace(NamedTuple):
    """Where a replacement is written, and how."""

    file_id: FileId
    path: str
    line: int
    scope: SymbolId
    call: str
    kind: str
    form: TargetForm


def read_target(form: TargetForm, call: str, *, before: str, after: str) -> str | None:
    """What a call replaces, as the text says it; None of what is made to be handed in."""
    if form == "type":
        named = _TYPE.search(call)
        return named["name"] if named else None
    if form == "field":
        declared = _FIELD.match(after)
        return declared["name"] if declared else None
    if form == "receiver":
        return re.split(r"::|\.", call)[0].rpartition("\\")[2]
    if form == "name":
        return re.split(r"::|\.", call)[-1 if not call.endswith(("new", "default")) else -2]
    if form == "none":
        return _double_target(before, after)
    quoted = _STRING.match(after)
    if quoted and form != "member":
        return quoted["text"]
    given = _ARGUMENTS.match(after)
    if given is None:
        return quoted["text"] if quoted else None
    first = given["first"].removesuffix(".class")
    return f"{first}.{given['member']}" if given["member"] else first


def provided_targets(text: str) -> list[str]:
    """The classes in whose place a module of a test provides something else, as the text from its call on says."""
    ahead = text[:_MOST_PROVIDING]
    end = _PROVIDED_END.search(ahead)
    found = _IN_PLACE.finditer(ahead, 0, end.start() if end is not None else len(ahead))
    named = (
        one["overridden"] or one["name"] for one in found if one["overridden"] or one["given"] != one["name"]
    )
    return list(dict.fromkeys(named))[:_MOST_PROVIDED]


def _double_target(before: str, after: str) -> str | None:
    spec = _SPEC.match(after)
    if spec:
        return spec["name"]
    assigned = _ASSIGNED.search(before.rpartition("\n")[2][-_MOST_ASSIGNED:])
    if assigned:
        return f"{assigned['first']}.{assigned['member']}"
    if "provide" not in before:
        return None
    provided = max(_PROVIDED.finditer(before), key=re.Match.end, default=None)
    return provided["name"] if provided and _is_open(before[provided.end() :]) else None


def _is_open(text: str) -> bool:
    """Whether what was provided before is still being written: its braces are not closed."""
    depth = 0
    for sign in text:
        depth += (sign in "{([") - (sign in "})]")
        if depth < 0:
            return False
    return depth > 0


class MockTargets:
    """Finds what targets of mocks are in the project; each once."""

    def __init__(self, reader: "IndexReader") -> None:
        self._reader = reader
        self._modules = ReplacedModules(reader)
        self._known: dict[tuple[str, str, str], Found] = {}

    def find(self, place: MockPlace, target: str, text: str, *, after: str = "") -> Found:
        """Whether the target is outside the project, and the symbols it is inside.

        `text` is the test file's, `after` what stands behind the call.
        """
        if place.kind == "module":
            return self._modules.find(place.path, target, after)
        key = (place.path, place.kind, target)
        if key not in self._known:
            self._known[key] = self._symbol(place, target, text)
        return self._known[key]

    def _symbol(self, place: MockPlace, target: str, text: str) -> Found:
        parts = [part for part in _SEPARATOR.split(target) if part]
        named = self._reader.symbols.named(parts[-1], limit=_MOST_TARGETS) if parts else []
        found = [one for one in named if one.role != "test" and _ends_in(one, parts)]
        if not found and "." in target:
            found = self._imported(target)
        if found:
            return False, self._inside(found) | self._implementing(found)
        outside, symbols = self._by_import(place, parts)
        if outside is not None or len(parts) < 2:  # noqa: PLR2004 - a receiver and a member
            return (outside, symbols) if outside is not None else (_looks_outside(place, target), frozenset())
        return self._of_variable(place, parts, text)

    def _inside(self, found: "list[SymbolRecord]") -> frozenset[SymbolId]:
        return frozenset(self._reader.graph.inside([one.id for one in found[:_MOST_TARGETS]]))

    def _implementing(self, found: "list[SymbolRecord]") -> frozenset[SymbolId]:
        """What the methods of interfaces are written out by: who is given a mock of one runs none of it."""
        members = {
            each.id for one in found if one.kind in _OPEN for each in self._reader.symbols.members(one.id)
        }
        pairs = self._reader.graph.overrides_of(members) if members else []
        return frozenset(below for above, below in pairs if above in members)

    def _by_import(self, place: MockPlace, parts: list[str]) -> Found:
        """What the test file imports under the first name, and the member of it."""
        for one in self._reader.facts.imports_of(place.file_id):
            if (one.alias or one.name or one.module) != parts[0]:
                continue
            if one.is_external or one.target_file_id is None:
                return one.is_external, frozenset()
            here = self._reader.symbols.of_file(one.target_file_id)
            return False, self._inside([each for each in here if each.name == parts[-1]])
        return None, frozenset()

    def _of_variable(self, place: MockPlace, parts: list[str], text: str) -> Found:
        """A member of what a variable holds, by the type the test file gives the variable."""
        holder, member = parts[-2], parts[-1]
        if parts[0] in load_signs().globals:
            return True, frozenset()
        for name in _types_of(holder, text):
            classes = [
                one
                for one in self._reader.symbols.named(name, limit=_MOST_TARGETS)
                if one.kind in CLASS_KINDS
            ]
            # A class of the tests may have the member from one of the product.
            members = [each for one in classes for each in self._members(one, member) if each.role != "test"]
            if members or any(one.role != "test" for one in classes):
                return False, self._inside(members)
            outside, _ = self._by_import(place, [name])
            if outside is not None:
                return outside, frozenset()
        return _looks_outside(place, ".".join(parts)), frozenset()

    def _members(self, owner: "SymbolRecord", member: str) -> "list[SymbolRecord]":
        """The member of a class, which it may have inherited."""
        current: SymbolRecord | None = owner
        for _ in range(_MOST_ANCESTORS):
            if current is None:
                break
            found = [each for each in self._reader.symbols.members(current.id) if each.name == member]
            if found:
                return found
            above = (each.target_symbol_id for each in self._reader.symbols.bases(current.id))
            current = next((self._reader.symbols.get(each) for each in above if each is not None), None)
        return []

    def _imported(self, target: str) -> "list[SymbolRecord]":
        """A name patched where it is used, `shop.api.total`, is the one that file imports."""
        module, _, name = target.rpartition(".")
        record = self._reader.files.at(f"{module.replace('.', '/')}.py")
        if record is None:
            return []
        ids = [
            one.target_symbol_id
            for one in self._reader.facts.imports_of(record.id)
            if (one.alias or one.name) == name and one.target_symbol_id is not None
        ]
        return list(self._reader.symbols.many(ids))


def _types_of(name: str, text: str) -> Iterator[str]:
    """The types a test file gives a variable, the declared first; last the one it is named after."""
    if not name.isidentifier():
        return
    # Only the lines that have the name: the patterns begin at any word, which is slow over a whole file.
    lines = "\n".join(line for line in text.splitlines() if name in line)
    for form in _MADE:
        found = re.search(form.format(name=name), lines)
        if found:
            yield found["type"]
    yield name[:1].upper() + name[1:]


def _looks_outside(place: MockPlace, target: str) -> bool | None:
    """Whether a name the project does not have is one of outside; a variable may be anything."""
    first = target.partition(".")[0]
    is_path = place.form == "string" and "." in target
    return True if is_path or first[:1].isupper() or "\\" in target else None


def _ends_in(symbol: "SymbolRecord", parts: list[str]) -> bool:
    """Whether the names before the last are those around the symbol: classes, its file, folders."""
    stem = symbol.path.rpartition(".")[0] or symbol.path
    around = [*stem.split("/"), *symbol.qualname.split(".")][:-1]
    wanted = parts[:-1]
    return symbol.kind != "module" and (not wanted or around[-len(wanted) :] == wanted)
