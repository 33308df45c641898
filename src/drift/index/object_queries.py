"""Questions about objects at run time: who makes or holds objects of which class, and who calls what they stand in for.

In Python a call seldom says which class its object is of. Elsewhere what a container makes is seen nowhere, so that only
classes count of which the product itself makes objects.
"""

import json
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, cast

from drift.index.ids import SymbolId
from drift.index.selection import Selection, as_list

_MOST_NAMED: Final = 10  # overriders of a method that linking names for each call; of more it names none

_IN_PYTHON: Final = "JOIN files ON files.id = {symbol} >> 16 AND files.language = 'python'"
_WORD: Final = "(SELECT words.id FROM words WHERE words.text = '{text}')"
_VIRTUAL: Final = """
    edges.reason NOT IN (SELECT words.id FROM words WHERE words.text IN ('super', 'override', 'own-class'))
"""
# Callers of a method that one of the wanted may run in the place of: those that linking names it for, and all where
# there are too many to name.
_DISPATCHED: Final = f"""
    SELECT edges.callee_id, owners.id, edges.caller_id, files.language = 'python' FROM json_each(?1) AS wanted
    CROSS JOIN edges ON edges.callee_id = wanted.value AND edges.reason = {_WORD.format(text="override")}
    JOIN files ON files.id = edges.callee_id >> 16
    JOIN symbols ON symbols.id = edges.callee_id JOIN symbols AS owners ON owners.id = symbols.parent_id
    UNION
    SELECT overrides.overrider_id, owners.id, edges.caller_id, files.language = 'python' FROM json_each(?1) AS wanted
    CROSS JOIN overrides ON overrides.overrider_id = wanted.value
    JOIN files ON files.id = overrides.overrider_id >> 16
    JOIN symbols ON symbols.id = overrides.overrider_id JOIN symbols AS owners ON owners.id = symbols.parent_id
    CROSS JOIN edges ON edges.callee_id = overrides.method_id AND {_VIRTUAL}
    WHERE (SELECT count(*) FROM overrides AS all_of WHERE all_of.method_id = overrides.method_id) > {_MOST_NAMED}
"""  # noqa: S608 - our own names
_STANDING_IN: Final = f"""
    SELECT edges.{{near}}_id, edges.{{far}}_id FROM json_each(?1) AS wanted
    CROSS JOIN edges ON edges.{{near}}_id = wanted.value AND edges.reason = {_WORD.format(text="override")}
"""  # noqa: S608 - our own names
_STANDING_IN_USERS: Final = _STANDING_IN.format(near="callee", far="caller")
_STANDING_IN_USED: Final = _STANDING_IN.format(near="caller", far="callee")
_CLASSES: Final = f"""
    SELECT symbols.id, symbols.name, symbols.parent_id FROM symbols {_IN_PYTHON.format(symbol="symbols.id")}
    WHERE symbols.kind = 'class'
"""  # noqa: S608 - our own names
_ALL_CLASSES: Final = """
    SELECT symbols.id, symbols.name, symbols.parent_id FROM symbols WHERE symbols.kind IN ('class', 'struct', 'enum')
"""
_INHERITING: Final = """
    SELECT DISTINCT symbols.id, symbols.name FROM symbols JOIN files ON files.id = symbols.id >> 16
    JOIN bases ON bases.symbol_id = symbols.id AND bases.target_symbol_id IS NOT NULL
    WHERE symbols.kind = 'class' AND files.language <> 'python' AND NOT EXISTS (
        SELECT 1 FROM symbols AS members WHERE members.parent_id = symbols.id AND members.kind = 'constructor')
"""
# The one constructor of a class that no code of the product calls, with the methods of its objects.
_MADE_BY_CONTAINERS: Final = """
    SELECT methods.id, made.id FROM symbols AS made
    JOIN files ON files.id = made.id >> 16 AND files.role <> 'test' AND files.language <> 'python'
    CROSS JOIN symbols AS methods ON methods.parent_id = made.parent_id AND methods.kind = 'method'
    WHERE made.kind = 'constructor' AND instr(' ' || made.modifiers || ' ', ' static ') = 0
        AND instr(' ' || methods.modifiers || ' ', ' static ') = 0
        AND instr(' ' || methods.modifiers || ' ', ' abstract ') = 0
        AND NOT EXISTS (SELECT 1 FROM symbols AS others WHERE others.parent_id = made.parent_id
            AND others.kind = 'constructor' AND others.id <> made.id
            AND instr(' ' || others.modifiers || ' ', ' static ') = 0)
        AND NOT EXISTS (SELECT 1 FROM edges JOIN files AS calling ON calling.id = edges.caller_id >> 16
            WHERE edges.callee_id = made.id AND calling.role <> 'test' AND edges.call_id <> 0
            AND edges.reason IS NOT (SELECT words.id FROM words WHERE words.text = 'dispatched'))
"""
# A call of a class leads to the constructor that runs, which may be that of a parent.
_MADE: Final = f"""
    SELECT edges.caller_id, CASE made.kind WHEN 'class' THEN made.id ELSE made.parent_id END, texts.text, edges.line,
        edges.confidence / 10000.0
    FROM edges JOIN symbols AS made ON made.id = edges.callee_id AND made.kind IN ('class', 'constructor')
    JOIN calls ON calls.id = edges.call_id JOIN words AS texts ON texts.id = calls.text
    WHERE edges.reason = {_WORD.format(text="constructor")}
"""  # noqa: S608 - our own names
_NAMED: Final = f"""
    SELECT refs.symbol_id, refs.target_symbol_id, refs.line FROM refs
    JOIN symbols ON symbols.id = refs.target_symbol_id AND symbols.kind = 'class'
    {_IN_PYTHON.format(symbol="refs.symbol_id")}
    WHERE refs.kind = {_WORD.format(text="value")}
"""  # noqa: S608 - our own names
# Functions at the top of a file, written there or by name; what registers routes names them for requests.
_HELD: Final = f"""
    SELECT refs.symbol_id, refs.target_symbol_id, refs.line FROM refs
    JOIN symbols ON symbols.id = refs.target_symbol_id AND symbols.kind IN ('function', 'method')
    {_IN_PYTHON.format(symbol="refs.symbol_id")}
    WHERE refs.kind = {_WORD.format(text="value")} AND refs.symbol_id & 65535 = 0
        AND NOT EXISTS (SELECT 1 FROM handlers WHERE handlers.handler_id = refs.target_symbol_id)
    UNION ALL
    SELECT symbols.parent_id, symbols.id, symbols.line FROM symbols {_IN_PYTHON.format(symbol="symbols.id")}
    WHERE symbols.name = '<lambda>' COLLATE NOCASE AND symbols.parent_id & 65535 = 0
"""  # noqa: S608 - our own names
# Calls of these that are given no constant text: the name of a member that is put together.
_LOOKING_UP: Final = """
    SELECT DISTINCT methods.id, methods.parent_id FROM json_each(?) AS wanted
    CROSS JOIN words ON words.text = wanted.value
    CROSS JOIN calls ON calls.external_name = words.id
    JOIN symbols AS methods ON methods.id = calls.caller_id
    JOIN symbols AS owners ON owners.id = methods.parent_id
    JOIN files ON files.id = methods.file_id
    LEFT JOIN call_details ON call_details.id = calls.id
    WHERE methods.kind IN ('method', 'constructor') AND owners.kind = 'class' AND files.role = 'source'
        AND call_details.literal IS NULL
"""
_CHECKS: Final = """
    SELECT DISTINCT calls.caller_id, calls.line FROM calls
    WHERE calls.text IN (SELECT words.id FROM words WHERE words.text IN ('isinstance', 'issubclass'))
"""
_VARIABLES: Final = """
    SELECT symbols.parent_id, symbols.id, symbols.name, symbols.line, symbols.end_line FROM json_each(?1) AS wanted
    CROSS JOIN symbols ON symbols.parent_id = wanted.value
    WHERE symbols.kind IN ('variable', 'constant', 'field')
"""
_READERS: Final = f"""
    SELECT refs.target_symbol_id, refs.symbol_id FROM json_each(?1) AS wanted
    CROSS JOIN refs ON refs.target_symbol_id = wanted.value WHERE refs.kind = {_WORD.format(text="value")}
"""  # noqa: S608 - our own names
# What the bodies of classes give fields: field_class = ChoiceField.
_GIVEN_FIELDS: Final = f"""
    SELECT owners.id, fields.name, refs.target_symbol_id FROM symbols AS fields
    JOIN symbols AS owners ON owners.id = fields.parent_id AND owners.kind = 'class'
    {_IN_PYTHON.format(symbol="fields.id")}
    CROSS JOIN refs ON refs.symbol_id = owners.id AND refs.line BETWEEN fields.line AND fields.end_line
    JOIN symbols AS targets ON targets.id = refs.target_symbol_id AND targets.kind IN ('class', 'function')
    WHERE fields.kind = 'field' AND refs.kind = {_WORD.format(text="value")}
"""  # noqa: S608 - our own names
# What the bodies of classes name without calling it, and of which they make objects.
_IN_BODIES: Final = f"""
    SELECT refs.symbol_id, refs.target_symbol_id, targets.kind FROM json_each(?1) AS wanted
    CROSS JOIN refs ON refs.symbol_id = wanted.value
    JOIN symbols AS targets ON targets.id = refs.target_symbol_id AND targets.kind IN ('class', 'function')
    WHERE refs.kind = {_WORD.format(text="value")}
    UNION
    SELECT edges.caller_id, edges.callee_id, targets.kind FROM json_each(?1) AS wanted
    CROSS JOIN edges ON edges.caller_id = wanted.value
    JOIN symbols AS targets ON targets.id = edges.callee_id AND targets.kind IN ('class', 'constructor')
"""  # noqa: S608 - our own names
_CALLING_OWN: Final = """
    SELECT words.text, methods.id, methods.parent_id FROM calls JOIN words ON words.id = calls.text
    JOIN symbols AS methods ON methods.id = calls.caller_id AND methods.kind IN ('method', 'constructor', 'property')
    WHERE calls.text IN (SELECT words.id FROM words WHERE words.text IN (SELECT value FROM json_each(?1)))
"""
# Classes and functions that files and classes name for no route.
_NAMED_AT_TOP: Final = f"""
    SELECT refs.symbol_id, refs.target_symbol_id, refs.line FROM refs
    JOIN symbols AS targets ON targets.id = refs.target_symbol_id AND targets.kind IN ('class', 'function')
    JOIN symbols AS holders ON holders.id = refs.symbol_id AND holders.kind IN ('module', 'class')
    {_IN_PYTHON.format(symbol="refs.symbol_id")}
    WHERE refs.kind IN ({_WORD.format(text="value")}, {_WORD.format(text="string")})
        AND NOT EXISTS (SELECT 1 FROM handlers WHERE handlers.handler_id = targets.id)
"""  # noqa: S608 - our own names
_TEXTS_OF: Final = """
    SELECT constants.symbol_id, constants.line, constants.value FROM json_each(?1) AS wanted
    CROSS JOIN constants ON constants.symbol_id = wanted.value WHERE constants.kind = 'string'
"""
# Who calls one of several that these are among.
_CHOOSING: Final = f"""
    SELECT edges.callee_id, edges.caller_id FROM json_each(?1) AS wanted
    CROSS JOIN edges ON edges.callee_id = wanted.value
    WHERE edges.confidence <= 5000 AND {_VIRTUAL}
"""  # noqa: S608 - our own names
_SAYING: Final = """
    SELECT constants.value, constants.symbol_id FROM json_each(?1) AS wanted
    CROSS JOIN constants ON substr(constants.value, -8) = substr(wanted.value, -8) AND constants.value = wanted.value
    JOIN symbols AS saying ON saying.id = constants.symbol_id AND saying.kind <> 'module'
    -- A table says its own keys.
    WHERE constants.kind = 'string' AND (saying.kind <> 'class' OR NOT EXISTS (
        SELECT 1 FROM refs WHERE refs.symbol_id = saying.id AND refs.line = constants.line))
"""
# The part behind all namespaces counts, as for other names of routes.
_NAMES_OF_CLASSES: Final = """
    SELECT constants.symbol_id, constants.value, constants.name FROM files
    CROSS JOIN constants ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    JOIN symbols AS saying ON saying.id = constants.symbol_id AND saying.kind = 'class'
    WHERE files.role = 'test' AND constants.kind = 'string' AND constants.name IS NOT NULL
        AND substr(constants.value, length(rtrim(constants.value, replace(constants.value, ':', ''))) + 1)
            IN (SELECT value FROM json_each(?1))
"""
_CALLERS_ON_OWN: Final = """
    SELECT DISTINCT calls.caller_id, calls.external_name, symbols.parent_id
    FROM json_each(?) AS wanted CROSS JOIN calls ON calls.external_name = wanted.value
    JOIN words ON words.id = calls.text AND (words.text GLOB 'self.*' OR words.text GLOB 'cls.*' OR words.text GLOB 'this.*')
        AND words.text NOT GLOB '*.*.*'
    JOIN symbols ON symbols.id = calls.caller_id AND symbols.parent_id IS NOT NULL
"""
# User::factory() of PHP says whose method it is.
_CALLS_ON_CLASSES: Final = """
    SELECT DISTINCT calls.caller_id, calls.external_name, words.text
    FROM json_each(?) AS wanted CROSS JOIN calls ON calls.external_name = wanted.value
    JOIN words ON words.id = calls.text
    JOIN files ON files.id = calls.caller_id >> 16 AND files.language = 'php'
"""
# Order::observe(Bookkeeping::class)
_OBSERVING: Final = """
    SELECT DISTINCT words.text, symbols.name
    FROM json_each(?) AS wanted CROSS JOIN calls ON calls.external_name = wanted.value
    JOIN words ON words.id = calls.text
    JOIN files ON files.id = calls.caller_id >> 16 AND files.language = 'php' AND files.role <> 'test'
    CROSS JOIN refs ON refs.symbol_id = calls.caller_id AND refs.line = calls.line
    JOIN symbols ON symbols.id = refs.target_symbol_id AND symbols.kind = 'class'
"""
# The functions of the project that a function or a method is decorated with, by the line in which they are named.
_MARKED: Final = f"""
    SELECT DISTINCT decorators.symbol_id, used.callee_id FROM decorators
    JOIN symbols ON symbols.id = decorators.symbol_id AND symbols.kind IN ('function', 'method')
    {_IN_PYTHON.format(symbol="symbols.id")} AND files.role <> 'test'
    CROSS JOIN edges AS used INDEXED BY edges_by_caller
        ON used.caller_id = symbols.parent_id AND used.line = decorators.line
    JOIN symbols AS targets ON targets.id = used.callee_id AND targets.kind IN ('function', 'method')
"""  # noqa: S608 - our own names
_INNERMOST: Final = """
    WITH RECURSIVE inside (outer_id, id) AS (
        SELECT wanted.value, symbols.id FROM json_each(?1) AS wanted
            CROSS JOIN symbols ON symbols.parent_id = wanted.value AND symbols.kind = 'function'
        UNION SELECT inside.outer_id, symbols.id FROM inside
            CROSS JOIN symbols ON symbols.parent_id = inside.id AND symbols.kind = 'function'
    )
    SELECT outer_id, inside.id FROM inside JOIN symbols ON symbols.id = inside.id
    WHERE substr(symbols.name, 1, 1) <> '<' AND NOT EXISTS (SELECT 1 FROM symbols AS deeper
        WHERE deeper.parent_id = inside.id AND deeper.kind = 'function' AND substr(deeper.name, 1, 1) <> '<')
"""
_MARKED_WITH_NAMES: Final = f"""
    SELECT decorators.symbol_id, decorators.text FROM decorators
    JOIN symbols ON symbols.id = decorators.symbol_id AND symbols.kind IN ('function', 'method')
    {_IN_PYTHON.format(symbol="symbols.id")} AND files.role <> 'test'
    WHERE decorators.text GLOB '*(*name*=*'
"""  # noqa: S608 - our own names
_KINDS: Final = """
    SELECT symbols.id, symbols.kind, symbols.parent_id FROM json_each(?1) AS wanted
    CROSS JOIN symbols ON symbols.id = wanted.value
"""


class Dispatched(NamedTuple):
    """A method that may run where another is called, its class, and who calls the other."""

    method: SymbolId
    owner: SymbolId
    caller: SymbolId
    is_python: bool


class Made(NamedTuple):
    """Where an object is made: the class whose constructor runs, and the call as it is written."""

    maker: SymbolId
    owner: SymbolId
    text: str
    line: int
    confidence: float


class ObjectQueries:
    """Questions about objects at run time."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def dispatched(self, methods: Iterable[SymbolId]) -> list[Dispatched]:
        """Who calls what these methods may run in the place of."""
        return list(map(Dispatched._make, self._selection.rows(_DISPATCHED, (as_list(methods),))))

    def standing_in(
        self, symbols: Iterable[SymbolId], direction: Literal["users", "used"]
    ) -> list[tuple[SymbolId, SymbolId]]:
        """Calls of a method in whose place others may run, by those: each of the symbols with its users or what it uses."""
        statement = _STANDING_IN_USERS if direction == "users" else _STANDING_IN_USED
        return cast("list[tuple[SymbolId, SymbolId]]", self._selection.rows(statement, (as_list(symbols),)))

    def classes(self) -> list[tuple[SymbolId, str, SymbolId]]:
        """Every class, its name and what it stands in."""
        return cast("list[tuple[SymbolId, str, SymbolId]]", self._selection.rows(_ALL_CLASSES))

    def inheriting(self) -> dict[SymbolId, str]:
        """The classes with a parent in the project that have no constructor of their own, and their names."""
        return dict(cast("list[tuple[SymbolId, str]]", self._selection.rows(_INHERITING)))

    def made_by_containers(self) -> list[tuple[SymbolId, SymbolId]]:
        """The methods of classes that no code of the product makes objects of, each with the constructor."""
        return cast("list[tuple[SymbolId, SymbolId]]", self._selection.rows(_MADE_BY_CONTAINERS))

    def given_fields(self) -> list[tuple[SymbolId, str, SymbolId]]:
        """The fields that bodies of classes give a class or a function: the class, the field, and what it is given."""
        return cast("list[tuple[SymbolId, str, SymbolId]]", self._selection.rows(_GIVEN_FIELDS))

    def calling_own(self, texts: Iterable[str]) -> list[tuple[str, SymbolId, SymbolId]]:
        """The methods that have calls which are written so: the call, the method, and its class."""
        rows = self._selection.rows(_CALLING_OWN, (json.dumps(sorted(texts)),))
        return cast("list[tuple[str, SymbolId, SymbolId]]", rows)

    def named_at_top(self) -> list[tuple[SymbolId, SymbolId, int]]:
        """The classes and functions that files and bodies of classes name: where, which, and the line."""
        return cast("list[tuple[SymbolId, SymbolId, int]]", self._selection.rows(_NAMED_AT_TOP))

    def texts_of(self, symbols: Iterable[SymbolId]) -> list[tuple[SymbolId, int, str]]:
        """The texts that stand in these, with their lines."""
        return cast("list[tuple[SymbolId, int, str]]", self._selection.rows(_TEXTS_OF, (as_list(symbols),)))

    def choosing(self, symbols: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """Who calls one of several that each of these is among: it, and the caller."""
        rows = self._selection.rows(_CHOOSING, (as_list(symbols),))
        return cast("list[tuple[SymbolId, SymbolId]]", rows)

    def callers_on_own(self, words: Iterable[int]) -> dict[tuple[SymbolId, int], SymbolId]:
        """Who calls these things outside the project on its own object, by word, and its class."""
        rows = self._selection.rows(_CALLERS_ON_OWN, (as_list(words),))
        return {(caller, word): owner for caller, word, owner in rows}

    def calls_on_classes(self, words: Iterable[int]) -> list[tuple[SymbolId, int, str]]:
        """Who calls these things outside the project in PHP, by word, and the name of the class that each is called on.

        Of what is called on anything else the name is empty.
        """
        rows = self._selection.rows(_CALLS_ON_CLASSES, (as_list(words),))
        return [(SymbolId(caller), word, _class_in(text)) for caller, word, text in rows]

    def observing(self, words: Iterable[int]) -> list[tuple[str, str]]:
        """The names of models of PHP, and of the classes that these calls outside are given to observe them."""
        rows = self._selection.rows(_OBSERVING, (as_list(words),))
        pairs = [(_class_in(text), name) for text, name in rows]
        return [(model, name) for model, name in pairs if model and model != name]

    def names_of_classes(self, names: Iterable[str]) -> list[tuple[SymbolId, str, str]]:
        """The fields in bodies of test classes that are given these names of routes: the class, the name, the field."""
        rows = self._selection.rows(_NAMES_OF_CLASSES, (json.dumps(sorted(names)),))
        return cast("list[tuple[SymbolId, str, str]]", rows)

    def marked(self) -> list[tuple[SymbolId, SymbolId]]:
        """The functions of the product that functions of the project decorate, each with one of those."""
        return cast("list[tuple[SymbolId, SymbolId]]", self._selection.rows(_MARKED))

    def innermost(self, functions: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """The named functions in which no other stands, by those of these that they stand in."""
        rows = self._selection.rows(_INNERMOST, (as_list(functions),))
        return cast("list[tuple[SymbolId, SymbolId]]", rows)

    def marked_with_names(self) -> list[tuple[SymbolId, str]]:
        """The functions of the product with a decorator that is given a name, and the decorator as written."""
        return cast("list[tuple[SymbolId, str]]", self._selection.rows(_MARKED_WITH_NAMES))

    def saying(self, texts: Iterable[str]) -> list[tuple[str, SymbolId]]:
        """Where these texts stand, but at the tops of files."""
        rows = self._selection.rows(_SAYING, (json.dumps(sorted(texts)),))
        return cast("list[tuple[str, SymbolId]]", rows)

    def classes_that_run(self) -> list[tuple[SymbolId, str, SymbolId]]:
        """Every class of Python, whose body runs where it stands."""
        return cast("list[tuple[SymbolId, str, SymbolId]]", self._selection.rows(_CLASSES))

    def made(self) -> list[Made]:
        """Where objects are made."""
        return list(map(Made._make, self._selection.rows(_MADE)))

    def named(self) -> list[tuple[SymbolId, SymbolId, int]]:
        """Where a class is used as a value and not to check for it: by whom, which, in which line."""
        checks = set(self._selection.rows(_CHECKS))
        rows = self._selection.rows(_NAMED)
        return [(user, target, line) for user, target, line in rows if (user, line) not in checks]

    def held(self) -> list[tuple[SymbolId, SymbolId, int]]:
        """The functions that stand or are named at the top of a file: in which, which, in which line."""
        return cast("list[tuple[SymbolId, SymbolId, int]]", self._selection.rows(_HELD))

    def looking_up(self, names: Iterable[str]) -> list[tuple[SymbolId, SymbolId]]:
        """The methods of the product that call one of these outside without a constant text, and their classes."""
        return cast(
            "list[tuple[SymbolId, SymbolId]]", self._selection.rows(_LOOKING_UP, (json.dumps([*names]),))
        )

    def variables(self, holders: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId, str, int, int]]:
        """The variables of files and classes: in what, which, its name, its lines."""
        rows = self._selection.rows(_VARIABLES, (as_list(holders),))
        return cast("list[tuple[SymbolId, SymbolId, str, int, int]]", rows)

    def readers(self, variables: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """Who uses these variables: the variable, then its user."""
        return cast("list[tuple[SymbolId, SymbolId]]", self._selection.rows(_READERS, (as_list(variables),)))

    def in_bodies(self, classes: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId, str]]:
        """What the bodies of these classes name or make objects of: the class, then that and its kind."""
        rows = self._selection.rows(_IN_BODIES, (as_list(classes),))
        return cast("list[tuple[SymbolId, SymbolId, str]]", rows)

    def kinds(self, symbols: Iterable[SymbolId]) -> list[tuple[SymbolId, str, SymbolId | None]]:
        """What each of the symbols is and what it stands in."""
        rows = self._selection.rows(_KINDS, (as_list(symbols),))
        return cast("list[tuple[SymbolId, str, SymbolId | None]]", rows)


def _class_in(text: str) -> str:
    owner, _, method = text.rpartition("::")
    name = owner.rpartition("\\")[2]
    return name if name[:1].isupper() and name.isidentifier() and method.isidentifier() else ""
