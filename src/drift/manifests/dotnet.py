""".csproj, packages.config, central package versions and solutions: projects, and what holds them together."""

import re
from html import unescape
from typing import Final

from drift.manifests.contents import Contents, Declared, Described, Locked, Membership
from drift.manifests.documents import child_text, local_name, parse_xml

_USING: Final = re.compile(r"<Using\s([^<>]*)>")
_ATTRIBUTE: Final = re.compile(r"""\b(\w+)\s*=\s*["']([^"'<>]*)["']""")
_SDK: Final = re.compile(r"""<Project\s[^<>]{0,500}\bSdk\s{0,9}=\s{0,9}["']([\w.]{1,100})""")
_IMPLICIT: Final = re.compile(r"<ImplicitUsings>\s{0,99}(?:enable|true)\s{0,99}<", re.IGNORECASE)
_HOSTING: Final = ("Configuration", "DependencyInjection", "Hosting", "Logging")
# What the SDKs themselves say, by the kind of project.
_IMPLIED: Final = {
    "Microsoft.NET.Sdk": (),
    "Microsoft.NET.Sdk.Web": (
        "System.Net.Http.Json",
        *(f"Microsoft.AspNetCore.{name}" for name in ("Builder", "Hosting", "Http", "Routing")),
        *(f"Microsoft.Extensions.{name}" for name in _HOSTING),
    ),
    "Microsoft.NET.Sdk.Worker": tuple(f"Microsoft.Extensions.{name}" for name in _HOSTING),
}
_IMPLIED_EVERYWHERE: Final = (
    "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading",
    "System.Threading.Tasks",
)  # fmt: skip
_SOLUTION_ENTRY: Final = re.compile(
    r"^Project\(\"[^\"\n]{1,60}\"\)\s*=\s*\"[^\"\n]{1,300}\",\s*\"([^\"\n]{1,500}\.(?:cs|fs|vb)proj)\"",
    re.MULTILINE,
)


def read_usings(text: str) -> list[tuple[str, str | None]]:
    """The namespaces that a build has all files use, each with its alias; read also where the XML is broken."""
    found = []
    for written in _USING.findall(text):
        attributes = dict(_ATTRIBUTE.findall(written))
        if module := unescape(attributes.get("Include", "")):
            found.append((module, attributes.get("Alias")))
    return found


def has_implicit_usings(text: str) -> bool:
    """Whether a build has its files use the namespaces that go with the kind of the project."""
    return _IMPLICIT.search(text) is not None


def implied_usings(text: str) -> tuple[str, ...]:
    """The namespaces that go with the kind of a project, by the text of its file."""
    sdk = _SDK.search(text)
    implied = _IMPLIED.get(sdk[1]) if sdk is not None else None
    return () if implied is None else (*_IMPLIED_EVERYWHERE, *implied)


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
