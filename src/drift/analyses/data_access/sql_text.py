"""SQL in a text: which tables it touches, how, and by which columns.

What it does: reads a statement of any dialect, also JPQL, far enough to tell tables, operation and columns.
Why it matters: the text is where raw access says what it touches.
Example: `UPDATE users SET email = ? WHERE id = ?` writes `users` by `email` and `id`.
Known limits: of what is put together elsewhere only the part that stands in the text is read; what a text fills in
later (`FROM {table}`) has no name. Work is bounded by the length of the text.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

Operation = Literal["read", "write", "delete", "schema", "unknown"]

_MOST_CHARACTERS: Final = 20_000
_MOST_COLUMNS: Final = 60
_TOKEN: Final = re.compile(
    r"--[^\n]{0,1000}|/\*.{0,1000}?\*/"
    r"|'(?:[^'\\]|\\.|''){0,1000}'"
    r"|[\"`\[](?P<quoted>[A-Za-z_][\w$ -]{0,100})[\"`\]]"
    r"|(?P<filled>\$\{[^}]{0,300}\}|\{[^}]{0,300}\}|%\(\w{1,60}\)[sd]|#\{[^}]{0,300}\}|%[sdvq]|\$\d{1,3}|:\w{1,60}|@\w{1,60}|\?)"
    r"|(?P<word>[A-Za-z_][\w$]{0,100})"
    r"|(?P<sign>[(),.;*=<>!+/|-])",
    re.DOTALL,
)
_WORDS: Final = {
    name: frozenset(words)
    for name, words in tomllib.loads(
        files("drift.analyses.data_access").joinpath("sql_words.toml").read_text("utf-8")
    ).items()
}
_VERBS: Final = frozenset(
    {
        "select",
        "insert",
        "update",
        "delete",
        "with",
        "replace",
        "merge",
        "truncate",
        "create",
        "alter",
        "drop",
        "from",
    }
)
_KEYWORDS: Final = _WORDS["keywords"]
_NO_TABLES: Final = _WORDS["no_tables"]
# Schemas and beginnings of names in which databases keep what they know of themselves.
_OWN_SCHEMAS: Final = frozenset({"information_schema", "pg_catalog", "sys", "mysql", "performance_schema"})
_OWN_TABLES: Final = ("pg_", "sqlite_", "information_schema")
# A table that is filled in far behind is that of an inner query, and says nothing of the statement.
_NEAR: Final = 12
# Two names side by side are a column and its alias; three are a sentence.
_MOST_NAMES: Final = 2
_SHORT: Final = 3
_FUNCTIONS_WITH_FROM: Final = frozenset(
    {"extract", "trim", "substring", "overlay", "position", "ltrim", "rtrim"}
)


class Touch(NamedTuple):
    """A table that a statement touches. None: the name is filled in later."""

    table: str | None
    operation: Operation
    columns: tuple[str, ...]


class _Token(NamedTuple):
    kind: str  # word, name (quoted), filled, sign
    text: str

    @property
    def lower(self) -> str:
        return self.text.lower() if self.kind == "word" else ""


@lru_cache(maxsize=4_096)
def read_sql(text: str) -> tuple[Touch, ...]:
    """What a statement touches; nothing where the text is no statement."""
    first = next(_tokens(text[:_MOST_CHARACTERS]), None)
    if first is None or first.lower not in _VERBS:
        return ()
    tokens = list(_tokens(text[:_MOST_CHARACTERS]))
    if len(tokens) < _MOST_NAMES or not _is_statement(tokens):
        return ()
    return _Statement(tokens).touches()


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "quoted":
            # "user" in double quotes may be a value in some dialects; behind from and its like it is a name.
            yield _Token("name", match.group("quoted"))
        elif kind is not None:
            yield _Token(kind, match.group())


def _is_statement(tokens: list[_Token]) -> bool:
    """Whether what begins with a verb of SQL is more than a sentence that does."""
    verb, written = tokens[0].lower, tokens[0].text
    words = [each.lower for each in tokens]
    behind = words[1]
    is_plain = written in {written.lower(), written.upper()}
    match verb:
        case "select":
            return "from" in words[2:] and is_plain and _is_list(tokens[1 : words.index("from", 2)])
        case "insert":
            return "into" in words[1:4] and any(
                each in words for each in ("values", "select", "set", "default")
            )
        case "replace" | "merge":
            return "into" in words[1:3]
        case "update":
            return "set" in words[2:8] and any(each.text == "=" for each in tokens)
        case "delete":
            return (behind == "from" or "from" in words[2:4]) and is_plain
        case "truncate":
            return is_plain and (behind == "table" or len(tokens) <= _SHORT)
        case "create" | "alter" | "drop":
            return "table" in words[1:4]
        case "with":
            return "as" in words[2:12] and "select" in words
        case "from":  # HQL: from Owner o where …
            return (
                is_plain
                and tokens[1].text[:1].isupper()
                and tokens[1].kind == "word"
                and (len(tokens) <= _SHORT or "where" in words or "join" in words or "order" in words)
            )
    return False


def _is_list(between: list[_Token]) -> bool:
    """Whether what stands between select and from is a list of columns rather than words of a sentence."""
    run = 0
    for each in between:
        is_word = each.kind == "word" and each.lower not in _KEYWORDS
        run = run + 1 if is_word else 0
        if run > _MOST_NAMES or each.lower in _NO_TABLES - {
            "values",
            "select",
            "lateral",
            "file",
            "files",
            "memory",
            "cache",
            "all",
            "one",
        }:
            return False
    return bool(between)


class _Statement:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._lower = [each.lower for each in tokens]
        self._with = self._common_tables()

    def touches(self) -> tuple[Touch, ...]:
        found: dict[tuple[str | None, Operation], None] = {}
        for table, operation in self._tables():
            found.setdefault((table, operation))
        columns = self._columns()
        named = [one for one in found if one[0] is not None]
        return tuple(Touch(table, operation, columns) for table, operation in (named or list(found)))

    def _common_tables(self) -> frozenset[str]:
        """Names that `with` gives to queries: they are no tables."""
        if "with" not in self._lower:
            return frozenset()
        return frozenset(
            self._tokens[at].text.lower()
            for at in range(len(self._tokens) - 2)
            if self._lower[at + 1] == "as"
            and self._tokens[at + 2].text == "("
            and self._tokens[at].kind != "sign"
        )

    def _tables(self) -> Iterator[tuple[str | None, Operation]]:
        open_functions: list[bool] = []
        deletes = False
        for at, token in enumerate(self._tokens):
            if token.text == "(":
                open_functions.append(at > 0 and self._lower[at - 1] in _FUNCTIONS_WITH_FROM)
            elif token.text == ")" and open_functions:
                open_functions.pop()
            before = self._lower[at - 1] if at else ""
            word = token.lower
            deletes = deletes or word == "delete"
            if word == "from" and not (open_functions and open_functions[-1]) and before != "distinct":
                operation: Operation = "delete" if deletes else "read"
                deletes = False
                yield from self._listed(at + 1, operation)
            elif word == "join":
                yield from self._listed(at + 1, "read")
            elif (word == "into" and before != "select") or (
                word == "update" and before not in {"for", "key", "do", "on"}
            ):
                yield from self._listed(at + 1, "write")
            elif word == "table" and at and self._lower[0] in {"create", "alter", "drop", "truncate"}:
                yield from self._listed(at + 1, "delete" if self._lower[0] == "truncate" else "schema")
            elif word == "truncate" and self._lower[at + 1 : at + 2] != ["table"]:
                yield from self._listed(at + 1, "delete")

    def _listed(self, at: int, operation: Operation) -> Iterator[tuple[str | None, Operation]]:
        """The table at a place, and those behind commas."""
        while at < len(self._tokens):
            while self._lower[at : at + 1] and self._lower[at] in {
                "only",
                "if",
                "not",
                "exists",
                "ignore",
                "lateral",
            }:
                at += 1
            if at >= len(self._tokens):
                return
            token = self._tokens[at]
            if token.kind == "filled":
                if operation != "read" or at < _NEAR:
                    yield None, operation
                return
            is_word = token.text.lower() in _NO_TABLES and not self._is_dotted(at)
            if token.kind == "sign" or token.lower in _KEYWORDS or is_word:
                return
            is_own = token.text.lower() in _OWN_SCHEMAS or token.text.lower().startswith(_OWN_TABLES)
            name, at = self._dotted(at)
            is_call = self._tokens[at : at + 1] and self._tokens[at].text == "(" and operation == "read"
            if not is_call and not is_own and name.lower() not in self._with:
                yield name, operation
            at = self._behind_alias(at)
            if operation != "read" or at >= len(self._tokens) or self._tokens[at].text != ",":
                return
            at += 1

    def _is_dotted(self, at: int) -> bool:
        return at + 1 < len(self._tokens) and self._tokens[at + 1].text == "."

    def _dotted(self, at: int) -> tuple[str, int]:
        """The last part of a name with dots, and the place behind it."""
        name = self._tokens[at].text
        at += 1
        while (
            at + 1 < len(self._tokens)
            and self._tokens[at].text == "."
            and self._tokens[at + 1].kind in {"word", "name"}
        ):
            name = self._tokens[at + 1].text
            at += 2
        return name, at

    def _behind_alias(self, at: int) -> int:
        if self._lower[at : at + 1] == ["as"]:
            at += 1
        if (
            at < len(self._tokens)
            and self._tokens[at].kind in {"word", "name"}
            and self._lower[at] not in _KEYWORDS
        ):
            at += 1
        return at

    def _columns(self) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for at, token in enumerate(self._tokens):
            if len(found) >= _MOST_COLUMNS:
                break
            if token.kind not in {"word", "name"} or token.lower in _KEYWORDS:
                continue
            if self._is_column(at):
                found.setdefault(token.text)
        return tuple(found)

    def _is_column(self, at: int) -> bool:
        """A name that is compared, set, listed for an insert, or selected."""
        behind = self._tokens[at + 1].text.lower() if at + 1 < len(self._tokens) else ""
        if behind in {"=", "<", ">", "!", "like", "ilike", "in", "is", "between"}:
            return True
        if behind in {".", "("}:
            return False
        words = self._lower[:at]
        opening = len(words) - 1 - words[::-1].index("from") if "from" in words else -1
        selecting = len(words) - 1 - words[::-1].index("select") if "select" in words else -1
        before = self._tokens[at - 1].text.lower() if at else ""
        if (
            selecting > opening
            and behind in {",", "from", ")", "as"}
            and before in {"select", ",", ".", "(", "distinct"}
        ):
            return True
        return (
            self._lower[0] == "insert"
            and "values" not in words
            and "select" not in words
            and before in {"(", ","}
        )
