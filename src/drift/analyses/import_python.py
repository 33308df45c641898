"""Python imports: absolute or relative as the folder has it, from the package or the module as others do."""

from drift.analyses.import_choice import Choice
from drift.analyses.import_forms import PythonImport, Statement, Written
from drift.analyses.import_surroundings import Surroundings
from drift.analyses.import_votes import elect, say
from drift.index import IndexReader
from drift.index.records import ImportRecord

_SOURCE_FOLDERS = frozenset({"src", "lib", "python"})
_COMPUTED = 0.7


def write_python(reader: IndexReader, around: Surroundings, choice: Choice) -> Written | str:
    """`from module import name`."""
    dotted = dotted_name(reader, choice.symbol.path)
    if not all(part.isidentifier() for part in dotted.split(".")):
        return f"no import statement can name {dotted}: importlib.import_module('{dotted}') loads it"
    here = dotted_name(reader, around.path)
    package = here if around.path.endswith("/__init__.py") else here.rpartition(".")[0]
    ways = elect(choice.importers, lambda each: _absolute(reader, each), folder=around.folder)
    module, reason, confidence = dotted, "no file imports it yet", _COMPUTED
    if ways is not None:
        module, vote = ways
        reason, confidence = say(vote, "imports of it name this module"), vote.share
    # A package's __init__ that imports the module cannot be what the module imports from.
    if module != dotted and (here == module or here.startswith(f"{module}.")):
        module, reason = dotted, "the package itself would import in a circle"
    if _is_relative_here(reader, around, module, package):
        module, reason = _relative(module, package), f"{reason}; imports around here are relative"
    name = choice.symbol.name
    return Written(Statement(PythonImport(module), name), reason, confidence)


def dotted_name(reader: IndexReader, path: str) -> str:
    """The dotted name of a file: from the outermost folder that is a package, or that holds the sources."""
    *folders, file = path.split("/")
    stem = file.removesuffix(".pyi").removesuffix(".py")
    parts = folders if stem == "__init__" else [*folders, stem]
    first = len(folders)
    while first > 0 and reader.files.at("/".join((*folders[:first], "__init__.py"))) is not None:
        first -= 1
    if first == len(folders):
        first = 1 if folders and folders[0] in _SOURCE_FOLDERS else 0
    return ".".join(parts[first:])


def _absolute(reader: IndexReader, each: ImportRecord) -> str | None:
    """The module that an import names, without dots in front."""
    if each.name is None or each.is_reexport:
        return None
    if not each.module.startswith("."):
        return each.module
    up = len(each.module) - len(each.module.lstrip("."))
    here = dotted_name(reader, each.path).split(".")
    package = here if each.path.endswith("/__init__.py") else here[:-1]
    base = package[: len(package) - up + 1] if up > 1 else package
    rest = each.module.lstrip(".")
    return ".".join([*base, *([rest] if rest else [])])


def _is_relative_here(reader: IndexReader, around: Surroundings, module: str, package: str) -> bool:
    """Whether imports as near as this one are written with dots around here."""
    if not package or module.partition(".")[0] != package.partition(".")[0]:
        return False

    def is_relative(each: ImportRecord) -> bool | None:
        if each.is_external or each.target_file_id is None:
            return None
        named = _absolute(reader, each) if each.name is not None else each.module
        if named is None or _distance(named, package) != _distance(module, package):
            return None
        return each.module.startswith(".")

    vote = elect(around.own, is_relative, folder=around.folder) or elect(
        around.near, is_relative, folder=around.folder
    )
    return vote is not None and vote[0]


def _distance(module: str, package: str) -> int:
    """0 within the package itself, 1 elsewhere in the same top package, 2 outside of it."""
    if module == package or module.rpartition(".")[0] == package:
        return 0
    return 1 if module.partition(".")[0] == package.partition(".")[0] else 2


def _relative(module: str, package: str) -> str:
    wanted, here = module.split("."), package.split(".")
    shared = 0
    while shared < min(len(wanted), len(here)) and wanted[shared] == here[shared]:
        shared += 1
    return "." * (len(here) - shared + 1) + ".".join(wanted[shared:])
