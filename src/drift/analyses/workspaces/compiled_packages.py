"""Cargo.toml, go.mod and go.work: crates and modules, and what holds them together."""

import re
from typing import Final

from drift.analyses.manifests.compiled_files import parse_cargo_toml, parse_go_mod
from drift.analyses.manifests.documents import parse_toml
from drift.analyses.manifests.shapes import list_of, table_of, text_of
from drift.analyses.workspaces.shapes import Described, Membership

_SECTIONS: Final = ("dependencies", "dev-dependencies", "build-dependencies")
_REPLACED: Final = re.compile(r"=>\s*(\.{1,2}/[^\s]{0,500})")


def describe_cargo(text: str) -> Described | None:
    """The crate of a Cargo.toml; None where it is only the root of a workspace."""
    whole = parse_toml(text)
    package = table_of(whole.get("package"))
    name = text_of(package.get("name"))
    if name is None:
        return None
    tables = [whole, *(table_of(each) for each in table_of(whole.get("target")).values())]
    wanted = [
        table_of(each)
        for table in tables
        for section in _SECTIONS
        for each in table_of(table.get(section)).values()
    ]
    # What the workspace asks for is for its members to take or leave: it is no dependency of the root.
    shared = {*table_of(table_of(whole.get("workspace")).get("dependencies"))}
    own = {each for table in tables for section in _SECTIONS for each in table_of(table.get(section))}
    declared = tuple(
        each for each in parse_cargo_toml(text).declared if each.name not in shared or each.name in own
    )
    return Described(
        name,
        text_of(package.get("version")),
        text_of(package.get("description")),
        "cargo",
        declared,
        tuple(path for each in wanted if (path := text_of(each.get("path")))),
    )


def members_of_cargo(text: str) -> Membership | None:
    """`[workspace]`: members, exclude, and those the root takes by path, which are members unsaid."""
    whole = parse_toml(text)
    if "workspace" not in whole:
        return None
    workspace = table_of(whole.get("workspace"))
    members = [one for each in list_of(workspace.get("members")) if (one := text_of(each))]
    for table in (whole, workspace):
        wanted = table_of(table.get("dependencies")).values()
        paths = [path for each in map(table_of, wanted) if (path := text_of(each.get("path")))]
        # Only those below the root: what lies beside it belongs to another workspace or to none.
        members += [path for path in paths if not path.startswith(("..", "/"))]
    excluded = tuple(one for each in list_of(workspace.get("exclude")) if (one := text_of(each)))
    return Membership("cargo", tuple(dict.fromkeys(members)), excluded)


def shared_cargo_version(text: str) -> str | None:
    """The version that members take from the workspace."""
    workspace = table_of(parse_toml(text).get("workspace"))
    return text_of(table_of(workspace.get("package")).get("version"))


def describe_go_mod(text: str) -> Described | None:
    """The module of a go.mod. Its version is a tag, which no file has."""
    contents = parse_go_mod(text)
    if not contents.own_names:
        return None
    return Described(
        contents.own_names[0], None, None, "go", contents.declared, tuple(_REPLACED.findall(text))
    )


def members_of_go_work(text: str) -> Membership | None:
    """`use` lines and blocks."""
    paths: list[str] = []
    is_inside = False
    for raw in text.splitlines():
        words = raw.partition("//")[0].split()
        if words[:1] == ["use"]:
            words = words[1:]
            is_inside = words[:1] == ["("]
            paths += [one for one in words if one not in {"(", ")"}][:1]
        elif is_inside:
            paths += [one for one in words if one != ")"][:1]
        is_inside = is_inside and ")" not in words
    found = tuple(dict.fromkeys(one.strip('"`') for one in paths))
    return Membership("go", found) if found else None
