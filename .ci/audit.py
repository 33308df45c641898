"""Ask the OSV database for known weaknesses of locked packages.

python .ci/audit.py REQUIREMENTS...

Exits with 1 when a package has one. Where the database cannot be reached it says so and exits with 0: what could not be
looked up is not known to be bad.
"""

import json
import re
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

DATABASE = "https://api.osv.dev/v1/querybatch"
SECONDS = 30
PINNED = re.compile(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)", re.MULTILINE)


def main() -> int:
    packages = sorted(
        {pair for name in sys.argv[1:] for pair in PINNED.findall(Path(name).read_text("utf-8"))}
    )
    if not packages:
        print("no locked packages found: nothing was looked up", file=sys.stderr)
        return 1
    try:
        results = ask(packages)
    except (OSError, ValueError) as error:
        print(f"NOT AUDITED: {DATABASE} could not be asked about {len(packages)} packages ({error})")
        return 0
    found = [
        f"{name} {version}: {weakness['id']}"
        for (name, version), result in zip(packages, results, strict=True)
        for weakness in result.get("vulns", [])
    ]
    print("\n".join(found) or f"{len(packages)} packages, none with a known weakness")
    return int(bool(found))


def ask(packages: list[tuple[str, str]]) -> list[dict[str, Any]]:
    queries = [
        {"package": {"ecosystem": "PyPI", "name": name}, "version": version} for name, version in packages
    ]
    body = json.dumps({"queries": queries}).encode()
    request = urllib.request.Request(DATABASE, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        results = json.load(answer)["results"]
    if not isinstance(results, list) or len(results) != len(packages):
        raise ValueError("the answer is not about what was asked")
    return results


if __name__ == "__main__":
    sys.exit(main())
