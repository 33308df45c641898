"""`drift instructions sync`: the files agents read, generated from the catalog or taken into it."""

import argparse
import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.catalog.agent_files import (
    AGENT_FILES,
    CURSOR_RULES,
    SOURCE_TAG,
    AgentFile,
    generate,
    is_edited,
    read_entries,
)
from drift.catalog.path_tags import globs_of
from drift.cli.commands.instructions_action import Action
from drift.cli.commands.instructions_store import at_desk, say, user_name
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.parser import UsageError
from drift.conventions.approved import approved_rules
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import write_atomically
from drift.kernel.paths import is_inside
from drift.kernel.reading import read_beginning
from drift.kernel.text import plural
from drift.project import StateDir

if TYPE_CHECKING:
    from drift.catalog import Catalog, Instruction

_MOST_BYTES: Final = 2_000_000
_MOST_RULES: Final = 200
_EDITED: Final = "the generated part was changed by hand"
_NOTHING_DONE: Final = "nothing was written; --apply does it"


class FileChange(NamedTuple):
    """A file as it is, None without one, and as it would be."""

    path: str
    place: Path
    before: str | None
    after: str

    @property
    def is_change(self) -> bool:
        return self.after != (self.before or "")


def configure_sync(parser: argparse.ArgumentParser) -> None:
    names = [each.name for each in AGENT_FILES]
    parser.add_argument(
        "--target",
        action="append",
        choices=names,
        help="a client's file, made if need be; may be repeated; without it those that are there, else AGENTS.md",
    )
    parser.add_argument(
        "--import", dest="takes", action="store_true", help="take what people wrote into the catalog"
    )
    parser.add_argument(
        "--prune",
        action="store_true",
        help="with --import: also remove instructions whose section is gone from its file",
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="also replace a generated part that was changed by hand"
    )
    parser.add_argument("--apply", action="store_true", help="do it; without this the difference is shown")


def run_sync(arguments: argparse.Namespace, console: Console) -> Exit:
    """Show what would change in the files, or in the catalog with --import; --apply does it."""
    if arguments.prune and not arguments.takes:
        raise UsageError("--prune belongs to --import", Recovery(hint="See: drift instructions sync --help"))
    with at_desk(console, writes=arguments.apply) as (root, catalog):
        if arguments.takes:
            return _take(catalog, root, arguments, console)
        everything = catalog.export()
        # The files are read as orders: what nobody here has read does not get into them.
        own = tuple(each for each in everything if catalog.provenance.is_local(each))
        changes = plan_files(root, own, _targets(root, arguments.target), approved_rules(StateDir(root)))
    wanted = [change for change in changes if change.is_change]
    edited = tuple(each.path for each in wanted if each.before and is_edited(each.before))
    if arguments.apply:
        _refuse_edited(() if arguments.overwrite else edited)
        for change in wanted:
            _write(change)
    waiting = len(everything) - len(own)
    _say_changes(wanted, edited, arguments, console, notes=_left_out(waiting))
    return Exit.OK


def _left_out(waiting: int) -> tuple[str, ...]:
    if not waiting:
        return ()
    count = plural(waiting, "instruction")
    return (
        f"{count} came with the repository and not approved here: left out; see `drift instructions accept`",
    )


def _refuse_edited(paths: tuple[str, ...]) -> None:
    if paths:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"{', '.join(paths)}: {_EDITED}; nothing was written",
            Recovery(
                hint="Move what you wrote out of the part, behind its end marker, or into the catalog "
                "(drift instructions add). --overwrite throws it away.",
                command="drift instructions sync",
                details={"files": list(paths)},
            ),
        )


def plan_files(
    root: Path,
    instructions: "tuple[Instruction, ...]",
    targets: tuple[AgentFile, ...],
    conventions: Sequence[str] = (),
) -> list[FileChange]:
    """Each file as it would be; one that several names lead to stands there once."""
    changes: dict[Path, FileChange] = {}
    for target in targets:
        place = _inside(root, target.path)
        if place in changes:
            continue
        before = _read(root, target.path)
        start = target.head if before is None else before
        after = generate(start, instructions, path=target.path, conventions=conventions)
        # A file is not made for nothing but its head.
        unchanged = before is None and after == target.head
        changes[place] = FileChange(target.path, place, before, "" if unchanged else after)
    return list(changes.values())


def _targets(root: Path, names: list[str] | None) -> tuple[AgentFile, ...]:
    if names:
        return tuple(each for each in AGENT_FILES if each.name in names)
    present = tuple(each for each in AGENT_FILES if (root / each.path).exists())
    return present or AGENT_FILES[:1]


def _take(catalog: "Catalog", root: Path, arguments: argparse.Namespace, console: Console) -> Exit:
    """Take sections of the files as instructions; those that say the same as before are left alone."""
    written = dict(_written(root, arguments.target))
    entries = [entry for path, text in written.items() for entry in read_entries(text, path=path)]
    new, changed = [], []
    for entry in entries:
        known = catalog.get(entry["id"])
        if known is None:
            new.append(entry)
        elif (known.body, known.title) != (entry["body"], entry["title"]) or _binds_anew(known, entry):
            changed.append(entry)
    wanted = [each for each in AGENT_FILES if not arguments.target or each.name in arguments.target]
    lost = {*written, *_lost_paths(catalog, root, wanted)}
    ids = {entry["id"] for entry in entries}
    gone = [each for each in catalog.export() if each.id not in ids and lost & _sources(each)]
    data: dict[str, Any] = {
        "new": [each["id"] for each in new],
        "changed": [each["id"] for each in changed],
        "gone": [each.id for each in gone],
    }
    summary = f"{plural(len(entries), 'section')}: {len(new)} new, {len(changed)} changed"
    if gone:
        removal = "removed" if arguments.apply else "to be removed"
        fate = removal if arguments.prune else "kept in the catalog (--prune removes them)"
        summary += f", {len(gone)} gone from their files and {fate}"
    if not arguments.apply:
        if not arguments.json:
            _say_entries(catalog, [*new, *changed], console)
            _say_removals(gone if arguments.prune else [], console)
        say(f"{summary}; {_NOTHING_DONE}", data, console, as_json=arguments.json)
        return Exit.OK
    actor = user_name(console)
    whole = [*new, *(_joined(catalog.get(entry["id"]), entry) for entry in changed)]
    done = catalog.import_entries(whole, mode="overwrite", validate=False, actor=actor)
    if arguments.prune and gone:
        catalog.remove(data["gone"], confirm=True, actor=actor)
    say(summary, {**data, "errors": list(done.errors)}, console, as_json=arguments.json)
    return Exit.FAILED if done.errors else Exit.OK


def _binds_anew(known: "Instruction", entry: dict[str, Any]) -> bool:
    """Whether a rule names other files than before; other sections name none, and keep what the catalog says."""
    is_rule = any(tag.startswith(f"{SOURCE_TAG}{CURSOR_RULES}/") for tag in entry["tags"])
    return is_rule and set(globs_of(known.tags)) != set(globs_of(entry["tags"]))


def _joined(known: "Instruction | None", entry: dict[str, Any]) -> dict[str, Any]:
    """The entry over the instruction there is; a rule's files take the place of those it had."""
    if known is None:
        return entry
    from drift.catalog.drafts import merge  # brings SQLite, which help does without

    whole = merge(known, entry)
    if _binds_anew(known, entry):
        whole["tags"] = [tag for tag in whole["tags"] if tag in entry["tags"] or not globs_of([tag])]
    return whole


def _sources(instruction: "Instruction") -> set[str]:
    return {tag.removeprefix(SOURCE_TAG) for tag in instruction.tags if tag.startswith(SOURCE_TAG)}


def _lost_paths(catalog: "Catalog", root: Path, wanted: list[AgentFile]) -> set[str]:
    """Files that instructions came from and that are gone, of those that are wanted."""
    places = tuple(f"{CURSOR_RULES}/" if each.path.startswith(CURSOR_RULES) else each.path for each in wanted)
    sources = {path for each in catalog.export() for path in _sources(each) if path.startswith(places)}
    return {path for path in sources if not (root / path).exists()}


def _written(root: Path, names: list[str] | None) -> Iterator[tuple[str, str]]:
    """The files people wrote, with their texts, each once."""
    seen: set[Path] = set()
    for path in _written_paths(root, names):
        place = _inside(root, path)
        text = _read(root, path)
        if text is not None and place not in seen:
            seen.add(place)
            yield path, text


def _written_paths(root: Path, names: list[str] | None) -> Iterator[str]:
    wanted = [each for each in AGENT_FILES if not names or each.name in names]
    yield from (each.path for each in wanted if not each.path.startswith(CURSOR_RULES))
    if any(each.path.startswith(CURSOR_RULES) for each in wanted):
        folder = _inside(root, CURSOR_RULES)
        found = sorted(each.name for each in folder.glob("*.md*")) if folder.is_dir() else []
        generated = {each.path for each in AGENT_FILES}
        paths = (f"{CURSOR_RULES}/{name}" for name in found[:_MOST_RULES] if name.endswith((".md", ".mdc")))
        yield from (path for path in paths if path not in generated)


def _inside(root: Path, path: str) -> Path:
    """The real place of a path, so that a link is written through and not replaced."""
    place = root / path
    if not is_inside(root, place):
        raise DriftError(ErrorCode.PATH_OUTSIDE_PROJECT, f"{path} is a link that leads out of the project")
    return place.resolve()


def _read(root: Path, path: str) -> str | None:
    try:
        content = read_beginning(root, path, _MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DriftError(ErrorCode.FILE_NOT_FOUND, f"{path} cannot be read: {error.strerror}") from error
    if len(content) > _MOST_BYTES:
        raise DriftError(ErrorCode.TOO_LARGE, f"{path} has more than {_MOST_BYTES:,} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise DriftError(ErrorCode.INVALID_ARGUMENT, f"{path} is not UTF-8; nothing was written") from None


def _write(change: FileChange) -> None:
    try:
        change.place.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(change.place, change.after.encode())
    except OSError as error:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE, f"{change.path} cannot be written: {error.strerror}"
        ) from error


def _say_changes(
    changes: list[FileChange],
    edited: tuple[str, ...],
    arguments: argparse.Namespace,
    console: Console,
    *,
    notes: tuple[str, ...],
) -> None:
    summary = f"{plural(len(changes), 'file')} {'written' if arguments.apply else 'would change'}"
    if not changes:
        summary = "every file is as the catalog and the approved conventions say"
    elif not arguments.apply:
        summary = f"{summary}; {_NOTHING_DONE}"
    fate = "was replaced" if arguments.apply else "--apply refuses to replace it without --overwrite"
    notes = (*notes, *(f"{path}: {_EDITED}; {fate}" for path in edited))
    if arguments.json:
        rows = [
            {"path": each.path, "diff": "".join(_diff(each.path, each.before, each.after))}
            for each in changes
        ]
        data = {"files": rows, "applied": arguments.apply}
        say(summary, data, console, as_json=True, warnings=notes)
        return
    for each in changes:
        _say_diff(each.path, each.before, each.after, console)
    say(summary, {}, console, as_json=False, warnings=notes)


def _say_removals(gone: "list[Instruction]", console: Console) -> None:
    for each in gone:
        _say_diff(each.id, each.body + "\n", "", console)


def _say_entries(catalog: "Catalog", entries: list[dict[str, Any]], console: Console) -> None:
    for entry in entries:
        known = catalog.get(entry["id"])
        before = _shown(known.body, known.tags) if known else None
        _say_diff(entry["id"], before, _shown(entry["body"], entry["tags"]), console)


def _shown(body: str, tags: Iterable[str]) -> str:
    """A body below the files it is for."""
    return "".join(f"for {glob}\n" for glob in globs_of(tags)) + body + "\n"


def _say_diff(name: str, before: str | None, after: str, console: Console) -> None:
    inks = {"+": Ink.GREEN, "-": Ink.RED, "@": Ink.CYAN}
    for line in _diff(name, before, after):
        text = "".join(
            char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in line[:-1]
        )
        ink = inks.get(line[:1])
        console.say(console.paint(text, ink) if ink else text)


def _diff(name: str, before: str | None, after: str) -> Iterator[str]:
    old, new = (before or "").splitlines(), after.splitlines()
    source = "/dev/null" if before is None else name
    return (f"{line}\n" for line in difflib.unified_diff(old, new, source, name, lineterm=""))


ACTIONS: Final[Mapping[str, Action]] = {
    "sync": Action(configure_sync, run_sync),
}
