"""The calls that rustc resolved in a Rust project, as pairs for truth.py.

    python benchmarks/truth_rust.py PROJECT PAIRS.jsonl [-- --tests --offline -p CRATE --features …]

Needs cargo and rustc; what follows `--` goes to `cargo check` (else `--tests`), which must be able to build. Cargo is told to call this
file in the place of rustc for the crates of the workspace, so that each is also written out as MIR, the form in which all names,
methods and operators are resolved. A call of a trait's method leads to the impl where MIR names a type with an
impl of it, else to the trait's own method.

Left out, each with its count: calls that macros of the project expand to, functions that macros make, what `derive`
makes, calls without their callee's name in the text (operators, `?`, `for`, deref; `--implicit` keeps them) and
impls that differ by type arguments that the text does not decide. Calls made by code outside (`into` to `from`,
`to_string` to `fmt`), drops, and what is not compiled on this machine, are not there at all.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SPAN = re.compile(r"([^ ]+\.rs):(\d+):(\d+): (\d+):(\d+)$")
HEADER = re.compile(r"^(?:const |static |unsafe |extern \S+ )*fn (.+?)\(")
CALL = re.compile(r"^\s+\S.*? = (.+\)) -> (?:\[return|unwind)")
IMPL_PATH = re.compile(r"(?:(.*)::)?<impl at ([^>]+)>::(\w+)$")
MACRO = re.compile(r"macro_rules!\s*\w+\s*[{(\[]")
TRAIT = re.compile(r"\btrait\s+(\w+)[^;{]*\{")
ALIAS = re.compile(r"\btype\s+(\w+)(?:<[^=;]*>)?\s*=\s*([^;]+);")
METHOD = re.compile(r"\bfn\s+(\w+)")
UNSEEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'", re.DOTALL)
CLOSURE = re.compile(r"<&?(?:mut )?\{closure@([^ ]+\.rs):(\d+):[^}]+\} as [^{]*>::call")
NAME = re.compile(r"(?:\w+::)*(\w+)")


class Place(NamedTuple):
    path: str
    line: int


class Impl(NamedTuple):
    trait: str | None
    of: str
    generics: frozenset[str]


class Body(NamedTuple):
    crate: str
    path: str
    place: Place
    calls: tuple[tuple[str, str], ...]  # the callee as MIR names it, and the span of the call


def write_mir(command: list[str]) -> None:
    """Compile as cargo asks for, and once more into MIR: what this file does in the place of rustc."""
    crate = command[command.index("--crate-name") + 1] if "--crate-name" in command else ""
    if crate and crate != "___" and not crate.startswith("build_script"):
        kept = [word for word in command if not word.startswith(("--emit", "--error-format", "--json"))]
        flags = ["-Zunpretty=mir", "-Zmir-opt-level=0", "-Zmir-include-spans", "-Ztrim-diagnostic-paths=no"]
        with tempfile.NamedTemporaryFile(
            "w", dir=os.environ["MIR_FOLDER"], prefix=f"{crate}.", suffix=".mir", delete=False
        ) as out:
            subprocess.run(
                [*kept, *flags, "--cap-lints=allow"], stdout=out, stderr=subprocess.DEVNULL, check=False
            )
    os.execvp(command[0], command)


def read_bodies(mir: Path) -> Iterator[Body]:
    crate, path, place = mir.name.partition(".")[0], "", None
    calls: list[tuple[str, str]] = []
    with mir.open("r", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if header := HEADER.match(line):
                path, place, calls = header[1], None, []
            elif line.startswith("}"):
                if path and place:
                    yield Body(crate, path, place, tuple(calls))
                path = ""
            elif place is None and "return place in scope" in line and (span := SPAN.search(line.strip())):
                place = Place(span[1], int(span[2]))
            elif " // scope " in line and (call := CALL.match(line)):
                calls.append((callee_of(call[1]), line.rpartition(" at ")[2].strip()))


def callee_of(call: str) -> str:
    """What stands before the arguments, whose brackets end the text."""
    depth = 0
    for position in range(len(call) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(call[position], 0)
        if depth == 0:
            return call[:position]
    return call


def without_arguments(path: str) -> str:
    """A path without what stands between angle brackets."""
    kept, depth = [], 0
    for character in path.replace("->", ""):
        depth -= character == ">"
        if depth == 0 and character not in "<>":
            kept.append(character)
        depth += character == "<"
    return "".join(kept).replace("::::", "::").removesuffix("::")


def head(type_text: str) -> str:
    """The last name of a type without its arguments, and `&` of a reference."""
    text = re.sub(r"^&(?:'\w+ )?(?:mut )?", "&", type_text.strip())
    return (
        without_arguments(text.removeprefix("dyn ")).strip().rpartition("::")[2] if text[:1] != "&" else "&"
    )


def normal(type_text: str) -> str:
    """A type as both MIR and the source would write it, without modules and lifetimes."""
    text = NAME.sub(r"\1", re.sub(r"'\w+ ?(, )?", "", type_text))
    return re.sub(r"<>|\s", "", text)


def fits(impl: Impl, of: str, trait: str) -> bool:
    """Whether an impl as it is written is one of a trait for a type as MIR has them."""
    written = normal(f"{impl.of} as {re.sub(r'Self', lambda _: impl.of, impl.trait or '')}")
    pattern = re.sub(
        r"\w+", lambda found: ".+" if found[0] in impl.generics else found[0], re.escape(written)
    )
    return re.fullmatch(pattern, normal(f"{of} as {trait}")) is not None


def split_top(text: str, word: str) -> tuple[str, str] | None:
    depth = 0
    for position, character in enumerate(text):
        if character in "<([":
            depth += 1
        elif character in ">)]" and text[position - 1] != "-":
            depth -= 1
        elif depth == 0 and text.startswith(word, position):
            return text[:position], text[position + len(word) :]
    return None


class Sources:
    """The project's text: what an impl's span says, where macros are, where traits declare."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lines: dict[str, list[str]] = {}
        self._macros: dict[str, list[range]] = {}
        self.aliases: dict[str, str] = {}
        self.declared: dict[tuple[str, str], set[Place]] = defaultdict(set)
        for file in sorted(root.rglob("*.rs")):
            if "target" not in file.relative_to(root).parts:
                self._read(str(file.relative_to(root)), file.read_text("utf-8", errors="replace"))

    def _read(self, path: str, text: str) -> None:
        self._lines[path] = text.split("\n")
        seen = UNSEEN.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        self._macros[path] = [
            _lines_of(seen, found.start(), found.end() - 1) for found in MACRO.finditer(seen)
        ]
        self.aliases.update((found[1], head(found[2])) for found in ALIAS.finditer(seen))
        for trait in TRAIT.finditer(seen):
            lines = _lines_of(seen, trait.start(), trait.end() - 1)
            for method in METHOD.finditer(seen, trait.end()):
                line = seen.count("\n", 0, method.start()) + 1
                if line not in lines:
                    break
                self.declared[trait[1], method[1]].add(Place(path, line))

    def is_own(self, path: str) -> bool:
        return path in self._lines

    def in_macro(self, place: Place) -> bool:
        return any(place.line in lines for lines in self._macros.get(place.path, ()))

    def text(self, span: str) -> str:
        found = SPAN.search(span)
        if found is None or found[1] not in self._lines:
            return ""
        first, start, last, end = (int(found[number]) for number in (2, 3, 4, 5))
        lines = self._lines[found[1]][first - 1 : last]
        if first == last:
            return lines[0][start - 1 : end - 1]
        return " ".join([lines[0][start - 1 :], *lines[1:-1], lines[-1][: end - 1]])

    def impl(self, span: str) -> Impl | None:
        """What an impl is of; nothing for one that `derive` made."""
        text = re.sub(r"^(?:unsafe |default )*", "", self.text(span))
        if not re.match(r"impl\b", text):
            return None
        rest, generics = text[4:].strip(), ""
        if rest.startswith("<"):
            depth = 0
            for end, character in enumerate(rest):
                depth += (character == "<") - (character == ">" and rest[end - 1] != "-")
                if depth == 0:
                    break
            generics, rest = rest[1:end], rest[end + 1 :].strip()
        rest = re.split(r"\bwhere\b", rest)[0].strip()
        parts = split_top(rest, " for ")
        trait, of = parts or (None, rest)
        return Impl(trait and trait.strip(), of.strip(), frozenset(re.findall(r"(?:^|,)\s*(\w+)", generics)))


def _lines_of(text: str, start: int, opening: int) -> range:
    """The lines from a start to the bracket that closes the one at `opening`."""
    depth = 0
    for position in range(opening, len(text)):
        depth += (text[position] in "{([") - (text[position] in "})]")
        if depth == 0:
            break
    return range(text.count("\n", 0, start) + 1, text.count("\n", 0, position) + 2)


class Definitions:
    """Where the functions that MIR names are."""

    def __init__(self, sources: Sources, bodies: list[Body]) -> None:
        self._sources = sources
        self._plain: dict[str, Place] = {}
        self._by_end: dict[tuple[str, str], set[Place]] = defaultdict(set)
        self._of_traits: dict[tuple[str, str], set[tuple[Impl, Place]]] = defaultdict(set)
        for body in bodies:
            if "{closure" not in body.path:
                self._add(body)

    def _add(self, body: Body) -> None:
        inside = IMPL_PATH.match(body.path)
        if inside is None:
            self._name(body.crate, without_arguments(body.path), body.place)
        elif impl := self._sources.impl(inside[2]):
            if impl.trait is None:
                module = f"{inside[1]}::" if inside[1] else ""
                for name in {head(impl.of), self._sources.aliases.get(head(impl.of), head(impl.of))}:
                    self._name(body.crate, f"{module}{name}::{inside[3]}", body.place)
            else:
                self._of_traits[head(impl.trait), inside[3]].add((impl, body.place))

    def _name(self, crate: str, path: str, place: Place) -> None:
        self._plain[f"{crate}::{path}"] = place
        self._by_end[crate, "::".join(path.split("::")[-2:])].add(place)

    def find(self, crate: str, callee: str) -> Place | str | None:
        """The place of a callee, or why it has none, or nothing where it is outside."""
        if closure := CLOSURE.match(callee):
            return Place(closure[1], int(closure[2]))
        if callee.startswith("<") and (named := re.match(r"<(.+)>::(\w+)(?:::<.*>)?$", callee)):
            parts = split_top(named[1], " as ")
            if parts is not None:
                return self._of_trait(crate, parts[0], parts[1], named[2])
        callee = re.sub(r"<impl ([^<>]*(?:<.*>)?)>", lambda found: head(found[1]), callee)
        path = without_arguments(callee)
        for full in (f"{crate}::{path}", path):
            if full in self._plain:
                return self._plain[full]
        # A public path of another crate may be shorter than that of the definition.
        owner, end = path.partition("::")[0], "::".join(path.split("::")[-2:])
        return self._only(
            self._by_end.get((owner, end), set()) or self._by_end.get((owner, path.partition("::")[2]), set())
        )

    def _of_trait(self, crate: str, of: str, trait: str, method: str) -> Place | str | None:
        impls = self._of_traits.get((head(trait), method), set())
        is_outside = trait.partition("::")[0] in {"std", "core", "alloc"}
        near = [(impl, place) for impl, place in impls if head(impl.of) == head(of)]
        same = [place for impl, place in near if fits(impl, of, trait)]
        if is_outside and "<" in trait:  # of `From<A>` and `From<B>` one may be outside
            near = []
        wide = [place for impl, place in impls if impl.of in impl.generics]
        for found in (same, [place for _, place in near], wide):
            if found:
                return self._only(set(found))
        path = without_arguments(trait)
        for full in (f"{crate}::{path}::{method}", f"{path}::{method}"):
            if full in self._plain:
                return self._plain[full]
        if is_outside:
            return None
        return self._only(self._sources.declared.get((head(trait), method), set()))

    @staticmethod
    def _only(found: set[Place]) -> Place | str | None:
        return "several impls or traits fit" if len(found) > 1 else next(iter(found), None)


def pairs_of(
    bodies: list[Body], sources: Sources, *, with_implicit: bool
) -> tuple[list[dict[str, object]], Counter[str]]:
    definitions, left_out = Definitions(sources, bodies), Counter[str]()
    found: dict[tuple[Place, Place, str, int | None], dict[str, object]] = {}
    for body in bodies:
        why_not = _why_not(body, sources)
        for callee, span in body.calls:
            target = definitions.find(body.crate, callee)
            if target is None:
                continue
            name = without_arguments(
                callee if callee[:1] != "<" else callee.rpartition(">::")[2] or callee
            ).rpartition("::")[2]
            name = re.sub(r"\W", "", name)
            match = SPAN.search(span)
            place = Place(match[1], int(match[4])) if match else body.place
            # A closure goes by the variable that holds it.
            name = "" if CLOSURE.match(callee) else name
            is_implicit = name not in sources.text(span)
            if isinstance(target, str):
                left_out[target] += 1
            elif not sources.is_own(target.path) or not sources.is_own(body.place.path):
                continue
            elif why_not or sources.in_macro(target):
                left_out[why_not or "the callee is made by a macro"] += 1
            elif sources.in_macro(place) or place.path != body.place.path:
                left_out["the call is made by a macro"] += 1
            elif is_implicit and not with_implicit:
                left_out["the call does not name its callee"] += 1
            else:
                key = (body.place, target, name, place.line)
                found[key] = {
                    "caller": [*body.place],
                    "callee": [*target],
                    "name": name or None,
                    "line": place.line,
                    "kind": "implicit" if is_implicit else "named",
                }
    return list(found.values()), left_out


def _why_not(body: Body, sources: Sources) -> str | None:
    inside = re.search(r"<impl at ([^>]+)>", body.path)
    if inside and sources.is_own(body.place.path) and sources.impl(inside[1]) is None:
        return "the caller is made by derive or a macro"
    return "the caller is made by derive or a macro" if sources.in_macro(body.place) else None


def main() -> None:
    if "MIR_FOLDER" in os.environ:
        write_mir(sys.argv[1:])
    parser = argparse.ArgumentParser(description="Write the calls of a Rust project that rustc resolved.")
    parser.add_argument("project", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--implicit", action="store_true", help="keep calls that do not name their callee")
    parser.add_argument("cargo", nargs="*", help="arguments for cargo check")
    arguments = parser.parse_args()
    root = arguments.project.resolve()
    with tempfile.TemporaryDirectory() as built, tempfile.TemporaryDirectory() as mir:
        wrapper = Path(built, "rustc-mir")
        wrapper.write_text(f'#!/bin/sh\nexec {sys.executable} {Path(__file__).resolve()} "$@"\n')
        wrapper.chmod(0o755)
        environment = {
            **os.environ,
            "RUSTC_WORKSPACE_WRAPPER": str(wrapper),
            "MIR_FOLDER": mir,
            "RUSTC_BOOTSTRAP": "1",
        }
        command = ["cargo", "check", "--target-dir", built, *(arguments.cargo or ["--tests"])]
        subprocess.run(command, cwd=root, env=environment, check=True)
        bodies = [body for file in sorted(Path(mir).iterdir()) for body in read_bodies(file)]
    pairs, left_out = pairs_of(bodies, Sources(root), with_implicit=arguments.implicit)
    arguments.pairs.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), encoding="utf-8")
    print(f"{len(pairs)} calls written")
    for why, count in left_out.most_common():
        print(f"{count} calls left out: {why}")


if __name__ == "__main__":
    main()
