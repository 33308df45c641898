"""Reads drift.toml and DRIFT_* variables into a `Config`, refusing what it does not understand."""

import reprlib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import read_file
from drift.kernel.similar import similar_names
from drift.kernel.text import shorten
from drift.project.home import expand_home
from drift.project.settings import Config, Setting, Source, settings_by_key
from drift.project.values import stays_inside

T = TypeVar("T")

CONFIG_NAME = "drift.toml"

_MOST_BYTES = 1_000_000
# The parser's time grows with the square of a dotted key's length: 1 MB of it would take hours.
_MOST_DOTS = 5_000
_MOST_SHOWN = 80  # characters of a wrong value in a message


class _Found(NamedTuple):
    value: object
    source: Source


def load_config(root: Path, environ: Mapping[str, str]) -> Config:
    """The settings of the project at `root`: variables over drift.toml over defaults.

    Raises CONFIG_INVALID for an unknown key, a wrong type, a value out of range or a malformed file.
    """
    found = {key: _Found(setting.default, Source("default")) for key, setting in settings_by_key().items()}
    found.update(_read_table(_read_file(root), ""))
    found.update(_read_environment(environ))
    sources = {key: entry.source for key, entry in found.items()}
    return _assemble(Config, "", found, sources=sources)


def _read_file(root: Path) -> dict[str, Any]:
    try:
        content = read_file(root, CONFIG_NAME, _MOST_BYTES)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _malformed(f"cannot be read ({error.strerror})") from error
    if content.count(b".") > _MOST_DOTS:
        raise _malformed(f"has more than {_MOST_DOTS:,} dots")
    return _parse_toml(content)


def _parse_toml(content: bytes) -> dict[str, Any]:
    # Imported here: most projects have no drift.toml, and every start would pay for the parser.
    import tomllib

    try:
        # "-sig" drops the byte order mark that some Windows editors write.
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _malformed(f"is not UTF-8 (byte {error.start})") from error
    except ValueError as error:
        raise _malformed(f"is not valid TOML: {shorten(str(error), 200)}") from error
    except RecursionError as error:
        raise _malformed("is nested too deeply") from error


def _read_table(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, _Found]]:
    settings = settings_by_key()
    for name, value in table.items():
        key = prefix + name
        setting = settings.get(key)
        if setting is not None:
            yield key, _Found(_accept_from_file(setting, value), Source("file", CONFIG_NAME))
        elif not any(known.startswith(f"{key}.") for known in settings):
            raise _unknown(key)
        elif isinstance(value, dict):
            yield from _read_table(value, f"{key}.")
        else:
            raise _unfit(key, place=CONFIG_NAME, found=value, allowed=f"a table, written as [{key}]")


def _accept_from_file(setting: Setting, value: object) -> object:
    accepted = setting.kind.accept(value)
    if accepted is None:
        raise _unfit(setting.key, place=CONFIG_NAME, found=value, allowed=setting.kind.allowed)
    # The file comes with the code, perhaps from a stranger: it must not make Drift write elsewhere.
    if setting.kind.is_path and not stays_inside(str(accepted)):
        allowed = f"a path inside the project; another place can be set with {setting.env_names[0]}"
        raise _unfit(setting.key, place=CONFIG_NAME, found=value, allowed=allowed)
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
            raise _unfit(key, place=name, found=text, allowed=setting.kind.allowed)
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


def _malformed(problem: str) -> DriftError:
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"{CONFIG_NAME} {problem}.",
        Recovery(hint=f"Correct {CONFIG_NAME} in the project root, or remove it to use the defaults."),
    )


def _unfit(key: str, *, place: str, found: object, allowed: str) -> DriftError:
    # Not plain repr: dotted keys can nest a value deeper than repr can follow.
    shown = shorten(reprlib.repr(found), _MOST_SHOWN)
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"{place}: {key} is {shown}; allowed: {allowed}.",
        Recovery(details={"key": key, "place": place, "found": shown, "allowed": allowed}),
    )


def _unknown(key: str) -> DriftError:
    shown = shorten(key if key.isprintable() else ascii(key), _MOST_SHOWN)
    similar = similar_names(key, settings_by_key())
    question = f" Did you mean {similar[0]}?" if similar else ""
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"{CONFIG_NAME}: {shown} is not a setting.{question}",
        Recovery(similar=similar, details={"key": shown, "place": CONFIG_NAME}),
    )
