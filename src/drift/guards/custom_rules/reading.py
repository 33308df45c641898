"""From files of a project to its rules, with a clear word where one is wrong.

    [[rule]]
    id = "no-print"
    message = "Use the log."
    severity = "warning"
    where = { files = ["shop/**"], exclude = ["shop/cli/**"], languages = ["python"] }
    when = { calls = ["print"] }

The same in JSON is `rules.json` with `{"rules": [...]}`. Rules come from strangers: patterns run on an engine that takes linear time.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, cast, get_args

from drift.analyses.file_globs import PathGlob
from drift.dimensions import query_site_id
from drift.guards.custom_rules.conditions import (
    COMPOSITES,
    KINDS,
    Calls,
    Combined,
    Condition,
    Imports,
    Lacks,
    Named,
    PathIs,
    SyntaxHas,
    TextHas,
)
from drift.kernel.linear_patterns import LinearPattern, PatternError
from drift.kernel.similar import similar_names
from drift.languages import LANGUAGES
from drift.languages.kinds import SYMBOL_KINDS
from drift.project import StateDir
from drift.project.rule_files import read_rule_files
from drift.quality import Severity

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,40}(?:/[a-z][a-z0-9-]{0,40})?")
_MOST_RULES: Final = 200
_MOST_TEXT: Final = 1_000
_MOST_DEEP: Final = 8
_MOST_VALUES: Final = 200
_KEYS: Final = frozenset({"id", "message", "severity", "where", "when"})
_PLACES: Final = frozenset({"files", "exclude", "languages"})


class RuleError(ValueError):
    """A text that is no rule; the message says which one, where and why."""


@dataclass(frozen=True, slots=True)
class CustomRule:
    """A rule: what it says, where it holds and when it fires."""

    id: str
    message: str
    severity: Severity
    files: tuple[PathGlob, ...]
    exclude: tuple[PathGlob, ...]
    languages: frozenset[str]
    when: Condition

    def holds_in(self, path: str, language: str | None) -> bool:
        """Whether the rule is about a file."""
        if self.languages and language not in self.languages:
            return False
        if self.files and not any(each.matches(path) for each in self.files):
            return False
        return not any(each.matches(path) for each in self.exclude)


def read_own_rules(state: StateDir) -> tuple[CustomRule, ...]:
    """The rules in .drift/rules/. Raises RuleError for one that is wrong: a rule that is left out would pass."""
    found: dict[str, CustomRule] = {}
    for file in read_rule_files(state):
        try:
            if file.problem is not None:
                raise RuleError(file.problem)
            for rule in read_rules(file.tables):
                if rule.id in found:
                    raise RuleError(f"rule {rule.id}: there is another of this id")
                found[rule.id] = rule
        except RuleError as error:
            raise RuleError(f"{file.place}: {error}") from error
    return tuple(found.values())


def read_rules(tables: Mapping[str, Any]) -> tuple[CustomRule, ...]:
    """The rules of a file's tables; none where they are something else, such as a dimension."""
    listed = tables.get("rule", [])
    if not isinstance(listed, list) or len(listed) > _MOST_RULES:
        raise RuleError(f"must be a list of at most {_MOST_RULES} rules")
    return tuple(_rule(table, number) for number, table in enumerate(listed, 1))


@cache
def builtin_rules() -> tuple[CustomRule, ...]:
    """The rules that Drift ships."""
    text = files("drift.guards.custom_rules").joinpath("builtin.toml").read_text("utf-8")
    return read_rules(tomllib.loads(text))


def _rule(table: Any, number: int) -> CustomRule:
    id_ = table.get("id") if isinstance(table, dict) else None
    if not isinstance(id_, str) or not _ID.fullmatch(id_):
        raise RuleError(
            f"rule {number}: id must be small letters, digits and dashes, such as no-print or team/no-print"
        )
    try:
        _only(table, _KEYS, "it")
        message, severity, where = (
            table.get("message"),
            table.get("severity", "warning"),
            table.get("where", {}),
        )
        if not isinstance(message, str) or not 0 < len(message) <= _MOST_TEXT:
            raise RuleError("message: must be a text")
        if severity not in get_args(Severity):
            raise RuleError(f"severity: must be one of {', '.join(get_args(Severity))}")
        if not isinstance(where, dict):
            raise RuleError("where: must be a table with files, exclude, languages")
        _only(where, _PLACES, "where")
        known = {each.name for each in LANGUAGES}
        languages = frozenset(_texts(where.get("languages", []), "where.languages"))
        for each in languages - known:
            raise RuleError(f"where.languages: {each} is not known; known are {', '.join(sorted(known))}")
        return CustomRule(
            id_ if "/" in id_ else f"rules/{id_}",
            message,
            cast("Severity", severity),
            _globs(where.get("files", []), "where.files"),
            _globs(where.get("exclude", []), "where.exclude"),
            languages,
            _Reading(languages).condition(table.get("when"), "when", 0),
        )
    except RuleError as error:
        raise RuleError(f"rule {id_}: {error}") from error


class _Reading:
    def __init__(self, languages: frozenset[str]) -> None:
        self._languages = languages

    def condition(self, table: Any, place: str, depth: int) -> Condition:
        """A condition; a table with several kinds asks for all of them."""
        if depth > _MOST_DEEP:
            raise RuleError(f"{place}: conditions stand in each other more than {_MOST_DEEP} deep")
        if not isinstance(table, dict) or not table:
            raise RuleError(f"{place}: must be a table with one of {', '.join(KINDS)}")
        _only(table, KINDS, place)
        parts = tuple(self._one(kind, value, f"{place}.{kind}", depth) for kind, value in table.items())
        return parts[0] if len(parts) == 1 else Combined("all", parts)

    def _one(self, kind: str, value: Any, place: str, depth: int) -> Condition:
        if kind in COMPOSITES:
            listed = [value] if kind == "not" and isinstance(value, dict) else value
            if not isinstance(listed, list) or not listed:
                raise RuleError(f"{place}: must be a list of conditions")
            inner = tuple(self.condition(each, f"{place}[{at}]", depth + 1) for at, each in enumerate(listed))
            return Combined(cast("Any", kind), inner)
        match kind:
            case "filePattern":
                return PathIs(_globs(value, place, least=1))
            case "contentPattern":
                return TextHas(_pattern(value, place))
            case "query":
                return self._query(value, place)
            case "imports":
                return Imports(_texts(value, place, least=1))
            case "calls":
                return Calls(_texts(value, place, least=1))
            case "naming":
                return _naming(value, place)
            case _:
                return _structure(value, place)

    def _query(self, value: Any, place: str) -> SyntaxHas:
        if not isinstance(value, str) or "@site" not in value:
            raise RuleError(f"{place}: must be a query of tree-sitter that marks @site")
        if not self._languages:
            raise RuleError(f"{place}: needs where.languages, whose grammars it is for")
        return SyntaxHas(query_site_id(value, self._languages))


def _naming(value: Any, place: str) -> Named:
    if not isinstance(value, dict):
        raise RuleError(f"{place}: must be a table with kinds, and matches or notMatches")
    _only(value, {"kinds", "matches", "notMatches"}, place)
    kinds = frozenset(_texts(value.get("kinds", []), f"{place}.kinds", least=1))
    for each in kinds - set(SYMBOL_KINDS):
        raise RuleError(f"{place}.kinds: {each} is not known; known are {', '.join(sorted(SYMBOL_KINDS))}")
    if ("matches" in value) == ("notMatches" in value):
        raise RuleError(f"{place}: needs one of matches and notMatches")
    key = "matches" if "matches" in value else "notMatches"
    return Named(kinds, _pattern(value[key], f"{place}.{key}"), key == "matches")


def _structure(value: Any, place: str) -> Lacks:
    if not isinstance(value, dict):
        raise RuleError(f"{place}: must be a table with lacks")
    _only(value, {"lacks"}, place)
    companion = value.get("lacks")
    if not isinstance(companion, str) or "{stem}" not in companion or len(companion) > _MOST_TEXT:
        raise RuleError(f"{place}.lacks: must be a path with {{stem}} in it, such as tests/test_{{stem}}.py")
    return Lacks(companion)


def _pattern(value: Any, place: str) -> LinearPattern:
    if not isinstance(value, str) or not value:
        raise RuleError(f"{place}: must be a regular expression")
    try:
        return LinearPattern(value)
    except PatternError as error:
        raise RuleError(f"{place}: {error}") from error


def _globs(value: Any, place: str, *, least: int = 0) -> tuple[PathGlob, ...]:
    return tuple(PathGlob(each) for each in _texts(value, place, least=least))


def _texts(value: Any, place: str, *, least: int = 0) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value
    are_texts = isinstance(listed, list) and all(isinstance(each, str) and each.strip() for each in listed)
    if not are_texts or not least <= len(listed) <= _MOST_VALUES:
        raise RuleError(f"{place}: must be a list of texts" + (", and not empty" if least else ""))
    return tuple(listed)


def _only(table: Mapping[str, Any], known: Any, place: str) -> None:
    for key in table:
        if key not in known:
            near = similar_names(key, sorted(known))
            meant = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(sorted(known))}"
            raise RuleError(f"{place}: {key} is not known{meant}")
