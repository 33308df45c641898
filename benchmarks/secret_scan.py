"""Secrets found, and what else is taken for one: Drift beside gitleaks' rules and detect-secrets, on the same texts.

    python benchmarks/secret_scan.py --gitleaks DIR --detect-secrets DIR --trufflehog DIR --clean DIR [DIR ...] \
        [--detect-secrets-program PATH]

Samples are read from checkouts of the scanners (`secret_samples.py`). Clean repositories are well-kept projects: whatever
is found there outside of real keys counts against a scanner. gitleaks is run as its rules say (expression, keywords,
entropy, lists of exceptions), as its program is written in another language; detect-secrets is its own program.
Precision is of all that was reported: samples found against samples that are none and findings in clean repositories.
"""

import argparse
import json
import math
import random
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from secret_samples import Sample, detect_secrets_samples, gitleaks_samples, trufflehog_samples

from drift.analyses.secrets import scan_text
from drift.languages.table import language_of
from drift.scan.other_texts import list_texts

_LEAST = 0.5


def clean_texts(root: Path) -> list[tuple[str, bytes]]:
    found = []
    for each in list_texts(root, ()):
        content = (root / each.path).read_bytes()
        if b"\0" not in content[:8_192]:
            found.append((each.path, content))
    return found


def drift_finds(path: str, content: bytes) -> int:
    is_code = language_of(path.rpartition("/")[2]) is not None
    return sum(each.confidence >= _LEAST for each in scan_text(path, content, is_code=is_code))


class Gitleaks:
    """gitleaks' rules, run here."""

    def __init__(self, root: Path) -> None:
        table = tomllib.loads((root / "config/gitleaks.toml").read_text())
        self.global_paths = [self._compiled(each) for each in table["allowlist"].get("paths", ())]
        self.global_stops = table["allowlist"].get("stopwords", [])
        self.global_regexes = [self._compiled(each) for each in table["allowlist"].get("regexes", ())]
        self.rules = []
        for row in table["rules"]:
            pattern = self._compiled(row["regex"]) if "regex" in row else None
            if pattern is not None:
                lists = [*row.get("allowlists", ()), *([row["allowlist"]] if "allowlist" in row else [])]
                path = self._compiled(row["path"]) if "path" in row else None
                self.rules.append(
                    (row, pattern, [each.lower() for each in row.get("keywords", ())], lists, path)
                )

    @staticmethod
    def _compiled(pattern: str) -> re.Pattern[str] | None:
        pattern = pattern.replace(r"\z", r"\Z").replace("[[:alnum:]]", "[A-Za-z0-9]").replace("(?i)", "(?i:", 1) + ")" if pattern.startswith("(?i)") else pattern.replace(r"\z", r"\Z")  # fmt: skip
        try:
            return re.compile(re.sub(r"\[\[:(\w+):\]\]", "[A-Za-z0-9]", pattern))
        except re.error:
            return None

    def finds(self, path: str, content: bytes) -> int:
        text = content.decode("utf-8", "replace")
        if any(each is not None and each.search(path) for each in self.global_paths):
            return 0
        lowered, spans = text.lower(), set()
        for row, pattern, words, lists, place in self.rules:
            if words and not any(word in lowered for word in words):
                continue
            if place is not None and not place.search(path):
                continue
            for found in pattern.finditer(text):
                group = row.get("secretGroup") or next(
                    (n for n, each in enumerate(found.groups(), 1) if each), 0
                )
                secret = found[group]
                start = text.rfind("\n", 0, found.start()) + 1
                end = text.find("\n", found.end())
                line = text[start : end if end >= 0 else None]
                if row.get("entropy", 0) > entropy(secret) or "gitleaks:allow" in line:
                    continue
                if not any(
                    self._allows(each, path, secret, found[0], line) for each in lists
                ) and not self._is_stopped(secret):
                    spans.add((found.start(group), secret))
        return len({start for start, _ in spans})

    def _is_stopped(self, secret: str) -> bool:
        lowered = secret.lower()
        return any(each in lowered for each in self.global_stops) or any(
            each and each.search(secret) for each in self.global_regexes
        )

    def _allows(self, rows: dict[str, Any], path: str, secret: str, match: str, line: str) -> bool:
        target = {"match": match, "line": line}.get(rows.get("regexTarget", ""), secret)
        checks = []
        if rows.get("paths"):
            checks.append(any((p := self._compiled(each)) and p.search(path) for each in rows["paths"]))
        if rows.get("regexes"):
            checks.append(any((p := self._compiled(each)) and p.search(target) for each in rows["regexes"]))
        if rows.get("stopwords"):
            checks.append(any(each.lower() in secret.lower() for each in rows["stopwords"]))
        return bool(checks) and (all(checks) if rows.get("condition") == "AND" else any(checks))


def entropy(text: str) -> float:
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values()) if text else 0.0


def detect_secrets_counts(program: str, texts: Iterable[tuple[str, bytes]]) -> dict[str, int]:
    """How many secrets the program finds in each text."""
    with tempfile.TemporaryDirectory() as folder:
        for path, content in texts:
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        result = subprocess.run(
            [program, "scan", "--all-files", "--no-verify", "."],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
    return {
        path: len({each["line_number"] for each in rows})
        for path, rows in json.loads(result.stdout)["results"].items()
    }


def report(
    name: str, samples: list[Sample], is_found: Callable[[int], bool], *, in_clean: int, seconds: float
) -> None:
    hits = Counter()
    totals = Counter()
    for number, sample in enumerate(samples):
        totals[sample.source, sample.is_secret] += 1
        hits[sample.source, sample.is_secret] += is_found(number)
    right = sum(count for (_, is_secret), count in hits.items() if is_secret)
    wrong = sum(count for (_, is_secret), count in hits.items() if not is_secret) + in_clean
    every = sum(count for (_, is_secret), count in totals.items() if is_secret)
    by_source = ", ".join(
        f"{source} {hits[source, True]}/{totals[source, True]}"
        for source in sorted({each.source for each in samples})
    )
    print(
        f"{name:15} recall {right / every:.3f} ({by_source}); wrong: {wrong - in_clean} samples, {in_clean} in clean repositories; "
        f"precision {right / max(1, right + wrong):.3f}; clean part {seconds:.1f} CPU s"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--gitleaks", type=Path, required=True)
    parser.add_argument("--detect-secrets", type=Path, required=True)
    parser.add_argument("--trufflehog", type=Path, required=True)
    parser.add_argument("--clean", type=Path, nargs="*", default=[])
    parser.add_argument("--detect-secrets-program", default=None)
    parser.add_argument("--show", type=int, default=0, help="how many samples that Drift misses to show")
    arguments = parser.parse_args()
    chance = random.Random(1)
    samples = list(
        dict.fromkeys(
            (
                *gitleaks_samples(arguments.gitleaks, chance),
                *detect_secrets_samples(arguments.detect_secrets),
                *trufflehog_samples(arguments.trufflehog),
            )
        )
    )
    counts = Counter((each.source, each.is_secret) for each in samples)
    print(f"{len(samples)} samples: {dict(counts)}")
    texts = {str(number): (f"s/{number}.conf", each.text.encode()) for number, each in enumerate(samples)}
    clean = [
        (f"{root.name}/{path}", content) for root in arguments.clean for path, content in clean_texts(root)
    ]
    print(f"{len(clean)} clean files, {sum(len(content) for _, content in clean) / 1e6:.1f} MB")
    gitleaks = Gitleaks(arguments.gitleaks)
    for name, finds in (("drift", drift_finds), ("gitleaks' rules", gitleaks.finds)):
        began = time.process_time()
        in_clean = sum(finds(path, content) for path, content in clean)
        seconds = time.process_time() - began
        found = {number for number, (path, content) in enumerate(texts.values()) if finds(path, content)}
        report(name, samples, found.__contains__, in_clean=in_clean, seconds=seconds)
        if name == "drift" and arguments.show:
            missed = [each for number, each in enumerate(samples) if each.is_secret and number not in found]
            wrong = [each for number, each in enumerate(samples) if not each.is_secret and number in found]
            for each in (*chance.sample(missed, min(arguments.show, len(missed))), *wrong[: arguments.show]):
                print(
                    "  ",
                    "missed" if each.is_secret else "WRONG",
                    each.source,
                    each.rule,
                    repr(each.text)[:150],
                )
    if arguments.detect_secrets_program:
        sampled = detect_secrets_counts(arguments.detect_secrets_program, texts.values())
        in_clean = sum(detect_secrets_counts(arguments.detect_secrets_program, clean).values())
        report(
            "detect-secrets",
            samples,
            lambda number: f"s/{number}.conf" in sampled,
            in_clean=in_clean,
            seconds=0.0,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
