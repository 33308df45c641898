"""pyproject.toml, requirements files, setup.cfg, setup.py, Pipfile and the locks of poetry, uv and Pipenv."""

import ast
import configparser
import re
from collections.abc import Iterable
from typing import Final

from drift.manifests.contents import (
    Contents,
    Declared,
    Described,
    Locked,
    Manager,
    Membership,
    Scope,
    UnreadableManifestError,
    list_of,
    table_of,
    text_of,
)
from drift.manifests.documents import parse_json, parse_toml

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


def describe_pyproject(text: str) -> Described | None:
    """The package of a pyproject.toml; None where it only sets up tools."""
    whole = parse_toml(text)
    project = table_of(whole.get("project"))
    tools = table_of(whole.get("tool"))
    poetry = table_of(tools.get("poetry"))
    name = text_of(project.get("name")) or text_of(poetry.get("name"))
    if name is None and "workspace" not in table_of(tools.get("uv")):
        return None
    sources = [table_of(each) for each in table_of(table_of(tools.get("uv")).get("sources")).values()]
    groups = [table_of(each).get("dependencies") for each in table_of(poetry.get("group")).values()]
    for section in (poetry.get("dependencies"), poetry.get("dev-dependencies"), *groups):
        sources += [table_of(each) for each in table_of(section).values()]
    manager: Manager = "uv" if "uv" in tools else "poetry" if poetry else "pip"
    return Described(
        name,
        text_of(project.get("version")) or text_of(poetry.get("version")),
        text_of(project.get("description")) or text_of(poetry.get("description")),
        manager,
        parse_pyproject(text).declared,
        tuple(path for each in sources if (path := text_of(each.get("path")))),
    )


def describe_groups(text: str) -> Described | None:
    """What a pyproject.toml without a name asks for; None where it only sets up tools."""
    declared = parse_pyproject(text).declared
    return Described(manager="pip", declared=declared) if declared else None


def describe_pipfile(text: str) -> Described:
    """What an application asks of Pipenv."""
    return Described(manager="pipenv", declared=parse_pipfile(text).declared)


def describe_requirements(text: str) -> Described | None:
    """What a file of requirements asks for; None where it asks for nothing."""
    declared = parse_requirements(text).declared
    return Described(manager="pip", declared=declared) if declared else None


def members_of_pyproject(text: str) -> Membership | None:
    """`[tool.uv.workspace]`: members and exclude."""
    tools = table_of(parse_toml(text).get("tool"))
    workspace = table_of(table_of(tools.get("uv")).get("workspace"))
    members = tuple(one for each in list_of(workspace.get("members")) if (one := text_of(each)))
    excluded = tuple(one for each in list_of(workspace.get("exclude")) if (one := text_of(each)))
    return Membership("uv", members, excluded) if members else None


def describe_setup_cfg(text: str) -> Described | None:
    """The package of a setup.cfg; None where it only sets up tools."""
    contents = parse_setup_cfg(text)
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    if not contents.own_names:
        return None
    version = parser.get("metadata", "version", fallback="")
    return Described(
        contents.own_names[0],
        version if version[:1].isdigit() else None,  # else it says where the version is written
        parser.get("metadata", "description", fallback=None),
        "pip",
        contents.declared,
    )


def describe_setup_py(text: str) -> Described | None:
    """What the call of `setup` says in plain texts; code is read, never run."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UnreadableManifestError(f"not Python: {error}") from error
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called_name(node.func) == "setup":
            return _from_call(node)
    return None


def _called_name(called: ast.expr) -> str | None:
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else None


def _from_call(call: ast.Call) -> Described:
    given = {each.arg: each.value for each in call.keywords if each.arg}
    plain = {
        name: value.value
        for name, value in given.items()
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    }
    wanted = given.get("install_requires")
    declared: tuple[Declared, ...] = ()
    if isinstance(wanted, ast.List):
        texts = [
            one.value for one in wanted.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)
        ]
        declared = parse_requirements("\n".join(texts)).declared
    return Described(plain.get("name"), plain.get("version"), plain.get("description"), "pip", declared)
