"""package.json, deno.json, workspaces of pnpm and lerna, and the locks of npm, yarn and pnpm."""

import re
from collections.abc import Mapping
from typing import Final

from drift.manifests.contents import (
    Contents,
    Declared,
    Described,
    Locked,
    Manager,
    Membership,
    Scope,
    list_of,
    table_of,
    text_of,
)
from drift.manifests.documents import parse_configuration, parse_json

_SECTIONS: Final[dict[str, Scope]] = {
    "dependencies": "prod",
    "devDependencies": "dev",
    "peerDependencies": "peer",
    "optionalDependencies": "optional",
}

_DENO_PACKAGE: Final = re.compile(
    r"(?:npm|jsr):/?(?:@[^/@\s]{1,200}/)?[^@/\s]{1,200}(?:@(?P<version>[^/\s]{1,100}))?"
)

_YARN_HEADING: Final = re.compile(r'"?(?P<name>(?:@[^/@\s"]{1,200}/)?[^@\s"/]{1,200})@[^\n]{1,2000}:\s*$')

_YARN_VERSION: Final = re.compile(r'\s+version:?\s+"?(?P<version>[^"\s]{1,100})"?')

_PNPM_PACKAGE: Final = re.compile(
    r"  ['\"]?/?(?P<name>(?:@[^/@\s]{1,200}/)?[^@\s/'\"]{1,200})[@/](?P<version>\d[^:('\"\s]{0,100})"
)

_NODE_MANAGERS: Final[dict[str, Manager]] = {"pnpm": "pnpm", "yarn": "yarn", "npm": "npm", "bun": "bun"}

# A package.json without one of these only says how its folder's modules are written.
_TELLING_KEYS: Final = ("name", "version", "dependencies", "devDependencies", "workspaces", "scripts")

_YAML_ITEM: Final = re.compile(
    r"""\s*-\s*(?:"(?P<double>[^"\n]{1,500})"|'(?P<single>[^'\n]{1,500})'|(?P<plain>[^#\s]{1,500}))"""
)


def parse_package_json(text: str) -> Contents:
    """Dependencies of every section."""
    whole = parse_json(text)
    declared = tuple(
        Declared(name, text_of(version), scope)
        for section, scope in _SECTIONS.items()
        for name, version in table_of(whole.get(section)).items()
    )
    name = text_of(whole.get("name"))
    return Contents(declared, own_names=(name,) if name else ())


def parse_deno_json(text: str) -> Contents:
    """The names that imports may use for packages; others stand for files of the project."""
    whole = parse_json(text)
    found = {
        name.rstrip("/"): _DENO_PACKAGE.match(text_of(target) or "")
        for name, target in table_of(whole.get("imports")).items()
    }
    declared = tuple(Declared(name, one["version"], "prod") for name, one in found.items() if name and one)
    name = text_of(whole.get("name"))
    return Contents(declared, own_names=(name,) if name else ())


def parse_package_lock(text: str) -> Contents:
    """What stands in `node_modules` itself, or in version 1 of the format at the top."""
    whole = parse_json(text)
    rows = [
        Locked(place.removeprefix("node_modules/"), text_of(table_of(entry).get("version")))
        for place, entry in table_of(whole.get("packages")).items()
        if place.startswith("node_modules/") and "/node_modules/" not in place
    ]
    if not rows:
        entries = table_of(whole.get("dependencies"))
        rows = [Locked(name, text_of(table_of(entry).get("version"))) for name, entry in entries.items()]
    return Contents(locked=tuple(rows))


def parse_yarn_lock(text: str) -> Contents:
    """Blocks that begin with what was asked for and name the version below."""
    rows: list[Locked] = []
    name: str | None = None
    for line in text.splitlines():
        if heading := _YARN_HEADING.match(line):
            name = heading["name"]
        elif name and (version := _YARN_VERSION.match(line)):
            rows.append(Locked(name, version["version"]))
            name = None
    return Contents(locked=tuple(rows))


def parse_pnpm_lock(text: str) -> Contents:
    """The keys of `packages`; a YAML reader is not needed for them."""
    _, _, packages = text.partition("\npackages:")
    found = (_PNPM_PACKAGE.match(line) for line in packages.splitlines())
    return Contents(locked=tuple(Locked(one["name"], one["version"]) for one in found if one))


def describe_package_json(text: str) -> Described | None:
    """The package of a package.json."""
    whole = parse_json(text)
    if not any(key in whole for key in _TELLING_KEYS):
        return None
    wanted = (text_of(whole.get("packageManager")) or "").partition("@")[0]
    declared = parse_package_json(text).declared
    return Described(
        text_of(whole.get("name")) or None,
        text_of(whole.get("version")),
        text_of(whole.get("description")),
        _NODE_MANAGERS.get(wanted),
        declared,
        tuple(
            path
            for each in declared
            for prefix in ("file:", "link:", "portal:")
            if (each.version or "").startswith(prefix) and (path := (each.version or "").removeprefix(prefix))
        ),
    )


def texts_in(value: object) -> list[str]:
    """The texts of a list, or the one text that stands for a list of one."""
    if isinstance(value, str):
        return [value]
    return [part for part in value if isinstance(part, str)] if isinstance(value, list) else []


def workspace_globs(manifest: Mapping[str, object], *, pnpm: str, lerna: str | None) -> list[str]:
    """The folders that a package.json and the files beside it make packages of one workspace; `!` leaves out."""
    declared = manifest.get("workspaces")
    globs = texts_in(declared.get("packages") if isinstance(declared, dict) else declared)
    said = members_of_pnpm(pnpm)
    globs += [*said.patterns, *(f"!{one}" for one in said.excluded)] if said else []
    return globs + texts_in(parse_configuration(lerna).get("packages"))


def members_of_package_json(text: str) -> Membership | None:
    """`workspaces`, as a list or with the list in `packages`. Which manager reads it, its lock tells."""
    whole = parse_json(text)
    found = whole.get("workspaces")
    patterns = _texts(found if isinstance(found, list) else table_of(found).get("packages"))
    wanted = (text_of(whole.get("packageManager")) or "").partition("@")[0]
    return _with_negation(_NODE_MANAGERS.get(wanted, "npm"), patterns) if patterns else None


def members_of_lerna(text: str) -> Membership | None:
    """`packages` of lerna.json."""
    patterns = _texts(parse_json(text).get("packages"))
    return _with_negation("lerna", patterns) if patterns else None


def members_of_pnpm(text: str) -> Membership | None:
    """The list under `packages:`; its other settings are not needed, and so no reader of YAML."""
    patterns: list[str] = []
    is_inside = False
    for line in text.splitlines():
        if line[:1].strip() and not line.startswith(("-", "#")):
            is_inside = line.startswith("packages:")
            if is_inside and "[" in line:
                patterns += [one.strip(" '\"") for one in line.partition("[")[2].partition("]")[0].split(",")]
        elif is_inside and (item := _YAML_ITEM.match(line)):
            patterns.append(item["double"] or item["single"] or item["plain"])
    wanted = tuple(one for one in patterns if one)
    return _with_negation("pnpm", wanted) if wanted else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for each in list_of(value) if (text := text_of(each)))


def _with_negation(manager: Manager, patterns: tuple[str, ...]) -> Membership:
    return Membership(
        manager,
        tuple(one for one in patterns if not one.startswith("!")),
        tuple(one[1:] for one in patterns if one.startswith("!")),
    )
