"""Small projects in languages with declared types: who calls whom, and where imports lead."""

from importlib import import_module

from kept_cases import link_kept

from drift.languages.facts import FileFacts
from drift.scan.link import CallLink, FileLinks, Place


class Linked:
    """A linked project, read by the names of its functions."""

    def __init__(self, language: str, suffixes: tuple[str, ...], texts: dict[str, str]) -> None:
        extract = import_module(f"drift.languages.{language}").extract
        self.facts: dict[str, FileFacts] = {
            path: extract(text.encode(), path) for path, text in texts.items() if path.endswith(suffixes)
        }
        self.links: dict[str, FileLinks] = link_kept(self.facts, texts)

    def call(self, path: str, text: str) -> CallLink:
        """What is said of the only call that is written like that."""
        (said,) = [
            said
            for call, said in zip(self.facts[path].calls, self.links[path].calls, strict=True)
            if call.text == text
        ]
        return said

    def targets(self, path: str, text: str) -> list[str]:
        """What that call runs, as `file:Class.method`."""
        return [self.name(target.place) for target in self.call(path, text).targets]

    def overriders(self, path: str, text: str) -> list[str]:
        return [self.name(target.place) for target in self.call(path, text).overriders]

    def externals(self, path: str) -> list[str | None]:
        return [found.external_package for found in self.links[path].imports]

    def name(self, place: Place) -> str:
        symbols = self.facts[place.path].symbols
        names: list[str] = []
        number = place.symbol
        while number:
            names.append(symbols[number].name)
            number = symbols[number].parent
        return f"{place.path}:{'.'.join(reversed(names))}"
