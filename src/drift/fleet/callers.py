"""Who in other repositories calls a function of this package.

What it does: calls that leave a repository are kept with the full name they lead to. Those whose package is one that the asked
repository's manifests name as its own, and whose name ends with the function's, are its callers elsewhere.
Why it matters: the blast radius of a change ends in no repository.
Example: `drift_fleet(action="callers", repository="pricing", function="add_tax")`.
Known limits: a function that is only passed on, or called through a name made at run time, is not seen; packages that are
imported under another name than their own are matched as manifests of the ecosystem usually do.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from drift.fleet.facts import Dependency, OutsideUse, OwnPackage
from drift.fleet.store import FleetStore
from drift.kernel.ranking import Ranked, Sort
from drift.manifests.import_names import ECOSYSTEMS, accounts_for


@dataclass(frozen=True, slots=True)
class FleetCallerRow:
    """A call in another repository. `wants` is the version its manifest asks for, null where none names the package."""

    repository: str
    file: str
    line: int
    caller: str
    name: str
    package: str
    in_test: bool
    wants: str | None
    declared_at: str | None


FLEET_CALLER_SORTS: Final[Mapping[str, Sort[FleetCallerRow]]] = {
    "repository": Sort(lambda row: (row.in_test, row.repository, row.file, row.line, row.name)),
    "name": Sort(lambda row: (row.name, row.repository, row.file, row.line)),
}
_KNOWN_ECOSYSTEMS: Final = frozenset(ECOSYSTEMS.values())


def find_fleet_callers(store: FleetStore, function: str, repository: str | None) -> Ranked[FleetCallerRow]:
    """Calls of a function of a repository's packages; without a repository, of the full name."""
    own = [package for name, package in store.packages() if name == repository]
    dependencies: dict[str, list[Dependency]] = {}
    rows = []
    for name, use in store.uses(function.replace("::", ".").rpartition(".")[2]):
        if name == repository or not _leads_to(use, function, own, is_full=repository is None):
            continue
        if name not in dependencies:
            dependencies[name] = store.dependencies(name)
        declared = _declared(use, dependencies[name])
        rows.append(_row(name, use, declared))
    return Ranked(rows, FLEET_CALLER_SORTS)


def _leads_to(use: OutsideUse, function: str, own: list[OwnPackage], *, is_full: bool) -> bool:
    wanted = function.replace("::", ".")
    if is_full:
        return use.name == wanted
    ends = use.name == wanted or use.name.endswith(f".{wanted}")
    return ends and any(_is_of(package, use) for package in own)


def _is_of(package: OwnPackage, use: OutsideUse) -> bool:
    return any(
        package.ecosystem == use.ecosystem == each and accounts_for(each, package.name, use.package)
        for each in _KNOWN_ECOSYSTEMS
    )


def _declared(use: OutsideUse, dependencies: list[Dependency]) -> Dependency | None:
    return next((each for each in dependencies if _is_of(OwnPackage(each.ecosystem, each.name), use)), None)


def _row(repository: str, use: OutsideUse, declared: Dependency | None) -> FleetCallerRow:
    return FleetCallerRow(
        repository,
        use.file,
        use.line,
        use.caller,
        use.name,
        use.package,
        bool(use.is_test),
        None if declared is None else declared.version or "any",
        None if declared is None else f"{declared.file}:{declared.line}",
    )
