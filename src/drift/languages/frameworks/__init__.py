"""What frameworks call: one data file for each language, and the one matcher that reads them.

To teach Drift a framework, add a row to the file of its language; `rules.py` says what a row can state.
"""

from drift.languages.frameworks.matching import (
    Site,
    describe,
    find_rule,
    is_path,
    join_route,
    methods_of,
    routes,
)
from drift.languages.frameworks.rules import (
    ANY_METHOD,
    EVERY_METHOD_OF_HTTP,
    METHODS_OF_HTTP,
    SAID,
    SAID_METHOD,
    Frameworks,
    MountRule,
    Rule,
    Selector,
    load_frameworks,
)

__all__ = [
    "ANY_METHOD",
    "EVERY_METHOD_OF_HTTP",
    "METHODS_OF_HTTP",
    "SAID",
    "SAID_METHOD",
    "Frameworks",
    "MountRule",
    "Rule",
    "Selector",
    "Site",
    "describe",
    "find_rule",
    "is_path",
    "join_route",
    "load_frameworks",
    "methods_of",
    "routes",
]
