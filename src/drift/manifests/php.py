"""composer.json and composer.lock: the package, its namespaces, and the workspace it may open."""

from typing import NamedTuple

from drift.manifests.contents import (
    Contents,
    Declared,
    Described,
    Locked,
    Membership,
    Scope,
    UnreadableManifestError,
    list_of,
    table_of,
    text_of,
)
from drift.manifests.documents import parse_json


class Autoload(NamedTuple):
    """What a composer.json says of names in code: the project's own namespaces, and the packages it requires."""

    prefixes: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    places: tuple[str, ...] = ()  # where classes without a namespace are looked for


def read_autoload(text: str) -> Autoload:
    """The namespaces and the requirements of a composer.json; a broken file says nothing."""
    try:
        whole = parse_json(text)
    except UnreadableManifestError:
        return Autoload()
    loaded = [table_of(whole.get(section)) for section in ("autoload", "autoload-dev")]
    prefixes = {
        name for each in loaded for standard in ("psr-4", "psr-0") for name in table_of(each.get(standard))
    }
    required = {name for section in ("require", "require-dev") for name in table_of(whole.get(section))}
    places = {
        place
        for each in loaded
        for listed in (each.get("classmap"), each.get("files"), *table_of(each.get("psr-0")).values())
        for one in (list_of(listed) or [listed])
        if (place := text_of(one)) is not None
    }
    return Autoload(tuple(sorted(filter(None, prefixes))), tuple(sorted(required)), tuple(sorted(places)))


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
