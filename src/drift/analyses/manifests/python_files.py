"""pyproject.toml, requirements files, setup.cfg, Pipfile and the locks of poetry, uv and Pipenv."""

import configparser
import re
from collections.abc import Iterable
from typing import Final

from drift.analyses.manifests.documents import parse_json, parse_toml
from drift.analyses.manifests.shapes import (
    Contents,
    Declared,
    Locked,
    Scope,
    UnreadableManifestError,
    list_of,
    table_of,
    text_of,
)

_REQUIREMENT: Final = re.compile(
    r"\s*(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,200})\s*(?:\[[^\]]{0,300}\])?\s*(?P<version>[^;#@]{0,300})"
)
_DEV_GROUPS: Final = frozenset({"dev", "develop", "development", "test", "tests", "testing", "lint", "docs"})


def parse_pyproject(text: str) -> Contents:
    """Dependencies as PEP 621, PEP 735, poetry and the build system have them."""
    whole = parse_toml(text)
    project = table_of(whole.get("project"))
    poetry = table_of(table_of(whole.get("tool")).get("poetry"))
    declared = _requirements(list_of(project.get("dependencies")), "prod")
    for group, lines in table_of(project.get("optional-dependencies")).items():
        declared += _requirements(list_of(lines), "dev" if group in _DEV_GROUPS else "optional")
    for lines in table_of(whole.get("dependency-groups")).values():
        declared += _requirements(list_of(lines), "dev")
    declared += _requirements(list_of(table_of(whole.get("build-system")).get("requires")), "build")
    declared += _poetry(poetry.get("dependencies"), "prod")
    declared += _poetry(poetry.get("dev-dependencies"), "dev")
    for group, content in table_of(poetry.get("group")).items():
        scope: Scope = "dev" if group in _DEV_GROUPS else "optional"
        declared += _poetry(table_of(content).get("dependencies"), scope)
    own = [name for name in (text_of(project.get("name")), text_of(poetry.get("name"))) if name]
    return Contents(tuple(declared), own_names=tuple(own))


def parse_requirements(text: str) -> Contents:
    """One requirement a line; options and other files are not followed."""
    return Contents(tuple(_requirements(text.splitlines(), "prod")))


def parse_setup_cfg(text: str) -> Contents:
    """`install_requires` and extras of setuptools."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise UnreadableManifestError(f"not a configuration file: {error}") from error
    required = parser.get("options", "install_requires", fallback="")
    declared = _requirements(required.splitlines(), "prod")
    if parser.has_section("options.extras_require"):
        for group, lines in parser.items("options.extras_require"):
            declared += _requirements(lines.splitlines(), "dev" if group in _DEV_GROUPS else "optional")
    name = parser.get("metadata", "name", fallback="")
    return Contents(tuple(declared), own_names=(name,) if name else ())


def parse_pipfile(text: str) -> Contents:
    """`packages` and `dev-packages`."""
    whole = parse_toml(text)
    return Contents(tuple(_poetry(whole.get("packages"), "prod") + _poetry(whole.get("dev-packages"), "dev")))


def parse_pipfile_lock(text: str) -> Contents:
    """The settled versions of Pipenv."""
    whole = parse_json(text)
    rows = [
        Locked(name, (text_of(table_of(entry).get("version")) or "").lstrip("=") or None)
        for group in ("default", "develop")
        for name, entry in table_of(whole.get(group)).items()
    ]
    return Contents(locked=tuple(rows))


def parse_package_tables(text: str) -> Contents:
    """`[[package]]` tables with names and versions, as in poetry.lock, uv.lock and pylock.toml."""
    whole = parse_toml(text)
    found = [table_of(each) for each in list_of(whole.get("package")) + list_of(whole.get("packages"))]
    rows = [(text_of(each.get("name")), text_of(each.get("version"))) for each in found]
    return Contents(locked=tuple(Locked(name, version) for name, version in rows if name))


def _requirements(lines: Iterable[object], scope: Scope) -> list[Declared]:
    found = []
    for line in lines:
        text = (text_of(line) or "").strip()
        match = _REQUIREMENT.match(text)
        if match and not text.startswith(("-", "#", ".", "/")) and "://" not in text.partition("@")[0]:
            found.append(Declared(match["name"], match["version"].strip() or None, scope))
    return found


def _poetry(value: object, scope: Scope) -> list[Declared]:
    rows = []
    for name, wanted in table_of(value).items():
        if name != "python":
            version = text_of(wanted) or text_of(table_of(wanted).get("version"))
            is_optional = table_of(wanted).get("optional") is True
            rows.append(Declared(name, version, "optional" if is_optional else scope))
    return rows
