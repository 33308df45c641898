"""Whether symbols, routes and environment names that a memory names are in the index, or at least in the source."""

import re
from typing import Final, NamedTuple

from drift.analyses.lookup import find_symbols
from drift.conventions.verification.ground import (
    NO_INDEX,
    CheckedClaim,
    ClaimVerdict,
    Ground,
    absent,
    unclear,
)
from drift.conventions.verification.texts import Mention
from drift.conventions.verification.tokens import Claim, ClaimKind
from drift.index import IndexReader
from drift.index.ids import file_of_symbol
from drift.index.records import EntryPointRecord, SymbolRecord
from drift.kernel.similar import similar_names

_MOST_ROUTES: Final = 5_000
_DECLARING: Final = ("variable", "argument", "read", "secret")
_TYPES: Final = frozenset(
    {"class", "interface", "struct", "trait", "enum", "module", "object", "type", "record"}
)
_PARAMETER: Final = re.compile(r"\{[^}/]{0,200}\}|<[^>/]{0,200}>|\[[^\]/]{0,200}\]|(?<=/):[^/]+")


def check_symbol(claim: Claim, ground: Ground) -> CheckedClaim | None:
    """What became of a symbol: by its qualified name, as a file, as a word of the source."""
    reader = ground.reader
    if reader is None:
        return unclear(claim, NO_INDEX)
    symbols = _named(reader, claim)
    if symbols:
        first = symbols[0]
        return CheckedClaim(claim, ClaimVerdict.FOUND, f"{first.path}:{first.line} {first.qualname}")
    if not claim.is_sure:
        return None
    owner, dot, name = claim.text.rpartition(".")
    as_path = claim.text.replace(".", "/")
    module = next((one for one in ground.paths if f"/{one.rpartition('.')[0]}".endswith(f"/{as_path}")), None)
    if module is not None:
        return CheckedClaim(claim, ClaimVerdict.FOUND, module)
    if not dot:
        return _as_word(claim, name, ground)
    return _as_member(claim, owner, name, ground)


def _named(reader: IndexReader, claim: Claim) -> tuple[SymbolRecord, ...]:
    found = _find(reader, claim.text)
    # A word that only may be a name must be written like it.
    name = claim.text.rpartition(".")[2]
    return found if claim.is_sure else tuple(one for one in found if one.name == name)


def _find(reader: IndexReader, text: str) -> tuple[SymbolRecord, ...]:
    # Asked first, since a lookup that fails gathers names like it from the whole index.
    is_known = bool(reader.symbols.named_alike(text.rpartition(".")[2], limit=1))
    return find_symbols(reader, text).symbols if is_known else ()


def _as_member(claim: Claim, owner: str, name: str, ground: Ground) -> CheckedClaim | None:
    assert ground.reader is not None
    root = owner.partition(".")[0]
    owners = [one for one in _find(ground.reader, owner) if one.kind in _TYPES]
    if not owners:
        if root in ground.outside_packages:
            return unclear(claim, f"{root} is a package from outside")
        return _as_word(claim, name, ground)
    members = [one for each in owners for one in ground.reader.symbols.members(each.id)]
    mention = _in_code(ground, name)
    if mention is not None and mention.path in {one.path for one in owners}:
        return CheckedClaim(claim, ClaimVerdict.FOUND, f"{mention.path}:{mention.line} as a word")
    if mention is not None and any(ground.reader.symbols.bases(one.id) for one in owners):
        return unclear(claim, f"{owner} does not define it, but may inherit it")
    at = f"{owners[0].path}:{owners[0].line}"
    similar = similar_names(name, {one.name for one in members})
    return absent(claim, f"{owner} at {at} has no {name}", similar)


def _in_code(ground: Ground, word: str) -> Mention | None:
    found = ground.texts.find(word)
    return None if found is None or found.is_in_document else found


def _as_word(claim: Claim, word: str, ground: Ground) -> CheckedClaim | None:
    assert ground.reader is not None
    mention = ground.texts.find(word)
    if mention is not None and not mention.is_in_document:
        return CheckedClaim(claim, ClaimVerdict.FOUND, f"{mention.path}:{mention.line} as a word")
    if mention is not None:
        # A changelog or a guide that still names it does not bring it back.
        said = f"no code has it; only {mention.path}:{mention.line} still names it"
        return absent(claim, said, ground.reader.symbols.similar_names(word, limit=3))
    if not ground.texts.is_whole:
        return unclear(claim, "no symbol has this name; the project is too large to look through every text")
    if claim.kind is ClaimKind.ENVIRONMENT:
        known = {one.name for one in ground.reader.facts.environment_reads()}
        return absent(claim, "nothing in the project reads it", similar_names(word, known))
    return absent(claim, "no symbol has this name", ground.reader.symbols.similar_names(word, limit=3))


def check_environment(claim: Claim, ground: Ground) -> CheckedClaim | None:
    """Who reads an environment variable; a word of a settings file counts as well."""
    if ground.reader is None:
        return unclear(claim, NO_INDEX)
    reads = ground.reader.facts.environment_reads(claim.text)
    if reads:
        return CheckedClaim(claim, ClaimVerdict.FOUND, f"{reads[0].path}:{reads[0].line} reads it")
    declared = ground.reader.documents.named(claim.text, _DECLARING)
    if declared:
        return CheckedClaim(claim, ClaimVerdict.FOUND, f"{declared[0].file}:{declared[0].line} declares it")
    symbols = ground.reader.symbols.named(claim.text, limit=1)
    if symbols:
        return CheckedClaim(claim, ClaimVerdict.FOUND, f"{symbols[0].path}:{symbols[0].line}")
    return _as_word(claim, claim.text, ground)


def check_route(claim: Claim, ground: Ground) -> CheckedClaim | None:
    """Which entry point answers a route; one that a router mounts under a prefix fits by its end."""
    if ground.reader is None:
        return unclear(claim, NO_INDEX)
    routes = find_routes(ground.reader, claim.text)
    if not routes.known:
        return unclear(claim, "the index knows no routes here")
    if routes.answering:
        first = routes.answering[0]
        return CheckedClaim(claim, ClaimVerdict.FOUND, f"{place_of(first)} {first.symbol.qualname}")
    if routes.fitting:
        first = routes.fitting[0]
        return CheckedClaim(claim, ClaimVerdict.CHANGED, f"{place_of(first)} answers {first.detail}")
    path = claim.text.rpartition(" ")[2]
    mention = ground.texts.find(path) if claim.is_sure else None
    if mention is not None and not mention.is_in_document:
        return unclear(claim, f"{mention.path}:{mention.line} has the text, no route is known by it")
    return absent(claim, "no route is like this", similar_names(claim.text, routes.known))


class Routes(NamedTuple):
    """The routes of a path, those of them that answer the method, and what all are called."""

    answering: tuple[EntryPointRecord, ...]
    fitting: tuple[EntryPointRecord, ...]
    known: frozenset[str]


def find_routes(reader: IndexReader, text: str) -> Routes:
    """The routes that a text means: `GET /users/{id}`, or a path alone."""
    method, _, path = text.strip().rpartition(" ")
    routes = reader.facts.entry_points("http", limit=_MOST_ROUTES)
    fitting = tuple(one for one in routes if _fits(one, path))
    answering = tuple(
        one for one in fitting if _methods(one) is None or not method or method.upper() in str(_methods(one))
    )
    return Routes(answering, fitting, frozenset(one.detail for one in routes))


def place_of(route: EntryPointRecord) -> str:
    """Where a route is registered; where that is in another file, where what answers it stands."""
    is_here = file_of_symbol(route.registered_at) == file_of_symbol(route.symbol.id)
    return f"{route.symbol.path}:{route.line if is_here else route.symbol.line}"


def _methods(route: EntryPointRecord) -> str | None:
    """The methods of a route as written; None where it takes any."""
    head, space, _ = route.detail.partition(" ")
    is_said = bool(space) and head.isupper() and head not in {"ANY", "ALL", "USE", "ROUTE"}
    return head if is_said else None


def _fits(route: EntryPointRecord, wanted: str) -> bool:
    asked = _shape(wanted)
    # A route may have several paths, and say behind an arrow what answers.
    paths = route.detail.partition(" -> ")[0].split()
    return any(_is_like(_shape(each.strip(",")), asked) for each in paths if not each.isupper())


def _is_like(own: str, asked: str) -> bool:
    return own == asked or (
        len(own) > 1 and (asked.endswith(own) or (len(asked) > 1 and own.endswith(asked)))
    )


def _shape(path: str) -> str:
    """A route with its parameters made alike and without its last slash."""
    return "/" + _PARAMETER.sub("{}", f"/{path.lstrip('/')}").strip("/").lower()
