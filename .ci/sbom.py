"""Write what a wheel is made of beside it, as CycloneDX: every package it needs, as installed here.

python .ci/sbom.py WHEEL    writes WHEEL's name with .cdx.json in place of .whl

The same wheel and the same packages give the same bytes: the time is that of SOURCE_DATE_EPOCH, and the serial number
is made of the content.
"""

import hashlib
import json
import os
import re
import sys
import uuid
import zipfile
from datetime import UTC, datetime
from email.parser import HeaderParser
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def main() -> None:
    wheel = Path(sys.argv[1])
    out = wheel.with_suffix(".cdx.json")
    out.write_text(json.dumps(describe(wheel), indent=2, sort_keys=True) + "\n", "utf-8")
    print(f"{out.name}: {len(json.loads(out.read_text('utf-8'))['components'])} packages")


def describe(wheel: Path) -> dict[str, Any]:
    """The bill of materials of a wheel."""
    about = read_metadata(wheel)
    root = {
        **component(about["Name"], about["Version"], about["License-Expression"]),
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(wheel.read_bytes()).hexdigest()}],
    }
    needs = {root["bom-ref"]: direct_needs(about.get_all("Requires-Dist", []))}
    found: dict[str, Distribution] = {}
    waiting = list(needs[root["bom-ref"]])
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found[name] = distribution(name)
        waiting += direct_needs(found[name].requires or [])
    for each in found.values():
        needs[purl(each.name, each.version)] = direct_needs(each.requires or [])
    refs = {name: purl(each.name, each.version) for name, each in found.items()}
    body: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"timestamp": built_at(), "component": root},
        "components": [
            component(each.name, each.version, license_of(each)) for _, each in sorted(found.items())
        ],
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(refs[name] for name in names)}
            for ref, names in sorted(needs.items())
        ],
    }
    content = json.dumps(body, sort_keys=True)
    return {**body, "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}"}


def read_metadata(wheel: Path) -> Any:
    with zipfile.ZipFile(wheel) as archive:
        name = next(each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        return HeaderParser().parsestr(archive.read(name).decode("utf-8"))


def direct_needs(requirements: list[str]) -> list[str]:
    """The names of what is needed here, without extras."""
    parsed = map(Requirement, requirements)
    return sorted(
        {
            canonicalize_name(each.name)
            for each in parsed
            if each.marker is None or each.marker.evaluate({"extra": ""})
        }
    )


def component(name: str, version: str, license_text: str | None) -> dict[str, Any]:
    said = {"licenses": [{"license": {"name": license_text}}]} if license_text else {}
    return {
        "type": "library",
        "bom-ref": purl(name, version),
        "name": name,
        "version": version,
        "purl": purl(name, version),
        **said,
    }


def license_of(package: Distribution) -> str | None:
    """What a package says of its license in a line; whole texts are left out."""
    about = package.metadata
    said = about.get("License-Expression") or about.get("License") or ""
    if said and "\n" not in said:
        return str(said)
    named = [line for line in about.get_all("Classifier", []) if line.startswith("License ::")]
    return named[0].rpartition(" :: ")[2] if named else None


def purl(name: str, version: str) -> str:
    return f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}@{version}"


def built_at() -> str:
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    main()
