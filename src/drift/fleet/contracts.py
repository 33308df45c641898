"""Contracts between services: requests that one repository makes and another answers, and those that nobody answers.

What it does: every request that a repository makes is compared with the endpoints of the others, by method and path, as within
one repository. An address that names a repository (`http://orders:8080`, `${ORDERS_URL}`) decides between several.
Why it matters: whoever changes an endpoint sees no caller in their own repository.
Example: `drift_fleet(action="contracts", repository="orders")`.
Known limits: an address that names no repository fits by its path alone, and where several repositories answer it all are told;
requests to other hosts are left out; fields are compared within one repository only.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from drift.analyses.contracts.contracts import match_calls
from drift.analyses.contracts.paths import PARAMETER, parts_of
from drift.analyses.contracts.records import ClientCall, Endpoint
from drift.fleet.facts import Answered, Asked
from drift.fleet.store import FleetStore
from drift.kernel.ranking import Ranked, Sort

Status = Literal["answered", "unanswered"]
By = Literal["host", "path"]

_ORIGIN: Final = re.compile(r"\A(?:[a-z]{2,6}://([^/]{1,200})|\{([^{}]{1,200})\})")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_ENDINGS: Final = re.compile(r"(?:service|server|svc|api|app|backend)\Z")
_LOCAL: Final = re.compile(r"(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)(?::\d+)?\Z")
_STATUSES: Final = ("unanswered", "answered")


@dataclass(frozen=True, slots=True)
class ServiceRow:
    """A request of one repository and the endpoint of another. by host: the address names it; by path: the path alone fits."""

    status: Status
    method: str
    path: str
    caller: str
    caller_file: str
    caller_line: int
    function: str
    provider: str
    by: By
    endpoint: str | None
    provider_file: str | None
    provider_line: int | None
    handler: str | None
    others: int


SERVICE_SORTS: Final[Mapping[str, Sort[ServiceRow]]] = {
    "status": Sort(
        lambda row: (
            _STATUSES.index(row.status),
            row.by,
            row.caller,
            row.caller_file,
            row.caller_line,
            row.provider,
            row.endpoint or "",
            row.provider_line or 0,
        )
    ),
    "provider": Sort(lambda row: (row.provider, row.endpoint or "", row.caller)),
}


class _Provider(NamedTuple):
    repository: str
    answered: Answered


def find_services(store: FleetStore, repository: str | None) -> Ranked[ServiceRow]:
    """Requests between repositories; of one alone, those it makes and those it answers."""
    by_resource: dict[str, list[_Provider]] = defaultdict(list)
    for name, answered in store.answered():
        by_resource[answered.resource].append(_Provider(name, answered))
    names = _short_names(store.states())
    rows = [
        row
        for caller, asked in store.asked()
        for row in _rows(caller, asked, by_resource, names)
        if repository in {None, row.caller, row.provider}
    ]
    return Ranked(rows, SERVICE_SORTS)


def _short_names(repositories: Iterable[str]) -> dict[str, str]:
    """The repositories by the words that addresses call them by; a word that two share names neither."""
    found: dict[str, str | None] = {}
    for name in repositories:
        short = _short(name)
        found[short] = name if found.get(short, name) == name else None
    return {short: name for short, name in found.items() if name is not None and short}


def _short(text: str) -> str:
    word = "".join(_WORD.findall(text)).lower()
    return _ENDINGS.sub("", word) or word


def _rows(
    caller: str, asked: Asked, by_resource: Mapping[str, list[_Provider]], names: Mapping[str, str]
) -> Iterator[ServiceRow]:
    named, leads_out = _named(asked.path, names)
    if leads_out or named == caller:
        return
    fitting = [each for each in _fitting(asked, by_resource) if named in {None, each.repository}]
    if named is not None and not fitting:
        yield _row("unanswered", caller, asked, named, by="host")
    if named is None and any(each.repository == caller for each in fitting):
        return  # its own
    others = len({each.repository for each in fitting}) - 1
    for each in fitting:
        by: By = "path" if named is None else "host"
        yield _row("answered", caller, asked, each.repository, by=by, answered=each.answered, others=others)


def _named(path: str, names: Mapping[str, str]) -> tuple[str | None, bool]:
    """The repository that an address names, and whether it leads to a host that is none of them."""
    origin = _ORIGIN.match(path)
    if origin is None:
        return None, False
    host, variable = origin[1], origin[2]
    labels = host.partition(":")[0].split(".") if host else _WORD.findall(variable.replace("_", " "))
    named = next((names[_short(label)] for label in labels if _short(label) in names), None)
    leads_out = host is not None and named is None and "{" not in host and _LOCAL.match(host) is None
    return named, leads_out


def _fitting(asked: Asked, by_resource: Mapping[str, list[_Provider]]) -> list[_Provider]:
    """The endpoints that a request has the method and path of. The last word of each is a part of the request's path."""
    words = {part for part in parts_of(asked.path) if part != PARAMETER}
    near = [each for word in sorted(words) for each in by_resource.get(word, ())]
    call = ClientCall(asked.method, asked.path, asked.library, asked.file, asked.line, asked.name)
    matched, _ = match_calls([_endpoint(each.answered) for each in near], [call])
    return [near[number] for number, found in sorted(matched.items()) if found[0].similarity == 1.0]


def _endpoint(answered: Answered) -> Endpoint:
    return Endpoint(
        answered.method,
        answered.path,
        answered.framework,
        answered.file,
        answered.line,
        answered.name,
        symbol=None,
        response=None,
        request=None,
    )


def _row(
    status: Status,
    caller: str,
    asked: Asked,
    provider: str,
    *,
    by: By,
    answered: Answered | None = None,
    others: int = 0,
) -> ServiceRow:
    return ServiceRow(
        status,
        asked.method,
        asked.path,
        caller,
        asked.file,
        asked.line,
        asked.name,
        provider,
        by,
        answered.path if answered else None,
        answered.file if answered else None,
        answered.line if answered else None,
        answered.name if answered else None,
        others,
    )
