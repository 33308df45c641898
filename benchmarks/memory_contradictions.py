"""How many contradictions in real wording are found, and how many are told where there is none.

    python benchmarks/memory_contradictions.py FOLDER [--misses]

FOLDER holds mirrors as `OWNER+NAME/repo`. A pair is a line of a project's documents before and after a commit that
changed this line alone, both written by others; memory_contradictions.toml names the commits, with a digest of each
pair, and says whether the two can hold at once, as a person who read them judged. The `chosen` pairs were used to make
the rules, the `held_out` ones were judged before the rules were run on them. Then every line of the documents of some
projects, as they are today, is one memory: what is told there is mostly wrong. Prints a table in Markdown.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from hashlib import sha1
from pathlib import Path
from typing import Final

from drift.memory import Memory
from drift.memory.truth.contradictions import find_contradictions

PAIRS: Final = Path(__file__).with_suffix(".toml")
TOGETHER: Final = ("encode+httpx", "TwiN+gatus", "fastify+fastify")
FEWEST_WORDS: Final = 6


def git(folder: Path, mirror: str, *arguments: str) -> str:
    command = ["git", f"--git-dir={folder / mirror / 'repo'}", *arguments]
    return subprocess.run(command, capture_output=True, check=True, timeout=120).stdout.decode(
        "utf-8", "replace"
    )


def changed_lines(folder: Path, mirror: str, commit: str) -> Iterator[tuple[str, str]]:
    """The lines that a commit changed one for one."""
    diff = git(folder, mirror, "show", "--format=", "-U0", "--no-renames", commit, "--", "*.md", "*.rst")
    for hunk in re.split(r"^@@ .*$", diff, flags=re.MULTILINE)[1:]:
        # A header of the next file ends a hunk.
        old, new = (
            [line[1:].strip() for line in hunk.partition("\ndiff --git")[0].splitlines() if line[:1] == sign]
            for sign in "-+"
        )
        if len(old) == len(new) == 1:
            yield old[0], new[0]


def digest(old: str, new: str) -> str:
    return sha1(f"{old}\n{new}".encode(), usedforsecurity=False).hexdigest()[:12]


def are_told(texts: Sequence[str]) -> list[str]:
    """What is told of memories with these texts."""
    memories = [
        Memory(id=f"m_{place}", type="insight", text=text, recorded_at_ms=place + 1, updated_at_ms=place + 1)
        for place, text in enumerate(texts)
    ]
    found = find_contradictions(memories, now_ms=len(texts) + 1)
    return [f"{one.reason}: {one.claim_a.sentence[:100]} / {one.claim_b.sentence[:100]}" for one in found]


def document_lines(folder: Path, mirror: str) -> list[str]:
    names = git(folder, mirror, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    documents = [one for one in names if one.endswith(".md") and "change" not in one.lower()][:60]
    texts = (
        re.sub(r"```.*?```", "", git(folder, mirror, "show", f"HEAD:{one}"), flags=re.DOTALL)
        for one in documents
    )
    lines = (
        line.strip()
        for text in texts
        for line in text.splitlines()
        if not line.startswith(("|", "#", "    "))
    )
    return list(dict.fromkeys(line for line in lines if len(line.split()) >= FEWEST_WORDS))


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args(arguments)
    judged = tomllib.loads(PAIRS.read_text("utf-8"))
    print("| pairs | contradictions found | told wrongly |\n|---|---|---|")
    for name, sides in judged.items():
        counts = []
        for side in ("opposed", "same"):
            told = missing = 0
            for mirror, commit, wanted in (row.split() for row in sides[side]):
                pair = next(
                    (one for one in changed_lines(options.folder, mirror, commit) if digest(*one) == wanted),
                    None,
                )
                missing += pair is None
                is_told = pair is not None and bool(are_told(pair))
                told += is_told
                if pair and options.misses and is_told != (side == "opposed"):
                    print(f"  {side}: {pair[0][:150]} => {pair[1][:150]}")
            counts.append(f"{told} of {len(sides[side]) - missing}")
        print(f"| {name} | {' | '.join(counts)} |", flush=True)
    for mirror in TOGETHER:
        lines = document_lines(options.folder, mirror)
        told = are_told(lines)
        print(f"| {len(lines)} statements of {mirror} together | | {len(told)} |", flush=True)
        for one in told if options.misses else ():
            print(f"  {one}")


if __name__ == "__main__":
    main(sys.argv[1:])
