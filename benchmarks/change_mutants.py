"""Files damaged by rule, one damage at a time: how many are found by drift_validate_change, and named rightly.

    python benchmarks/change_mutants.py ROOT ... [--each 8] [--seed 1] [--show] [--only await]

ROOT are scanned projects. From each, for each kind of damage, places are drawn that can be damaged so: a name whose
casing the project decides, a handler, a call of a wrapper, a guard of a route, a call, a call's arguments, an import
against the layers, an await, the assertions of a test. The change is the file with that damage against the file as it is.
Found: a new finding at the damaged place (or about it) of the rule that the damage breaks.
"""

import argparse
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from drift.conventions.picture import Picture, look
from drift.guards.constraints.miners.routes import fitting_guards
from drift.guards.constraints.miners.settings import parameters
from drift.guards.constraints.route_guards import last_part
from drift.guards.constraints.verifying import wanted
from drift.guards.overlay import OverlaidFile, Overlay, overlaid
from drift.guards.text_checks import Subject
from drift.guards.validation import Change, judge
from drift.index import IndexReader
from drift.index.path_text import text_to_path
from drift.languages.facts import CallTrait
from drift.project import Project, open_project

MOST_FILES = 120
ENDINGS = {"python": ".py", "typescript": ".ts", "java": ".java"}
LIBRARY_CALL = re.compile(r"(?!builtins\.)[a-z]\w*(?:\.[a-z]\w*){1,4}")
RULES = {
    "casing": ("conventions/deviation", "constraint/naming"),
    "swallowed": ("errors/swallowed", "conventions/deviation"),
    "wrapper": (
        "wrappers/bypassed",
        "constraint/must-wrap",
        "constraint/must-not-have",
        "conventions/deviation",
        "constraint/must-separate",
    ),
    "guard": (
        "security/guard-removed",
        "constraint/must-have",
        "security/unguarded-route",
        "conventions/deviation",
        "constraint/must-precede",
    ),
    "unknown": ("names/unknown", "contracts/removed"),
    "arity": ("calls/arguments",),
    "layers": ("constraint/must-separate",),
    "await": ("async/not-awaited",),
    "assertion": ("testing/no-assertion",),
}


class Place(NamedTuple):
    path: str
    line: int
    before: str
    after: str


class Scene(NamedTuple):
    reader: IndexReader
    project: Project
    picture: Picture
    overlay: Overlay
    file: OverlaidFile
    text: str

    def changed(self, line: int, old: str, new: str) -> Place | None:
        lines = self.text.split("\n")
        if not old or lines[line - 1].count(old) != 1:
            return None
        after = "\n".join([*lines[: line - 1], lines[line - 1].replace(old, new), *lines[line:]])
        return Place(self.file.path, line, self.text, after)


def other_casing(name: str) -> str:
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]{1,40}|[A-Z]{1,20}(?![a-z])", name)]
    if "_" in name.strip("_"):
        return words[0] + "".join(word.capitalize() for word in words[1:])
    return "_".join(words)


def casing(scene: Scene) -> Iterator[Place]:
    """Names of functions whose casing a convention of the place decides, and that follow it."""
    sites = Subject(scene.project.root, scene.overlay, scene.file, scene.project, scene.picture).sites
    decided = {
        each.site.line
        for each in (sites.sites if sites is not None else ())
        if each.convention is not None
        and {"casing", "naming", "names"}.intersection(re.split(r"[-/]", each.convention.dimension.id))
        and each.follows
    }
    for number, symbol in enumerate(scene.file.facts.symbols):
        words = re.findall(r"[A-Z]?[a-z]{1,40}", symbol.name)
        is_plain = (
            number
            and symbol.kind in {"function", "method"}
            and len(words) > 1
            and not symbol.name.startswith("_")
        )
        if is_plain and symbol.line in decided:
            place = scene.changed(symbol.line, symbol.name, other_casing(symbol.name))
            if place is not None:
                yield place


def swallowed(scene: Scene) -> Iterator[Place]:
    lines = scene.text.split("\n")
    for one in scene.file.facts.handlings:
        if one.kind != "catch" or one.is_empty or one.end_line <= one.line:
            continue
        head = lines[one.line - 1]
        if scene.file.facts.language == "python":
            indent = re.match(r"\s*", head)
            body = [(indent[0] if indent else "") + "    pass"]
            kept = lines[one.end_line :]
        elif head.rstrip().endswith("{") and lines[one.end_line - 1].strip().startswith("}"):
            body, kept = [], lines[one.end_line - 1 :]
        else:
            continue
        yield Place(scene.file.path, one.line, scene.text, "\n".join([*lines[: one.line], *body, *kept]))


def unknown(scene: Scene) -> Iterator[Place]:
    for one in scene.file.calls():
        callee = one.call.callee
        if (
            not one.link.targets
            or one.link.reason in {"unique-name", "decorator", "constructor"}
            or one.call.kind != "call"
        ):
            continue
        name = callee[-1] if callee is not None and callee[0] in {"name", "member"} else None
        if isinstance(name, str) and len(name) > 3:
            place = scene.changed(one.call.line, f"{name}(", f"{name}{'_all' if '_' in name else 'All'}(")
            if place is not None:
                yield place


def arity(scene: Scene) -> Iterator[Place]:
    for one in scene.file.calls():
        if (
            one.link.outcome != "resolved"
            or one.call.kind != "call"
            or one.link.reason not in {"scope", "import", "self", "package", "annotation"}
        ):
            continue
        callee = one.call.callee
        name = callee[-1] if callee is not None and callee[0] in {"name", "member"} else None
        symbol = scene.overlay.symbol(one.link.targets[0].place)
        if (
            not isinstance(name, str)
            or symbol.name != name
            or scene.file.facts.language in {"javascript", "php"}
        ):
            continue
        if any(each.kind in {"rest", "keywords"} for each in symbol.parameters) or symbol.decorators:
            continue
        extra = "1, 2, 3, 4, 5, 6, 7" + (", " if one.call.arguments else "")
        place = scene.changed(one.call.line, f"{name}(", f"{name}({extra}")
        if place is not None and len(scene.overlay.symbol(one.link.targets[0].place).parameters) < 7:
            yield place


def awaiting(scene: Scene) -> Iterator[Place]:
    """Awaits of asynchronous functions of the project, but for those whose result is handed on: that is no damage."""
    for one in scene.file.calls():
        if not one.traits & CallTrait.AWAITED or one.traits & CallTrait.RETURNED or not one.link.targets:
            continue
        called = scene.overlay.symbol(one.link.targets[0].place)
        if "async" in called.modifiers:
            place = scene.changed(one.call.line, f"await {one.call.text}(", f"{one.call.text}(")
            if place is not None:
                yield place


def assertion(scene: Scene) -> Iterator[Place]:
    lines = scene.text.split("\n")
    for entry in scene.file.facts.entry_points:
        symbol = scene.file.facts.symbols[entry.symbol]
        if entry.kind != "test" or entry.handler is not None or symbol.kind not in {"function", "method"}:
            continue
        body = lines[symbol.line - 1 : symbol.end_line]
        kept = [
            line
            for line in body
            if not re.search(
                r"assert|expect|raises|should|verify|require|check|\.fail|\.Error|\.Fatal",
                line,
                re.IGNORECASE,
            )
        ]
        if (
            len(kept) == len(body)
            or not kept
            or kept[0] != body[0]
            or any(line.rstrip().endswith((",", "(")) for line in kept[1:])
        ):
            continue
        if scene.file.facts.language == "python":
            kept.append(re.match(r"\s*", body[0])[0] + "    pass")  # type: ignore[index] # it fits every text
        yield Place(
            scene.file.path,
            symbol.line,
            scene.text,
            "\n".join([*lines[: symbol.line - 1], *kept, *lines[symbol.end_line :]]),
        )


def layers(scene: Scene) -> Iterator[Place]:
    language = scene.file.facts.language
    ending = ENDINGS.get(language)
    if ending is None or scene.file.draft.rows.file.role != "source":
        return
    found = wanted(scene.reader, scene.project, statuses=("discovered",))
    for constraint in found:
        if constraint.type != "must_separate" or not constraint.where.covers(scene.file.path, language):
            continue
        for folder in constraint.predicate.get("never"):
            target = next(
                (
                    one.path
                    for one in scene.reader.files.stamps()
                    if one.path.startswith(folder.removesuffix("**"))
                    and one.path.endswith(ending)
                    and "__init__" not in one.path
                    and one.role == "source"
                ),
                None,
            )
            if target is not None:
                line = _import_of(scene, target, language)
                yield Place(scene.file.path, 1, scene.text, _with_import(scene.text, line))


def _import_of(scene: Scene, target: str, language: str) -> str:
    """The statement that imports a file."""
    if language == "python":
        return f"import {target.removesuffix('.py').removeprefix('src/').replace('/', '.')}"
    if language == "typescript":
        way = os.path.relpath(target, Path(scene.file.path).parent).rpartition(".")[0]
        return f"import * as damage from '{way if way.startswith('.') else f'./{way}'}'"
    text = (scene.project.root / text_to_path(target)).read_text("utf-8", "replace")
    package = re.search(r"^package ([\w.]{1,200});", text, re.MULTILINE)
    name = target.rpartition("/")[2].partition(".")[0]
    return f"import {package[1]}.{name};" if package else f"import {name};"


def _with_import(text: str, line: str) -> str:
    lines = text.split("\n")
    at = next(
        (
            number
            for number, one in enumerate(lines)
            if one.startswith(("import ", "from ")) and "__future__" not in one
        ),
        0,
    )
    return "\n".join([*lines[:at], line, *lines[at:]])


def wrapper(scene: Scene) -> Iterator[Place]:
    """Calls of a function of another file, replaced by what that function calls of a library."""
    if scene.file.facts.language != "python" or scene.file.draft.rows.file.role != "source":
        return
    for one in scene.file.calls():
        if one.link.outcome != "resolved" or one.call.kind != "call" or not one.call.scope:
            continue
        place = one.link.targets[0].place
        symbol = scene.overlay.symbol_id(place)
        if place.path == scene.file.path or symbol is None:
            continue
        outside = [each.external_name or "" for each in scene.reader.calls.calls_of(symbol)]
        direct = next((each for each in outside if LIBRARY_CALL.fullmatch(each)), None)
        changed = scene.changed(one.call.line, f"{one.call.text}(", f"{direct}(") if direct else None
        if changed is not None and direct is not None:
            module = direct.rpartition(".")[0]
            yield changed._replace(after=_with_import(changed.after, f"import {module}"))


def guard(scene: Scene) -> Iterator[Place]:
    """Decorators and attributes that are the one check of who asks before a function or class."""
    lines = scene.text.split("\n")
    kind = next(each for each in parameters("routes")["kinds"] if each["kind"] == "auth")
    for symbol in scene.file.facts.symbols:
        found = [one for one in symbol.decorators if fitting_guards((last_part(one.name),), kind)]
        if len(found) != 1:
            continue
        number = found[0].line
        line = lines[number - 1].strip()
        if line.startswith(("@", "[")) and line.endswith((")", "]", found[0].name)):
            yield Place(
                scene.file.path, number, scene.text, "\n".join([*lines[: number - 1], *lines[number:]])
            )


DAMAGES: dict[str, Callable[[Scene], Iterator[Place]]] = {
    "casing": casing, "swallowed": swallowed, "wrapper": wrapper, "guard": guard, "unknown": unknown,
    "arity": arity, "layers": layers, "await": awaiting, "assertion": assertion,
}  # fmt: skip


def draw(
    reader: IndexReader, project: Project, picture: Picture, dice: random.Random, names: Sequence[str]
) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {name: [] for name in DAMAGES if name in names}
    stamps = [
        one
        for one in reader.files.stamps()
        if one.language and one.status == "ok" and one.role in {"source", "test"}
    ]
    dice.shuffle(stamps)
    for stamp in stamps[:MOST_FILES]:
        path = text_to_path(stamp.path)
        text = (project.root / path).read_text(encoding="utf-8", errors="replace")
        with overlaid(project.root, reader, {path: text}) as overlay:
            scene = Scene(reader, project, picture, overlay, overlay.files[path], text)
            for name, places in found.items():
                places.extend(DAMAGES[name](scene))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--each", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", nargs="+", choices=sorted(DAMAGES), default=sorted(DAMAGES))
    asked = parser.parse_args()
    dice = random.Random(asked.seed)
    tried: Counter[str] = Counter()
    named: Counter[str] = Counter()
    noise = 0
    for root in asked.roots:
        project = open_project(root.absolute(), os.environ)
        with IndexReader(project.state.index_db) as reader:
            picture = look(reader, project, datetime.now(UTC).date())
            for name, places in draw(reader, project, picture, dice, asked.only).items():
                for place in dice.sample(places, min(asked.each, len(places))):
                    judged = judge(reader, project, picture, Change(place.path, place.before, place.after))
                    rules = {one.rule for one in judged.findings}
                    is_named = not rules.isdisjoint(RULES[name])
                    tried[name] += 1
                    named[name] += is_named
                    noise += len(judged.findings) - is_named
                    if asked.show and not is_named:
                        print(f"  missed {name} {root.name}/{place.path}:{place.line} {sorted(rules)}")
                        sys.stdout.flush()
    for name in DAMAGES:
        print(f"{name:10} {named[name]}/{tried[name]}")
    print(f"{'all':10} {sum(named.values())}/{sum(tried.values())}; other findings beside: {noise}")


if __name__ == "__main__":
    main()
