"""What a framework gives the code in its folders by a bare name: `request` in a controller, `link_to` in a page."""

from __future__ import annotations

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.keys import method_key
from drift.scan.link.languages.ruby.classes import LANGUAGE
from drift.scan.link.outside_data import bare_names
from drift.scan.link.values import NOTHING, Values


def given_values(analysis: Analysis, call: Call, scope: int) -> Values:
    """The framework's own, where nothing in sight has the name that is called without an object."""
    callee = call.callee
    if callee is None or callee[0] != "member" or call.text != callee[2]:
        return NOTHING
    known = bare_names(LANGUAGE).get(call.text)
    if known is None:
        return NOTHING
    path = analysis.program.table_of(scope).path
    for folder, owner in known:
        if f"/{folder}" in f"/{path}":
            return NOTHING if _is_of_helpers(analysis, call.text, folder) else (f"{owner}.{call.text}",)
    return NOTHING


def _is_of_helpers(analysis: Analysis, name: str, folder: str) -> bool:
    """Whether the project has a method of that name where such code may get it from."""
    root = folder.partition("/")[0]
    paths = analysis.program.providing(method_key(LANGUAGE, name))
    return any(f"/{root}/helpers/" in f"/{path}" or "/concerns/" in path for path in paths)
