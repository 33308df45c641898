"""Asynchronous calls whose result is taken before anybody waited for it."""

from pathlib import Path

import pytest

from drift.guards.overlay import overlaid
from drift.guards.waiting import lost_awaits, unawaited
from drift.index import IndexReader

PYTHON = "from shop.money import fetch_rate\n\n\nasync def run(later, use) -> object:\n"
SCRIPT = "async function rate(to) {\n  return { to }\n}\n\nasync function run() {\n"


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("till.py", "    fetch_rate('EUR')\n", [5]),
        ("till.py", "    rate = fetch_rate('EUR')\n    return rate.real\n", [5]),
        ("till.py", "    return fetch_rate('EUR').real\n", [5]),
        ("till.py", "    if not fetch_rate('EUR'):\n        return 1\n", [5]),
        ("till.py", "    for one in fetch_rate('EUR'):\n        print(one)\n", [5]),
        ("till.py", "    rate = fetch_rate('EUR')\n    return await rate\n", []),
        ("till.py", "    rate = fetch_rate('EUR')\n    return await rate.read()\n", [5]),
        ("till.py", "    rate = fetch_rate('EUR')\n    use(rate)\n    return rate.real\n", []),
        ("till.py", "    return later(fetch_rate('EUR'), fetch_rate('USD'))\n", []),
        ("till.py", "    rate = fetch_rate('EUR')\n    rate.close()\n", []),
        ("till.py", "    return (await fetch_rate('EUR')).real\n", []),
        ("till.ts", "  const found = rate('EUR')\n  return found.to\n}\n", [6]),
        ("till.ts", "  if (rate('EUR')) return 1\n}\n", [6]),
        ("till.ts", "  const { to } = rate('EUR')\n  return to\n}\n", [6]),
        ("till.py", "    rate = fetch_rate('EUR')\n    assert rate is None\n", [5]),
        ("till.ts", "  const found = rate('EUR')\n  if (found) return 1\n}\n", []),
        ("till.ts", "  rate('EUR')\n    .then((one) => one.to)\n}\n", []),
        ("till.ts", "  return Promise.all([rate('EUR')])\n}\n", []),
        ("till.vue", "}\n</script>\n<template>\n  <form @submit=\"rate('EUR')\" />\n</template>\n", []),
    ],
)
def test_what_is_used_before_it_is_awaited_is_found(
    shop: Path, reader: IndexReader, path: str, text: str, lines: list[int]
) -> None:
    script = SCRIPT if path.endswith(".ts") else f"<script>\n{SCRIPT}"
    whole = (PYTHON if path.endswith(".py") else script) + text

    with overlaid(shop, reader, {path: whole}) as overlay:
        found = [one.call.line for one, _ in unawaited(overlay, overlay.files[path])]

    assert found == lines


@pytest.mark.parametrize(
    ("now", "lines"),
    [
        ("    rate = fetch_rate('EUR')\n    use(rate)\n", [5]),
        ("    rate = fetch_rate('EUR')\n    use(await rate)\n", []),
        ("    rate = fetch_rate('EUR')\n    use(rate)\n    await rate.read()\n", [5]),
        ("    rate = later.create_task(fetch_rate('EUR'))\n    use(rate)\n", []),
    ],
)
def test_what_was_awaited_and_is_no_more_is_found(
    shop: Path, reader: IndexReader, now: str, lines: list[int]
) -> None:
    with overlaid(
        shop, reader, {"till.py": f"{PYTHON}    rate = await fetch_rate('EUR')\n    use(rate)\n"}
    ) as overlay:
        before = overlay.files["till.py"]
    with overlaid(shop, reader, {"till.py": PYTHON + now}) as overlay:
        found = [one.call.line for one, _ in lost_awaits(overlay, before, overlay.files["till.py"])]

    assert found == lines
