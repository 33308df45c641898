"""The matcher: which row of a framework file a decorator or a call meets, and what it then says.

A language reads its own syntax and answers as a `Site`; everything else is the same for all of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from drift.languages.frameworks.rules import ANY_METHOD, EVERY_METHOD_OF_HTTP, Rule, Selector


class Site(Protocol):
    """A decorator or a call, as far as a rule asks about it. It is made for names that a file has alone."""

    @property
    def name(self) -> str:
        """The last name of what is applied or called."""

    @property
    def receiver(self) -> str:
        """The last word before the name, empty where there is none."""

    @property
    def is_call(self) -> bool:
        """Whether it has arguments in brackets, if only none."""

    def texts(self, selectors: tuple[Selector, ...]) -> list[str]:
        """What the first of these arguments that is there says: its string, or its strings if it is a list."""

    def constant(self, selectors: tuple[Selector, ...]) -> str | None:
        """The first of these arguments that is there, if it is a constant string."""

    def written(self) -> str:
        """The name and the arguments as written."""

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        """Whether the file imports something of one of these packages."""

    @property
    def owners(self) -> Iterable[str]:
        """The names of the decorators of the class around."""


def find_rule(rules: Iterable[Rule], site: Site) -> Rule | None:
    """The first of the rules for a name that fits the place where the name is used."""
    return next((rule for rule in rules if _fits(rule, site)), None)


def _fits(rule: Rule, site: Site) -> bool:
    needs = rule.needs
    if needs:
        if "call" in needs and not site.is_call:
            return False
        if "no arguments" in needs and site.is_call:
            return False
        if "receiver" in needs and not site.receiver:
            return False
        if ("path" in needs or "text" in needs) and not _says_text(rule, site):
            return False
    if rule.methods and isinstance(rule.methods[0], int) and not _says_method(rule, site):
        return False
    if rule.receivers and site.receiver not in rule.receivers:
        return False
    if rule.packages and not site.imports_any(rule.packages):
        return False
    return not rule.owners or not rule.owners.isdisjoint(site.owners)


def _says_text(rule: Rule, site: Site) -> bool:
    text = site.constant(rule.detail)
    return text is not None and ("path" not in rule.needs or is_path(text))


def _says_method(rule: Rule, site: Site) -> bool:
    """Whether the arguments in the place of methods are some: of other calls of this name they are not."""
    methods = [method.upper() for method in site.texts(rule.methods)]
    return bool(methods) and EVERY_METHOD_OF_HTTP.issuperset(methods)


def describe(rule: Rule, site: Site, symbol: str = "") -> str:
    """What an entry point shows: the rule's word or the methods of a route, and what it is for.

    `symbol` is the name of the code, which stands in where nothing is said.
    """
    if rule.shown == "name":
        return site.name
    if rule.shown == "written":
        return site.written()
    text = next(iter(site.texts(rule.detail)), "") if rule.detail else ""
    text = text or (symbol if rule.fallback == "symbol" else "")
    word = ",".join(methods_of(rule, site)) if rule.kind == "http" else rule.word
    return f"{word} {text}" if word and text else word or text


def methods_of(rule: Rule, site: Site) -> list[str]:
    """The methods a route answers, ANY where none is said."""
    if rule.word:
        return [rule.word]
    found = site.texts(rule.methods) if rule.methods else []
    # A constant of an enumeration stands as written: `<RequestMethod.GET>`.
    return [method.strip("<>").rpartition(".")[2].upper() for method in found if method] or [
        rule.default or ANY_METHOD
    ]


def routes(rule: Rule, site: Site, prefix: str = "", *, paths: Sequence[str] = ()) -> Iterator[str]:
    """Every method with every path that a decorator gives, after the prefix; `paths` stand for its own."""
    for method in methods_of(rule, site):
        for path in paths or (site.texts(rule.detail) if rule.detail else ()) or ("",):
            yield f"{method} {join_route(prefix, path)}"


def is_path(text: str) -> bool:
    """Whether a text can be the path of a route: names alone say too little."""
    return not text or text.startswith("/")


def join_route(*parts: str) -> str:
    """Parts of a path as one, with one slash between them and before the first."""
    return "/" + "/".join(part for each in parts if (part := each.strip("/")))
