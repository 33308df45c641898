"""Classes of C++, hierarchies of virtual methods, and templates.

A class with virtual methods that others descend from needs a destructor that is virtual, or protected: who deletes a child
through it otherwise runs the wrong one. Where a parent is outside the project, it is not known, and nothing is said.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from drift.analyses.language_profiles.rows import ClassRow, HierarchyRow, LanguageData, TemplateRow
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.profile_queries import Declared, Parent
from drift.kernel.text import plural, shorten

_CLASSES: Final = ("class", "struct")
_MOST_CHILDREN: Final = 8
_MOST_PARAMETERS: Final = 100
_UNDEFINED: Final = "deleting a child through it is undefined: its destructor is not virtual"
_RULE_OF_THREE: Final = (
    "deletes in its destructor and can be copied: no copy constructor or assignment is declared"
)


@dataclass(slots=True)
class CppClass:
    """A class with its members, parents and children."""

    symbol: Declared
    members: list[Declared] = field(default_factory=list)
    parents: list[Parent] = field(default_factory=list)
    children: list[SymbolId] = field(default_factory=list)

    @property
    def virtual(self) -> list[Declared]:
        """The methods that children may replace, destructors apart."""
        words = {"virtual", "override", "abstract"}
        return [one for one in self.methods if words.intersection(one.modifiers.split())]

    @property
    def methods(self) -> list[Declared]:
        return [one for one in self.members if one.kind == "method" and not one.has("destructor")]

    @property
    def destructor(self) -> Declared | None:
        return next((one for one in self.members if one.has("destructor")), None)

    @property
    def destruction(self) -> str:
        """How it is destroyed, in a word."""
        found = self.destructor
        if found is None:
            return "implicit"
        if {"virtual", "override"}.intersection(found.modifiers.split()):
            return "virtual"
        return found.visibility if found.visibility != "public" else "not virtual"


class CppClasses:
    """All classes of the files that are asked about, and of their parents in others."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        declared = sources.facts.of_kind(sources.ids, _CLASSES)
        self.by_id = {one.id: CppClass(one) for one in declared}
        members = sources.facts.of_kind(sources.ids, ("method", "constructor", "field"))
        for one in members:
            if one.parent_id in self.by_id:
                self.by_id[one.parent_id].members.append(one)
        for parent in sources.facts.parents(sources.ids):
            if parent.symbol_id in self.by_id:
                self.by_id[parent.symbol_id].parents.append(parent)
            if parent.target_id in self.by_id:
                self.by_id[parent.target_id].children.append(parent.symbol_id)

    def descendants(self, one: CppClass) -> set[SymbolId]:
        """The classes below a class."""
        found: set[SymbolId] = set()
        level = list(one.children)
        while level:
            child = level.pop()
            if child not in found:
                found.add(child)
                level += self.by_id[child].children if child in self.by_id else ()
        return found

    def above(self, one: CppClass) -> tuple[list[CppClass], bool]:
        """The classes above a class, and whether all of them are known."""
        found: dict[SymbolId, CppClass] = {}
        is_known = True
        level = [one]
        while level:
            for parent in level.pop().parents:
                target = None if parent.target_id is None else self.by_id.get(parent.target_id)
                if target is None:
                    is_known = False
                elif target.symbol.id not in found:
                    found[target.symbol.id] = target
                    level.append(target)
        return list(found.values()), is_known

    def problem(self, one: CppClass) -> str | None:
        """What is wrong with how it is destroyed."""
        if one.virtual and one.children and one.destruction in {"implicit", "not virtual"}:
            above, is_known = self.above(one)
            if is_known and not any(each.destruction == "virtual" for each in above):
                return _UNDEFINED
        return None

    @cached_property
    def releasing(self) -> set[SymbolId]:
        """The classes that give memory back by hand in a destructor of theirs, wherever that is written."""
        by_name: dict[str, list[Declared]] = defaultdict(list)
        for each in self.by_id.values():
            by_name[each.symbol.name].append(each.symbol)
        found: set[SymbolId] = set()
        for one in self.sources.facts.constructs(self.sources.ids, ("release",)):
            owner, _, name = one.qualname.rpartition(".")
            if not name.startswith("~"):
                continue
            named = by_name[owner.rpartition(".")[2]]
            near = [each for each in named if file_of_symbol(each.id) == file_of_symbol(one.symbol_id)]
            # Classes of one name in several files: only the one beside the destructor is meant for sure.
            found.update(each.id for each in (near or named) if len(near or named) == 1)
        return found


def find_classes(sources: Sources) -> Found:
    """Classes, those with a problem first, then those with most virtual methods."""
    classes = CppClasses(sources)
    smart = frozenset(sources.profile.words["smart_types"])
    rows = [_class_row(classes, one, smart) for one in classes.by_id.values()]
    counts = {
        "classes": len(rows),
        "polymorphic": sum(bool(row.virtual) for row in rows),
        "withProblems": sum(row.problem is not None for row in rows),
        "holdingSmartPointers": sum(bool(row.smart_fields) for row in rows),
        "releasingByHand": len(classes.releasing),
    }
    told = (
        f"{plural(len(rows), 'class', 'classes')}, {counts['polymorphic']} with virtual methods, "
        f"{counts['withProblems']} with a problem"
    )
    return Found(
        told,
        ranked(rows, lambda row: (row.problem is None, -row.virtual, row.file, row.line, row.name)),
        lambda shown: LanguageData(counts=counts, classes=shown),
    )


def _class_row(classes: CppClasses, one: CppClass, smart: frozenset[str]) -> ClassRow:
    fields = [each for each in one.members if each.kind == "field"]
    problem = classes.problem(one)
    above, _ = classes.above(one)
    if problem is None and one.symbol.id in classes.releasing and not any(map(_says_copying, (one, *above))):
        problem = _RULE_OF_THREE
    return ClassRow(
        one.symbol.qualname,
        classes.sources.path(one.symbol.id),
        one.symbol.line,
        tuple(parent.text for parent in one.parents),
        len(one.methods),
        len(one.virtual),
        one.destruction,
        sum(any(name in each.signature for name in smart) for each in fields),
        sum("*" in each.signature.partition("=")[0] for each in fields),
        problem,
    )


def _says_copying(one: CppClass) -> bool:
    """Whether a copy constructor, an assignment or a move is declared or deleted; `Foo(const Foo&)`, `operator=`."""
    name = one.symbol.name
    for each in one.members:
        if each.name in {"operator=", "operator ="}:
            return True
        taken = each.signature.partition("(")[2]
        if each.kind == "constructor" and name in taken and "&" in taken:
            return True
    # Classes that forbid copying by a parent or a macro say so in their names.
    return any("copy" in parent.text.lower() for parent in one.parents)


def find_virtual(sources: Sources) -> Found:
    """Classes with virtual methods that others descend from, or that wait for it."""
    classes = CppClasses(sources)
    rows = [
        _hierarchy_row(classes, one)
        for one in classes.by_id.values()
        if one.virtual and (one.children or not one.parents)
    ]
    problems = sum(row.problem is not None for row in rows)
    told = f"{plural(len(rows), 'class', 'classes')} at the top or in the middle of a hierarchy; {problems} with a destructor that is not virtual"
    counts = {"hierarchies": len(rows), "missingVirtualDestructor": problems}
    return Found(
        told,
        ranked(rows, lambda row: (row.problem is None, -row.descendants, row.file, row.line, row.name)),
        lambda shown: LanguageData(counts=counts, hierarchies=shown),
    )


def _hierarchy_row(classes: CppClasses, one: CppClass) -> HierarchyRow:
    below = classes.descendants(one)
    names = sorted(classes.by_id[child].symbol.qualname for child in one.children if child in classes.by_id)
    return HierarchyRow(
        one.symbol.qualname,
        classes.sources.path(one.symbol.id),
        one.symbol.line,
        len(one.virtual),
        sum(each.has("abstract") for each in one.virtual),
        len(below),
        tuple(names[:_MOST_CHILDREN]),
        one.destruction,
        classes.problem(one),
    )


def find_templates(sources: Sources) -> Found:
    """Templates with their specialisations, the most used first."""
    every = sources.facts.with_modifier(sources.ids, "template")
    special: dict[str, int] = defaultdict(int)
    for one in every:
        special[one.qualname] += is_special(one)
    primary = [one for one in every if not is_special(one) and not _is_definition(one)]
    users = sources.facts.users(one.id for one in primary)
    rows = [
        TemplateRow(
            one.qualname,
            one.kind,
            sources.path(one.id),
            one.line,
            shorten(parameters_of(one.signature), _MOST_PARAMETERS),
            special[one.qualname],
            users.get(one.id, 0),
        )
        for one in primary
    ]
    counts = {
        "templates": len(rows),
        "ofTypes": sum(row.kind in _CLASSES for row in rows),
        "specialisations": sum(special.values()),
        "constrained": sum("requires" in one.signature or "concept " in one.signature for one in every),
    }
    told = f"{plural(len(rows), 'template')}, {plural(counts['specialisations'], 'specialisation')}"
    return Found(
        told,
        ranked(rows, lambda row: (-row.users, row.file, row.line, row.name)),
        lambda shown: LanguageData(counts=counts, templates=shown),
    )


def is_special(one: Declared) -> bool:
    """Whether it is another template for certain arguments: `template <> class Stack<bool>`."""
    rest = one.signature[len(parameters_of(one.signature)) :]
    return f"{one.name}<" in rest.replace(f"{one.name} <", f"{one.name}<")


def _is_definition(one: Declared) -> bool:
    """Whether a member of a class template is defined outside of it: `template <typename T> void Stack<T>::push`."""
    written = one.signature[len(parameters_of(one.signature)) :].partition("(")[0]
    return ">::" in written.replace(" ", "")


def parameters_of(signature: str) -> str:
    """`template <typename T, int N>` of what follows it."""
    depth = 0
    for place, mark in enumerate(signature):
        depth += (mark == "<") - (mark == ">")
        if mark == ">" and depth <= 0:
            return signature[: place + 1]
    return ""
