"""Which framework the cases of each file are written for."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from drift.analyses.testing.frameworks import (
    FrameworkUse,
    framework_of_detail,
    framework_of_import,
    known_frameworks,
    runner_at,
)
from drift.analyses.testing.suites import Case

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.ids import FileId


class CaseFrameworks:
    """Names the framework of each of some cases: by its mark, by what its file imports, or by what its folder is set up for."""

    def __init__(self, reader: "IndexReader", uses: Iterable[FrameworkUse], cases: Iterable[Case]) -> None:
        self._imports: dict[FileId, list[tuple[str, str | None]]] = {}
        for file, module, name in reader.testing.imports_by_file({case.file_id for case in cases}):
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
            self._by_file[key] = self._by_import(case) or self._by_folder(case)
        return self._by_file[key]

    def _by_folder(self, case: Case) -> str | None:
        use = runner_at(self._uses, case.language, case.path)
        return use.framework if use is not None else None

    def _by_import(self, case: Case) -> str | None:
        found = [
            framework.name
            for module, name in self._imports.get(case.file_id, ())
            if (framework := framework_of_import(case.language, module, name)) is not None
            and framework.runner is None
        ]
        return found[0] if found else None
