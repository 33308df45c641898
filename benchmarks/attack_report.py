"""What an attack did and what it broke, and the places it may touch."""

import os
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

MOST_FAULTS_SHOWN = 20
ALIKE = 100  # characters that make two faults the same for the list
# A text that lies outside every project attacked: an answer that has it read what it must not.
CANARY = "canary-9f1c7e42-outside-the-project"


@dataclass
class Report:
    """Counts of one attack; `faults` are sentences about what broke."""

    kind: str
    count: int
    seed: int
    deadline: float
    done: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest_honest_s: float = 0.0
    figures: dict[str, str] = field(default_factory=dict)

    def chance(self, extra: int = 0) -> random.Random:
        """Randomness that is the same for the same seed."""
        return random.Random(self.seed * 1_000_003 + extra)

    def is_over(self) -> bool:
        return time.monotonic() > self.deadline

    def fault(self, sentence: str) -> None:
        self.faults.append(sentence[:600])

    def saw_honest(self, seconds: float, what: str) -> None:
        """Note how long an honest call took; above two seconds it is a fault."""
        self.done["honest calls"] += 1
        self.slowest_honest_s = max(self.slowest_honest_s, seconds)
        if seconds > 2:
            self.fault(f"an honest call took {seconds:.1f} s: {what}")

    def text(self) -> str:
        counted = ", ".join(f"{number:,} {name}" for name, number in self.done.items())
        lines = [f"{self.kind} (seed {self.seed}): {counted or 'nothing was done'}"]
        if self.done["honest calls"]:
            lines.append(f"  slowest honest call {self.slowest_honest_s:.2f} s")
        lines += [f"  {name}: {value}" for name, value in self.figures.items()]
        lines.append(f"  broken: {len(self.faults)}")
        alike = Counter(re.sub(r"\d+", "0", each)[:ALIKE] for each in self.faults)
        for start, times in alike.most_common(MOST_FAULTS_SHOWN):
            first = next(each for each in self.faults if re.sub(r"\d+", "0", each)[:ALIKE] == start)
            lines.append(f"    {times} x {first}")
        return "\n".join(lines)


def plain_environ(place: Path) -> dict[str, str]:
    """Variables of a user who has nothing but a home in `place`."""
    home = place / "home"
    home.mkdir(exist_ok=True)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "DRIFT_HOME": str(home / ".drift"),
        "LC_ALL": "C.UTF-8",
    }


def write_canary(place: Path) -> Path:
    """A file beside the project that nothing may read."""
    path = place / "outside" / "secret.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text(CANARY)
    return path
