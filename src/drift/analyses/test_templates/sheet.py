"""What the writers of all languages share: the plan of a test, its imports, its arguments and what they write."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.test_templates.habits import Habits
from drift.analyses.test_templates.imports import ImportNeeds
from drift.analyses.test_templates.naming import name_test
from drift.analyses.test_templates.placeholders import placeholder
from drift.analyses.test_templates.subjects import Subject
from drift.index import IndexReader
from drift.index.records import FileRecord, ParameterRecord, SymbolRecord
from drift.kernel.words import split_words

_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_RESERVED: Final = frozenset(  # of any of the languages, or used by the templates themselves
    """
    and as assert async await break case catch chan class const continue def default defer delete do else enum
    event export extends false final finally fn for foreach from func function global goto if impl implements
    import in interface internal is lambda let list match mod move mut namespace new nil none not null object
    operator or out override package params pass print private protected pub public raise range ref return
    select self static str string struct super switch template this throw trait true try type typeof union
    unsafe use using var virtual void where while with yield base lock fixed checked map result error got err
    """.split()  # noqa: SIM905 - a list of a hundred quoted words would not be read
)


class Plan(NamedTuple):
    """A test to write: of what, where, and how the project does it."""

    reader: IndexReader
    family: str
    kind: str  # unit, integration, e2e
    target: FileRecord
    test_path: str
    existing: FileRecord | None
    subjects: tuple[Subject, ...]
    habits: Habits
    imports: ImportNeeds
    taken: set[str]
    peers: tuple[str, ...]  # test files, nearest first
    implied: tuple[str, ...]  # namespaces that the code under test uses without a word
    versions: Mapping[str, str]  # of packages that the tests use, as far as they are known

    def name(self, subject: Subject, case: str, *, fallback: str, lead: str | None = None) -> str:
        """A name for a test that no other in the file has; `lead` is the word it must begin with."""
        naming = self.habits.naming
        if naming is not None and lead is not None and not naming.value.startswith(f"{lead}: "):
            naming = replace(naming, value=f"{lead}: {naming.value.rpartition(': ')[2]}")
        words = subject.symbol.name
        if subject.owner is not None and len({each.owner and each.owner.name for each in self.subjects}) > 1:
            words = f"{subject.owner.name}_{words}"
        return self.free(name_test(words, case, naming, fallback=fallback))

    def free(self, name: str) -> str:
        """The name, numbered if it is taken."""
        found, number = name, 2
        while found in self.taken:
            found, number = f"{name}{'_' if name.islower() else ''}{number}", number + 1
        self.taken.add(found)
        return found

    @property
    def may_mock(self) -> bool:
        """Whether what the object under test depends on is stood in for."""
        return self.kind == "unit"


class Draft(NamedTuple):
    """A test as text: the whole file, or what to add to one, where, and the imports that go to its top."""

    text: str
    insert_at: str | None = None
    imports: tuple[str, ...] = ()


class Argument(NamedTuple):
    """A value a test has to give; without an expression the author has to say it."""

    name: str
    parameter: ParameterRecord
    expression: str | None

    @property
    def wanted(self) -> str:
        """What the author has to put there."""
        return " ".join((self.parameter.type_text or f"a value for {self.name}").split())


def arguments(
    plan: Plan, parameters: Sequence[ParameterRecord], *, avoid: Sequence[str] = ()
) -> list[Argument]:
    """A named value for each parameter; names differ from each other and from `avoid`."""
    found: list[Argument] = []
    used = set(avoid)
    for number, each in enumerate(parameters, 1):
        name = each.name.lstrip("$&*.").removesuffix("?")
        if _NAME.fullmatch(name) is None or set(name) == {"_"}:
            name = f"argument{number}"
        if name in used:
            name = (
                f"{name}_value" if "_" in name or plan.family in {"python", "rust", "c"} else f"{name}Value"
            )
        used.add(name)
        found.append(Argument(name, each, placeholder(plan.family, each.type_text)))
    return found


def variable_for(owner: str, *, snake: bool) -> str:
    """The name of a variable that holds an object of a class."""
    words = split_words(owner) or ("subject",)
    joined = words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])
    name = "_".join(words) if snake else joined
    if name in _RESERVED or not name.isidentifier():
        return f"{name}_instance" if snake else f"{name}Instance"
    return name


def project_type(plan: Plan, type_text: str | None) -> SymbolRecord | None:
    """The class or interface of the project that a type names, if it plainly names one."""
    bare = (type_text or "").strip("?&* \"'")
    if _NAME.fullmatch(bare) is None:
        return None
    found = [
        each
        for each in plan.reader.symbols.named(bare)
        if each.kind in CLASS_KINDS and each.role != "test" and each.language == plan.target.language
    ]
    folder = plan.target.path.rpartition("/")[0]
    ranked = sorted(found, key=lambda each: (each.path.rpartition("/")[0] != folder, each.path))
    return ranked[0] if ranked else None


def has_type_parameter(type_text: str) -> bool:
    """Whether a type is named by a single capital, as type parameters are, which a test cannot name."""
    return re.search(r"\b[A-Z]\d?\b", type_text) is not None


def last_part(name: str) -> str:
    """`errors.NotFound`, `error::NotFound` and the like without what stands before."""
    return re.split(r"[.:\\]", name)[-1]


def indent(lines: Sequence[str], by: str) -> list[str]:
    """The lines, those that are not empty moved in."""
    return [f"{by}{line}" if line else "" for line in lines]
