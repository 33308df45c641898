"""Every environment variable and setting that the code reads or a document declares, put together by name.

What it does: joins reads in code (also through a function of the project that reads what it is given), requests in
documents such as `${NAME}`, and declarations in env files, compose, Kubernetes, Dockerfiles, CI and settings files.
Why it matters: what is read and declared nowhere fails on another machine; what is declared and read nowhere misleads.
Known limits: a name put together at run time is a pattern at best; of a variable that a program outside the project
reads, an image or a shell command, only its mention can be seen.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from drift.analyses.environment.naming import Sensitivity, sensitivity_of
from drift.analyses.prominence import rank_place
from drift.index import IndexReader
from drift.index.document_queries import DocumentItemRecord
from drift.index.ids import SymbolId
from drift.index.records import EnvironmentReadRecord, SymbolRecord
from drift.kernel.redaction import redact
from drift.kernel.redaction.masking import mask

Kind = Literal["environment", "setting"]

_DECLARING: Final[dict[Kind, tuple[str, ...]]] = {
    "environment": ("variable", "argument"),
    "setting": ("setting",),
}
# Charts fill templates that are no code of any language, so nothing can be said of who reads their values.
_SETTING_DOCUMENTS: Final = frozenset({"appsettings", "spring"})
_ASKING: Final = ("read", "secret")
_DYNAMIC: Final = re.compile(r"<([A-Za-z_$][\w$]{0,80})>")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:\-]{0,200}")
_ENVIRONMENT_NAME: Final = re.compile(r"[A-Z_][A-Z0-9_]{1,200}")
_QUOTED: Final = re.compile(r"""[rbfuRBFU@$]{0,2}(["'`])(.{0,400})\1""", re.DOTALL)
# What stands behind a read in a condition is no default: `!process.env.X || process.env.X === ""`.
_CONDITION: Final = re.compile(r"[=!]==?|&&|process\.env\.\w{1,100}\s{0,2}[=<>!]")
_SEPARATORS: Final = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A place that reads a variable. `through` is the function of the project that does, given the name.

    What that function makes of an unset one is not known here, so then `is_required` is null.
    """

    file: str
    line: int
    function: str | None
    default: str | None
    is_required: bool | None
    through: str | None = None
    is_test: bool | None = None


@dataclass(frozen=True, slots=True)
class DeclarationRow:
    """A place that sets a variable, or with `asks` only asks for one of outside. `owner` is a service, job, stage or resource."""

    file: str
    line: int
    document: str
    owner: str | None
    has_value: bool | None
    asks: bool | None = None


class Variable(NamedTuple):
    """What is known of a name. With `is_pattern` a part of the name is put together at run time, and stands as *."""

    name: str
    kind: Kind
    reads: tuple[ReadRow, ...]
    declarations: tuple[DeclarationRow, ...]
    requests: tuple[DeclarationRow, ...] = ()

    @property
    def is_pattern(self) -> bool:
        return "*" in self.name

    @property
    def sensitivity(self) -> Sensitivity:
        return sensitivity_of(self.name)

    @property
    def product_reads(self) -> tuple[ReadRow, ...]:
        return tuple(each for each in self.reads if not each.is_test)

    @property
    def defaults(self) -> tuple[str, ...]:
        """The different defaults of the product, as written."""
        return tuple(dict.fromkeys(each.default for each in self.product_reads if each.default))

    @property
    def fails_unset(self) -> bool:
        """Whether a place of the product stops without it."""
        return any(each.is_required for each in self.product_reads)

    @property
    def has_no_default(self) -> bool:
        """The product reads it, and nothing is known to stand in for it anywhere."""
        plain = [each for each in self.product_reads if each.through is None]
        return bool(plain) and all(each.default is None for each in plain)

    @property
    def is_required(self) -> bool | None:
        """Whether the product stops without it; null where nothing stands in for it and nothing shows that it must."""
        if self.fails_unset:
            return True
        is_open = self.has_no_default or any(each.through is not None for each in self.product_reads)
        return None if is_open else False


class Environment(NamedTuple):
    """All variables of a kind by name, and the reads whose names nothing is known of."""

    variables: dict[str, Variable]
    unknown: tuple[ReadRow, ...]


def gather(reader: IndexReader, kind: Kind = "environment") -> Environment:
    """The variables, or the settings, of a project."""
    reads: dict[str, list[ReadRow]] = defaultdict(list)
    unknown: list[ReadRow] = []
    for name, row in _reads(reader, kind):
        if name is None:
            unknown.append(row)
        else:
            reads[name].append(row)
    declared: dict[str, list[DeclarationRow]] = defaultdict(list)
    for item in reader.documents.items(_DECLARING[kind]):
        if kind == "environment" or item.document in _SETTING_DOCUMENTS:
            declared[item.name].append(_declaration(item))
    asked: dict[str, list[DeclarationRow]] = defaultdict(list)
    for item in reader.documents.items(_ASKING) if kind == "environment" else ():
        if _ENVIRONMENT_NAME.fullmatch(item.name):
            asked[item.name].append(_declaration(item, asks=True))
    names = sorted({*reads, *declared, *asked})
    variables = {
        name: Variable(
            name, kind, tuple(reads.get(name, ())), tuple(declared.get(name, ())), tuple(asked.get(name, ()))
        )
        for name in names
    }
    return Environment(variables, tuple(unknown))


def _reads(reader: IndexReader, kind: Kind) -> Iterator[tuple[str | None, ReadRow]]:
    records = reader.facts.environment_reads() if kind == "environment" else reader.facts.setting_reads()
    symbols = {one.id: one for one in reader.symbols.many(sorted({each.symbol_id for each in records}))}
    wrappers: set[SymbolId] = set()
    for each in records:
        holder = symbols.get(each.symbol_id)
        dynamic = _DYNAMIC.fullmatch(each.name)
        if dynamic is not None and holder is not None and _is_parameter(holder, dynamic[1]):
            wrappers.add(holder.id)
        name = None if dynamic is not None else each.name
        if name is None or "*" in name or _NAME.fullmatch(name):
            yield name, _read(each, holder)
    yield from _through(reader, wrappers, symbols) if kind == "environment" else ()


def _is_parameter(function: SymbolRecord, name: str) -> bool:
    return any(each.name.lstrip("$&*") == name.lstrip("$") for each in function.parameters)


def _through(
    reader: IndexReader, wrappers: Iterable[SymbolId], symbols: dict[SymbolId, SymbolRecord]
) -> Iterator[tuple[str, ReadRow]]:
    """Reads by a function of the project that is given the name."""
    calls = reader.literals.calls_with_text(wrappers)
    callers = {one.id: one for one in reader.symbols.many(sorted({each.caller for each in calls}))}
    for each in calls:
        if _ENVIRONMENT_NAME.fullmatch(each.literal):
            caller = callers.get(each.caller)
            yield (
                each.literal,
                ReadRow(
                    each.path,
                    each.line,
                    _function(caller),
                    None,
                    is_required=None,
                    through=symbols[each.callee].qualname,
                    is_test=_is_beside(each.path, each.role) or None,
                ),
            )


def _read(record: EnvironmentReadRecord, holder: SymbolRecord | None) -> ReadRow:
    is_test = holder is not None and _is_beside(record.path, holder.role)
    return ReadRow(
        record.path,
        record.line,
        _function(holder),
        shown_default(record.name, record.default_text),
        bool(record.is_required),
        is_test=is_test or None,
    )


def _is_beside(path: str, role: str) -> bool:
    return rank_place(path, role) > 0


def _function(symbol: SymbolRecord | None) -> str | None:
    return symbol.qualname if symbol is not None and symbol.kind != "module" else None


def shown_default(name: str, written: str | None) -> str | None:
    """A default as written, without what is secret in it."""
    if written is None or _CONDITION.search(written):
        return None
    quoted = _QUOTED.fullmatch(written.strip())
    if quoted is None:
        return redact(written).text
    if sensitivity_of(name) == "secret" and quoted[2]:
        return f"{quoted[1]}{mask(quoted[2])}{quoted[1]}"
    return redact(written).text


def _declaration(item: DocumentItemRecord, *, asks: bool = False) -> DeclarationRow:
    return DeclarationRow(item.file, item.line, item.document, item.owner, item.has_value, asks or None)


def folded(name: str) -> str:
    """A name as configuration libraries compare it: Shop__Url, shop.url and SHOP_URL are one."""
    return _SEPARATORS.sub("", name.lower())
