"""Which framework the cases of each file are written for."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from drift.analyses.testing.frameworks import (
    FrameworkUse,
    framework_of_detail,
    framework_of_import,
    known_frameworks,
    runner_at,
)
from drift.analyses.testing.suites import Case
from drift.languages.frameworks import load_frameworks

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.ids import FileId

_SCRIPTS: Final = frozenset({"javascript", "typescript"})
_MOST_STEPS: Final = 4  # from a file of tests to the one that a runner is imported in


class CaseFrameworks:
    """Names the framework of each of some cases: by its mark, by what its file imports, or by what its folder is set up for."""

    def __init__(self, reader: "IndexReader", uses: Iterable[FrameworkUse], cases: Iterable[Case]) -> None:
        self._imports: dict[FileId, list[tuple[str, str | None]]] = {}
        wanted = {case.file_id for case in cases}
        scripts = {case.file_id for case in cases if case.language in _SCRIPTS}
        self._fixtures = _fixture_files(reader, scripts)
        for found in self._fixtures.values():
            wanted.update(found)
        for file, module, name in reader.testing.imports_by_file(wanted):
            self._imports.setdefault(file, []).append((module, name))
        self._uses = tuple(uses)
        self._by_file: dict[tuple[FileId, str], str | None] = {}

    def name(self, case: Case) -> str | None:
        """The framework that runs a case; None where nothing tells."""
        for framework in known_frameworks():
            is_case = any(fnmatchcase(case.path, pattern) for pattern in framework.cases)
            if case.language in framework.languages and is_case:
                return framework.runner or framework.name
        marked = framework_of_detail(case.language, case.detail)
        if marked is not None:
            return marked.runner or marked.name
        key = case.file_id, case.language
        if key not in self._by_file:
            self._by_file[key] = next(
                filter(None, (self._by_import(case.language, each) for each in self._files_of(case))), None
            ) or self._by_folder(case)
        return self._by_file[key]

    def _by_folder(self, case: Case) -> str | None:
        use = runner_at(self._uses, case.language, case.path)
        return use.framework if use is not None else None

    def _files_of(self, case: Case) -> Iterator["FileId"]:
        """The file of a case, and those that it has its `test` from."""
        yield case.file_id
        yield from self._fixtures.get(case.file_id, ())

    def _by_import(self, language: str, file: "FileId") -> str | None:
        found = [
            framework.name
            for module, name in self._imports.get(file, ())
            if (framework := framework_of_import(language, module, name)) is not None
            and framework.runner is None
        ]
        return found[0] if found else None


def _fixture_files(reader: "IndexReader", files: Collection["FileId"]) -> Mapping["FileId", list["FileId"]]:
    """The files of the project that each of these has the functions from which make tests, the nearest first."""
    words = load_frameworks("typescript")
    names = {*words.names("tests", "names"), *words.names("tests", "preparing")}
    above: dict[FileId, set[FileId]] = {}
    pending = set(files)
    for _ in range(_MOST_STEPS):
        for one, other in reader.testing.imported_under(pending, names) if pending else ():
            above.setdefault(one, set()).add(other)
        pending = {other for one in pending for other in above.get(one, ())} - above.keys()
    return {one: _line_above(one, above) for one in files if one in above}


def _line_above(file: "FileId", above: Mapping["FileId", Collection["FileId"]]) -> list["FileId"]:
    found = dict.fromkeys([file])
    level = [file]
    for _ in range(_MOST_STEPS):
        level = [other for one in level for other in sorted(above.get(one, ())) if other not in found]
        found.update(dict.fromkeys(level))
    return [one for one in found if one != file]
