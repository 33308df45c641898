"""pom.xml, Gradle builds, settings and catalogs: projects, and what holds them together."""

import re
from typing import Final
from xml.etree.ElementTree import Element

from drift.manifests.contents import Contents, Declared, Described, Membership, Scope, table_of, text_of
from drift.manifests.documents import child_text, local_name, parse_toml, parse_xml

_PROPERTY: Final = re.compile(r"\$\{([\w.\-]{1,100})\}")

_GRADLE: Final = re.compile(
    r"^[ \t]*(?P<how>\w*(?:[iI]mplementation|[aA]pi|[cC]ompileOnly|[rR]untimeOnly|[pP]rocessor|kapt|compile))"
    r"[\s(]+(?:platform\s*\(\s*)?[\"'](?P<group>[\w.\-]{1,200}):(?P<name>[\w.\-]{1,200})(?::(?P<version>[^\"':@]{1,100}))?",
    re.MULTILINE,
)

_LINE_COMMENT: Final = re.compile(r"//[^\n]*")

_ROOT_NAME: Final = re.compile(r"rootProject\.name\s*=\s*[\"']([^\"'\n]{1,200})")

_INCLUDE: Final = re.compile(
    r"(?<![\w.])include\b[ \t]{0,20}\(?((?:\s*[\"'][^\"'\n]{1,300}[\"']\s*,?){1,1000})", re.MULTILINE
)

_QUOTED: Final = re.compile(r"[\"']([^\"'\n]{1,300})[\"']")

_MOVED: Final = re.compile(
    r"project\s*\(\s*[\"'](?P<label>:[^\"'\n]{1,300})[\"']\s*\)\.projectDir\s*=\s*"
    r"(?:new\s+File\s*\(\s*(?:settingsDir|rootDir|rootProject\.projectDir)\s*,\s*|file\s*\(\s*|File\s*\(\s*(?:settingsDir|rootDir)\s*,\s*)"
    r"[\"'](?P<path>[^\"'\n]{1,300})[\"']"
)

_GRADLE_PROJECT: Final = re.compile(r"\bproject\s*\(\s*(?:path\s*[:=]\s*)?[\"'](:[^\"'\n]{1,300})[\"']")

_GRADLE_ACCESSOR: Final = re.compile(r"\(\s*projects\.([A-Za-z][\w.]{0,200})\s*\)")

_GRADLE_VERSION: Final = re.compile(r"^version[ \t]{0,20}=?[ \t]{0,20}[\"']([^\"'\n]{1,100})", re.MULTILINE)

_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


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


def _filled(text: str | None, properties: dict[str, str]) -> str | None:
    """The text with `${name}` replaced once; what is defined elsewhere stays as it is."""
    return _PROPERTY.sub(lambda match: properties.get(match[1], match[0]), text) if text else None


def _maven_scope(dependency: Element) -> Scope:
    scopes: dict[str, Scope] = {"test": "dev", "provided": "build"}
    return scopes.get(child_text(dependency, "scope") or "", "prod")


def describe_pom(text: str) -> Described | None:
    """The project of a pom.xml, named group:artifact as dependencies name it."""
    root = parse_xml(text)
    artifact = child_text(root, "artifactId")
    if artifact is None:
        return None
    parent = next((each for each in root if local_name(each) == "parent"), None)
    inherited = (
        (child_text(parent, "groupId"), child_text(parent, "version")) if parent is not None else (None, None)
    )
    group = child_text(root, "groupId") or inherited[0]
    declared = tuple(
        each._replace(
            name=each.name.replace("${project.groupId}", group or "").replace("${pom.groupId}", group or "")
        )
        for each in parse_pom(text).declared
    )
    return Described(
        f"{group}:{artifact}" if group else artifact,
        child_text(root, "version") or inherited[1],
        child_text(root, "description"),
        "maven",
        declared,
    )


def members_of_pom(text: str) -> Membership | None:
    """`modules`, those of profiles too."""
    found = [
        (each.text or "").strip()
        for each in parse_xml(text).iter()
        if local_name(each) in {"module", "subproject"}
    ]
    # A module may name its pom instead of its folder.
    folders = [one.rpartition("/")[0] if one.endswith(".xml") else one for one in found if one]
    return Membership("maven", tuple(dict.fromkeys(one or "." for one in folders))) if folders else None


def describe_gradle(text: str) -> Described | None:
    """The project of a build.gradle; its name stands in the settings."""
    code = _without_comments(text)
    labels = [one.lstrip(":") for one in _GRADLE_PROJECT.findall(code)]
    labels += [_label(one) for one in _GRADLE_ACCESSOR.findall(code)]
    version = _GRADLE_VERSION.search(code)
    inner = tuple(Declared(each) for each in dict.fromkeys(labels))
    return Described(
        None, version[1] if version else None, None, "gradle", (*inner, *parse_gradle(text).declared)
    )


def members_of_gradle(text: str) -> Membership | None:
    """`include` of the settings, with folders that were moved."""
    code = _without_comments(text)
    moved = {one["label"].lstrip(":"): one["path"] for one in _MOVED.finditer(code)}
    labels = [
        label.lstrip(":")
        for one in _INCLUDE.finditer(code)
        for label in _QUOTED.findall(one[1])
        if label.strip(":")
    ]
    found = {label: moved.get(label, label.replace(":", "/")) for label in labels}
    named = _ROOT_NAME.search(code)
    if not found and named is None:
        return None
    own = ((".", named[1]),) if named else ()
    return Membership(
        "gradle", tuple(found.values()), labels=(*own, *((path, label) for label, path in found.items()))
    )


def _without_comments(text: str) -> str:
    """The code of a build; by hand, since a pattern would look from every beginning for an end."""
    first, *others = text.split("/*")
    kept = [part.partition("*/")[2] if "*/" in part else part for part in others]
    return _LINE_COMMENT.sub("", "".join((first, *kept)))


def _label(accessor: str) -> str:
    """`libs.dataStore` is how `:libs:data-store` is written as code."""
    return ":".join(_CAPITAL.sub("-", part).lower() for part in accessor.split("."))
