"""pyproject.toml, setup.cfg and setup.py: the package, and the workspace of uv."""

import ast
import configparser

from drift.analyses.manifests.documents import parse_toml
from drift.analyses.manifests.python_files import parse_pyproject, parse_requirements, parse_setup_cfg
from drift.analyses.manifests.shapes import Declared, UnreadableManifestError, list_of, table_of, text_of
from drift.analyses.workspaces.shapes import Described, Manager, Membership


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
