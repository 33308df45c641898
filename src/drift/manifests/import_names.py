"""Which imports a package accounts for: names of imports and names of packages, ecosystem by ecosystem."""

import re
import sys
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from drift.manifests.contents import Ecosystem

ECOSYSTEMS: Final[dict[str, Ecosystem]] = {
    "python": "python",
    "javascript": "node",
    "typescript": "node",
    "go": "go",
    "rust": "rust",
    "java": "jvm",
    "php": "php",
    "csharp": "dotnet",
    "cpp": "cpp",
    "ruby": "ruby",
}
# Where a package's name says reliably what is imported from it, so that no import means no use.
TELLING: Final[frozenset[Ecosystem]] = frozenset({"python", "node", "go"})
_PLATFORM_PREFIXES: Final[dict[Ecosystem, tuple[str, ...]]] = {
    "jvm": ("java.", "javax.", "jdk.", "sun.", "com.sun.", "org.w3c.dom", "org.xml.sax", "org.ietf.jgss"),
    "dotnet": ("System", "Microsoft.CSharp", "Microsoft.Win32", "Windows"),
    "rust": ("std", "core", "alloc", "proc_macro", "test", "crate", "self", "super"),
}
# Names that no package brings: what is run, and what type checkers know by themselves.
_PYTHON_WITHOUT_FILES: Final = frozenset({"__main__", "_typeshed"})
# Python's own modules that came or went with a version: the one that runs Drift need not be the project's.
_PYTHON_SINCE_3_14: Final = frozenset({"annotationlib", "compression"})
# fmt: off
_PYTHON_UNTIL_3_12: Final = frozenset({
    "aifc", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk", "crypt", "distutils",
    "imghdr", "imp", "lib2to3", "mailcap", "msilib", "nis", "nntplib", "ossaudiodev", "pipes",
    "smtpd", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib",
})
# fmt: on
_SEPARATORS: Final = re.compile(r"[-_.]+")
_JVM_WORDS: Final = re.compile(r"[.\-_]")
_FEWEST_PARTS: Final = 2


def is_platform(ecosystem: Ecosystem, imported: str) -> bool:
    """Whether an import is from what the language itself brings along."""
    match ecosystem:
        case "python":
            top = imported.partition(".")[0]
            is_of_another = top in _PYTHON_SINCE_3_14 or top in _PYTHON_UNTIL_3_12
            return top in _PYTHON_WITHOUT_FILES or top in sys.stdlib_module_names or is_of_another
        case "node":
            return imported == "bun" or imported.startswith(("node:", "bun:", "deno:"))
        case "go":
            return "." not in imported.partition("/")[0]
        case "php":
            # A class without a namespace is PHP's own or an alias that a framework sets up.
            return "\\" not in imported
        case "ruby":
            return imported.partition("/")[0] in _tables()["platform"]["ruby"]
        case "cpp":
            # Headers of the platform and of the library have no folder; a library that has none cannot be told.
            return "/" not in imported or imported.startswith(
                ("sys/", "net/", "arpa/", "netinet/", "linux/", "bits/")
            )
        case _:
            prefixes = _PLATFORM_PREFIXES[ecosystem]
            return any(
                imported == each.rstrip(".") or imported.startswith(f"{each.rstrip('.')}.")
                for each in prefixes
            )


def declares_itself(ecosystem: Ecosystem, imported: str) -> bool:
    """Whether an import says where its package comes from, as `npm:hono@4` does, and so needs no manifest."""
    return ecosystem == "node" and imported.startswith(("npm:", "jsr:"))


def accounts_for(ecosystem: Ecosystem, package: str, imported: str, provides: tuple[str, ...] = ()) -> bool:
    """Whether the import may come from the package."""
    match ecosystem:
        case "python":
            return _python(package, imported)
        case "node":
            types = package.removeprefix("@types/").replace("__", "/")
            return imported == package or (types != package and imported in {types, f"@{types}"})
        case "go":
            # The index keeps the first parts of an import's path, a module may have more: …/v2, …/codec.
            return f"{imported}/".startswith(f"{package}/") or package.startswith(f"{imported}/")
        case "rust":
            return imported.partition("::")[0].replace("-", "_") == package.replace("-", "_")
        case "jvm":
            return _jvm(package, imported)
        case "php":
            return _php(package, imported, provides)
        case "dotnet":
            one, other = f"{imported}.".lower(), f"{package}.".lower()  # NuGet does not tell cases apart
            # DotNet.Globbing is in the package DotNet.Glob.
            is_longer = "." in package and imported.lower().startswith(package.lower())
            names = _tables()["dotnet"]
            known = names.get(package) or names.get(package.partition(".")[0], ())
            is_known = any(f"{imported}.".startswith(f"{each}.") for each in known)
            return one.startswith(other) or other.startswith(one) or is_longer or is_known
        case "ruby":
            # `require "action_controller"` is of rails, `require "rspec/core"` of rspec-core: the first part has to do.
            first = imported.partition("/")[0]
            known = _tables()["ruby"].get(package, ())
            return first in known or _plain(first) in {_plain(package), _plain(package.partition("-")[0])}
        case "cpp":
            return _plain(imported.partition("/")[0]) in {
                _plain(package),
                _plain(package.removeprefix("lib")),
            }


def _plain(name: str) -> str:
    return _SEPARATORS.sub("", name).lower()


def _python(package: str, imported: str) -> bool:
    known = _tables()["python"].get(_SEPARATORS.sub("-", package).lower())
    top = imported.partition(".")[0]
    if known is not None:
        return top in known or imported in known
    whole = _plain(package)
    return _plain(top) in {
        whole,
        whole.removeprefix("python"),
        whole.removesuffix("python"),
        whole.removeprefix("py"),
    } or ("." in imported and _plain(imported).startswith(whole))


def is_ever_imported(package: str) -> bool:
    """Whether code that uses the package names it: types, data and compilers are used without."""
    return (
        not package.startswith(("@types/", "types-")) and package.lower() not in _tables()["never"]["names"]
    )


@cache
def _tables() -> dict[str, dict[str, tuple[str, ...]]]:
    text = files("drift.manifests").joinpath("import_names.toml").read_text("utf-8")
    return {
        table: {name: tuple(names) for name, names in entries.items()}
        for table, entries in tomllib.loads(text).items()
    }


def _jvm(package: str, imported: str) -> bool:
    """By the group, which packages mostly begin with, or by a last part that the artifact has, too."""
    group, _, artifact = package.partition(":")
    parts = imported.split(".")
    families = _tables()["jvm_families"].items()
    brought = [each for beginning, all_of in families if package.startswith(beginning) for each in all_of]
    known = _tables()["jvm"].get(package, ())
    if any(f"{imported}.".startswith(f"{each}.") for each in (group, *known, *brought)):
        return True
    words = {*_JVM_WORDS.split(artifact), group.rpartition(".")[2]}
    if group.split(".")[:2] == parts[:2]:
        return not words.isdisjoint(parts[1:])
    # A group that is no beginning of its packages: com.xuxueli:xxl-tool has com.xxl.tool.
    return len(parts) > _FEWEST_PARTS and set(parts[1:3]) <= words and parts[0] == group.partition(".")[0]


def _php(package: str, imported: str, provides: tuple[str, ...]) -> bool:
    known = (*provides, *_tables()["php"].get(package, ()))
    if any(
        imported == each or imported.startswith(f"{each}\\") or each.startswith(f"{imported}\\")
        for each in known
    ):
        return True
    vendor, _, name = package.partition("/")
    parts = [_plain(part) for part in imported.split("\\")]
    return (parts[0] == _plain(vendor) and (len(parts) == 1 or parts[1] == _plain(name))) or parts[
        0
    ] == _plain(name)
