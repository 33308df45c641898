"""pom.xml, Gradle builds and catalogs, .csproj, packages.config and central package versions."""

import re
from typing import Final
from xml.etree.ElementTree import Element

from drift.analyses.manifests.documents import child_text, local_name, parse_toml, parse_xml
from drift.analyses.manifests.shapes import Contents, Declared, Locked, Scope, table_of, text_of

_PROPERTY: Final = re.compile(r"\$\{([\w.\-]{1,100})\}")
_GRADLE: Final = re.compile(
    r"^[ \t]*(?P<how>\w*(?:[iI]mplementation|[aA]pi|[cC]ompileOnly|[rR]untimeOnly|[pP]rocessor|kapt|compile))"
    r"[\s(]+(?:platform\s*\(\s*)?[\"'](?P<group>[\w.\-]{1,200}):(?P<name>[\w.\-]{1,200})(?::(?P<version>[^\"':@]{1,100}))?",
    re.MULTILINE,
)


def parse_pom(text: str) -> Contents:
    """`dependencies` as group:artifact, with properties of the same file filled in."""
    root = parse_xml(text)
    properties = {
        local_name(each): (each.text or "").strip()
        for table in root
        if local_name(table) == "properties"
        for each in table
    }
    declared = [
        Declared(f"{group}:{artifact}", _filled(child_text(each, "version"), properties), _maven_scope(each))
        for table in root
        if local_name(table) == "dependencies"
        for each in table
        if (group := _filled(child_text(each, "groupId"), properties))
        and (artifact := child_text(each, "artifactId"))
    ]
    group, artifact = child_text(root, "groupId"), child_text(root, "artifactId")
    return Contents(tuple(declared), own_names=tuple(name for name in (group, artifact) if name))


def parse_gradle(text: str) -> Contents:
    """Dependencies written as texts; those from a catalog stand in the catalog."""
    declared = [
        Declared(
            f"{one['group']}:{one['name']}",
            one["version"],
            "dev" if "test" in one["how"].lower() else "build" if "rocessor" in one["how"] else "prod",
        )
        for one in _GRADLE.finditer(text)
    ]
    return Contents(tuple(declared))


def parse_gradle_catalog(text: str) -> Contents:
    """The libraries of a version catalog."""
    whole = parse_toml(text)
    versions = table_of(whole.get("versions"))
    declared = []
    for entry in table_of(whole.get("libraries")).values():
        if short := text_of(entry):
            group, _, rest = short.partition(":")
            name, _, version = rest.partition(":")
            declared.append(Declared(f"{group}:{name}", version or None))
            continue
        table = table_of(entry)
        module = text_of(table.get("module")) or f"{table.get('group')}:{table.get('name')}"
        wanted = table.get("version")
        shared = text_of(table_of(wanted).get("ref"))
        declared.append(Declared(module, text_of(versions.get(shared)) if shared else text_of(wanted)))
    return Contents(tuple(declared))


def parse_csproj(text: str) -> Contents:
    """`PackageReference` of a project, `PackageVersion` of Directory.Packages.props."""
    declared: list[Declared] = []
    locked: list[Locked] = []
    for each in parse_xml(text).iter():
        name = each.get("Include") or each.get("Update")
        version = each.get("Version") or child_text(each, "Version")
        if name and local_name(each) == "PackageReference":
            is_private = (
                each.get("PrivateAssets") or child_text(each, "PrivateAssets") or ""
            ).lower() == "all"
            declared.append(Declared(name, version, "dev" if is_private else "prod"))
        elif name and local_name(each) == "PackageVersion":
            locked.append(Locked(name, version))
    return Contents(tuple(declared), tuple(locked))


def parse_packages_config(text: str) -> Contents:
    """`package` elements with id and version."""
    found = [each for each in parse_xml(text).iter() if local_name(each) == "package"]
    rows = [
        Declared(name, each.get("version"), "dev" if each.get("developmentDependency") == "true" else "prod")
        for each in found
        if (name := each.get("id"))
    ]
    return Contents(tuple(rows))


def _filled(text: str | None, properties: dict[str, str]) -> str | None:
    """The text with `${name}` replaced once; what is defined elsewhere stays as it is."""
    return _PROPERTY.sub(lambda match: properties.get(match[1], match[0]), text) if text else None


def _maven_scope(dependency: Element) -> Scope:
    scopes: dict[str, Scope] = {"test": "dev", "provided": "build"}
    return scopes.get(child_text(dependency, "scope") or "", "prod")
