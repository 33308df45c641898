"""pom.xml, Gradle settings and builds, .csproj and solutions: projects, and what holds them together."""

import re
from typing import Final

from drift.analyses.manifests.documents import child_text, local_name, parse_xml
from drift.analyses.manifests.project_files import parse_csproj, parse_gradle, parse_pom
from drift.analyses.manifests.shapes import Declared
from drift.analyses.workspaces.shapes import Described, Membership

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
_SOLUTION_ENTRY: Final = re.compile(
    r"^Project\(\"[^\"\n]{1,60}\"\)\s*=\s*\"[^\"\n]{1,300}\",\s*\"([^\"\n]{1,500}\.(?:cs|fs|vb)proj)\"",
    re.MULTILINE,
)


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


def describe_csproj(text: str) -> Described | None:
    """The project of a .csproj; without a name of its own it has that of the file."""
    root = parse_xml(text)
    facts = {
        local_name(each): (each.text or "").strip()
        for group in root
        if local_name(group) == "PropertyGroup"
        for each in group
    }
    references = [
        path.replace("\\", "/")
        for each in root.iter()
        if local_name(each) == "ProjectReference" and (path := each.get("Include"))
    ]
    names = [one for key in ("PackageId", "AssemblyName") if (one := facts.get(key)) and "$(" not in one]
    version = facts.get("Version") or facts.get("VersionPrefix")
    return Described(
        names[0] if names else None,
        version if version and "$(" not in version else None,
        facts.get("Description") or None,
        "nuget",
        parse_csproj(text).declared,
        tuple(references),
    )


def members_of_solution(text: str) -> Membership | None:
    """The projects of a solution file."""
    found = [path.replace("\\", "/").rpartition("/")[0] for path in _SOLUTION_ENTRY.findall(text)]
    return Membership("nuget", tuple(dict.fromkeys(one or "." for one in found))) if found else None


def members_of_solution_xml(text: str) -> Membership | None:
    """The projects of a solution in the newer form."""
    elements = [each for each in parse_xml(text).iter() if local_name(each) == "Project"]
    found = [path.replace("\\", "/").rpartition("/")[0] for each in elements if (path := each.get("Path"))]
    return Membership("nuget", tuple(dict.fromkeys(one or "." for one in found))) if found else None


def _without_comments(text: str) -> str:
    """The code of a build; by hand, since a pattern would look from every beginning for an end."""
    first, *others = text.split("/*")
    kept = [part.partition("*/")[2] if "*/" in part else part for part in others]
    return _LINE_COMMENT.sub("", "".join((first, *kept)))


def _label(accessor: str) -> str:
    """`libs.dataStore` is how `:libs:data-store` is written as code."""
    return ":".join(_CAPITAL.sub("-", part).lower() for part in accessor.split("."))
