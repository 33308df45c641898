"""What the core asks of a language about what only exists at run time: what frameworks and decorators put on classes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Literal

from drift.languages.expressions import DerivedForm, MemberForm, NameForm
from drift.languages.facts import Call, Symbol
from drift.scan.link.typed_semantics import TypedSemantics
from drift.scan.link.values import NOTHING, MethodValue, Values

if TYPE_CHECKING:
    from drift.scan.link.analysis import Analysis
    from drift.scan.link.links import Target


class RunTimeSemantics(TypedSemantics):
    """One language in one project, as far as no text shows what there is."""

    remaking_packages: tuple[str, ...] = ()
    """The packages whose annotations let a tool write members and constructors that stand in no text."""
    harmless_marks: frozenset[str] = frozenset()
    """Those of their annotations for which no member is written that somebody could call by its name."""
    enum_members: frozenset[str] | None = None
    """What the language gives every enumeration; None where that is not known."""
    names_objects_after_classes = False
    """Whether types are seldom written, and a variable that nothing else tells of is of the class of its name."""

    telling_words = 0
    """Of how many words the name of a project's only method must be to be meant where an object came from outside; 0: never."""
    parent_passes_traits = False
    """Whether what a class calls of its parent is of no trait that it uses itself."""
    keeps_private = False
    """Whether nothing but a class itself can call its private methods."""
    arguments_fit: Literal["any", "least", "exact"] = "any"
    """Whether a call gives any number of arguments, at least those without a default, or no more than are named either."""

    mixes_in_outside = False
    """Whether modules outside stand before the parent of a class, so that nobody knows which of them has a member."""

    unheld_parents: frozenset[str] = frozenset()
    """Ends of the names of classes outside whose objects a framework makes and keeps to itself: no code but a test calls them."""

    def run_outside(
        self, analysis: Analysis, call: Call, scope: int, outside: Iterable[str]
    ) -> tuple[Target, ...]:
        """What of the project a call of something outside comes to run, beside what it is handed."""
        return ()

    def states_parameters(self, symbol: Symbol) -> bool:
        """Whether what is written of a method says what it takes."""
        return True

    def is_lone_attribute(self, analysis: Analysis, method: int, call: Call, scope: int) -> bool:
        """Whether the name of a project's only method is faint evidence: as many objects have such a member from elsewhere."""
        return False

    def with_receiver(self, analysis: Analysis, receiver: int, *, values: Values) -> Values:
        """What a class has for a member, with what a framework makes of that for the class that is asked."""
        return values

    def set_result(self, analysis: Analysis, method: MethodValue, call: Call, scope: int) -> Values | None:
        """What a method of a container gives that a framework makes; None where that is not known."""
        return None

    def decorated_members(self, analysis: Analysis, owner: int, name: str) -> Values:
        """What decorators of a class give it under a name."""
        return NOTHING

    def decorated_makers(self, analysis: Analysis, owner: int) -> tuple[int, ...]:
        """The functions that make objects of a class and are given to it by decorators."""
        return ()

    def mapped_values(self, analysis: Analysis, form: NameForm | DerivedForm, scope: int) -> Values:
        """The model that a form names, or all its objects, where a mapper keeps them."""
        return NOTHING

    def path_values(self, analysis: Analysis, path: str, scope: int) -> Values:
        """What a text names in full, from where imports begin."""
        return NOTHING

    def forwarding_methods(
        self, analysis: Analysis, callee: MemberForm, scope: int, methods: Collection[int]
    ) -> tuple[int, ...]:
        """What runs before the methods that a call was found to run, to hand on to them."""
        return ()

    def hands_down_constructors(self, analysis: Analysis, owner: int) -> bool:
        """Whether a class without a constructor is made of arguments by one of a class above it."""
        return True

    def conversions(
        self, analysis: Analysis, call: Call, scope: int, functions: Collection[int]
    ) -> tuple[int, ...]:
        """What runs to make the objects that functions take of what a call gives them."""
        return ()

    def said_members(self, analysis: Analysis, owner: int, name: str) -> Values:
        """What a table beside a class says that its objects have under the name of a setting."""
        return NOTHING

    def may_have_more_members(self, analysis: Analysis, owner: int) -> bool:
        """Whether a class may have members that the project does not show, which answer requests."""
        return True

    def lent_members(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        """What a framework puts on the objects of a class under a name."""
        return NOTHING

    def connected(self, analysis: Analysis, methods: list[int]) -> tuple[Target, ...]:
        """What methods run that only tell others: what is registered for them anywhere."""
        return ()
