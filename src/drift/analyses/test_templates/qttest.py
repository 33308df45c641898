"""Tests with Qt Test: a class whose private slots are the tests, with the main function that the project gives each."""

import re
from typing import Final, NamedTuple

from drift.analyses.import_forms import PlainImport
from drift.analyses.test_templates.cpp import arranged_call, checked, import_subjects, thrown
from drift.analyses.test_templates.habits import majority
from drift.analyses.test_templates.naming import class_name, learn_naming
from drift.analyses.test_templates.sheet import Draft, Plan, indent
from drift.analyses.test_templates.subjects import Subject, Thrown
from drift.index.ids import file_of_symbol

_MAIN: Final = re.compile(r"^(?=[A-Z_]{0,40}MAIN)([A-Z_]++)\(\s*+(?:\w++::)*+(\w++)\s*+\)(;?)", re.MULTILINE)
_SLOT: Final = re.compile(r"^void\s+(?:\w+::)*(\w+)::(\w+)\(\)", re.MULTILINE)
_OWN_MAIN: Final = "QTEST_MAIN"
_FRAMES: Final = frozenset({"initTestCase", "cleanupTestCase", "init", "cleanup"})
_NOT_OF_QT: Final = re.compile(r"^QTEST_")


class _Hand(NamedTuple):
    """How the tests around are written."""

    step: str
    main: str
    end: str


def write_qt_test(plan: Plan) -> Draft:
    """A class of slots with its main function, or the slots to add to one."""
    texts = [sample.text for sample in plan.habits.samples]
    names = [name for text in texts for _owner, name in _SLOT.findall(text) if name not in _FRAMES]
    plan = plan._replace(habits=plan.habits._replace(naming=learn_naming(names)))
    plan.taken.update(names if plan.existing is not None else ())
    hand = _hand(texts)
    title = _title(plan)
    tests = [_slot(plan, subject, error) for subject in plan.subjects for error in (None, *subject.errors)]
    import_subjects(plan)
    bodies = [
        "\n".join([f"void {title}::{name}()", "{", *indent(lines, hand.step), "}"]) for name, lines in tests
    ]
    slots = [f"void {name}();" for name, _lines in tests]
    if plan.existing is not None:
        return _added(plan, bodies, slots)
    plan.imports.add_form(PlainImport("#include <QtTest>"), "QtTest")
    _import_main(plan, hand.main)
    head = "\n".join(sorted(plan.imports.statements(), key=lambda each: "<" not in each))
    declared = "\n".join(
        [
            f"class {title} : public QObject",
            "{",
            "Q_OBJECT",
            "",
            "private slots:",
            *indent(slots, hand.step),
            "};",
        ]
    )
    ending = f'{hand.main}({title}){hand.end}\n\n#include "{_stem(plan)}.moc"'
    return Draft("\n\n".join([head, declared, *bodies, ending]) + "\n")


def _added(plan: Plan, bodies: list[str], slots: list[str]) -> Draft:
    """The definitions, and where their declarations go."""
    assert plan.existing is not None  # asked by the caller
    header = f"{plan.test_path.rpartition('.')[0]}.h"
    home = header if plan.reader.files.at(header) is not None else plan.test_path
    place = f"before the {_OWN_MAIN} or its like; declare under `private slots:` of {home}: {' '.join(slots)}"
    around = plan.imports.around
    have = {f"#include {each.module}" for each in (around.own if around else ())}
    file = plan.reader.files.at(header)
    have |= {f"#include {each.module}" for each in plan.reader.facts.imports_of(file.id)} if file else set()
    missing = tuple(each for each in plan.imports.statements() if each not in have)
    return Draft("\n\n".join(bodies) + "\n", place, missing)


def _hand(texts: list[str]) -> _Hand:
    tabs = sum(text.count("\n\t") for text in texts)
    spaces = sum(text.count("\n    ") for text in texts)
    said = [found.group(1, 3) for text in texts for found in _MAIN.finditer(text)]
    main = majority(name for name, _end in said) or _OWN_MAIN
    end = majority(end for name, end in said if name == main) or ""
    return _Hand("\t" if tabs > spaces else "    ", main, end)


def _import_main(plan: Plan, main: str) -> None:
    """Include the file that defines the project's own macro."""
    if _NOT_OF_QT.match(main):
        return
    found = next((one for one in plan.reader.symbols.named(main) if one.kind == "macro"), None)
    if found is not None and file_of_symbol(found.id) is not None:
        plan.imports.add_symbol(found)


def _title(plan: Plan) -> str:
    """The class of the tests: that of the file there is, or one after the name of the file."""
    if plan.existing is not None:
        text = next((each.text for each in plan.habits.samples if each.path == plan.test_path), "")
        found = majority(owner for owner, _name in _SLOT.findall(text))
        if found is not None:
            return found
    return class_name(plan.test_path)


def _stem(plan: Plan) -> str:
    return plan.test_path.rpartition("/")[2].rpartition(".")[0]


def _slot(plan: Plan, subject: Subject, error: Thrown | None) -> tuple[str, list[str]]:
    case = f"throws {error.name.rpartition(':')[2]}" if error is not None else ""
    name = plan.name(subject, case, fallback="test: camel", lead="test")
    lines, call = arranged_call(plan, subject)
    lines += [""] if lines else []
    return name, [*lines, *(thrown(plan, subject, error, call) if error else checked(plan, subject, call))]
