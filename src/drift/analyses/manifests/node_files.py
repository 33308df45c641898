"""package.json, the imports of deno.json, and the locks of npm, yarn and pnpm."""

import re
from typing import Final

from drift.analyses.manifests.documents import parse_json
from drift.analyses.manifests.shapes import Contents, Declared, Locked, Scope, table_of, text_of

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
