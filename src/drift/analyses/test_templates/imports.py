"""The imports a test needs, written as drift_imports would write them."""

import re
from pathlib import Path
from typing import Final

from drift.analyses.import_choice import choose_symbol
from drift.analyses.import_forms import Form, PathImport, PythonImport, RustImport
from drift.analyses.import_outside import write_outside
from drift.analyses.import_surroundings import Surroundings, look_around
from drift.analyses.import_writers import write_import
from drift.index import IndexReader
from drift.index.ids import file_of_symbol
from drift.index.records import FileRecord, ImportRecord, SymbolRecord

_IDENTIFIER: Final = re.compile(r"(?<![\w.$\\:])[A-Za-z_]\w*")

_SHARED_BY_PACKAGE: Final = frozenset({"java", "php", "csharp"})  # where names of a package need no import


class ImportNeeds:
    """What a test has to import, gathered while it is written; `problems` says what cannot be."""

    def __init__(self, reader: IndexReader, root: Path, test_path: str, target: FileRecord) -> None:
        self._reader = reader
        self._around = look_around(reader, root, test_path)
        self._known: dict[str, ImportRecord] = {
            each.alias or each.name or each.module: each for each in reader.facts.imports_of(target.id)
        }
        self._declared = {
            each.name: each
            for each in reader.symbols.of_file(target.id)
            if each.kind != "module" and "." not in each.qualname
        }
        self._home = target.path.rpartition("/")[0]
        self._forms: dict[Form, list[str]] = {}
        self._seen: set[str] = set()
        self.problems: list[str] = []

    @property
    def around(self) -> Surroundings | None:
        """The test file and the imports of those around it; None for a language without any."""
        return self._around

    def known(self, name: str) -> ImportRecord | None:
        """The import by which the file under test has a name."""
        return self._known.get(name)

    def add_symbol(self, symbol: SymbolRecord) -> str | None:
        """Import a symbol; how the test then names it, where that is not its name."""
        if self._around is None or symbol.path == self._around.path:
            return None
        same = self._reader.symbols.qualified(symbol.qualname) if self._around.family == "cpp" else []
        choice = choose_symbol(
            self._reader,
            [symbol, *(one for one in same if one.qualname == symbol.qualname)],
            family=self._around.family,
            target_path=self._around.path,
            is_test=True,
        )
        if choice is None:
            self.problems.append(f"{symbol.qualname}: cannot be imported")
            return None
        for each in self._around.own:
            if each.target_symbol_id == choice.symbol.id:
                return each.alias
            is_whole = each.target_file_id == file_of_symbol(choice.symbol.id) and each.name in {None, "*"}
            if is_whole and each.alias and self._around.family == "script":
                return f"{each.alias}.{choice.symbol.name}"
        if self._around.family == "script" and self._is_beside(choice.symbol):
            # A test beside the code takes it from there, and not through what gathers the folder.
            choice = choice._replace(importers=(), of_file=())
        written = write_import(self._reader, self._around, choice)
        if isinstance(written, str):
            self.problems.append(f"{symbol.qualname}: {written}")
            return None
        if written.statement is None:
            return written.use_as
        name = written.statement.name
        if name == "default":  # a default export without a name gets one from its file
            name = _name_from(choice.symbol.path)
        self.add_form(written.statement.form, name)
        bound = name.replace("\\", ".").rpartition(".")[2]
        return written.use_as or (bound if bound != choice.symbol.name else None)

    def _is_beside(self, symbol: SymbolRecord) -> bool:
        around = self._around
        return around is not None and symbol.path.rpartition("/")[0] == around.folder == self._home

    def add_name(self, name: str) -> None:
        """Import what the file under test means by a name; nothing for what needs no import."""
        if name in self._seen or self._around is None:
            return
        self._seen.add(name)
        declared = self._declared.get(name)
        known = self._known.get(name)
        if declared is not None:
            self.add_symbol(declared)
        elif known is not None and known.target_symbol_id is not None:
            symbol = self._reader.symbols.get(known.target_symbol_id)
            if symbol is not None:
                self.add_symbol(symbol)
        elif known is not None:
            _ = self._add_copy(known) or self.add_outside(name)
        elif self._around.family in _SHARED_BY_PACKAGE:
            found = self._reader.symbols.named(name)
            beside = [
                one for one in found if one.path.rpartition("/")[0] == self._home and "." not in one.qualname
            ]
            if beside:
                self.add_symbol(beside[0])

    def _add_copy(self, known: ImportRecord) -> bool:
        """Import as the file under test does; False where its words only fit from where it stands."""
        form = _same_form(known, self._around.family if self._around else "")
        if form is None or known.name is None:
            return False
        is_renamed = known.alias is not None and known.alias != known.name
        self.add_form(form, f"{known.name} as {known.alias}" if is_renamed else known.name)
        return True

    def add_type(self, type_text: str) -> None:
        """Import what a type is written with."""
        for name in _IDENTIFIER.findall(type_text):
            self.add_name(name)

    def add_outside(self, name: str) -> bool:
        """Import a name as other files import it from outside the project; False where none does."""
        if self._around is None:
            return False
        outside = write_outside(self._reader, self._around, name)
        if outside is None:
            return False
        statement = outside[0].statement
        if statement is not None:
            self.add_form(statement.form, statement.name)
        return True

    def add_form(self, form: Form, name: str) -> None:
        """Import by a statement of a form."""
        names = self._forms.setdefault(form, [])
        if name not in names:
            names.append(name)

    def statements(self) -> tuple[str, ...]:
        """The statements, one for all names of a form."""
        return tuple(dict.fromkeys(form.write(tuple(names)) for form, names in self._forms.items()))


def _name_from(path: str) -> str:
    stem = path.rpartition("/")[2].partition(".")[0]
    name = "".join(part[:1].upper() + part[1:] for part in re.split(r"\W+", stem))
    return name if name.isidentifier() else "Subject"


def _same_form(known: ImportRecord, family: str) -> Form | None:
    if known.name in {None, "*", "default"} or known.module.startswith((".", "self", "super", "crate")):
        return None
    match family:
        case "python":
            return PythonImport(known.module)
        case "java":
            return PathImport(f"import {known.module}.")
        case "php":
            module = known.module.strip("\\")
            return PathImport(f"use {module}\\" if module else "use ")
        case "rust":
            return RustImport(known.module)
        case _:
            return None
