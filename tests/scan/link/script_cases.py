"""TypeScript and JavaScript projects of a few lines: who calls whom, and where imports lead."""

from kept_cases import link_kept

from drift.languages.facts import FileFacts
from drift.languages.javascript import extract as extract_javascript
from drift.languages.typescript import extract as extract_typescript
from drift.scan.link import FileLinks, Place
from drift.scan.link.reasons import GUESSED

TYPESCRIPT = (".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".astro", ".component.html")
JAVASCRIPT = (".js", ".jsx", ".mjs", ".cjs")


class ScriptProject:
    """A linked project, asked by readable names: `src/a.ts:Class.method`."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.facts: dict[str, FileFacts] = {}
        for path, text in texts.items():
            if path.endswith(TYPESCRIPT):
                self.facts[path] = extract_typescript(text.encode(), path)
            elif path.endswith(JAVASCRIPT):
                self.facts[path] = extract_javascript(text.encode(), path)
        self.links: dict[str, FileLinks] = link_kept(self.facts, texts)

    def calls(self) -> set[str]:
        """Every edge, as `caller -> callee`, without what is only guessed by name."""
        found = set()
        for path, linked in self.links.items():
            for call, said in zip(self.facts[path].calls, linked.calls, strict=True):
                if said.reason not in GUESSED:
                    caller = self.name(Place(path, call.scope))
                    found.update(f"{caller} -> {self.name(target.place)}" for target in said.targets)
        return found

    def references(self, path: str) -> set[tuple[int, str]]:
        """What a file names without calling it, each with its line."""
        named = zip(self.facts[path].references, self.links[path].references, strict=True)
        return {(one.line, self.name(target.place)) for one, said in named for target in said.targets}

    def outcomes(self, path: str) -> dict[str, tuple[str, str | None]]:
        """What is said of each call of a file: its outcome, and its name outside."""
        calls = zip(self.facts[path].calls, self.links[path].calls, strict=True)
        return {call.text: (said.outcome, said.external_name) for call, said in calls}

    def imports(self, path: str) -> dict[str, str | None]:
        """Where each import text of a file leads: to a file, to `package NAME`, or to a problem."""
        found: dict[str, str | None] = {}
        for written, said in zip(self.facts[path].imports, self.links[path].imports, strict=True):
            outside = f"package {said.external_package}" if said.external_package else None
            found[written.module] = said.file or outside or said.problem
        return found

    def name(self, place: Place) -> str:
        symbols, number, names = self.facts[place.path].symbols, place.symbol, []
        while number:
            names.append(symbols[number].name)
            number = symbols[number].parent
        return ":".join([place.path, ".".join(reversed(names))] if names else [place.path])
