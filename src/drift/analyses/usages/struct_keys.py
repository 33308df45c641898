"""Keys of what Rust makes or takes apart: `Order { total: 1 }`, `let Order { total, .. } = order`. They are fields of that type."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from drift.analyses.callables import FUNCTION_KINDS
from drift.analyses.usages.certainty import Certainty
from drift.analyses.usages.family import Family
from drift.analyses.usages.shorthand import find_opening
from drift.index import SymbolRecord
from drift.index.usage_queries import ImportUse

_LOOK_AROUND: Final = 4_000
_HEAD: Final = 400  # bytes before a brace in which the name of a type is looked for
_NAMED: Final = re.compile(
    rb"((?:\w{1,100}\s{0,9}::\s{0,9}){0,8}\w{1,100})(?:::)?(?:<[^{}();]{0,200}>)?\s{0,40}\Z"
)
# What is declared, and what a block follows, is no literal: `struct Order {`, `-> Order {`, `impl Show for Order {`.
_NO_LITERAL: Final = re.compile(
    rb"(?:\b(?:struct|enum|union|trait|mod|impl|for|in|if|while|match|dyn)|->|\+|(?<!=)>)\s{0,40}\Z"
)
_SELF: Final = "Self"


class Key(NamedTuple):
    """The type that a key is of, as written, and whether the key is a variable as well."""

    type: str
    is_shorthand: bool


def find_key(content: bytes, start: int, end: int) -> Key | None:
    """The key that a word is; None for one that is none."""
    before, after = content[max(start - _LOOK_AROUND, 0) : start], content[end : end + 20].lstrip()
    if before.rstrip()[-1:] not in {b"{", b","}:
        return None
    is_shorthand = after[:1] in {b",", b"}"}
    if not is_shorthand and (after[:1] != b":" or after[:2] == b"::"):
        return None
    opened = find_opening(before)
    if opened is None or before[opened : opened + 1] != b"{":
        return None
    head = before[max(opened - _HEAD, 0) : opened]
    found = _NAMED.search(head)
    if found is None or _NO_LITERAL.search(head[: found.start()]) is not None:
        return None
    name = found[1].rpartition(b"::")[2].strip().decode("utf-8", "replace")
    return Key(name, is_shorthand) if name[:1].isupper() else None


def judge_key(
    key: Key,
    family: Family,
    chain: Sequence[SymbolRecord],
    *,
    symbols: Sequence[SymbolRecord],
    imports: Sequence[ImportUse],
    is_declared_here: bool,
) -> Certainty | None:
    """How sure it is that a key is the field asked about; None where it is one of another type."""
    if key.type == _SELF:
        around = next(
            (one for one in chain if one.kind in FUNCTION_KINDS and one.parent_id is not None), None
        )
        return "resolved" if around is not None and around.parent_id in family.owners else None
    owners = {_owner_name(one) for one in family.same}
    brought = [one for one in imports if (one.alias or one.name) == key.type]
    if any(one.target_id in family.owners for one in brought):
        return "resolved"
    if key.type not in owners:
        is_alias = any(one.kind == "type" and one.name == key.type for one in symbols)
        return "possible" if is_alias else None
    if not any(_owner_name(one) == key.type for one in family.others):
        return "resolved"
    if any(one.target_id is not None for one in brought):
        return None
    return "likely" if is_declared_here else "possible"


def _owner_name(member: SymbolRecord) -> str:
    return member.qualname.rpartition(".")[0].rpartition(".")[2]
