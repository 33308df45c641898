"""What a project asks of whoever does a task: the instructions in force that its files and words bring up.

An instruction joins by its files (tags `path:GLOB`, which also bound it, or paths its text names), by words it shares
with the task, or by a category that is one of the task's words, its intent or a folder. What is mandatory comes first;
of what binds everybody and names no file, two at most follow. Telling one is not counted as a use of it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from drift.analyses.file_globs import PathGlob
from drift.catalog import Catalog, Filters, Instruction
from drift.catalog.path_tags import globs_of
from drift.catalog.queries import Wanted
from drift.catalog.times import format_time
from drift.context.answers import Remark
from drift.context.focus import stems_in
from drift.kernel.errors import DriftError
from drift.kernel.text import plural, shorten
from drift.kernel.words import stem

_MOST_SEARCHED: Final = 40
_MOST_BINDING: Final = 20
_MOST_GENERAL: Final = 2
_MOST_FILES: Final = 5
_MOST_PATHS: Final = 50
_MOST_SHOWN_PROBLEMS: Final = 2
_FEWEST_WORDS: Final = 2
_READ_CHARACTERS: Final = 10_000  # of a body; what it is about stands further up
_LINE_CHARACTERS: Final = 160
_BINDING: Final = ("mandatory", "critical")
_REQUIREMENTS: Final = ("mandatory", "critical", "recommended", "optional")
# Categories that people give to instructions for one kind of task.
_OF_INTENT: Final[Mapping[str, tuple[str, ...]]] = {
    "add_test": ("test", "tests", "testing"),
    "security_audit": ("security",),
    "refactor": ("refactoring", "refactor"),
    "review_pr": ("review", "reviews", "code-review"),
}
_WORD: Final = re.compile(r"\w{2,}")
_PATH: Final = re.compile(r"(?<![\w/.*@:-])(?:\./)?[\w@.*?+-]+(?:/[\w@.*?+-]+)*/?")
_FILE_NAME: Final = re.compile(r"[\w@.*?+-]*\.[A-Za-z]\w{0,5}")
_LONGEST_PATH: Final = 200


class Instructions(NamedTuple):
    """A project's catalog, and whether the caller is told of what is restricted.

    `shared` holds for all repositories of a fleet, and is only read.
    """

    catalog: Catalog | None
    includes_restricted: bool = True
    shared: Catalog | None = None


class Task(NamedTuple):
    """What instructions are chosen by: the stems of the task's words, its intent, its files and the project's name."""

    terms: frozenset[str]
    intent: str
    files: tuple[str, ...]
    project_name: str


class Chosen(NamedTuple):
    """A line for each instruction, the most binding first, and what a reader must know of the others."""

    remarks: tuple[Remark, ...] = ()
    warnings: tuple[str, ...] = ()


class _Ground(IntEnum):
    """Why an instruction joins, the strongest reason first."""

    FILE = 0
    WORDS = 1
    CATEGORY = 2
    GENERAL = 3


class _Fit(NamedTuple):
    instruction: Instruction
    ground: _Ground
    words: int
    file: str | None = None

    @property
    def rank(self) -> tuple[bool, int, int, int, int, str]:
        found = self.instruction
        needed = _REQUIREMENTS.index(found.requirement)
        is_general = self.ground is _Ground.GENERAL
        return is_general, needed, self.ground, found.priority, -self.words, found.id


def choose_instructions(source: Instructions, task: Task, *, most: int) -> Chosen:
    """The instructions for a task, the project's own first, at most so many."""
    own = _choose(source, source.catalog, task, most=most, command="instructions_dispatch get")
    shared = _choose(source, source.shared, task, most=most, command="drift_fleet instructions")
    # What holds for all keeps up to half of the room, however much the project itself has to say.
    room = most - min(len(shared.remarks), most // 2)
    return Chosen((*own.remarks[:room], *shared.remarks)[:most], (*own.warnings, *shared.warnings))


def _choose(source: Instructions, catalog: Catalog | None, task: Task, *, most: int, command: str) -> Chosen:
    """Those of one catalog; one warning for all files that are broken."""
    if catalog is None:
        return Chosen()
    try:
        found = [(each, catalog.provenance.is_local(each)) for each in _find_candidates(catalog, task)]
        # Apart: what came with the repository must not take the place of what holds here.
        candidates = _in_force(source, catalog, task, [each for each, is_local in found if is_local])
        foreign = _in_force(source, catalog, task, [each for each, is_local in found if not is_local])
        problems = catalog.problems()
        now = format_time(catalog.now())
    except DriftError as error:
        # The context of a task is worth having without them.
        return Chosen(warnings=(f"The instructions were not read: {error.message}",))
    fits = sorted(_fits(candidates, task), key=lambda each: each.rank)
    general = [each for each in fits if each.ground is _Ground.GENERAL]
    told = [each for each in fits if each not in general[_MOST_GENERAL:]][:most]
    remarks = tuple(
        Remark(
            each.instruction.id,
            _line(each, is_overdue=each.instruction.is_overdue(now)),
            f"{command} {each.instruction.id}",
        )
        for each in told
    )
    warnings = _say_waiting(len(list(_fits(foreign, task))))
    if not problems:
        return Chosen(remarks, warnings)
    shown = "; ".join(
        f"{each.name}{f' line {each.line}' if each.line else ''}: {shorten(each.reason, 100)}"
        for each in problems[:_MOST_SHOWN_PROBLEMS]
    )
    warning = f"{plural(len(problems), 'instruction file')} left out as broken: {shown}"
    return Chosen(remarks, (*warnings, warning))


def _say_waiting(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    said = f"{plural(count, 'instruction')} for this came with the repository, not approved here"
    return (f"{said}: left out until a person runs `drift instructions accept`",)


def _find_candidates(catalog: Catalog, task: Task) -> Iterable[Instruction]:
    """What may fit, from searches whose cost does not grow with the catalog's size."""
    folders = {part.lower() for path in task.files[:_MOST_FILES] for part in path.split("/")[:-1]}
    categories = sorted({*_OF_INTENT.get(task.intent, ()), *task.terms, *folders})
    path_words = dict.fromkeys(word for path in task.files[:_MOST_FILES] for word in _WORD.findall(path))
    texts = [" ".join(sorted(words)) for words in (task.terms, path_words)]
    filters = (Filters(categories=categories), Filters(requirements=_BINDING))
    found: dict[str, Instruction] = {}
    is_cut = False
    for text in texts:
        hits = catalog.search(text, limit=_MOST_SEARCHED, takes_any=True).hits
        found |= {each.instruction.id: each.instruction for each in hits}
        is_cut |= len(hits) == _MOST_SEARCHED
    for each in filters:
        page = catalog.query(each, limit=_MOST_BINDING)
        found |= {each.id: each for each in page.items}
        is_cut |= len(page.items) == _MOST_BINDING
    if is_cut and not all(map(catalog.provenance.is_local, found.values())):
        # Whatever number of files a repository brings along, it must not crowd out what holds here.
        found |= {each.id: each for each in catalog.find_local(Wanted(texts, filters, _MOST_SEARCHED))}
    return found.values()


def _in_force(
    source: Instructions, catalog: Catalog, task: Task, found: Iterable[Instruction]
) -> list[Instruction]:
    """Those that hold, for whoever works here: for all, or for this workspace. Who the caller is, is not known."""
    workspaces = {catalog.settings.workspace_id, task.project_name}
    held = [each for each in found if not each.is_deprecated and each.deprecated_by is None]
    replaced = {each.supersedes for each in held}
    return [
        each
        for each in held
        if each.id not in replaced
        and each.user_id is None
        and not each.team_ids
        and (each.audience == "all" if each.workspace_id is None else each.workspace_id in workspaces)
        and (source.includes_restricted or each.classification != "restricted")
    ]


def _fits(candidates: Sequence[Instruction], task: Task) -> Iterator[_Fit]:
    shared = {each.id: task.terms & stems_in(_text_of(each)).keys() for each in candidates}
    # One word of several is chance.
    fewest = min(_FEWEST_WORDS, len(set().union(*shared.values())))
    for each in candidates:
        limits = [glob.strip() for glob in globs_of(each.tags)]
        named = limits or list(_named_paths(each))
        file = next((path for path in task.files if any(_covers(one, path) for one in named)), None)
        words = len(shared[each.id])
        if file is not None:
            yield _Fit(each, _Ground.FILE, words, file)
        elif limits:
            continue
        elif words and words >= fewest:
            yield _Fit(each, _Ground.WORDS, words)
        elif _is_category_of(each, task):
            yield _Fit(each, _Ground.CATEGORY, words)
        elif each.requirement in _BINDING and not named:
            yield _Fit(each, _Ground.GENERAL, words)


def _text_of(instruction: Instruction) -> str:
    parts = (
        instruction.title,
        *instruction.categories,
        *instruction.tags,
        instruction.semantic_summary or "",
    )
    return " ".join((*parts, instruction.body[:_READ_CHARACTERS]))


def _named_paths(instruction: Instruction) -> Iterator[str]:
    """What in its words looks like files, folders and patterns of them."""
    text = f"{instruction.title}\n{instruction.body[:_READ_CHARACTERS]}"
    found = (match[0].rstrip(".?") for match in _PATH.finditer(text))
    paths = (path for path in found if "/" in path.strip("/") or path.endswith("/") or _is_file_name(path))
    for path, _ in zip(paths, range(_MOST_PATHS), strict=False):
        yield path


def _is_file_name(path: str) -> bool:
    return _FILE_NAME.fullmatch(path) is not None


def _covers(pattern: str, path: str) -> bool:
    """Whether a pattern, a folder, a path or the end of one is about this file."""
    wanted = pattern.removeprefix("./")
    if not wanted.strip("/*?.") or len(wanted) > _LONGEST_PATH:
        return wanted in {"**", "*"}
    if any(mark in wanted for mark in "*?["):
        return PathGlob(wanted).matches(path)
    plain = wanted.rstrip("/")
    if path == plain or path.startswith(f"{plain}/"):
        return True
    return not wanted.endswith("/") and path.endswith(f"/{plain}")


def _is_category_of(instruction: Instruction, task: Task) -> bool:
    folders = {part.lower() for path in task.files[:_MOST_FILES] for part in path.split("/")[:-1]}
    wanted = {*_OF_INTENT.get(task.intent, ()), *folders}
    return any(name in wanted or stem(name) in task.terms for name in instruction.categories)


def _line(fit: _Fit, *, is_overdue: bool) -> str:
    found = fit.instruction
    title = " ".join(found.title.split())
    gist = " ".join((found.semantic_summary or found.description or _first_line(found)).split())
    said = title if not gist or gist.startswith(title) else f"{title}: {gist}"
    where = f"; for {fit.file}" if fit.file else ""
    doubt = "; review overdue" if is_overdue else ""
    return f"{found.requirement}: {shorten(said, _LINE_CHARACTERS)}{where}{doubt}"


def _first_line(found: Instruction) -> str:
    """The first line of the body that is more than its heading."""
    lines = (line.strip() for line in found.body.split("\n", 20))
    return next((line for line in lines if line and not line.startswith("#")), "")
