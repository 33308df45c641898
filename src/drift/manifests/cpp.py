"""CMake, Conan and vcpkg: what a build asks for."""

import re
from typing import Final

from drift.manifests.contents import Contents, Declared, Described, Scope, list_of, table_of, text_of
from drift.manifests.documents import parse_json

_CMAKE_PACKAGE: Final = re.compile(r"\bfind_package\s*\(\s*(\w[\w.+-]{0,100})\s*([\d.]{0,30})", re.IGNORECASE)

_CMAKE_PROJECT: Final = re.compile(
    r"^\s{0,40}project\s{0,9}\(\s{0,99}(?P<name>\w[\w.+-]{0,100})(?P<rest>[^)]{0,1000})",
    re.IGNORECASE | re.MULTILINE,
)

_CMAKE_VERSION: Final = re.compile(r"\bVERSION\s{1,99}(\d[\d.]{0,30})")

_CMAKE_FETCHED: Final = re.compile(r"\bFetchContent_Declare\s*\(\s*(\w[\w.+-]{0,100})", re.IGNORECASE)

_CONAN: Final = re.compile(
    r"[\"'\s]?(?P<name>[a-z0-9_][a-z0-9_.+-]{0,100})/(?P<version>[\w.\-\[\]<>=~^ ]{1,60})"
)

_CONAN_CALL: Final = re.compile(r"\b(?P<what>tool_requires|test_requires|requires)\b")

_CONAN_SCOPES: Final[dict[str, Scope]] = {
    "requires": "prod",
    "tool_requires": "build",
    "test_requires": "dev",
}


def parse_cmake(text: str) -> Contents:
    """`find_package` and `FetchContent_Declare`, comments left out."""
    code = "\n".join(line.partition("#")[0] for line in text.splitlines())
    found = {name: version or None for name, version in _CMAKE_PACKAGE.findall(code)}
    found |= {name: found.get(name) for name in _CMAKE_FETCHED.findall(code)}
    return Contents(tuple(Declared(name, version) for name, version in found.items()))


def describe_cmake(text: str) -> Described | None:
    """What `project(…)` says; None where a list of files is part of another's project."""
    found = _CMAKE_PROJECT.search(text)
    if found is None:
        return None
    version = _CMAKE_VERSION.search(found["rest"])
    return Described(
        found["name"], version[1] if version else None, manager="cmake", declared=parse_cmake(text).declared
    )


def parse_conanfile(text: str) -> Contents:
    """`name/version` in the sections of a conanfile.txt or the requirements of a conanfile.py."""
    declared: list[Declared] = []
    section: Scope | None = None
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("[") and line.endswith("]"):
            section = _CONAN_SCOPES.get(line.strip("[]"))
            continue
        called = _CONAN_CALL.search(line)
        scope = _CONAN_SCOPES[called["what"]] if called else section
        found = _CONAN.search(line) if scope else None
        if found and scope:
            declared.append(Declared(found["name"], found["version"].strip(), scope))
    return Contents(tuple(declared))


def parse_vcpkg(text: str) -> Contents:
    """`dependencies` by name or as objects."""
    whole = parse_json(text)
    declared = []
    for each in list_of(whole.get("dependencies")):
        name = text_of(each) or text_of(table_of(each).get("name"))
        if name:
            declared.append(Declared(name, text_of(table_of(each).get("version>="))))
    own = text_of(whole.get("name"))
    return Contents(tuple(declared), own_names=(own,) if own else ())
