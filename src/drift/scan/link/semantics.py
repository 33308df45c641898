"""What the core, which names no language, asks of each: a subclass in `languages/` answers, else a default here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from drift.languages.expressions import Expression
from drift.languages.facts import Access, Call, FileFacts, Import
from drift.scan.link.destination_form import Destination
from drift.scan.link.outside_names import OutsideNames
from drift.scan.link.run_time_semantics import RunTimeSemantics
from drift.scan.link.values import NOTHING, Arguments, Values

if TYPE_CHECKING:
    from drift.scan.link.analysis import Analysis
    from drift.scan.link.declared_types import DeclaredType
    from drift.scan.link.links import CallLink
    from drift.scan.link.tables import Definition, FileTable
    from drift.scan.link.undeclared_members import UndeclaredMembers


class Semantics(RunTimeSemantics):
    """One language in one project."""

    # Names.
    has_implicit_this = False
    """Whether a bare name in a method may be a member of its class."""
    has_names_by_class = False
    """Whether what a name means depends on the class around it, wherever that is opened and whatever it descends from."""
    has_open_namespaces = False
    """Whether namespaces of one name, in whatever files, are one, and files see what they include."""
    has_spaces_named_as_classes = False
    """Whether what stands behind the name of a class may be in the namespace of that name."""
    has_flat_packages = False
    """Whether using all of a package gives no packages inside it."""
    has_functions_in_namespaces = True
    """Whether a namespace holds functions; where it holds types alone, such stand in a class that is not readable."""
    prefers_included_names = False
    """Whether of several files of one package that declare a name the one is meant that is included."""
    are_class_bodies_apart = False
    """Whether the body of a class sees no names of the classes around it."""
    included_suffixes: tuple[str, ...] = ()
    """How files end that are there to be included, and see what their includers have in their namespaces."""
    generic_bases: frozenset[str] = frozenset()
    """The bases whose type arguments are the type variables of a class, where they stand behind no name of its own."""
    builtin_prefix = ""
    """What stands before the names of built-in things: `builtins.`."""
    builtins: frozenset[str] = frozenset()
    """The names every file has."""
    builtin_methods: frozenset[str] = frozenset()
    """The methods that are taken for those of built-in values where the project has none of the name."""
    everyday_methods: frozenset[str] = frozenset()
    """The methods that built-in values have too, so that being the only one of the name in a project proves nothing."""
    root_members: frozenset[str] = frozenset()
    """What every object has."""
    outside_names = OutsideNames()
    """What is known of things outside: which of them give nothing of the project."""
    memberless: frozenset[str] = frozenset()
    """The classes and interfaces outside that have no members, whatever is asked of what descends from them."""
    outside_extensions: Mapping[str, str] = MappingProxyType({})
    """The extension methods that come with the language, by name: their full names."""

    # Types and members.
    calls_constants = False
    """Whether to call a constant of a file is told beside what it holds, which often has no name."""
    has_object_literals = False
    """Whether the members of a dict literal are its keys."""
    has_remaking_decorators = False
    has_members_of_interfaces = True
    """Whether a class has members from an interface that it only says it implements."""
    """Whether a decorator may give a class members that it does not declare."""
    has_asked_objects = False
    """Whether an object may be taken for one of a class only because something was asked for the class: a container."""
    has_outside_methods = True
    """Whether methods of a class may stand outside of it."""
    has_constructors = True
    """Whether a method that is called like its class makes the objects of it."""
    has_inherited_constructors = True
    """Whether a class without a constructor is made by that of its parent."""
    has_structural_types = False
    """Whether a class fits an interface by having all that it asks for, without saying so."""
    has_settled_types = False
    """Whether a call is one of what the declared type has, whatever is given: the interface's, the trait's."""
    has_contextual_types = False
    """Whether a function gets the types of its parameters from the type it is written for."""
    has_types_apart = False
    """Whether a name where a type is wanted never means a member."""
    has_fields_apart = False
    """Whether a member that is read of an object, and not called, is never a method."""
    has_modules_apart = False
    """Whether a module leaves its name to a function or type as well, which another import may give."""
    has_class_protocols = False
    """Whether a class stands for another where a protocol is declared (`type[Shape]`)."""
    has_mixins = False
    """Whether a class among several parents may override methods of those that are none of its own."""
    has_class_of_classes = False
    """Whether calling a class may run a method of its metaclass."""
    has_many_metaclasses = False
    """Whether a class has the members of the metaclasses of all its ancestors: of each module that it extends."""
    are_classes_collections = False
    """Whether going through a class gives its objects: a class of records is all of them."""
    has_method_families = False
    """Whether a name that several methods have is settled by the one that all others override."""
    mixes_into_callers = False
    """Whether code outside of classes may call methods of modules by their bare names: its framework mixes them in."""
    set_methods: frozenset[str] = frozenset()
    """The methods of containers that a framework makes; others are those of classes of the project."""
    has_traits_of_any_class = False
    """Whether `this` in a trait is an object of whatever class uses it."""
    tells_classes_by_arity = False
    """Whether classes of one name are told apart by how many type arguments they take."""
    declares_all_members = False
    """Whether a member that no class of the project declares is one of something outside."""
    are_functions_indexed = False
    """Whether a function with type arguments behind it in brackets is still that function."""
    wraps_root_members = False
    """Whether what every object has is mostly asked of types that wrap another."""
    stand_ins: Mapping[str, str] = MappingProxyType({})
    """Methods that run where an object has none of another name."""
    class_member = ""
    """The member of an object that is its class."""
    pair_members: tuple[str, ...] = ()
    """The members of what holds one value, alone or beside a key, that are that value."""
    constructors: tuple[str, ...] = ("constructor",)
    """The members that run when a class is called, the first that is there."""
    call_members: tuple[str, ...] = ()
    """The members that run when an object is called."""
    element_methods: tuple[str, ...] = ("__getitem__",)
    """The methods that give an element of an object."""
    iterator_methods: tuple[str, ...] = ("__iter__", "__aiter__")
    """The methods that give what goes through an object."""
    step_methods: tuple[str, ...] = ("__next__", "__anext__")
    """The methods of an iterator that give an element."""
    pointing_methods: frozenset[str] = frozenset()
    """The methods of containers that give an iterator, which is as good as what it is at."""

    # Calls and results.
    has_overloads = False
    """Whether it depends on the arguments what a call means."""
    has_defaults_in_declarations = False
    """Whether the declaration of a function says what its last arguments are by default."""
    chooses_by_declared_types = False
    """Whether the types that arguments are declared to have decide what a call gives that is an argument itself."""
    takes_any_number = False
    """Whether a number is taken for any other."""
    macro_suffix = ""
    """What a call of a macro ends in, where macros have names of their own."""
    has_nominal_results = False
    """Whether objects of a class that is declared to be given back say that they are of it."""
    follows_results_outside = False
    """Whether a function declared to give something outside may be seen to give something of the project."""
    prefers_declared_to_many = False
    """Whether the declared type is meant where objects of several classes are given back."""
    has_lazy_results = False
    """Whether a function declared to give something to go through may give a generator, which that runs."""
    gives_copies_of_itself = False
    """Whether a method that gives back `this` and nothing else may give a copy of it."""
    names_container_results = False
    """Whether what a method of a container gives is something outside by the name of the method."""
    calls_properties = False
    """Whether what a property gives is called as a method is: `self.make()`."""
    has_own_accesses = False
    """Whether `access_link` says all that accesses run."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.languages: tuple[str, ...] = (language,)  # those whose objects are each other's

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:
        """Where the module text of an import leads."""
        return Destination(problem="imports of this language are not followed")

    def submodule(self, path: str | None, package: str | None, name: str) -> Destination | None:
        """The module of that name inside the module that a file or package is."""
        return None

    def beside(self, path: str, name: str) -> Destination | None:
        """What a module has of that name beside anything else that has it, kept apart by how it is written."""
        return None

    def space(self, path: str, facts: FileFacts, name: str) -> Destination | None:
        """The package that a bare name begins, though nothing in sight defines it: `com`, `crate`."""
        return None

    def files_with(self, package: str, name: str) -> tuple[str, ...]:
        """The files of a package that declare a name."""
        return ()

    def neighbours_with(self, path: str, facts: FileFacts, name: str) -> tuple[str, ...]:
        """The other files that declare a name which is seen without an import."""
        return ()

    def provider(self, path: str, function: int, name: str) -> tuple[str, int] | None:
        """The function, by file and number, whose result a framework gives to a parameter of that name."""
        return None

    def shared_imports(self, path: str) -> tuple[Import, ...]:
        """The imports that hold in a file without standing in it."""
        return ()

    def extending_spaces(self, path: str, facts: FileFacts) -> tuple[str, ...]:
        """The namespaces whose extension methods a file sees; none where the language has no such methods."""
        return ()

    def package_of_namespace(self, name: str) -> str | None:
        """The package that a namespace of a file is, where other files and blocks open it too."""
        return None

    def scoped_values(self, analysis: Analysis, name: str, scope: int) -> Values | None:
        """What a name means that is not looked for scope by scope; None where it is."""
        return None

    def undefined_values(self, analysis: Analysis, name: str, scope: int) -> Values:
        """What a name means that nothing in the project defines."""
        return NOTHING

    def shared_variables(self, analysis: Analysis, name: str) -> Values:
        """What a variable is given that all files share."""
        return NOTHING

    def names_seen_whole(self, analysis: Analysis, values: Values) -> Values:
        """Those of the things with a name that a file has from what it imports whole."""
        return values

    def bare_definitions(
        self, analysis: Analysis, table: FileTable, scope: int, found: list[Definition]
    ) -> list[Definition] | None:
        """Those of the definitions of a scope that a bare name there can mean: members may be seen through objects alone."""
        return found

    def are_of_other_types(self, table: FileTable, definitions: Iterable[Definition]) -> bool:
        """Whether all that a name is given in a scope are blocks that add to a type from elsewhere."""
        return False

    def outside_class(self, analysis: Analysis, owner: int, name: str) -> int | None:
        """The class of that name that is defined outside of the class it belongs to."""
        return None

    def other_parts(self, analysis: Analysis, owner: int) -> tuple[int, ...]:
        """The other places where a class is opened, where any class may be opened again."""
        return ()

    def reachable_members(self, analysis: Analysis, values: Values, *, is_object: bool) -> Values:
        """Those of the members that a class declares under a name that its objects have, or that it has itself."""
        return values

    def overridable(self, analysis: Analysis, ancestors: list[int]) -> list[int]:
        """The ancestors of a class in the place of whose methods its own may run."""
        return ancestors

    def fitting_overrides(self, analysis: Analysis, table: FileTable) -> Iterable[tuple[int, int]]:
        """Methods of interfaces, each with one of the file that may run in its place without a word of it there."""
        return ()

    def mixed_overriders(self, analysis: Analysis, owner: int, method: int) -> tuple[int, ...]:
        """The methods that classes below a class get from what is mixed in, in the place of one of its own."""
        return ()

    def has_same_parameters(self, analysis: Analysis, method: int, overridden: int) -> bool:
        """Whether a method takes what one above it takes, so that it runs in its place."""
        symbol = analysis.program.symbol
        return len(symbol(method).parameters) == len(symbol(overridden).parameters)

    def read_member(self, analysis: Analysis, owner: int, name: str, *, values: Values) -> Values:
        """What reading a member of an object gives, of which its class has these values."""
        return values

    def preferred_members(self, analysis: Analysis, values: Values) -> Values:
        """Of several members with one name those that come before the others."""
        return values

    def late_members(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        """The methods of that name that a line of descent has after all, as functions of their classes."""
        return NOTHING

    def parent_members_beside(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        """What `super` leads to in a class without such a parent: those that use it have another."""
        return NOTHING

    def methods_below(self, analysis: Analysis, method: int) -> list[int]:
        """The methods that write out an abstract one; none where they are many."""
        return []

    def naming_hooks(self, analysis: Analysis, owner: int) -> tuple[int, ...]:
        """What runs where a class is made, of the objects in its body."""
        return ()

    def object_elements(self, analysis: Analysis, value: int) -> Values | None:
        """An element of an object; None where the methods named above say what that is."""
        return None

    def number_of_alias(self, analysis: Analysis, aliased: Expression, scope: int) -> Values | None:
        """The number that another name for one stands for; None where that is a type of its own."""
        return None

    def named_variants(self, analysis: Analysis, named: Expression, scope: int) -> list[int]:
        """The variants of enums that an expression names, which are made by being called."""
        return []

    def extension_values(self, analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
        """What a method call means, of what its object has: a function from elsewhere that stands in for a method."""
        return values

    def pointer_alias(self, analysis: Analysis, values: Values) -> str | None:
        """The name of a type that only holds another, where that is made: to make it makes no other."""
        return None

    def magic_call_values(self, analysis: Analysis, call: Call, scope: int) -> Values:
        """What runs for a method that no class in the line of the object has."""
        return NOTHING

    def constructed_beside(
        self, analysis: Analysis, scope: int, outside: Collection[str | None]
    ) -> tuple[int, ...]:
        """The classes whose constructors a call runs too, by what it runs outside."""
        return ()

    def chosen_values(self, analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
        """Of what has the name that is called, what the call means."""
        return values

    def chosen_overloads(
        self, analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Those of several functions of one name that take what the call gives; all where that leaves none."""
        return functions

    def overloads_for_receiver(
        self, analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Those of several functions with the same parameters that are for such an object."""
        return functions

    def overloads_for_type_arguments(
        self, analysis: Analysis, call: Call, functions: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Those of several functions that take type arguments as the call gives them."""
        return functions

    def declared_for_choice(self, declared: Values, text: str) -> Values:
        """What is told of a parameter by its type, to who chooses among functions."""
        return declared

    def converts(self, analysis: Analysis, owner: int) -> bool:
        """Whether a value that is no object of a class becomes one by being given."""
        return False

    def result_type(self, name: str) -> DeclaredType | None:
        """The type of what a method of the platform gives back, by its full name."""
        return None

    def known_result(self, analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
        """What calling something outside gives, where that is made of what it is given; None where it is not known."""
        return None

    def elements_given(self, name: str, call: Call) -> Iterable[tuple[int, Arguments]]:
        """For functions that a call of something outside goes through elements with: their place, and what they are given."""
        return ()

    def passed_through(self, analysis: Analysis, function: int, call: Call) -> tuple[Expression, ...]:
        """The arguments of a call that a function gives back as they are."""
        return ()

    def known_overriders(
        self, analysis: Analysis, call: Call, scope: int, *, methods: list[int]
    ) -> tuple[int, ...]:
        """Where too many methods may run in the place of one, those of the class that the object is made of."""
        return ()

    def methods_below_outside(
        self, analysis: Analysis, receiver: Expression, scope: int, name: str
    ) -> tuple[int, ...]:
        """The methods of classes of the project below a type outside that an object is declared to be of."""
        return ()

    def has_exact_receiver(self, analysis: Analysis, call: Call, scope: int) -> bool:
        """Whether the class of the object is certain, so that nothing of a class below may run."""
        return False

    def is_exact(self, analysis: Analysis, named: Expression, scope: int) -> bool:
        """The same of an expression."""
        return False

    def may_run(self, analysis: Analysis, name: str) -> bool:
        """Whether an access of a name may run code though no method of the project has that name."""
        return False

    def access_link(self, analysis: Analysis, access: Access, scope: int) -> CallLink | None:
        """What an access runs, where the language says all of that."""
        return None

    def described(self, analysis: Analysis, values: Values, name: str) -> tuple[int, ...]:
        """What runs where a member is read or set whose value says so itself."""
        return ()

    def undeclared_members(self, analysis: Analysis, table: FileTable) -> UndeclaredMembers | None:
        """What answers for members that nothing declares; None where nothing does."""
        return None
