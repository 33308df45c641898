"""package.json and composer.json: the package, and the workspace they may open."""

import re
from typing import Final

from drift.analyses.manifests.compiled_files import parse_composer_json
from drift.analyses.manifests.documents import parse_json
from drift.analyses.manifests.node_files import parse_package_json
from drift.analyses.manifests.shapes import Declared, list_of, table_of, text_of
from drift.analyses.workspaces.shapes import Described, Manager, Membership

_NODE_MANAGERS: Final[dict[str, Manager]] = {"pnpm": "pnpm", "yarn": "yarn", "npm": "npm", "bun": "bun"}
# A package.json without one of these only says how its folder's modules are written.
_TELLING_KEYS: Final = ("name", "version", "dependencies", "devDependencies", "workspaces", "scripts")
_YAML_ITEM: Final = re.compile(
    r"""\s*-\s*(?:"(?P<double>[^"\n]{1,500})"|'(?P<single>[^'\n]{1,500})'|(?P<plain>[^#\s]{1,500}))"""
)


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


def describe_composer_json(text: str) -> Described | None:
    """The package of a composer.json."""
    whole = parse_json(text)
    # What is suggested is code that may use it if it is there: optional, and declared all the same.
    suggested = tuple(
        Declared(name, None, "optional") for name in table_of(whole.get("suggest")) if "/" in name
    )
    return Described(
        text_of(whole.get("name")) or None,
        text_of(whole.get("version")),
        text_of(whole.get("description")),
        "composer",
        (*parse_composer_json(text).declared, *suggested),
    )


def members_of_composer(text: str) -> Membership | None:
    """Repositories of type `path`, and the packages that this one replaces, which then are parts of it."""
    whole = parse_json(text)
    repositories = whole.get("repositories")
    tables = list_of(repositories) or list(table_of(repositories).values())
    patterns = [
        path
        for table in map(table_of, tables)
        if table.get("type") == "path" and (path := text_of(table.get("url")))
    ]
    replaced = frozenset(
        name for name, version in table_of(whole.get("replace")).items() if version == "self.version"
    )
    return Membership("composer", tuple(patterns), names=replaced) if patterns or replaced else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for each in list_of(value) if (text := text_of(each)))


def _with_negation(manager: Manager, patterns: tuple[str, ...]) -> Membership:
    return Membership(
        manager,
        tuple(one for one in patterns if not one.startswith("!")),
        tuple(one[1:] for one in patterns if one.startswith("!")),
    )
