"""Calls altered to plausible wrong names, and calls as they are: how many are accused of calling what nobody has.

    python benchmarks/hallucinations.py ROOT ... [--calls 300] [--seed 1] [--show]

ROOT are scanned projects. From each language as many calls are drawn. A call that is altered leads to something of the
project before (how sure the linker is of it is asked of nobody); its last name is replaced as somebody does who
remembers badly: another verb, a word more, a word less, another number. Those that are left as they are may be any call.
Printed are, by language and in all, the share of altered calls that are accused on their line, and the share of the others.
"""

import argparse
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from drift.guards.missing_names import missing_names
from drift.guards.overlay import OverlaidFile, Overlay, overlaid
from drift.index import IndexReader
from drift.index.path_text import text_to_path
from drift.project import StateDir

VERBS = {
    "get": "fetch", "fetch": "load", "load": "read", "read": "load", "create": "make", "make": "create", "build": "create",
    "add": "append", "append": "add", "remove": "delete", "delete": "remove", "is": "has", "has": "is", "find": "search",
    "update": "modify", "set": "assign", "parse": "decode", "write": "save", "save": "store", "run": "execute",
    "handle": "process", "process": "handle", "start": "begin", "new": "create", "to": "as", "validate": "check",
    "check": "verify", "send": "post", "open": "connect", "close": "shutdown", "register": "add", "render": "display",
}  # fmt: skip
MOST_FILES = 60
MOST_OF_FILE = 8  # calls that are altered: a file of many alike would decide the share
LANGUAGES = ("python", "typescript", "java", "go", "php", "csharp", "rust", "javascript")


class Drawn(NamedTuple):
    root: Path
    path: str
    number: int
    line: int
    text: str


def words_of(name: str) -> list[str]:
    return re.findall(r"[A-Z]{2,20}(?=[A-Z][a-z])|[A-Z]?[a-z0-9]{1,40}|[A-Z]{1,20}|_{1,5}", name)


def alter(name: str, dice: random.Random) -> str:
    """A name that somebody may take for this one."""
    words = words_of(name)
    is_snake = "_" in name.strip("_") or (name.islower() and len(words) == 1 and dice.random() < 0.5)
    real = [number for number, word in enumerate(words) if word.strip("_")]
    if not real:
        return f"{name}_all"
    first = words[real[0]]
    changes = [f"{name}{'_all' if is_snake else 'All'}", f"{name}{'_value' if is_snake else 'Value'}"]
    if first.lower() in VERBS:
        other = VERBS[first.lower()]
        changed = list(words)
        changed[real[0]] = other.capitalize() if first[:1].isupper() else other
        changes = ["".join(changed)] * 4 + changes
    if len(real) > 1:
        changes.append("".join(words[: real[-1]]).rstrip("_") or f"{name}s")
    changes.append(name[:-1] if name.endswith("s") and len(name) > 3 else f"{name}s")
    return dice.choice([one for one in changes if one != name])


def place_of(file: OverlaidFile, number: int) -> tuple[int, int, str] | None:
    """Where the last name of a call stands in the text, and the name; None where that is not plain."""
    call = file.facts.calls[number]
    callee = call.callee
    name = callee[-1] if callee is not None and callee[0] in {"name", "member"} else None
    if not isinstance(name, str) or len(name) < 3 or not name.isidentifier():
        return None
    content = file.draft.content
    start = 0
    for _ in range(call.line - 1):
        start = content.index(b"\n", start) + 1
    at = start + call.column
    if content[at : at + 1] == b"<":  # a component
        is_plain = content[at + 1 : at + 1 + len(name.encode())] == name.encode()
        return (at + 1, at + 1 + len(name.encode()), name) if is_plain else None
    pattern = re.compile(
        rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?:::)?(?:<[^<>()]{0,80}>)?\s{0,20}\("
    )
    found = pattern.search(content, at, at + 400)
    if found is None or content[: found.start()].endswith(b"function "):
        return None
    return found.start(), found.start() + len(name.encode()), name


def of_project(file: OverlaidFile) -> Iterator[int]:
    """The calls that lead to something of the project."""
    for one in file.calls():
        if (
            one.link.targets
            and one.call.kind == "call"
            and one.link.reason not in {"decorator", "dispatched", "constructor"}
        ):
            yield one.number


def draw(roots: list[Path], dice: random.Random) -> tuple[dict[str, list[Drawn]], dict[str, list[Drawn]]]:
    inside: dict[str, list[Drawn]] = defaultdict(list)
    every: dict[str, list[Drawn]] = defaultdict(list)
    for root in roots:
        with IndexReader(StateDir(root).index_db) as reader:
            stamps = [
                one for one in reader.files.stamps() if one.language in LANGUAGES and one.status == "ok"
            ]
            dice.shuffle(stamps)
            for stamp in stamps[:MOST_FILES]:
                path = text_to_path(stamp.path)
                with overlaid(root, reader, {path: (root / path).read_bytes()}) as overlay:
                    file = overlay.files[path]
                    calls = file.facts.calls
                    every[stamp.language or ""] += [
                        Drawn(root, path, number, one.line, one.text) for number, one in enumerate(calls)
                    ]
                    found = [
                        Drawn(root, path, number, calls[number].line, calls[number].text)
                        for number in of_project(file)
                        if place_of(file, number) is not None
                    ]
                    inside[stamp.language or ""] += dice.sample(found, min(MOST_OF_FILE, len(found)))
    return inside, every


def is_accused(overlay: Overlay, path: str, drawn: Drawn, name: str | None) -> bool:
    found = missing_names(overlay, overlay.files[path])
    if name is None:
        return any(one.line == drawn.line and one.text == drawn.text for one in found)
    return any(one.name == name for one in found)


def try_altered(drawn: Drawn, dice: random.Random) -> tuple[bool, str, str]:
    content = (drawn.root / drawn.path).read_bytes()
    with IndexReader(StateDir(drawn.root).index_db) as reader:
        with overlaid(drawn.root, reader, {drawn.path: content}) as overlay:
            place = place_of(overlay.files[drawn.path], drawn.number)
            reason = overlay.files[drawn.path].draft.links.calls[drawn.number].reason
        assert place is not None
        start, end, name = place
        wrong = alter(name, dice)
        for _ in range(20):
            if not reader.symbols.named(wrong) and wrong.encode() not in content:
                break
            wrong = alter(name, dice)
        text = content[:start] + wrong.encode() + content[end:]
        with overlaid(drawn.root, reader, {drawn.path: text}) as overlay:
            return is_accused(overlay, drawn.path, drawn, wrong), wrong, reason


def try_plain(drawn: Drawn) -> bool:
    content = (drawn.root / drawn.path).read_bytes()
    with (
        IndexReader(StateDir(drawn.root).index_db) as reader,
        overlaid(drawn.root, reader, {drawn.path: content}) as overlay,
    ):
        return is_accused(overlay, drawn.path, drawn, None)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    dice = random.Random(asked.seed)
    inside, every = draw([root.absolute() for root in asked.roots], dice)
    languages = sorted(language for language in inside if inside[language])
    each = asked.calls // max(1, len(languages))
    totals = [0, 0, 0, 0]
    for language in languages:
        altered = dice.sample(inside[language], min(each, len(inside[language])))
        plain = dice.sample(every[language], min(each, len(every[language])))
        caught, missed = 0, []
        for one in altered:
            is_caught, wrong, reason = try_altered(one, dice)
            caught += is_caught
            if not is_caught:
                missed.append(f"  missed {one.path}:{one.line} {one.text} -> {wrong} ({reason})")
        accused = [one for one in plain if try_plain(one)]
        totals = [
            a + b for a, b in zip(totals, (caught, len(altered), len(accused), len(plain)), strict=True)
        ]
        print(f"{language:12} altered {caught}/{len(altered)} plain {len(accused)}/{len(plain)}")
        if asked.show:
            print("\n".join([*missed, *(f"  accused {one.path}:{one.line} {one.text}" for one in accused)]))
        sys.stdout.flush()
    print(f"{'all':12} altered {totals[0]}/{totals[1]} plain {totals[2]}/{totals[3]}")


if __name__ == "__main__":
    main()
