"""go.mod, go.sum, Cargo.toml, Cargo.lock, composer.json, composer.lock, CMake, Conan and vcpkg."""

import re
from typing import Final

from drift.analyses.manifests.documents import parse_json, parse_toml
from drift.analyses.manifests.python_files import parse_package_tables
from drift.analyses.manifests.shapes import Contents, Declared, Locked, Scope, list_of, table_of, text_of

_GO_LINE: Final = re.compile(
    r"(?P<name>[^\s/]+\.[^\s]{1,300}|[^\s]{1,300}/[^\s]{1,300})\s+(?P<version>v\S{1,100})(?P<rest>.*)"
)
_CMAKE_PACKAGE: Final = re.compile(r"\bfind_package\s*\(\s*(\w[\w.+-]{0,100})\s*([\d.]{0,30})", re.IGNORECASE)
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
_CARGO_SECTIONS: Final[dict[str, Scope]] = {
    "dependencies": "prod",
    "dev-dependencies": "dev",
    "build-dependencies": "build",
}


def parse_go_mod(text: str) -> Contents:
    """`require` lines; those marked indirect are locked, not declared."""
    declared: list[Declared] = []
    locked: list[Locked] = []
    own: tuple[str, ...] = ()
    block = ""
    for raw in text.splitlines():
        line = raw.strip()
        word, _, rest = line.partition(" ")
        if word == "module":
            own = (rest.strip().strip('"'),)
        if line.endswith("("):
            block = word
            continue
        block = "" if line == ")" else block
        wanted = line if block == "require" else rest.strip() if word == "require" else ""
        if found := _GO_LINE.match(wanted):
            locked.append(Locked(found["name"], found["version"]))
            if "indirect" not in found["rest"]:
                declared.append(Declared(found["name"], found["version"]))
    return Contents(tuple(declared), tuple(locked), own)


def parse_go_sum(text: str) -> Contents:
    """Every module that was ever looked at; go.mod says which are used."""
    fields = (line.split() for line in text.splitlines())
    rows = {each[0]: each[1] for each in fields if len(each) >= 2 and not each[1].endswith("/go.mod")}  # noqa: PLR2004 - name and version
    return Contents(locked=tuple(Locked(name, version) for name, version in rows.items()))


def parse_cargo_toml(text: str) -> Contents:
    """Dependencies of the crate, of the workspace and of single targets."""
    whole = parse_toml(text)
    tables = [whole, table_of(whole.get("workspace"))]
    tables += [table_of(each) for each in table_of(whole.get("target")).values()]
    declared = [
        Declared(
            name,
            text_of(wanted) or text_of(table_of(wanted).get("version")),
            "optional" if table_of(wanted).get("optional") is True else scope,
        )
        for table in tables
        for section, scope in _CARGO_SECTIONS.items()
        for name, wanted in table_of(table.get(section)).items()
    ]
    own = text_of(table_of(whole.get("package")).get("name"))
    return Contents(tuple(declared), own_names=(own,) if own else ())


parse_cargo_lock = parse_package_tables


def parse_composer_json(text: str) -> Contents:
    """`require` and `require-dev`, without PHP itself and its extensions."""
    whole = parse_json(text)
    sections: dict[str, Scope] = {"require": "prod", "require-dev": "dev"}
    declared = tuple(
        Declared(name, text_of(version), scope)
        for section, scope in sections.items()
        for name, version in table_of(whole.get(section)).items()
        if "/" in name
    )
    name = text_of(whole.get("name"))
    return Contents(declared, own_names=(name,) if name else ())


def parse_composer_lock(text: str) -> Contents:
    """Settled versions, and the namespaces each package provides."""
    whole = parse_json(text)
    rows = []
    for entry in map(table_of, list_of(whole.get("packages")) + list_of(whole.get("packages-dev"))):
        name = text_of(entry.get("name"))
        autoload = table_of(entry.get("autoload"))
        spaces = [*table_of(autoload.get("psr-4")), *table_of(autoload.get("psr-0"))]
        if name:
            rows.append(
                Locked(name, text_of(entry.get("version")), tuple(one.rstrip("\\") for one in spaces))
            )
    return Contents(locked=tuple(rows))


def parse_cmake(text: str) -> Contents:
    """`find_package` and `FetchContent_Declare`, comments left out."""
    code = "\n".join(line.partition("#")[0] for line in text.splitlines())
    found = {name: version or None for name, version in _CMAKE_PACKAGE.findall(code)}
    found |= {name: found.get(name) for name in _CMAKE_FETCHED.findall(code)}
    return Contents(tuple(Declared(name, version) for name, version in found.items()))


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
