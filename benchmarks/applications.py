"""How true the answers about applications are.

    drift scan PROJECT
    python benchmarks/applications.py draw PROJECT --count 40 --seed 1

`draw` asks so many questions of all read tools, drawn at random with real arguments from the index, and prints each
with its answer and the places to read. Judge each by reading the code, as right, partly right, wrong with a warning,
wrong without one, or refused, and state commit and seed, so that others can draw the same.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import judged_answers


def run_draw(options: argparse.Namespace) -> None:
    drawn = judged_answers.draw(
        options.project.resolve(),
        count=options.count,
        seed=options.seed,
        language=options.language,
        most_characters=options.characters,
    )
    for text in drawn:
        print(text)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    modes = parser.add_subparsers(required=True)
    draw = modes.add_parser("draw", help="questions to be judged by reading")
    draw.add_argument("project", type=Path)
    draw.add_argument("--count", type=int, default=40)
    draw.add_argument("--seed", type=int, default=1)
    draw.add_argument("--language", help="ask about files of this one alone")
    draw.add_argument("--characters", type=int, default=4_000, help="of an answer that are shown")
    draw.set_defaults(run=run_draw)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
