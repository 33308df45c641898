"""A project that changes: its links kept from one state to the next, the way an index keeps them."""

from typing import Any

from drift.scan.extractors import extractor_of
from drift.scan.link import FileLinks, Linker, MemorySources, Place
from drift.scan.link.exported_facts import ExportedFacts
from drift.scan.link.moves import path_keys
from drift.scan.link.tables import FileTable
from drift.scan.link.traces import changed_keys, pack_trace, presence_keys

NOTHING = ExportedFacts({}, {})
LANGUAGES = {
    "py": "python", "ts": "typescript", "js": "javascript", "go": "go", "java": "java", "php": "php",
    "cs": "csharp", "rs": "rust", "cpp": "cpp", "h": "cpp", "xaml": "wpf",
}  # fmt: skip


def sources_of(texts: dict[str, str]) -> MemorySources:
    facts = {}
    for path, text in texts.items():
        language = LANGUAGES.get(path.rpartition(".")[2])
        if language is not None:
            facts[path] = extractor_of(language)(text.encode(), path)
    return MemorySources(facts, texts)


def named(sources: MemorySources, links: FileLinks) -> Any:
    """The links with symbols by name, since their numbers are those of one state of a file."""
    identities = {path: FileTable(0, path, facts).identities for path, facts in sources.facts.items()}

    def rename(value: Any) -> Any:
        if isinstance(value, Place):
            return value.path, identities[value.path][value.symbol]
        return tuple(map(rename, value)) if isinstance(value, tuple) else value

    return rename(tuple(links))


class KeptLinks:
    """All links of a project, updated with as little linking as its changes need."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts: dict[str, str] = {}
        self.sources = sources_of({})
        self.links: dict[str, Any] = {}
        self.traces: dict[str, bytes] = {}
        self.linked: list[str] = []
        self.change_to(texts)

    def change_to(self, texts: dict[str, str]) -> None:
        before, after = self.sources, sources_of(texts)
        changed = {path for path in {*before.facts, *after.facts} if self.texts.get(path) != texts.get(path)}
        keys, pairs = path_keys(
            sorted(after.facts.keys() - before.facts.keys()),
            sorted(before.facts.keys() - after.facts.keys()),
            staying=sorted(before.facts.keys() & after.facts.keys()),
            has_text=after.has_text,
        )
        then, now = ([each.exported.get(path, NOTHING) for path in changed] for each in (before, after))
        for one, other in zip(then, now, strict=True):
            keys |= changed_keys(one, other)
        keys |= presence_keys(
            then, now, is_elsewhere=lambda key: not changed.issuperset(after.providing(key))
        )
        take_over_overrides(before, after, changed)
        self.linked = []
        for linked in Linker(after).link_changed(changed, keys, self.traces, pairs=pairs):
            self.links[linked.path] = named(after, linked.links)
            self.traces[linked.path] = pack_trace(linked.trace)
            self.linked.append(linked.path)
        for path in before.facts.keys() - after.facts.keys():
            self.links.pop(path, None)
            self.traces.pop(path, None)
        self.texts, self.sources = dict(texts), after


def take_over_overrides(before: MemorySources, after: MemorySources, changed: set[str]) -> None:
    """Let the next state know what the last one did, by name as an index does by its stable numbers."""
    places = {
        (path, name): Place(path, number)
        for path, facts in after.facts.items()
        for number, name in enumerate(FileTable(0, path, facts).identities)
    }
    found: dict[str, list[tuple[Place, Place]]] = {}
    for method, overriders in before.known_overrides().items():
        for overrider in overriders:
            if overrider.path in changed or overrider.path not in after.facts:
                continue
            pair = [places.get(_name_of(before, place)) for place in (method, overrider)]
            if pair[0] is not None and pair[1] is not None:
                found.setdefault(overrider.path, []).append((pair[0], pair[1]))
    for path, pairs in found.items():
        after.set_overrides(path, pairs)


def _name_of(sources: MemorySources, place: Place) -> tuple[str, str]:
    return place.path, FileTable(0, place.path, sources.facts[place.path]).identities[place.symbol]
