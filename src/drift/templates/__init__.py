"""Templates: files for new projects, filled in by a small engine that can do nothing else."""

from drift.templates.checking import Validation, require_valid, validate
from drift.templates.definition import Parameter, Template
from drift.templates.filling import FilledTemplate, fill
from drift.templates.library import OWN_FOLDER, Library, Problem, load_library
from drift.templates.scaffolding import choose_templates, make_files
from drift.templates.search import Match, search
from drift.templates.toolchains import describe_toolchain, toolchains
from drift.templates.writing import write_files

__all__ = [
    "OWN_FOLDER",
    "FilledTemplate",
    "Library",
    "Match",
    "Parameter",
    "Problem",
    "Template",
    "Validation",
    "choose_templates",
    "describe_toolchain",
    "fill",
    "load_library",
    "make_files",
    "require_valid",
    "search",
    "toolchains",
    "validate",
    "write_files",
]
