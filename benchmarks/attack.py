"""Attacks Drift from outside, always in the same way for the same seed, and counts what it broke.

    python benchmarks/attack.py                       # a short round of every kind
    python benchmarks/attack.py messages --count 100000 --seed 3
    python benchmarks/attack.py kills --count 100 --minutes 10

Kinds: `messages` (hostile lines to the three servers over stdio, with honest calls among them), `http` (the same over
HTTP, beside clients that stay honest), `kills` (servers killed while they confirm), `flips` (bytes of stores changed),
`repositories` (generated clones that try to run code, to point outside or to take the machine). Everything stays in
temporary folders and on the loopback address, ends after so many minutes, and exits with 1 where something broke.
Long totals are made of pieces: the same kind with other seeds.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from attack_messages import attack_http, attack_stdio
from attack_report import Report
from attack_repositories import attack_repositories
from attack_stores import flip_bytes, kill_servers

KINDS: dict[str, tuple[Callable[[Path, Report], None], int]] = {
    "messages": (attack_stdio, 3000),
    "http": (attack_http, 1000),
    "kills": (kill_servers, 6),
    "flips": (flip_bytes, 12),
    "repositories": (attack_repositories, 6),
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], help="default: all")
    parser.add_argument("--count", type=int, help="how many of each; default: a short round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10, help="the longest a kind may take")
    chosen = parser.parse_args()
    broken = 0
    for kind in chosen.kinds or KINDS:
        attack, usual = KINDS[kind]
        report = Report(
            kind=kind,
            count=chosen.count or usual,
            seed=chosen.seed,
            deadline=time.monotonic() + chosen.minutes * 60,
        )
        with tempfile.TemporaryDirectory(prefix="drift-attack-") as place:
            attack(Path(place), report)
        print(report.text(), flush=True)
        broken += len(report.faults)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
