r"""Code that is called by a name which is put together at run time, or which a text says.

What it does: where a function calls what a text names (`call_user_func`, `new $class`, `constantize`, `public_send`), leads
from it to all that the texts put together beside it may spell, and to the classes that texts beside it name in full.
Why it matters: no call in the text leads there, so such code would seem to be called by nobody.
Example: `call_user_func($this->getNamespace().'\\version_'.$i)` runs `version_132`; `klass.constantize.new` makes the
`Share::Tumblr` of the table in its class.
Known limits: which of them are meant is not known; names that other files put together or say are not found. What a
data file (`spelled.toml`) has no calls for is of no language here.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.index_cache import PerState
from drift.analyses.running.edges import Run
from drift.analyses.running.named_codes import NamedCodes
from drift.analyses.running.spelling import Spelling, spelling_of
from drift.analyses.running.store_texts import said_members
from drift.index.ids import SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.spelled_queries import NamingCall, WrittenText

Kind = Literal["function", "class", "method"]

_BESIDE: Final = 0.5  # the text stands in the function that makes the call
_NEAR: Final = 0.4  # in another of its class or file
_OF_ANY: Final = 0.25  # one of several such methods
_FEW: Final = 2
_OF_OTHERS: Final = 0.35  # a method of an object that may be anything
_FEWEST_LETTERS: Final = 4
_FEWEST_OF_MEMBER: Final = 2  # with a mark between words: `_at`
_MOST_MEANT: Final = 400  # by one text
_MOST_OF_OTHERS: Final = 10
_MOST_TEXTS: Final = 400
_CLASS_NAME: Final = re.compile(r"\\?[A-Z]\w*+(?:(?:::|\\)[A-Z]\w*+)*+")
_STEP: Final = re.compile(r"::|\\")
_NEVER: Final = "(?!)"


class Spelt(NamedTuple):
    """A call of what a text names, and the text that may mean a symbol, each with where it stands."""

    caller: SymbolId
    line: int
    said_in: SymbolId
    said_at: int
    text: str


class _Words(NamedTuple):
    """How a language writes calls of what a text names."""

    functions: re.Pattern[str]
    made: re.Pattern[str]
    classes: re.Pattern[str]
    methods: re.Pattern[str]
    own: re.Pattern[str]
    is_camelized: bool


class _Site(NamedTuple):
    """A call of what a text names, as it is written, and what that may be."""

    call: "NamingCall"
    text: str
    kinds: frozenset[Kind]

    @property
    def is_own(self) -> bool:
        """Whether it is called on the object itself."""
        return _words()[self.call.language].own.fullmatch(self.text) is not None


class _Clue(NamedTuple):
    """A text that may spell what a call of a kind calls."""

    site: _Site
    kind: Kind
    spelling: Spelling
    text: "WrittenText"

    @property
    def call(self) -> "NamingCall":
        return self.site.call


_Text = tuple["WrittenText", Spelling]


class Spellings(NamedTuple):
    """What runs by names that are put together, and where these are."""

    runs: tuple[Run, ...] = ()
    places: Mapping[SymbolId, Spelt] = {}

    def users(self) -> dict[SymbolId, list[SymbolId]]:
        """Who runs each of them."""
        found: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        for one in self.runs:
            found[one.used].append(one.user)
        return found


_known: Final = PerState[Spellings]()


def find_spellings(reader: "IndexReader") -> Spellings:
    """What runs by names that are put together, in the state that the reader sees."""
    return _known.get(reader, lambda: _find(reader))


def spelled_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which functions run what by a name that is put together or said by a text beside them."""
    return iter(find_spellings(reader).runs)


def _find(reader: "IndexReader") -> Spellings:
    put_together = _find_put_together(reader)
    said = list(said_members(reader))
    places = {
        one.used: Spelt(one.call.caller, one.call.line, one.call.caller, one.call.line, one.call.said)
        for one in reversed(said)
    }
    runs = (Run(one.call.caller, one.used, one.confidence) for one in said)
    return Spellings((*put_together.runs, *runs), {**places, **put_together.places})


def _find_put_together(reader: "IndexReader") -> Spellings:
    sites = _naming_calls(reader)
    if not sites:
        return Spellings()
    around = {file_of_symbol(one.call.caller) for one in sites}
    code = NamedCodes(reader, {one.call.language for one in sites})
    used: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    for user, one, _ in reader.testing.used({one.call.caller for one in sites}):
        used[user].add(one)
    found = _Found()
    for clue in _clues(sites, reader.spelled.put_together(around), used):
        meant = _meant(clue, code)
        found.note(clue.site, meant, clue.text, _confidence(clue, len(meant)))
    for site, meant, text, confidence in _said(reader, sites, used, code):
        found.note(site, meant, text, confidence)
    for site in sites:
        if "method" in site.kinds and not site.is_own:
            for made, text in found.made_by(site.call.caller):
                found.note(site, code.members(made), text, _OF_OTHERS)
    return Spellings(tuple(Run(user, one, sure) for (user, one), sure in found.runs.items()), found.places)


class _Found:
    """What was found so far."""

    def __init__(self) -> None:
        self.runs: Final[dict[tuple[SymbolId, SymbolId], float]] = {}
        self.places: Final[dict[SymbolId, Spelt]] = {}
        self._surest: dict[SymbolId, float] = {}
        self._classes: dict[SymbolId, list[tuple[SymbolId, WrittenText]]] = defaultdict(list)

    def note(self, site: _Site, meant: Iterable[SymbolId], text: "WrittenText", confidence: float) -> None:
        caller = site.call.caller
        for used in meant:
            # The surest is told of.
            if confidence > self._surest.get(used, -1.0):
                self._surest[used] = confidence
                self.places[used] = Spelt(caller, site.call.line, text.symbol, text.line, text.value)
            if "class" in site.kinds:
                self._classes[caller].append((used, text))
            if confidence and used != caller:
                self.runs[caller, used] = max(confidence, self.runs.get((caller, used), 0.0))

    def made_by(self, caller: SymbolId) -> list[tuple[SymbolId, "WrittenText"]]:
        """The classes that a function makes by their names: what it calls by name is theirs."""
        return list(self._classes.get(caller, ()))


def _naming_calls(reader: "IndexReader") -> list[_Site]:
    """The calls of what a text names, each with what that may be."""
    every = [pattern for words in _words().values() for pattern in words[:4]]
    texts = {
        number: text for number, text in reader.spelled.texts() if any(one.fullmatch(text) for one in every)
    }
    calls = reader.spelled.naming_calls(texts) if texts else ()
    sites = (_Site(call, texts[call.word], _kinds(call, texts[call.word])) for call in calls)
    return [one for one in sites if one.kinds]


def _kinds(call: "NamingCall", text: str) -> frozenset[Kind]:
    words = _words().get(call.language)
    if words is None:
        return frozenset()
    if call.kind == "new":
        return frozenset({"class"} if words.made.fullmatch(text) else ())
    by_kind: tuple[tuple[Kind, re.Pattern[str]], ...] = (
        ("function", words.functions),
        ("class", words.classes),
        ("method", words.methods),
    )
    return frozenset(kind for kind, pattern in by_kind if pattern.fullmatch(text))


def _clues(
    calls: Iterable[_Site], texts: Iterable["WrittenText"], used: Mapping[SymbolId, set[SymbolId]]
) -> Iterator[_Clue]:
    """The texts that may spell what the calls call: those beside them, else those of what the function calls or is near."""
    by_symbol: dict[SymbolId, list[_Text]] = defaultdict(list)
    by_owner: dict[SymbolId | None, list[_Text]] = defaultdict(list)
    for text in texts:
        spelling = spelling_of(text.value, is_format=text.kind == "formatted")
        if spelling is not None:
            by_symbol[text.symbol].append((text, spelling))
            by_owner[text.owner].append((text, spelling))
    for site in calls:
        call = site.call
        helping = [each for one in used.get(call.caller, ()) for each in by_symbol.get(one, ())]
        places = [by_symbol.get(call.caller, []), helping, by_owner.get(call.owner, [])]
        for kind in sorted(site.kinds):
            is_weak = kind == "method" or (kind == "function" and site.text.startswith("$"))
            some = (list(_telling(place, kind, call.language)) for place in places[: 1 if is_weak else None])
            for text, spelling in next(filter(None, some), [])[:_MOST_TEXTS]:
                yield _Clue(site, kind, spelling, text)


def _telling(texts: Iterable[_Text], kind: Kind, language: str) -> Iterator[_Text]:
    """The texts that say enough of a name of this kind, as it is spelled there."""
    for text, written in texts:
        is_camelized = kind == "class" and _words()[language].is_camelized
        spelling = written.camelized() if is_camelized else written
        if _is_telling(spelling, kind):
            yield text, spelling


def _is_telling(spelling: Spelling, kind: Kind) -> bool:
    """Whether a text says enough of a name that what fits it is hardly meant by chance."""
    name = spelling.parts[-1]
    if kind == "class":
        is_class = any(letter.isupper() for letter in name) and spelling.letters >= _FEWEST_LETTERS
        return is_class or (name == "*" and spelling.owner_letters >= _FEWEST_LETTERS)
    if spelling.letters < _FEWEST_LETTERS:
        return kind == "method" and spelling.letters >= _FEWEST_OF_MEMBER and "_" in name
    return "_" in name or any(letter.isupper() for letter in name)


def _meant(clue: _Clue, code: NamedCodes) -> list[SymbolId]:
    """All that a text may mean as the name of what a call calls."""
    call = clue.call
    found = code.fitting(call.language, clue.kind, clue.spelling)
    is_of_family = clue.kind == "method" and clue.site.is_own and call.owner is not None
    return code.of_family(found, call.owner) if is_of_family and call.owner is not None else found


def _confidence(clue: _Clue, meant: int) -> float:
    if meant > _MOST_MEANT:
        return 0.0
    if clue.kind == "method" and not clue.site.is_own:
        is_few = meant <= _MOST_OF_OTHERS and clue.spelling.letters >= _FEWEST_LETTERS
        return (_OF_OTHERS if meant <= _FEW else _OF_ANY) if is_few else 0.0
    return _BESIDE if clue.text.symbol == clue.call.caller else _NEAR


def _said(
    reader: "IndexReader", sites: Iterable[_Site], used: Mapping[SymbolId, set[SymbolId]], code: NamedCodes
) -> Iterator[tuple[_Site, list[SymbolId], "WrittenText", float]]:
    """The classes that texts name in full, in the function, class or file of a call that makes one by its name.

    Or, with what they stand in, in a class of which the function calls a member: `Service.info(id)[:klass].constantize`.
    """
    making = [one for one in sites if "class" in one.kinds]
    helping = {each for one in making for each in used.get(one.call.caller, ())}
    owners = {one.id: one.parent_id for one in reader.symbols.many(helping)} if helping else {}
    homes = {one.call.caller for one in making} | {one for one in owners.values() if one is not None}
    said: dict[SymbolId, list[WrittenText]] = defaultdict(list)
    for text in reader.spelled.said({file_of_symbol(one) for one in homes}) if homes else ():
        if _CLASS_NAME.fullmatch(text.value):
            for where in (text.symbol, text.owner):
                if where is not None:
                    said[where].append(text)
    for one in making:
        call = one.call
        far = {owners[each] for each in used.get(call.caller, ()) if each in owners} - {call.owner}
        near = ((call.caller, _BESIDE), (call.owner, _NEAR))
        for where, confidence in (*near, *((each, _OF_OTHERS) for each in far)):
            for text in said.get(where, ())[:_MOST_TEXTS] if where is not None else ():
                is_table = bool(text.kind) and _STEP.search(text.value, 1) is not None
                if confidence > _OF_OTHERS or is_table:
                    yield one, code.made(code.named(call.language, text.value)), text, confidence


@cache
def _words() -> dict[str, _Words]:
    table = tomllib.loads(files("drift.analyses.running").joinpath("spelled.toml").read_text("utf-8"))
    return {language: _read_words(one) for language, one in table.items()}


def _read_words(table: Mapping[str, str]) -> _Words:
    functions, made, classes, methods, own = (
        re.compile(table.get(key, _NEVER)) for key in ("functions", "made", "classes", "methods", "own")
    )
    return _Words(functions, made, classes, methods, own, is_camelized="is_camelized" in table)
