"""Whether the hook on the user's prompt helps, keeps silent where nothing fits, and what it costs.

    python benchmarks/memory_hook.py MIRROR … [--prompts 60] [--show]

Each MIRROR becomes a project of `memory_project.py`: what was learned, and the episodes captured beside it. A prompt
that something fits is a commit in other words whose change the project's memory tells in its own; it is helped where
what the hook adds holds that memory. A prompt that nothing fits is a commit of another of the mirrors. Tokens are counted as
they stand in the answer. Last, the processor time of the whole process beside that of `python -c pass`.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from memory_project import DAY_MS, Project, _evenly, _reword, make_project, read_commits

from drift.kernel.tokens import count_tokens
from drift.memory import MemoryStore
from drift.memory.overlap import telling_words
from drift.memory.work.prompting import MOST_TOKENS, Told, recall_for_prompt
from drift.project.stores import find_stores

RUNS: Final = 15
ASKED_FOR_COMMIT: Final = "which commit"
REQUESTS: Final = ("{}", "please {}", "we should {}, can you do that?", "{}. Then run the tests.")


class Score(NamedTuple):
    """What became of the prompts of one project."""

    helped: int
    fitting: int
    silent: int
    strange: int
    most_tokens: int


def requests(subjects: list[str], wanted: int) -> list[str]:
    """Commits as somebody would ask for them, evenly taken."""
    said = [text for text in map(_reword, subjects) if len(telling_words(text)) > 3]
    return [REQUESTS[len(text) % len(REQUESTS)].format(text) for text in _evenly(said, wanted)]


def fitting(project: Project, wanted: int) -> list[tuple[str, int]]:
    """Prompts with the place of the memory that fits each."""
    asked = [one for one in project.questions if not one.text.startswith(ASKED_FOR_COMMIT)]
    bare = [(one.text.split(" ", 3), one) for one in _evenly(asked, wanted)]
    return [
        (REQUESTS[place % len(REQUESTS)].format(words[-1].rstrip("?")), one.answer)
        for place, (words, one) in enumerate(bare)
    ]


def measure(project: Project, store: MemoryStore, others: list[str], *, wanted: int, shows: bool) -> Score:
    now_ms = project.memories[-1].recorded_at_ms + DAY_MS

    def ask(prompt: str) -> Told:
        return recall_for_prompt(store, prompt, root=Path("/nowhere"), now_ms=now_ms)

    tokens = [0]
    helped = 0
    prompts = fitting(project, wanted)
    for prompt, answer in prompts:
        told = ask(prompt)
        tokens.append(count_tokens(told.text))
        is_helped = project.memories[answer].id in told.ids
        helped += is_helped
        if shows and not is_helped:
            print(
                f"  {'wrong' if told.ids else 'silent'}: {prompt}\n     fits: {project.memories[answer].text[:150]}"
            )
    silent = 0
    for prompt in others:
        told = ask(prompt)
        silent += not told.ids
        if shows and told.ids:
            print(f"  spoke: {prompt}\n{told.text}")
    return Score(helped, len(prompts), silent, len(others), max(tokens))


def cost(project: Project, folder: Path, prompts: list[str]) -> tuple[float, float]:
    """Milliseconds of processor time of the hook and of Python that does nothing, medians."""
    root, environ = folder / "project", {**os.environ, "DRIFT_HOME": str(folder / "home")}
    (root / ".drift").mkdir(parents=True)
    store = MemoryStore.open(find_stores(root, environ).memory_db)
    store.add_many(project.memories, actor="benchmark")
    store.close()
    drift = str(Path(sys.executable).with_name("drift"))
    messages = [
        json.dumps({"session_id": f"s{number}", "cwd": str(root), "prompt": prompt}).encode()
        for number, prompt in enumerate(prompts)
    ]
    hook = _times([drift, "memory", "hook", "user-prompt-submit"], messages, environ)
    return hook, _times([sys.executable, "-c", "pass"], messages, environ)


def _times(command: list[str], messages: list[bytes], environ: dict[str, str]) -> float:
    ends = [_spent()]
    for message in messages[:RUNS]:
        subprocess.run(command, input=message, capture_output=True, check=True, env=environ)
        ends.append(_spent())
    return statistics.median(after - before for before, after in pairwise(ends)) * 1000


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mirrors", nargs="+", type=Path)
    parser.add_argument("--prompts", type=int, default=60)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    commits = {mirror: read_commits(mirror) for mirror in given.mirrors}
    print("| project | helped | silent, another project | most tokens | CPU ms, hook | CPU ms, pass |")
    print("|---|---|---|---|---|---|")
    for mirror in given.mirrors:
        project = make_project(mirror, memories=300, questions=given.prompts * 6 // 5 + 2)
        strange = [one.subject for other in given.mirrors if other != mirror for one in commits[other]]
        others = requests(strange, given.prompts)
        with tempfile.TemporaryDirectory() as folder:
            store = MemoryStore.open(Path(folder) / "cortex.db")
            store.add_many(project.memories, actor="benchmark")
            score = measure(project, store, others, wanted=given.prompts, shows=given.show)
            store.close()
            hook, nothing = cost(
                project, Path(folder), [*others[: RUNS // 2], *(one for one, _ in fitting(project, RUNS))]
            )
        print(
            f"| {mirror.parent.name} | {score.helped} of {score.fitting} | {score.silent} of {score.strange} "
            f"| {score.most_tokens} of {MOST_TOKENS} | {hook:.0f} | {nothing:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
