"""How true the answers about applications are.

    drift scan PROJECT
    python benchmarks/applications.py draw PROJECT --count 40 --seed 1

`draw` asks so many questions of all read tools, drawn at random with real arguments from the index, and prints each
with its answer and the places to read. Judge each by reading the code, as right, partly right, wrong with a warning,
wrong without one, or refused, and state commit and seed, so that others can draw the same.

    python benchmarks/applications.py truths PROJECT... [--renames 40] [--missing 10]

`truths` holds the index against what the text alone says (`application_truths.py`) and prints a row for each
application: its routes, tests by the routes they ask for, and renames.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import judged_answers
from application_truths import judge_renames, judge_routes, judge_tests

from drift.index import IndexReader
from drift.project import StateDir


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


def run_truths(options: argparse.Namespace) -> None:
    print(
        "| application | framework | routes | found | tests by route | found | renamed lines | found | right |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for project in options.projects:
        root = project.resolve()
        with IndexReader(StateDir(root).index_db) as reader:
            routes, framework, no_routes = judge_routes(root, reader)
            tests, no_tests = judge_tests(root, reader)
            renames, wrong = judge_renames(root, reader, options.renames, options.seed)
        cells = [
            root.name, framework, routes.true, routes.recall, tests.true, tests.recall, renames.true, renames.recall,
            renames.precision,
        ]  # fmt: skip
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
        for one in (*no_routes[: options.missing], *no_tests[: options.missing], *wrong[: options.missing]):
            print(f"    {one}")


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
    truths = modes.add_parser("truths", help="what the text alone says of routes, tests and names")
    truths.add_argument("projects", type=Path, nargs="+")
    truths.add_argument("--renames", type=int, default=40)
    truths.add_argument("--seed", type=int, default=1)
    truths.add_argument("--missing", type=int, default=0, help="list so many of each fault")
    truths.set_defaults(run=run_truths)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
