"""What markup ties to code: bindings, commands, contexts, resources and handlers as facts, and the elements themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.kernel.text import shorten
from drift.languages.facts import Element, MarkupBinding
from drift.languages.xaml.markup import read_extensions
from drift.languages.xaml.vocabulary import BINDINGS, CLASSES, CONTEXTS, KEPT_VALUES, NAMES, RESOURCES

if TYPE_CHECKING:
    from drift.languages.xaml.markup import Extension

_MOST_CHARACTERS = 200


def element_of(name: str, attributes: list[tuple[str, str]], *, scope: int, line: int) -> Element | None:
    """The element; None for one that says nothing but that it is there."""
    given = {key: value for key, value in attributes if not key.startswith("xmlns")}
    if not given or "." in name or name in BINDINGS:
        return None
    identity = next((given[each] for each in NAMES if each in given), None)
    classes = next((given[each] for each in CLASSES if each in given), None)
    rest = tuple(
        (_brief(key), _brief(value) if key.startswith(KEPT_VALUES) else None)
        for key, value in given.items()
        if key not in NAMES and key not in CLASSES
    )
    return Element(
        scope,
        line,
        _brief(name),
        None if identity is None else _brief(identity),
        None if classes is None else _brief(classes),
        rest,
    )


def tie_of(extension: Extension, *, scope: int, line: int, place: tuple[str, str]) -> MarkupBinding | None:
    """What a markup extension ties to a property; `place` is the element and the property."""
    name, named = extension.name, extension.named
    first = next(iter(extension.positional), "")
    element, attribute = place
    if name in RESOURCES:
        key = named.get("ResourceKey") or first
        mode = name.removesuffix("Resource")
        return MarkupBinding(scope, line, _brief(element), _brief(attribute), "resource", _brief(key), mode)
    if name not in BINDINGS:
        return None
    return MarkupBinding(
        scope,
        line,
        _brief(element),
        _brief(attribute),
        _kind_of(attribute),
        _brief(named.get("Path") or first) or None,
        named.get("Mode", "")[:_MOST_CHARACTERS] or None,
        _named_value(named.get("Converter")),
        _source_of(extension),
    )


def _kind_of(attribute: str) -> str:
    own = attribute.rpartition(".")[2]
    if own in CONTEXTS:
        return "context"
    return "command" if own.endswith("Command") else "binding"


def _source_of(extension: Extension) -> str | None:
    if extension.name == "x:Bind":
        return "code"
    if extension.name == "TemplateBinding":
        return "TemplatedParent"
    named = extension.named
    given = next((named[key] for key in ("ElementName", "RelativeSource", "Source") if key in named), None)
    return _named_value(given)


def _named_value(value: str | None) -> str | None:
    """What a value names: the key of `{StaticResource Upper}`, the mode of `{RelativeSource Self}`, or itself."""
    if value is None:
        return None
    inner = next(read_extensions(value), None)
    if inner is None:
        return _brief(value)
    words = [*inner.positional, *inner.named.values()]
    return _brief(" ".join(words)) or _brief(inner.name)


def _brief(text: str) -> str:
    return shorten(text, _MOST_CHARACTERS)
