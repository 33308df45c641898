"""How a field of a settings section becomes a row of the table of settings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal, NamedTuple, TypeVar

from drift.project.values import Kind

T = TypeVar("T")

_ROW = "drift.setting"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as documentation and parsers see it."""

    key: str
    kind: Kind[Any]
    default: object
    description: str
    env_names: tuple[str, ...]  # the first that is set wins
    repository: "Repository"


class Repository(NamedTuple):
    """What a repository's own drift.toml, perhaps a stranger's, may do with a setting.

    `yes`: choose, for it can do no harm. `tighten`: only up to `bound`, the default unless said otherwise.
    `no`: nothing; where Drift listens, what it writes where, and what it reveals is the user's to say.
    """

    may_set: Literal["yes", "tighten", "no"]
    bound: Any = None


@dataclass(frozen=True, slots=True)
class _Row:
    kind: Kind[Any]
    description: str
    short_name: str
    repository: Repository


def setting(
    kind: Kind[T],
    about: str,
    *,
    default: T,
    repository: Literal["yes", "tighten", "no"],
    bound: T | None = None,
    short_name: str = "",
) -> T:
    """A field of a section: its kind, what it is about, its default, and what a repository may do with it."""
    allowed = Repository(repository, default if bound is None else bound)
    metadata = {_ROW: _Row(kind, about, short_name, allowed)}
    if isinstance(default, Mapping):  # dataclasses refuse a mutable default
        return field(default_factory=lambda: default, metadata=metadata)
    return field(default=default, metadata=metadata)


def rows_of(section: type, prefix: str) -> Iterator[Setting]:
    # `section` is a dataclass by construction; `type` is all that can be said of a field's own type.
    default = section()
    for each in fields(section):
        row = each.metadata.get(_ROW)
        key = prefix + each.name
        if isinstance(row, _Row):
            names = (f"DRIFT_{key.replace('.', '_').upper()}", row.short_name)
            yield Setting(
                key=key,
                kind=row.kind,
                default=getattr(default, each.name),
                description=row.description,
                env_names=tuple(name for name in dict.fromkeys(names) if name),
                repository=row.repository,
            )
        elif isinstance(each.type, type) and is_dataclass(each.type):
            yield from rows_of(each.type, f"{key}.")
