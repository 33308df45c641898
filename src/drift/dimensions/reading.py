"""From the text of a TOML file to a dimension, with a clear word where it is none."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple, TypeVar, cast

from drift.dimensions.casing import CASINGS
from drift.dimensions.form import (
    CATEGORIES,
    CODES,
    ITS_CASING,
    LINEAR,
    PERS,
    SEVERITIES,
    TESTS,
    Case,
    Category,
    Code,
    Dimension,
    Per,
    Severity,
    SiteRule,
)
from drift.kernel.linear_patterns import LinearPattern, PatternError

_ID: Final = re.compile(r"[a-z][a-z-]{1,20}/[a-z][a-z0-9-]{1,40}")
_VARIANT: Final = re.compile(r"[\w.{}<>()@#/ +:*'-]{1,60}")
_TEXTS: Final = ("title", "looks_at", "why", "claim", "example", "limits")
_KEYS: Final = frozenset(
    {*_TEXTS, "id", "severity", "code", "across", "least_sites", "unclaimed", "variants", "sites"}
)
_SITE_KEYS: Final = frozenset(
    {"languages", "grammars", "query", "finder", "where", "text", "trim", "classify", "per"}
)
_COMMON_WHERE: Final = ("paths", "not_paths")
_MOST_CHARACTERS: Final = 4_000
_MOST_SHIPPED: Final = 20_000
_MOST_SITES: Final = 40
_MOST_SHORT: Final = 200
_MOST_VALUES: Final = 400
_MOST_LEAST: Final = 10_000
_RISKY_PREDICATES: Final = ("match?",)
_VARIANT_CAPTURE: Final = re.compile(r"@variant\.([\w-]{1,60})")

T = TypeVar("T")


class DimensionError(ValueError):
    """A text that is no dimension; the message says where and why."""


class Finder(NamedTuple):
    """What a finder is, what it can be told and what it can give."""

    what: str
    where: Mapping[str, str]
    text: Mapping[str, str]


@cache
def finders() -> Mapping[str, Finder]:
    """The finders by name, as finders.toml tells of them."""
    tables = tomllib.loads(files("drift.dimensions").joinpath("finders.toml").read_text(encoding="utf-8"))
    return {name: Finder(**table) for name, table in tables.items()}


def read_dimension(text: str, *, name: str | None = None, is_own: bool = False) -> Dimension:
    """The dimension a text describes; `name` is the id that it must have. Raises DimensionError."""
    try:
        return _Reading(tomllib.loads(text), is_own=is_own).dimension(name)
    except tomllib.TOMLDecodeError as error:
        raise DimensionError(f"it is no TOML: {error}") from error


class _Reading:
    def __init__(self, tables: dict[str, Any], *, is_own: bool) -> None:
        self._tables = tables
        self._is_own = is_own

    def dimension(self, name: str | None) -> Dimension:
        tables = self._tables
        _only(tables, _KEYS, "the dimension")
        id_ = tables.get("id", name)
        if not isinstance(id_, str) or not _ID.fullmatch(id_):
            raise DimensionError("id: must be of the form category/some-name")
        if name is not None and id_ != name:
            raise DimensionError(f"id: must be {name}, as the file is called")
        texts = {key: _text(tables, key) for key in _TEXTS}
        if "{variant}" not in texts["claim"]:
            raise DimensionError("claim: must have {variant} in it, in the place of what was chosen")
        variants = self._variants()
        sites = tuple(self._sites(variants))
        every = any(not rule.languages for rule in sites)
        return Dimension(
            id=id_,
            category=cast("Category", _choice(id_.partition("/")[0], CATEGORIES, "id: its category")),
            severity=cast("Severity", _choice(tables.get("severity", "warning"), SEVERITIES, "severity")),
            variants=variants,
            sites=sites,
            languages=() if every else tuple(sorted({one for rule in sites for one in rule.languages})),
            code=cast("Code", _choice(tables.get("code", "product"), CODES, "code")),
            is_across=_flag(tables.get("across", False), "across"),
            least_sites=_number(tables.get("least_sites", 5)),
            unclaimed=self._unclaimed(variants),
            is_own=self._is_own,
            **texts,
        )

    def _unclaimed(self, variants: Mapping[str, str]) -> tuple[str, ...]:
        unclaimed = _list(self._tables, "unclaimed")
        _known(unclaimed, variants, "unclaimed: ")
        return unclaimed

    def _variants(self) -> dict[str, str]:
        variants = self._tables.get("variants", {})
        if not isinstance(variants, dict):
            raise DimensionError("variants: must be a table of names and how each reads in the claim")
        for key, phrase in variants.items():
            if (
                not _VARIANT.fullmatch(key)
                or not isinstance(phrase, str)
                or not 0 < len(phrase) <= _MOST_SHORT
            ):
                raise DimensionError(
                    f"variants.{key}: must be a short text: how the variant reads in the claim"
                )
        return variants

    def _sites(self, variants: Mapping[str, str]) -> Iterable[SiteRule]:
        listed = self._tables.get("sites")
        if not isinstance(listed, list) or not 0 < len(listed) <= _MOST_SITES:
            raise DimensionError(f"sites: must be a list of 1 to {_MOST_SITES} tables")
        for number, table in enumerate(listed, 1):
            try:
                yield self._site(table, variants)
            except DimensionError as error:
                raise DimensionError(f"sites, number {number}: {error}") from error

    def _site(self, table: dict[str, Any], variants: Mapping[str, str]) -> SiteRule:
        _only(table, _SITE_KEYS, "a site")
        query, finder = table.get("query", ""), table.get("finder", "")
        if not isinstance(query, str) or not isinstance(finder, str) or bool(query) == bool(finder):
            raise DimensionError("must have either a query or a finder")
        cases, is_open = self._cases(table.get("classify", []), variants)
        languages = frozenset(_list(table, "languages"))
        rule = SiteRule(
            languages=languages,
            grammars=frozenset(_list(table, "grammars")),
            query=query,
            finder=finder,
            trim=_list(table, "trim"),
            cases=cases,
            is_open=is_open,
            per=cast("Per", _choice(table.get("per", "site"), PERS, "per")),
        )
        return self._checked_query(rule, variants) if query else _with_finder(rule, table)

    def _checked_query(self, rule: SiteRule, variants: Mapping[str, str]) -> SiteRule:
        if not rule.languages:
            raise DimensionError("languages: a query is written for some")
        if len(rule.query) > (_MOST_CHARACTERS if self._is_own else _MOST_SHIPPED):
            raise DimensionError(f"query: is longer than {_MOST_CHARACTERS:,} characters")
        if "@site" not in rule.query:
            raise DimensionError("query: must mark the site with @site")
        named = set(_VARIANT_CAPTURE.findall(rule.query))
        _known(named, variants, "query: @variant.")
        if not named and "@text" not in rule.query:
            raise DimensionError("query: must mark a @variant.NAME, or the @text to classify")
        if "@text" in rule.query and not (rule.cases or rule.is_open):
            raise DimensionError("classify: is needed where a query marks a @text")
        if self._is_own and any(each in rule.query for each in _RISKY_PREDICATES):
            raise DimensionError("query: #match? is not for rules of a project; classify a @text by `match`")
        return rule

    def _cases(self, written: object, variants: Mapping[str, str]) -> tuple[tuple[Case, ...], bool]:
        if written == "casing":
            casings = tuple(each for each in CASINGS if each in variants)
            if not casings:
                raise DimensionError(f'variants: with classify = "casing" some of {", ".join(CASINGS)}')
            others = (Case("other"),) if "other" in variants else ()
            return (Case(ITS_CASING, "casing", casings), *others), False
        if written == "text":
            if variants:
                raise DimensionError('variants: with classify = "text" there are none to name')
            return (), True
        if not isinstance(written, list):
            raise DimensionError('classify: must be a list of tables, "casing" or "text"')
        cases = tuple(self._case(each) for each in written)
        if variants:
            _known({each.variant for each in cases if each.variant}, variants, "classify: ")
        return cases, not variants

    def _case(self, table: object) -> Case:
        if not isinstance(table, dict) or not isinstance(table.get("variant"), str):
            raise DimensionError("classify: each line has a variant and at most one test")
        tests = [key for key in table if key != "variant"]
        if len(tests) > 1 or (tests and tests[0] not in TESTS):
            raise DimensionError(f"classify: {table['variant']} has one test of {', '.join(TESTS)}")
        if not tests:
            return Case(table["variant"])
        values = _list(table, tests[0])
        if tests[0] != "match":
            return Case(table["variant"], tests[0], values)
        for each in values:
            _check_pattern(each, is_own=self._is_own)
        return Case(table["variant"], LINEAR if self._is_own else "match", values)


def _with_finder(rule: SiteRule, table: Mapping[str, Any]) -> SiteRule:
    finder = finders().get(rule.finder)
    if finder is None:
        raise DimensionError(f"finder: {rule.finder} is none of {', '.join(finders())}")
    if not (rule.cases or rule.is_open):
        raise DimensionError("classify: is needed with a finder")
    where = table.get("where", {})
    if not isinstance(where, dict):
        raise DimensionError("where: must be a table")
    _known(where, (*finder.where, *_COMMON_WHERE), "where: ")
    needed = sorted(
        key for key, told in finder.where.items() if told.startswith("needed") and key not in where
    )
    if needed:
        raise DimensionError(f"where: {rule.finder} needs {needed[0]}")
    text = _choice(table.get("text", ""), tuple(finder.text), f"text of {rule.finder}")
    narrowed = {key: _list(where, key) for key in where}
    return SiteRule(
        rule.languages, rule.grammars, "", rule.finder, narrowed, text, rule.trim, rule.cases, rule.is_open, rule.per
    )  # fmt: skip


def _check_pattern(pattern: str, *, is_own: bool) -> None:
    try:
        if is_own:
            LinearPattern(pattern)
        else:
            re.compile(pattern)
    except (PatternError, re.error) as error:
        raise DimensionError(f"classify: {pattern!r} cannot be used: {error}") from error


def _only(table: object, keys: Iterable[str], what: str) -> None:
    if not isinstance(table, dict):
        raise DimensionError(f"{what} must be a table")
    unknown = sorted(set(table) - set(keys))
    if unknown:
        raise DimensionError(f"{unknown[0]}: is no key of {what}; there are {', '.join(sorted(keys))}")


def _known(found: Iterable[str], known: Iterable[str], where: str) -> None:
    unknown = sorted(set(found) - set(known))
    if unknown:
        raise DimensionError(
            f"{where}{unknown[0]} is none of {', '.join(sorted(known)) or 'those there are'}"
        )


def _text(tables: Mapping[str, Any], key: str) -> str:
    value = tables.get(key)
    if not isinstance(value, str) or not value.strip() or len(value) > _MOST_CHARACTERS:
        raise DimensionError(f"{key}: must be a text of up to {_MOST_CHARACTERS:,} characters")
    return value.strip("\n") if key == "example" else " ".join(value.split())


def _choice(value: object, choices: tuple[str, ...], key: str) -> str:
    if not isinstance(value, str) or value not in choices:
        raise DimensionError(f"{key}: must be one of {', '.join(choices)}")
    return value


def _flag(value: object, key: str) -> bool:
    if not isinstance(value, bool):
        raise DimensionError(f"{key}: must be true or false")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 < value <= _MOST_LEAST:
        raise DimensionError("least_sites: must be a number above 1")
    return value


def _list(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A list of texts; one text may stand alone, and a number or a truth for its text."""
    value = table.get(key, [])
    listed = value if isinstance(value, list) else [value]
    texts = [str(each).lower() if isinstance(each, bool | int) else each for each in listed]
    if len(texts) > _MOST_VALUES or not all(
        isinstance(each, str) and len(each) <= _MOST_SHORT for each in texts
    ):
        raise DimensionError(f"{key}: must be a list of up to {_MOST_VALUES} short texts")
    return tuple(texts)
