"""Reads the settings of the user and of the repository into a `Config`, refusing what it does not understand.

A variable goes over the user's own settings.toml in Drift's home, that over the repository's drift.toml, that over the
default. The repository's file comes with the code, perhaps from a stranger: what it may not set (see `Repository`) is
left out and told, and the rest holds.
"""

import reprlib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import read_file
from drift.kernel.similar import similar_names
from drift.kernel.text import shorten
from drift.project.home import USER_CONFIG_NAME, drift_home, expand_home
from drift.project.setting_rows import Setting
from drift.project.settings import Config, Source, settings_by_key
from drift.project.values import stays_inside

T = TypeVar("T")

CONFIG_NAME = "drift.toml"

_PROJECTS: Final = "projects"  # in the user's file: settings of single projects, by their paths
_STORE: Final = "cortex.db_path"
_TEAM_PROJECT: Final = "team.project"
_MOST_BYTES = 1_000_000
# The parser's time grows with the square of a dotted key's length: 1 MB of it would take hours.
_MOST_DOTS = 5_000
_MOST_SHOWN = 80  # characters of a wrong value in a message


class _Found(NamedTuple):
    value: object
    source: Source


class _File(NamedTuple):
    """A file of settings, and how messages call it."""

    folder: Path
    name: str
    source: Source

    @property
    def place(self) -> str:
        """Its name for a person."""
        return self.source.name


def load_config(root: Path, environ: Mapping[str, str]) -> Config:
    """The settings of the project at `root`: variables over the user's file over drift.toml over defaults.

    Raises CONFIG_INVALID for an unknown key, a wrong type, a value out of range or a malformed file.
    """
    found = {key: _Found(setting.default, Source("default")) for key, setting in settings_by_key().items()}
    own, refused = _read_repository(root)
    found.update(own)
    found.update(_read_user(root, environ))
    found.update(_read_environment(environ))
    sources = {key: entry.source for key, entry in found.items()}
    still_refused = tuple(refused[key] for key in refused if not sources[key].is_of_user)
    return _assemble(Config, "", found, sources=sources, refused=still_refused)


def _read_repository(root: Path) -> tuple[dict[str, _Found], dict[str, str]]:
    """What the repository sets, and by key what it may not."""
    file = _File(root, CONFIG_NAME, Source("file", CONFIG_NAME))
    found, refused = {}, {}
    for setting, value in _read_table(file, _read_file(file), ""):
        accepted = _accept(setting, value, file)
        problem = _objection(setting, accepted)
        if problem is None:
            found[setting.key] = _Found(accepted, file.source)
        else:
            refused[setting.key] = (
                f"{CONFIG_NAME}: {setting.key} ({_show(_told(setting, value))}) is left out: {problem}. If you want it, set {setting.env_names[0]}, "
                f"or {setting.key} in {USER_CONFIG_NAME} of Drift's home."
            )
    return found, refused


def _objection(setting: Setting, value: object) -> str | None:
    """Why a repository may not set this; None if it may."""
    may_set, bound = setting.repository
    if value == setting.default:
        return None
    if may_set == "no":
        return "a repository may not set it"
    if may_set == "tighten" and not setting.kind.is_within(value, bound):
        return f"a repository may set it to {bound} at most" if bound else "a repository may only set limits"
    if setting.kind.is_path and not stays_inside(str(value)):
        return "a repository may name only a path inside the project"
    return None


def _read_user(root: Path, environ: Mapping[str, str]) -> dict[str, _Found]:
    """What the user's own file says for all projects, and over it for this one."""
    try:
        home = drift_home(environ)
    except DriftError:
        return {}  # without a home there is no such file
    file = _File(home, USER_CONFIG_NAME, Source("user", str(home / USER_CONFIG_NAME)))
    document = _read_file(file)
    projects = document.pop(_PROJECTS, {})
    if not isinstance(projects, dict) or not all(isinstance(each, dict) for each in projects.values()):
        raise _unfit(
            _PROJECTS, place=file.place, found=projects, allowed='tables such as [projects."/path".mcp]'
        )
    found: dict[str, _Found] = {}
    for table in (document, projects.get(str(root), {})):
        for setting, value in _read_table(file, table, ""):
            accepted = _accept(setting, value, file)
            if setting.kind.is_path and accepted:
                accepted = str(expand_home(str(accepted), environ))
                if setting.key == _STORE and table is document and Path(accepted).is_absolute():
                    allowed = (
                        "a relative path; an absolute one only for one project, or all would share a store"
                    )
                    raise _unfit(setting.key, place=file.place, found=value, allowed=allowed)
            if setting.key == _TEAM_PROJECT and table is document and accepted:
                allowed = 'set for one project, in [projects."/path".team], or all would share a store'
                raise _unfit(setting.key, place=file.place, found=value, allowed=allowed)
            found[setting.key] = _Found(accepted, file.source)
    return found


def _read_file(file: _File) -> dict[str, Any]:
    try:
        content = read_file(file.folder, file.name, _MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise _malformed(file, f"cannot be read ({error.strerror})") from error
    if content.count(b".") > _MOST_DOTS:
        raise _malformed(file, f"has more than {_MOST_DOTS:,} dots")
    return _parse_toml(file, content)


def _parse_toml(file: _File, content: bytes) -> dict[str, Any]:
    # Imported here: most projects have no drift.toml, and every start would pay for the parser.
    import tomllib

    try:
        # "-sig" drops the byte order mark that some Windows editors write.
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _malformed(file, f"is not UTF-8 (byte {error.start})") from error
    except ValueError as error:
        raise _malformed(file, f"is not valid TOML: {shorten(str(error), 200)}") from error
    except RecursionError as error:
        raise _malformed(file, "is nested too deeply") from error


def _read_table(file: _File, table: Mapping[str, Any], prefix: str) -> Iterator[tuple[Setting, object]]:
    settings = settings_by_key()
    for name, value in table.items():
        key = prefix + name
        setting = settings.get(key)
        if setting is not None:
            yield setting, value
        elif not any(known.startswith(f"{key}.") for known in settings):
            raise _unknown(file, key)
        elif isinstance(value, dict):
            yield from _read_table(file, value, f"{key}.")
        else:
            raise _unfit(key, place=file.place, found=value, allowed=f"a table, written as [{key}]")


def _accept(setting: Setting, value: object, file: _File) -> object:
    accepted: object = setting.kind.accept(value)
    if accepted is None:
        raise _unfit(setting.key, place=file.place, found=_told(setting, value), allowed=setting.kind.allowed)
    return accepted


def _read_environment(environ: Mapping[str, str]) -> Iterator[tuple[str, _Found]]:
    for key, setting in settings_by_key().items():
        # Blank counts as unset: compose files and CI pass variables on that way.
        name = next((name for name in setting.env_names if environ.get(name, "").strip()), None)
        if name is None:
            continue
        text = environ[name].strip()
        if setting.kind.is_path:
            text = str(expand_home(text, environ))
        accepted = setting.kind.accept(setting.kind.parse(text))
        if accepted is None:
            raise _unfit(key, place=name, found=_told(setting, text), allowed=setting.kind.allowed)
        yield key, _Found(accepted, Source("environment", name))


def _assemble(section: type[T], prefix: str, found: Mapping[str, _Found], **given: object) -> T:
    values: dict[str, object] = dict(given)
    for each in fields(section):  # type: ignore[arg-type]  # every section is a dataclass
        key = prefix + each.name
        if key in found:
            values[each.name] = found[key].value
        elif each.name not in given and isinstance(each.type, type):
            values[each.name] = _assemble(each.type, f"{key}.", found)
    return section(**values)


def _malformed(file: _File, problem: str) -> DriftError:
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"{file.place} {problem}.",
        Recovery(hint=f"Correct {file.folder / file.name}, or remove it to use the defaults."),
    )


def _unfit(key: str, *, place: str, found: object, allowed: str) -> DriftError:
    shown = _show(found)
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"{place}: {key} is {shown}; allowed: {allowed}.",
        Recovery(details={"key": key, "place": place, "found": shown, "allowed": allowed}),
    )


def _told(setting: Setting, value: object) -> object:
    """A value as messages may tell it."""
    return "(not shown)" if setting.kind.is_secret else value


def _show(value: object) -> str:
    # Not plain repr: dotted keys can nest a value deeper than repr can follow.
    return shorten(reprlib.repr(value), _MOST_SHOWN)


def _unknown(file: _File, key: str) -> DriftError:
    shown = shorten(key if key.isprintable() else ascii(key), _MOST_SHOWN)
    similar = similar_names(key, settings_by_key())
    question = f" Did you mean {similar[0]}?" if similar else ""
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"{file.place}: {shown} is not a setting.{question}",
        Recovery(similar=similar, details={"key": shown, "place": file.place}),
    )
