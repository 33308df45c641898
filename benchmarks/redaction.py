"""How many secrets redaction takes out, of forms made from seeds, and how much of ordinary text it takes for one.

    python benchmarks/redaction.py [--seeds 20] [--show]

Ordinary text is this repository's documents, comments and commit messages, and notes as people keep them. It also
counts how the work grows with the length of texts made to be slow.
"""

import argparse
import io
import subprocess
import sys
import time
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/kernel"))

from secret_forms import ORDINARY, hidden_forms, plain_forms, said_forms  # noqa: E402 - the path is set above

from drift.kernel.redaction import redact  # noqa: E402 - as above

SLOW = {
    "beginnings of keys": "-----BEGIN PRIVATE KEY-----\n",
    "names": "secret_" * 4,
    "assignments": "password=" * 3,
    "colons": "a:" * 20,
    "URLs": "http://a:" * 3,
    "letters": "a" * 40,
    "dots": "eyJ" + "a" * 20 + ".",
    "servers": "server=a;" * 3,
    "zero width": "\u200ba",
    "percent": "%41",
    "quotes": '"a" + ',
    "base64": "QUFBQUFB",
    "spaced": "a ",
    "sentences": "the password for the ",
    "mysql": "mysql -u ",
    "cookies": "Cookie: a=b; ",
}


def comments() -> str:
    """Every comment and document string of the sources, which are ordinary technical English."""
    found = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
        found += [
            each.string for each in tokens if each.type == tokenize.COMMENT or each.string.startswith('"""')
        ]
    return "\n".join(found)


def ordinary() -> dict[str, str]:
    log = subprocess.run(
        ["git", "-C", str(ROOT), "log", "--format=%s%n%b", "-n", "3000"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    pages = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md")))
    return {"documents": pages, "comments": comments(), "commits": log, "notes": "\n".join(ORDINARY)}


def measure_recall(seeds: int, *, is_shown: bool) -> None:
    for name, make in (("plain", plain_forms), ("said", said_forms), ("hidden", hidden_forms)):
        left: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for seed in range(seeds):
            for form in make(seed):
                total[form.name] += 1
                text = redact(form.text).text
                left[form.name] += any(secret in text for secret in form.secrets)
        whole = sum(not left[each] for each in total)
        share = 1 - left.total() / total.total()
        print(
            f"{name:8} {whole:3} of {len(total):3} forms always taken out, {share:6.1%} of {total.total()} texts"
        )
        if is_shown:
            for each, count in left.most_common():
                if count:
                    print(f"    {each}: stays {count} of {total[each]} times")


def measure_false(*, is_shown: bool) -> None:
    for name, text in ordinary().items():
        lines = text.splitlines()
        started = time.process_time()
        found = [
            (line, redact(line).text)
            for line in lines
            if any(each.kind == "secret" for each in redact(line).findings)
        ]
        whole = [each for each in redact(text).findings if each.kind == "secret"]
        spent = time.process_time() - started
        rate = 1000 * len(found) / max(len(lines), 1)
        print(f"{name:10} {len(lines):6} lines, {len(found)} with a false secret ({rate:.2f} per 1,000), "
              f"{len(whole)} in the whole text, {spent * 1e6 / max(len(lines), 1):.0f} us a line")  # fmt: skip
        if is_shown:
            for line, taken in found:
                print(f"    {line.strip()[:110]}\n      -> {taken.strip()[:110]}")


def measure_growth() -> None:
    worst = ("", 0.0)
    for name, piece in SLOW.items():
        times = []
        for size in (20_000, 80_000):
            text = piece * (size // len(piece))
            started = time.process_time()
            redact(text)
            times.append(time.process_time() - started)
        ratio = times[1] / max(times[0], 1e-4)
        print(f"  {name:20} 20 KB {times[0] * 1000:7.1f} ms, four times as much {ratio:5.1f} times as long")
        worst = max(worst, (name, ratio), key=lambda each: each[1])
    print(f"worst growth: {worst[0]}, {worst[1]:.1f} (linear is 4)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    measure_recall(given.seeds, is_shown=given.show)
    measure_false(is_shown=given.show)
    measure_growth()
