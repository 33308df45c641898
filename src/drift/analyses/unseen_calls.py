"""What languages and frameworks call by themselves, as `unseen_calls.toml` lists it."""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from fnmatch import translate
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from drift.index.records import SymbolRecord

_EXPORTING: Final = frozenset({"javascript", "typescript"})
_EVERYWHERE: Final = "any"
_DEFAULT: Final = (
    "default"  # among the names looked for: whatever a file of a script exports so, under any name
)
_MOST_PATHS: Final = 20_000  # kept with what is looked for in them
_ENOUGH_OF_A_FORM: Final = 2  # other members: one alone is a coincidence
_LISTS: Final = ("parents", "members", "decorators", "runs", "makes", "paths", "signs", "dispatches", "sure")
_CLAIMS: Final = ("finds", "holds", "related", "certain", "open")
# A test runs by itself, an abstract one through its children, and a declared one is part of code elsewhere.
_CALLED_ELSEWHERE: Final = frozenset({"test", "abstract", "declared"})

_SHAPES: Final = frozenset({"interface", "type"})  # nothing runs them


class Framework(NamedTuple):
    """What a framework calls without being asked to in the text."""

    name: str
    parents: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    dispatches: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()  # of a project in which these paths are the framework's; none: of any
    sure: tuple[str, ...] = ()
    finds: bool = False
    holds: bool = False
    related: bool = False
    certain: bool = False
    open: bool = False
    languages: frozenset[str] = frozenset()  # none: any

    def is_of(self, language: str | None) -> bool:
        """Whether code of a language may use it."""
        return language is None or not self.languages or language in self.languages


class Rules(NamedTuple):
    """The lists of `unseen_calls.toml`."""

    hooks: Mapping[str, tuple[str, ...]]
    begins: Mapping[str, tuple[str, ...]]
    prefixes: tuple[str, ...]
    events: tuple[str, ...]
    serializers: tuple[str, ...]
    accessors: Mapping[str, tuple[str, ...]]
    bound: frozenset[str]
    ambient: frozenset[str]
    spaces: frozenset[str]
    docs: tuple[str, ...]
    harmless: tuple[str, ...]
    plain: tuple[str, ...]
    embedding: frozenset[str]
    frameworks: tuple[Framework, ...]
    forms: Mapping[str, Mapping[str, frozenset[str]]]
    traits: Mapping[str, Mapping[str, frozenset[str]]]


@cache
def rules() -> Rules:
    """What the file says, read once."""
    table = tomllib.loads(files("drift.analyses").joinpath("unseen_calls.toml").read_text("utf-8"))
    dynamic = table["dynamic"]
    return Rules(
        {language: tuple(names) for language, names in table["hooks"].items()},
        {language: tuple(names) for language, names in table["begins"].items()},
        tuple(dynamic["prefixes"]),
        tuple(dynamic["events"]),
        tuple(dynamic["serializers"]),
        {language: tuple(names) for language, names in table["accessors"].items()},
        frozenset(table["bound"]["properties"]),
        frozenset(table["ambient"]["names"]),
        frozenset(table["ambient"]["spaces"]),
        tuple(table["docs"]["alive"]),
        tuple(table["decorators"]["harmless"]),
        tuple(table["plain"]["parents"]),
        frozenset(table["plain"]["languages"]),
        tuple(map(_framework, table["framework"])),
        {
            language: {what: frozenset(names) for what, names in forms.items()}
            for language, forms in table["forms"].items()
        },
        {
            language: {trait: frozenset(names) for trait, names in traits.items()}
            for language, traits in table["traits"].items()
        },
    )


def _framework(table: Mapping[str, Any]) -> Framework:
    lists = {key: tuple(table.get(key, ())) for key in _LISTS}
    languages = frozenset(table.get("languages", ()))
    claims: dict[str, bool] = {key: table.get(key, False) for key in _CLAIMS}
    return Framework(
        table["name"],
        **lists,
        finds=claims["finds"],
        holds=claims["holds"],
        related=claims["related"],
        certain=claims["certain"],
        open=claims["open"],
        languages=languages,
    )


def may_have_form(name: str, language: str | None) -> bool:
    """Whether the name is a part of a form at all."""
    return any(name in names for names in rules().forms.get(language or "", {}).values())


def form_of(name: str, members: Collection[str], language: str | None) -> str | None:
    """What a class with these members passes for, where a method of this name is a part of that."""
    others = set(members) - {name}
    for what, names in rules().forms.get(language or "", {}).items():
        if name in names and len(names & others) >= _ENOUGH_OF_A_FORM:
            return what
    return None


def fits(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name is like one of the patterns."""
    return _like_any(tuple(patterns)).match(name) is not None


@cache
def _like_any(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """One expression for all of them: a project asks about every symbol."""
    return re.compile("|".join(translate(pattern) for pattern in patterns) or r"(?!)")


def is_hook(symbol: SymbolRecord) -> bool:
    """Whether the language, its runtime or a tool that reads doc comments calls it wherever it stands."""
    hooks = rules().hooks
    patterns = (*hooks[_EVERYWHERE], *hooks.get(symbol.language or "", ()))
    if not _CALLED_ELSEWHERE.isdisjoint(symbol.modifiers) or fits(symbol.name, patterns):
        return True
    return bool(symbol.doc) and fits(symbol.doc, rules().docs)


def runs_by_name(symbol: SymbolRecord) -> bool:
    """Whether the language or its libraries call a method, or a function that begins a program, by this name."""
    if symbol.kind == "function":
        return "." not in symbol.qualname and symbol.name in rules().begins.get(symbol.language or "", ())
    return symbol.kind == "method" and fits(symbol.name, rules().hooks.get(symbol.language or "", ()))


def is_accessor(symbol: SymbolRecord) -> bool:
    """Whether a method is named as those are that serialisers, mappers and forms call by the name of a field."""
    return symbol.kind == "method" and fits(symbol.name, rules().accessors.get(symbol.language or "", ()))


def is_harmless(decorator: str) -> bool:
    """Whether a decorator hands what it stands on to nobody."""
    return fits(decorator, rules().harmless)


def registering(decorator: str) -> str | None:
    """The framework that calls or finds what has this decorator."""
    return next((one.name for one in rules().frameworks if fits(decorator, one.decorators)), None)


def runner_of(decorators: Iterable[str], language: str | None) -> str | None:
    """The framework that calls what has one of these decorators, with that decorator."""
    return _marked(decorators, language, lambda one: one.runs)


def maker_of(decorators: Iterable[str], language: str | None) -> str | None:
    """The framework that makes objects of a class with one of these decorators, with that decorator."""
    return _marked(decorators, language, lambda one: one.makes)


def _marked(
    decorators: Iterable[str], language: str | None, patterns: Callable[[Framework], tuple[str, ...]]
) -> str | None:
    for each in decorators:
        for one in rules().frameworks:
            if one.is_of(language) and patterns(one) and fits(each, patterns(one)):
                return f"{one.name} ({each})"
    return None


class Family(NamedTuple):
    """What the parents outside the project mean for a class: who calls which members, and whether it is found."""

    frameworks: tuple[Framework, ...]
    unknown: str | None  # a parent of which nothing is known

    def calls(self, member: str) -> str | None:
        """The framework that calls a member of this name."""
        return next((one.name for one in self.frameworks if fits(member, one.members)), None)

    def calls_by_name(self, member: str) -> str | None:
        """The same, where the framework is known to call just this one, not whatever there is."""
        return next(
            (
                one.name
                for one in self.frameworks
                if fits(member, [each for each in one.members if each != "*"])
            ),
            None,
        )

    def calls_for_sure(self, member: str) -> bool:
        """Whether a framework calls the member of each object that it is handed, whatever the project does with it."""
        return any(
            fits(member, one.sure) or (one.certain and fits(member, one.members)) for one in self.frameworks
        )

    def dispatches(self, member: str) -> str | None:
        """The framework whose requests alone run a member: code that calls another by this name does not mean it."""
        return next((one.name for one in self.frameworks if fits(member, one.dispatches)), None)

    @property
    def finder(self) -> str | None:
        """The framework that finds the class by itself."""
        return next((one.name for one in self.frameworks if one.finds), None)

    @property
    def holds(self) -> bool:
        """Whether objects of the class run what its body holds: fields, defaults, checks."""
        return any(one.holds for one in self.frameworks)

    @property
    def is_related(self) -> bool:
        """Whether bodies of classes name the class to relate to it, and not to have an object of it."""
        return any(one.related for one in self.frameworks)


def family_of(parents: Iterable[str], language: str | None = None) -> Family:
    """What the parents outside mean, by their full names; of a class in a language, where that is known."""
    found: list[Framework] = []
    unknown = None
    for parent in parents:
        name = parent.replace("\\", ".").replace("/", ".")
        matching = [one for one in rules().frameworks if one.is_of(language) and fits(name, one.parents)]
        # Illuminate.Routing.Controller is Laravel's, though it ends like one of ASP.NET's.
        whole = [one for one in matching if fits(name, [each for each in one.parents if each[0] != "*"])]
        framework = next(iter((*whole, *matching)), None)
        if framework is not None:
            found.append(framework)
            if framework.open and unknown is None:
                unknown = parent
        elif language not in rules().embedding and not fits(name, rules().plain):
            unknown = parent
    return Family(tuple(found), unknown)


def is_dispatched_name(name: str) -> bool:
    """Whether some framework runs members of this name by requests alone."""
    return fits(name, dict.fromkeys(each for one in rules().frameworks for each in one.dispatches))


def has_parts(language: str | None) -> bool:
    """Whether types of a language have what each trait asks of them in a part of their own."""
    return language in rules().traits


def traits_calling(method: str, traits: Iterable[str], language: str) -> list[str]:
    """Those of the traits outside, by full names, that have a method of this name; of none is known that it has, all that may."""
    known = rules().traits[language]
    named = [(re.split(r"[.:]", one.partition("<")[0])[-1], one) for one in traits]
    return [one for last, one in named if method in known.get(last, ())] or [
        one for last, one in named if last not in known
    ]


class FolderCall(NamedTuple):
    """What looks for names in a file; `is_sure` where it is this name that it looks for."""

    framework: str
    is_sure: bool


def folder_calls(symbol: SymbolRecord, used: Collection[str]) -> FolderCall | None:
    """The framework that looks for names in such a file, of those the project uses."""
    if symbol.kind in _SHAPES:
        return None
    for framework, names in _looked_for(symbol.path):
        is_default = _DEFAULT in names and _DEFAULT in symbol.modifiers
        if framework in used and (not names or is_default or fits(symbol.name, names)):
            return FolderCall(framework, bool(names))
    return None


def named_by_folder(symbol: SymbolRecord, used: Collection[str]) -> str | None:
    """The framework of the project that looks for just this name in such a file."""
    if symbol.kind in _SHAPES or symbol.name == _DEFAULT or "." in symbol.qualname:
        return None
    return next(
        (name for name, names in _looked_for(symbol.path) if name in used and symbol.name in names), None
    )


def has_folder_of_framework(symbol: SymbolRecord) -> bool:
    """Whether some framework, if not one of the project, may look for this name in such a file."""
    if symbol.kind in _SHAPES:
        return False
    # Of a file that is imported as a whole only what is exported can be asked for.
    is_inner = symbol.language in _EXPORTING and "exported" not in symbol.modifiers
    return any(not (names and is_inner) for _, names in _looked_for(symbol.path))


def frameworks_shown(packages: Iterable[str], paths: Iterable[str]) -> frozenset[str]:
    """The frameworks whose folders count in a project that imports these packages and has these files."""
    signed = [one for one in rules().frameworks if one.signs]
    shown = {one.name for one in rules().frameworks if not one.signs}
    for each in (*packages, *paths):
        if _like_any(tuple(sign for one in signed for sign in one.signs)).match(each):
            shown.update(one.name for one in signed if fits(each, one.signs))
    return frozenset(shown)


@lru_cache(maxsize=_MOST_PATHS)
def _looked_for(path: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The frameworks that look into a file, each with the names it looks for; no names are all."""
    return tuple(
        (framework, names) for framework, pattern, names in _path_rules() if pattern.match(path) is not None
    )


@cache
def _path_rules() -> tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...]:
    parted = [(one.name, *rule.partition(":")[::2]) for one in rules().frameworks for rule in one.paths]
    return tuple(
        (name, _like_any(tuple(patterns.split("|"))), tuple(names.split(",")) if names else ())
        for name, patterns, names in parted
    )
