"""One chain of calls under one library: which operation on which table, if it is one at all."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from drift.analyses.data_access.chains import Link, all_texts, first_text, top_parts
from drift.analyses.data_access.knowledge import DataLibrary
from drift.analyses.data_access.models import Catalogue
from drift.analyses.data_access.rows import AccessPoint, Model
from drift.analyses.data_access.sources import origins_of
from drift.analyses.data_access.sql_text import Operation, Touch, read_sql
from drift.analyses.data_access.targeting import GUESSED, LIKELY, SURE, Site, Targeting

_KEYWORD: Final = re.compile(
    r"(?:^|[,{(\[])\s{0,40}[\"']?([a-z_]\w{0,60}?)(?:__\w{1,40})?[\"']?\s{0,4}(?:=(?!=)|=>|:(?!:))"
)
_FIELD_TEXT: Final = re.compile(r"^[\"'`]([a-z_][\w.]{0,60})[\"'`]$")
_MOST_FIELDS: Final = 40
_MOST_LINES: Final = 20
_GOES_ON: Final = ("+", "(", ",", ".", "\\", "[", "{", "||", "%")


class Asked(NamedTuple):
    """A method of a repository that is called: whose it is, for which model, and the query it is said to run."""

    framework: str
    model: Model | None
    statement: tuple[Touch, ...]


class Judge:
    """One chain under one library: which operation on which table, if it is one at all."""

    def __init__(self, catalogue: Catalogue, site: Site, library: DataLibrary, *, received: bool) -> None:
        self._catalogue = catalogue
        self._site = site
        self._library = library
        self._received = received
        self._links = site.chain.links
        self._targeting = Targeting(catalogue, site, library, received=received)
        self.used_lines: range = range(0)
        """Lines of a text that a call was found to be given."""

    def points(self, repository: Asked | None) -> Iterator[AccessPoint]:
        raw = list(self._raw())
        if raw:
            yield from raw
            return
        if repository is not None:
            yield from self._asked(repository)
            return
        operation = self._operation(is_repository=False)
        if operation is None:
            return
        table, model, confidence = self._targeting.find()
        if table is None and (not self._received or (self._library.set_types and operation == "read")):
            return
        is_builder = all(each.name not in self._ends() for each in self._links if each.given is not None)
        if is_builder and (
            table is None
            or (self._targeting.is_far and self._library.definers and not self._library.bare_calls)
        ):
            return
        yield self._made(operation, model, table, confidence)

    def _asked(self, repository: Asked) -> Iterator[AccessPoint]:
        framework, model, statement = repository
        if framework != self._library.framework:
            return
        operation = self._operation(is_repository=True)
        for touch in statement:
            yield self._touched(touch)
        if not statement and operation is not None:
            yield self._made(operation, model, model.table if model else None, SURE if model else LIKELY)

    def _touched(self, touch: Touch) -> AccessPoint:
        model = self._catalogue.like(touch.table, self._site.language) if touch.table else None
        # A query over classes, as JPQL's, names the class.
        table = model.table if model is not None and model.name == touch.table else touch.table
        return self._made(touch.operation, model, table, SURE if table else GUESSED, columns=touch.columns)

    def _ends(self) -> frozenset[str]:
        one = self._library
        return one.methods - (one.builders - one.reads - one.writes - one.deletes)

    def _operation(self, *, is_repository: bool) -> Operation | None:
        one = self._library
        called = [
            each.name
            for at, each in enumerate(self._links)
            if each.given is not None or (one.bare_calls and at)
        ]
        plain = [each.rstrip("!?") for each in called]
        names = {*called, *plain}
        if names & one.definers:
            return None
        if names & (one.deletes | one.instance_deletes):
            return "delete"
        if names & (one.writes | one.instance_writes | one.last_writes):
            return "write"
        if names & one.reads or (one.lazy and names & (one.builders | one.starts)):
            return "read"
        if names & one.unsure:
            return "unknown"
        if is_repository or self._received:
            for starts, operation in (
                (one.magic_deletes, "delete"),
                (one.magic_writes, "write"),
                (one.magic_reads, "read"),
            ):
                if starts and any(each.startswith(tuple(starts)) for each in called):
                    return operation  # type: ignore[return-value]  # three literals of the type
        return None

    def _raw(self) -> Iterator[AccessPoint]:
        one = self._library
        for link in self._links:
            if link.given is None or (link.name not in one.raw and link.name not in one.functions):
                continue
            text = self._statement(link.given)
            touches = read_sql(text.strip().lstrip("(")) if text else ()
            yield from map(self._touched, touches)
            if touches:
                return
            is_sure = link.name in one.functions or (
                self._received and not (one.reads | one.writes | one.deletes)
            )
            if is_sure and not text and self._received:
                yield self._made("unknown", None, None, GUESSED, columns=())
                return

    def _statement(self, given: str) -> str | None:
        """The text a call is given: written there, or what its variable was last set to."""
        for part in top_parts(given)[:4]:
            inner = re.sub(r"^(?:\w{1,40}\.)?(?:text|sql|raw|Sprintf|format|SQL|literal)\s{0,2}\(", "", part)
            if inner[:1] in "\"'`" or re.match(r"[fFrRbBuU@$]{1,3}[\"']", inner):
                found = first_text(inner)
                if found and read_sql(found.strip().lstrip("(")):
                    return found
            elif re.fullmatch(r"\$?[A-Za-z_][\w.]{0,60}", part):
                site = self._site
                for origin in origins_of(
                    part.rpartition(".")[2],
                    site.source,
                    first_line=1 if part.isupper() else site.caller.line,
                    before=site.chain.start,
                ):
                    found = first_text(origin.text) if not origin.is_type else None
                    if found:
                        return self._whole_text(found)
        return None

    def _whole_text(self, begin: str) -> str:
        """A text over several lines, or put together of several, from the place where its variable is set."""
        source, start = self._site.source, self._site.chain.start
        place = source.text.rfind(begin, 0, start)
        if place < 1:
            return begin
        written = source.text[place - 1 : start]
        found = first_text(written) or begin
        if not read_sql(found.strip().lstrip("(")):
            found = all_texts(_expression(written))
        if read_sql(found.strip().lstrip("(")):
            self.used_lines = range(source.line_of(place), source.line_of(start) + 1)
        return found

    def _made(
        self, operation: Operation, model: Model | None, table: str | None, confidence: float,
        *, columns: Iterable[str] | None = None,
    ) -> AccessPoint:  # fmt: skip
        site = self._site
        is_raw = columns is not None
        named = tuple(columns) if columns is not None else _fields(self._links, model)
        line = site.source.line_of(site.chain.start)
        return AccessPoint(
            table, operation, self._library.framework, site.path, line, is_raw, model.name if model else None,
            named, confidence, site.caller.qualname, site.caller.id, site.role,
        )  # fmt: skip


def _expression(written: str) -> str:
    """What belongs to an expression that may go on over lines."""
    lines = written.split("\n", _MOST_LINES)
    for number, line in enumerate(lines[:_MOST_LINES]):
        if not line.rstrip().endswith(_GOES_ON) and "\n".join(lines[: number + 1]).count("`") % 2 == 0:
            return "\n".join(lines[: number + 1])
    return "\n".join(lines[:_MOST_LINES])


def _fields(links: Sequence[Link], model: Model | None) -> tuple[str, ...]:
    """The fields that a chain names: keys of what it is given, and texts that are fields of the model."""
    known = {one.name for one in model.fields} if model is not None else set()
    columns = {one.column for one in model.fields if one.column} if model is not None else set()
    found: dict[str, None] = {}
    for link in links:
        for part in top_parts(link.given or "")[:20]:
            text = _FIELD_TEXT.match(part)
            if text is not None and (text.group(1) in known or text.group(1) in columns):
                found.setdefault(text.group(1))
        for name in _KEYWORD.findall((link.given or "")[:1_500]):
            bare = name if name in known else name.partition("__")[0]
            if not known or bare in known or bare in columns:
                found.setdefault(bare)
        if len(found) > _MOST_FIELDS:
            break
    return tuple(found)[:_MOST_FIELDS] if known else ()
