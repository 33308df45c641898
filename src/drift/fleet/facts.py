"""What the questions over a fleet need of one repository, read from its index and its files while both are at hand.

An index answers any question about one repository; a question about all of them cannot open thousands. So each
repository leaves a few facts in one database: packages it is and needs, calls that leave it, requests it answers and makes,
conventions it keeps. Each list is bounded; one that was cut is said to be.
"""

import marshal
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from drift.analyses.contracts.calls import find_calls
from drift.analyses.contracts.endpoints import find_endpoints
from drift.analyses.contracts.paths import PARAMETER, parts_of
from drift.analyses.contracts.type_names import TypeNames
from drift.conventions.mining import Convention
from drift.conventions.picture import Picture, look
from drift.index import IndexReader
from drift.index.listing_queries import PathFilter
from drift.index.outside_queries import PlacedCall
from drift.manifests.import_names import ECOSYSTEMS, is_platform
from drift.manifests.reading import Manifests, read_manifests
from drift.project import Project

_MOST_CALLS: Final = 100_000
_MOST_ROUTES: Final = 20_000
_MOST_DEPENDENCIES: Final = 5_000
_MOST_EXAMPLES: Final = 5
_LONGEST: Final = 300
_BUILT_IN: Final = ("builtins.", "builtin.")
_ENDS: Final = (".", "\\", "/", "::")

T = TypeVar("T")


class OwnPackage(NamedTuple):
    """A package that the repository is."""

    ecosystem: str
    name: str


class Dependency(NamedTuple):
    """A package that a manifest of the repository declares."""

    ecosystem: str
    name: str
    version: str | None
    scope: str
    file: str
    line: int


class OutsideUse(NamedTuple):
    """A call of something in another package. `last` is the name without what it belongs to."""

    ecosystem: str
    package: str
    name: str
    last: str
    file: str
    line: int
    caller: str
    is_test: bool


class Answered(NamedTuple):
    """A request that the repository answers. `resource` is the last part of the path that is no parameter."""

    method: str
    path: str
    resource: str
    framework: str
    file: str
    line: int
    name: str


class Asked(NamedTuple):
    """A request that the repository makes."""

    method: str
    path: str
    library: str
    file: str
    line: int
    name: str


class Kept(NamedTuple):
    """A convention of the whole repository; one that is undecided has the variant most sites chose."""

    convention: str
    rule: str
    variant: str
    is_decided: bool
    share: float
    sites: int
    outliers: int
    examples: str
    """Places that do otherwise, as lines of `file:line`."""


class Facts(NamedTuple):
    """All of it, and which lists were cut."""

    packages: tuple[OwnPackage, ...]
    dependencies: tuple[Dependency, ...]
    uses: tuple[OutsideUse, ...]
    answered: tuple[Answered, ...]
    asked: tuple[Asked, ...]
    conventions: tuple[Kept, ...]
    cut: tuple[str, ...]


_ROWS: Final[Mapping[str, type[tuple[Any, ...]]]] = {
    "packages": OwnPackage,
    "dependencies": Dependency,
    "uses": OutsideUse,
    "answered": Answered,
    "asked": Asked,
    "conventions": Kept,
}


def gather_facts(project: Project, reader: IndexReader, today: date) -> Facts:
    """The facts of a repository whose files are at the project's root."""
    cut: list[str] = []
    configs = reader.listings.paths(PathFilter(role="config"))
    manifests = read_manifests(project.root, {path.rpartition("/")[0] for path in configs})
    endpoints = find_endpoints(reader, TypeNames(reader, project.root))
    requests, is_cut = find_calls(reader, project.root, reader.errors.files())
    cut += ["requests"] if is_cut else []
    return Facts(
        _own_packages(manifests),
        _first("dependencies", _dependencies(manifests), _MOST_DEPENDENCIES, cut),
        _first("calls", _uses(reader), _MOST_CALLS, cut),
        _first("endpoints", (_answered(each) for each in endpoints), _MOST_ROUTES, cut),
        _first("requests", (_asked(each) for each in requests), _MOST_ROUTES, cut),
        tuple(_conventions(look(reader, project, today))),
        tuple(dict.fromkeys(cut)),
    )


def pack(facts: Facts) -> bytes:
    """The facts as bytes, for the way from a worker."""
    plain = tuple(
        tuple(map(tuple, each)) if name != "cut" else each for name, each in facts._asdict().items()
    )
    return zlib.compress(marshal.dumps(plain, 2), 3)


def unpack(packed: bytes) -> Facts:
    """The facts that `pack` took apart; ValueError for bytes that are none."""
    try:
        plain = dict(zip(Facts._fields, marshal.loads(zlib.decompress(packed)), strict=True))  # noqa: S302 - of a worker of ours, which could as well run anything
        rows = {name: tuple(map(kind._make, plain[name])) for name, kind in _ROWS.items()}  # type: ignore[attr-defined] # all are NamedTuples
        return Facts(**rows, cut=plain["cut"])
    except (zlib.error, EOFError, TypeError, ValueError) as error:
        raise ValueError(f"a worker sent no facts ({error})") from error


def resource_of(path: str) -> str:
    """The last part of a path that is no parameter; empty where all are."""
    return next((part for part in reversed(parts_of(path)) if part != PARAMETER), "")


def _first(what: str, found: Iterable[T], most: int, cut: list[str]) -> tuple[T, ...]:
    taken = tuple(islice(found, most + 1))
    if len(taken) > most:
        cut.append(what)
    return taken[:most]


def _own_packages(manifests: Manifests) -> tuple[OwnPackage, ...]:
    return tuple(OwnPackage(ecosystem, name) for ecosystem, name in sorted(manifests.own_packages))


def _dependencies(manifests: Manifests) -> Iterator[Dependency]:
    for each in manifests.declared:
        declared = each.dependency
        yield Dependency(
            each.ecosystem, declared.name[:_LONGEST], declared.version, declared.scope, each.file, each.line
        )


def _uses(reader: IndexReader) -> Iterator[OutsideUse]:
    packages: dict[str, list[str]] = {}
    for use in reader.listings.package_uses():
        ecosystem = ECOSYSTEMS.get(use.language or "")
        if ecosystem is not None:
            packages.setdefault(ecosystem, []).append(use.package)
    longest_first = {each: sorted(set(names), key=len, reverse=True) for each, names in packages.items()}
    known: dict[tuple[str, str], str | None] = {}
    for call in reader.outside.placed():
        ecosystem = ECOSYSTEMS.get(call.language or "")
        if ecosystem is None or len(call.name) > _LONGEST:
            continue
        key = (ecosystem, call.name)
        if key not in known:
            package = _package_of(call.name, longest_first.get(ecosystem, []))
            known[key] = None if package is None or is_platform(ecosystem, package) else package
        package = known[key]
        if package is not None:
            yield _use(ecosystem, package, call)


def _use(ecosystem: str, package: str, call: PlacedCall) -> OutsideUse:
    return OutsideUse(
        ecosystem,
        package,
        call.name,
        call.name.rpartition(".")[2],
        call.file,
        call.line,
        call.caller[:_LONGEST],
        call.role == "test",
    )


def _package_of(name: str, imported: list[str]) -> str | None:
    """The package that a full name begins with: one that is imported, else its first part; None for what has none."""
    if name.startswith(_BUILT_IN):
        return None
    for package in imported:
        if name.startswith(package) and name[len(package) :].startswith(_ENDS):
            return package
    first, dot, _ = name.partition(".")
    return first if dot else None


def _answered(endpoint: Any) -> Answered:
    return Answered(
        endpoint.method,
        endpoint.path[:_LONGEST],
        resource_of(endpoint.path)[:_LONGEST],
        endpoint.framework,
        endpoint.file,
        endpoint.line,
        endpoint.name,
    )


def _asked(call: Any) -> Asked:
    return Asked(call.method, call.path[:_LONGEST], call.library, call.file, call.line, call.function)


def _conventions(picture: Picture) -> Iterator[Kept]:
    for each in (*picture.mined.conventions, *picture.mined.undecided):
        if not each.area.scope:
            yield _kept(picture, each)


def _kept(picture: Picture, each: Convention) -> Kept:
    outliers = picture.outliers(each)
    return Kept(
        each.id,
        each.rule,
        each.variant,
        each.is_decided,
        round(each.measures.frequency, 4),
        len(each.sites),
        len(outliers),
        "\n".join(f"{picture.path_of(site)}:{site.line}" for site in outliers[:_MOST_EXAMPLES]),
    )
