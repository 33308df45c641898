"""Gemfile, *.gemspec and Gemfile.lock: the gems a project asks for, by the lines that declare them.

They are programs, and are not run: what is put together at run time is not seen.
"""

import re
from typing import Final

from drift.manifests.contents import MOST_ENTRIES, Contents, Declared, Described, Locked, Scope

_GEM: Final = re.compile(r"""^\s{0,40}gem\s{0,9}\(?\s{0,9}["']([^"'\n]{1,200})["'](?P<rest>[^\n]{0,500})""")
_ASKED: Final = re.compile(
    r"""\.add(?P<kind>_runtime|_development)?_dependency\s{0,9}\(?\s{0,9}["']([^"'\n]{1,200})["'](?P<rest>[^\n]{0,500})"""
)
_VERSION: Final = re.compile(r"""^\s*,\s*["']([^"'\n]{1,100})["']""")
_GROUP: Final = re.compile(r"^\s{0,40}group\b(?P<names>[^\n]{1,200}?)\bdo\b")
_IN_GROUP: Final = re.compile(r"""\bgroups?\s{0,9}(?::|=>)\s{0,9}(?P<names>\[[^\]]{0,200}\]|[:"']\w{1,60})""")
_DEVELOPMENT: Final = re.compile(r"[:\"'](?:development|test|ci|lint|doc)")
_PRODUCTION: Final = re.compile(r"[:\"'](?:default|production)")
_OPENING: Final = re.compile(r"\bdo\b(?:\s*\|[^|]*\|)?\s*$|^\s*(?:if|unless|case|begin)\b")
_END: Final = re.compile(r"^\s*end\b")
_LOCKED: Final = re.compile(r"^ {4}(?P<name>[\w.-]{1,200}) \((?P<version>[^)\n]{1,100})\)\s*$")
_NAME: Final = re.compile(r"""\.name\s*=\s*["']([^"'\n]{1,200})["']""")


def parse_gemfile(text: str) -> Contents:
    """`gem "rails", "~> 7.1"`, in groups or out of them."""
    found: list[Declared] = []
    groups: list[Scope] = []
    for line in text.splitlines():
        gem = _GEM.match(line)
        if gem is not None and len(found) < MOST_ENTRIES:
            own = _IN_GROUP.search(gem["rest"])
            around: Scope = "dev" if "dev" in groups else "prod"
            scope = around if own is None else _scope_of(own["names"])
            found.append(Declared(gem[1], _version(gem["rest"]), scope))
        elif _END.match(line):
            if groups:
                groups.pop()
        elif _OPENING.search(line):
            group = _GROUP.match(line)
            groups.append("prod" if group is None else _scope_of(group["names"]))
    return Contents(tuple(found))


def _scope_of(names: str) -> Scope:
    return "dev" if _DEVELOPMENT.search(names) and not _PRODUCTION.search(names) else "prod"


def _version(rest: str) -> str | None:
    found = _VERSION.match(rest)
    return found[1] if found else None


def parse_gemspec(text: str) -> Contents:
    """`spec.add_dependency "rack", ">= 3"`, and what the gem itself is called."""
    found = [
        Declared(each[2], _version(each["rest"]), "dev" if each["kind"] == "_development" else "prod")
        for line in text.splitlines()[:MOST_ENTRIES]
        for each in _ASKED.finditer(line)
    ]
    name = _NAME.search(text)
    return Contents(tuple(found), own_names=(name[1],) if name else ())


def parse_gemfile_lock(text: str) -> Contents:
    """The versions that bundler settled on."""
    found = [match for line in text.splitlines()[:MOST_ENTRIES] if (match := _LOCKED.match(line))]
    return Contents(locked=tuple(Locked(each["name"], each["version"]) for each in found))


def describe_gemspec(text: str) -> Described:
    """What a gem is called, and what it asks for."""
    contents = parse_gemspec(text)
    return Described(next(iter(contents.own_names), None), manager="bundler", declared=contents.declared)


def describe_gemfile(text: str) -> Described:
    """The gems that an application asks for."""
    return Described(manager="bundler", declared=parse_gemfile(text).declared)
