"""Cargo.toml and Cargo.lock: crates, and what holds them together."""

from typing import Final, NamedTuple

from drift.manifests.contents import (
    Contents,
    Declared,
    Described,
    Membership,
    Scope,
    UnreadableManifestError,
    list_of,
    table_of,
    text_of,
)
from drift.manifests.documents import parse_toml
from drift.manifests.python import parse_package_tables

_SECTIONS: Final[dict[str, Scope]] = {
    "dependencies": "prod",
    "dev-dependencies": "dev",
    "build-dependencies": "build",
}

_TARGETS: Final = ("bench", "bin", "example", "test")
parse_cargo_lock = parse_package_tables


class Crate(NamedTuple):
    """What a Cargo.toml says of names in code: the library's, its first file, and what else may be named."""

    name: str | None = None
    library_path: str = "src/lib.rs"
    dependencies: frozenset[str] = frozenset()
    target_paths: tuple[str, ...] = ()  # the first files of programs, tests and the like that are named
    package: str | None = None  # which also is the name of the program that begins in src/main.rs
    programs: tuple[tuple[str, str], ...] = ()  # names and first files of programs, where both are said


def read_crate(text: str) -> Crate:
    """The crate of a Cargo.toml, names as code spells them; a broken file says nothing."""
    try:
        whole = parse_toml(text)
    except UnreadableManifestError:
        return Crate()
    library = table_of(whole.get("lib"))
    name = text_of(library.get("name")) or text_of(table_of(whole.get("package")).get("name"))
    return Crate(
        name.replace("-", "_") if name else None,
        text_of(library.get("path")) or "src/lib.rs",
        # On whatever platform.
        frozenset(each.name.replace("-", "_") for each in _declared(whole)),
        tuple(
            path
            for kind in _TARGETS
            for each in list_of(whole.get(kind))
            if (path := text_of(table_of(each).get("path")))
        ),
        text_of(table_of(whole.get("package")).get("name")),
        tuple(
            (program, path)
            for each in map(table_of, list_of(whole.get("bin")))
            if (program := text_of(each.get("name"))) and (path := text_of(each.get("path")))
        ),
    )


def parse_cargo_toml(text: str) -> Contents:
    """Dependencies of the crate, of the workspace and of single targets."""
    whole = parse_toml(text)
    own = text_of(table_of(whole.get("package")).get("name"))
    return Contents(tuple(_declared(whole)), own_names=(own,) if own else ())


def _declared(whole: dict[str, object]) -> list[Declared]:
    tables = [whole, table_of(whole.get("workspace"))]
    tables += [table_of(each) for each in table_of(whole.get("target")).values()]
    return [
        Declared(
            name,
            text_of(wanted) or text_of(table_of(wanted).get("version")),
            "optional" if table_of(wanted).get("optional") is True else scope,
        )
        for table in tables
        for section, scope in _SECTIONS.items()
        for name, wanted in table_of(table.get(section)).items()
    ]


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
    declared = tuple(each for each in _declared(whole) if each.name not in shared or each.name in own)
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
