"""A test to begin with: what can be tested, where it belongs, how it is written here, what there is already."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.import_choice import family_of
from drift.analyses.test_templates.building import say_listed
from drift.analyses.test_templates.cpp import write_cpp_test
from drift.analyses.test_templates.csharp import write_csharp_test
from drift.analyses.test_templates.dialects import Dialect, dialect_of
from drift.analyses.test_templates.golang import write_go_test
from drift.analyses.test_templates.habits import Habits, learn_habits, pick_example, tests_among
from drift.analyses.test_templates.imports import ImportNeeds
from drift.analyses.test_templates.java import write_java_test
from drift.analyses.test_templates.php import write_php_test
from drift.analyses.test_templates.placement import Placement, place_test
from drift.analyses.test_templates.python import write_python_test
from drift.analyses.test_templates.qttest import write_qt_test
from drift.analyses.test_templates.rows import Convention, KnownTest, TestConventions, TestTemplate
from drift.analyses.test_templates.ruby import write_ruby_test
from drift.analyses.test_templates.rust import write_rust_test
from drift.analyses.test_templates.script import write_script_test
from drift.analyses.test_templates.sheet import Draft, Plan
from drift.analyses.test_templates.subjects import Chosen, Subject
from drift.analyses.testing.frameworks import frameworks_in, runner_at
from drift.index import IndexReader
from drift.index.records import FileRecord
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.text import plural
from drift.kernel.words import split_words

_MOST_REASONS = 8


_WRITERS: Final[dict[str, Callable[[Plan], Draft]]] = {
    "c": write_cpp_test,
    "cpp": write_cpp_test,
    "csharp": write_csharp_test,
    "go": write_go_test,
    "java": write_java_test,
    "php": write_php_test,
    "python": write_python_test,
    "ruby": write_ruby_test,
    "rust": write_rust_test,
    "script": write_script_test,
}
_OF_WHOLE_PROGRAMS: Final = frozenset({"cypress", "playwright"})
_WRITTEN_AS: Final = {"karma": "jasmine"}  # what only runs tests, and the words that they are written in
_PAGES: Final = (".erb", ".haml", ".slim", ".blade.php", ".html", ".twig", ".cshtml")
_MOST_KNOWN: Final = 10
_MOST_CALLERS: Final = 1_000
_MOST_LEFT_OUT: Final = 20


class Composed(NamedTuple):
    """The template, and what its reader has to know beyond it."""

    template: TestTemplate
    warnings: tuple[str, ...]


def is_testable_language(language: str | None) -> bool:
    """Whether tests can be written in the language."""
    return (family_of(language) or "") in _WRITERS


def compose_test(
    reader: IndexReader, root: Path, target: FileRecord, chosen: Chosen, *, kind: str
) -> Composed:
    """A test of the chosen functions of a file, which are at least one."""
    family = _family(target, target.path)
    placed = place_test(reader, root, target, kind, _known(family))
    family = _family(target, placed.path)
    dialect = _known(family)
    if kind == "unit":
        dialect = dialect._replace(
            framework={
                name: sign for name, sign in dialect.framework.items() if name not in _OF_WHOLE_PROGRAMS
            }
        )
    habits = _habits(reader, root, placed, dialect, target)
    existing = reader.files.at(placed.path)
    here = reader.symbols.of_file(existing.id) if existing is not None else []
    plan = Plan(
        reader,
        family,
        kind,
        target,
        placed.path,
        existing,
        chosen.subjects,
        habits,
        ImportNeeds(reader, root, placed.path, target),
        {each.name for each in here},
        placed.peers,
        placed.implied,
        placed.versions,
    )
    # Qt Test is written unlike the rest: classes, which moc reads.
    is_qt = habits.framework.value == "qttest"
    draft = write_qt_test(plan) if is_qt else _WRITERS[family](plan)
    known = _known_tests(reader, chosen.subjects, existing)
    left = (*chosen.left_out, *(f"{each.symbol.qualname}: {each.reason}" for each in chosen.refused))
    template = TestTemplate(
        test_file=placed.path,
        exists=existing is not None,
        placement=placed.reason,
        functions=tuple(each.symbol.qualname for each in chosen.subjects),
        template=draft.text,
        conventions=_conventions(habits, placed),
        insert_at=draft.insert_at,
        imports=draft.imports or None,
        existing_tests=known[:_MOST_KNOWN] or None,
        existing_test_count=len(known),
        not_written=left[:_MOST_LEFT_OUT] or None,
        example_test=pick_example(habits.samples, root),
    )
    is_built = family in {"c", "cpp"} and existing is None
    listed = say_listed(root, placed.path, placed.peers) if is_built else None
    problems = (f"not imported: {each}" for each in dict.fromkeys(plan.imports.problems))
    return Composed(template, (*filter(None, (placed.problem, listed)), *problems))


def _family(target: FileRecord, path: str) -> str:
    """The language of a file as tests know it: C has tests of its own."""
    if target.language == "cpp":
        return "c" if target.path.endswith(".c") and path.endswith(".c") else "cpp"
    return family_of(target.language) or ""


def _known(family: str) -> Dialect:
    dialect = dialect_of(family)
    assert dialect is not None, family  # every writer has its dialect; a test holds it
    return dialect


def _habits(
    reader: IndexReader, root: Path, placed: Placement, dialect: Dialect, target: FileRecord
) -> Habits:
    """The habits of the tests around; without any, the framework that the project is set up for."""
    habits = learn_habits(reader, root, placed.peers, dialect)
    is_vague = habits.framework.value == "jest" and not any("jest" in each.text for each in habits.samples)
    if habits.samples and not is_vague:
        return habits
    known = {*dialect.framework, *(name for name, own in _WRITTEN_AS.items() if own in dialect.framework)}
    uses = [each for each in frameworks_in(reader, root) if each.framework in known]
    found = runner_at(uses, target.language or "", placed.path)
    if found is None:
        return habits
    shown, seen = found.evidence[0], habits.framework
    reason = f"{shown.file}:{shown.line} {shown.reason}"
    return habits._replace(
        framework=Convention(
            _WRITTEN_AS.get(found.framework, found.framework), seen.count, seen.total, reason
        )
    )


def _conventions(habits: Habits, placed: Placement) -> TestConventions:
    return TestConventions(
        habits.framework, habits.style, habits.naming, habits.mock, habits.assertion, placed.pattern
    )


def _known_tests(
    reader: IndexReader, subjects: Sequence[Subject], existing: FileRecord | None
) -> tuple[KnownTest, ...]:
    """The tests that call a function, then those that only have its name."""
    here = tests_among(reader.symbols.of_file(existing.id)) if existing is not None else ()
    found: dict[tuple[str, int], KnownTest] = {}
    for subject in subjects:
        symbol = subject.symbol
        for near in reader.calls.callers(symbol.id, limit=_MOST_CALLERS):
            test = near.symbol
            if test.role == "test" or "test" in test.modifiers:
                place = f"calls it on line {near.line}"
                found.setdefault(
                    (test.path, test.line),
                    KnownTest(symbol.qualname, test.qualname, test.path, test.line, place),
                )
        words = " ".join(split_words(symbol.name))
        for test in here:
            if words and f" {words} " in f" {' '.join(split_words(test.name))} ":
                row = KnownTest(symbol.qualname, test.qualname, test.path, test.line, "has its name")
                found.setdefault((test.path, test.line), row)
    return tuple(found.values())


def check_language(file: FileRecord) -> None:
    if file.path.endswith(_PAGES):
        raise invalid(
            "targetFile", f"{file.path!r} is a page, whose code runs where it is filled: test what renders it"
        )
    if not is_testable_language(file.language):
        raise invalid("targetFile", f"{file.path!r} is of no language whose tests are known")
    if file.role == "test":
        raise invalid("targetFile", f"{file.path!r} is a test itself; give the file it tests")
    stem = file.path.rpartition("/")[2].partition(".")[0]
    if file.language == "python" and not stem.isidentifier():
        raise invalid("targetFile", f"no import statement can name {file.path!r}, so no test can import it")


def nothing_testable(file: FileRecord, chosen: Chosen, function: str | None) -> DriftError:
    reasons = [f"{one.symbol.qualname} {one.reason}" for one in chosen.refused[:_MOST_REASONS]]
    told = f": {'; '.join(reasons)}" if reasons else ": it has no functions"
    return DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"Nothing in {function or file.path} can be called from a test{told}.",
        Recovery(
            hint="Test it through what calls it: drift_callers names that."
            if reasons
            else "Give a file with functions.",
            alternative_tools=("drift_callers",),
        ),
    )


def summarize_test(found: TestTemplate) -> str:
    framework = found.conventions.framework
    learnt = f"{framework.count} of {framework.total} tests near" if framework.total else "by default"
    does = "add to" if found.exists else "create"
    count = found.existing_test_count
    listed = len(found.existing_tests or ())
    shown = f", {listed} of them listed" if listed < count else ""
    known = (
        f"; {plural(count, 'test')} of it {'exists' if count == 1 else 'exist'} already{shown}"
        if count
        else ""
    )
    what = found.functions[0] if len(found.functions) == 1 else plural(len(found.functions), "function")
    return f"{does} {found.test_file}: {what} with {framework.value} ({learnt}){known}"
