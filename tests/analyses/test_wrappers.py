"""Which functions stand before a library, how deep, and who goes past them."""

import pytest

from drift.analyses.wrappers import cluster_row, clusters_of, find_preferences, find_wrappers, prefer_row
from drift.analyses.wrappers.preferring import is_called_after
from drift.analyses.wrappers.primitives import primitive_of
from drift.index import IndexReader
from drift.scan import ScanOptions, scan

FILES = {
    "shop/__init__.py": "",
    "shop/http.py": (
        "import logging\nimport requests\nlog = logging.getLogger(__name__)\n"
        "def fetch(path):\n    return requests.get('https://shop/' + path, timeout=5)\n"
        "def fetch_json(path):\n    return fetch(path).json()\n"
        "def lonely(path):\n    return requests.get(path)\n"
        # Notes something down while at work: no wrapper of logging.
        "def price_of(item):\n    logging.info('asked')\n    first = item.rate()\n    second = item.cut()\n"
        "    return first * second\n"
    ),
    **{
        f"shop/part{number}.py": (
            f"from shop.http import fetch_json, price_of\n"
            f"def load_{number}():\n    return fetch_json('p{number}'), price_of({number})\n"
        )
        for number in range(6)
    },
    "shop/direct.py": "import requests\nfrom shop.http import fetch\ndef odd():\n    fetch('x')\n    return requests.get('y')\n",
    "shop/more.py": "from shop.http import fetch\n" + "".join(f"def more_{n}():\n    return fetch('{n}')\n" for n in range(8)),
    "web/tooltip.tsx": (
        "import { useState } from 'react';\nexport function Tip() { const [a] = useState(0); return <b>{a}</b>; }\n"
        "export function useOpen() { return useState(false); }\n"
    ),
    "web/page.tsx": (
        "import { Tip, useOpen } from './tooltip';\n"
        "export function One() { useOpen(); return <Tip/>; }\nexport function Two() { useOpen(); return <Tip/>; }\n"
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("wrappers")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(root / ".drift" / "drift.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def wrappers(reader):
    return find_wrappers(reader)


def test_a_wrapper_is_short_called_by_several_and_there_for_the_library(wrappers):
    found = {one.symbol.qualname: one for one in wrappers.found.values()}

    assert set(found) == {"fetch", "fetch_json", "useOpen"}
    assert (found["fetch"].depth, dict(found["fetch"].direct)) == (1, {"requests.get": 1})
    assert (found["fetch_json"].depth, found["fetch_json"].reached) == (2, {"requests.get"})
    assert found["fetch_json"].purpose == "data-fetching"
    assert len(found["fetch_json"].users) == 6


def test_wrappers_of_the_same_are_one_cluster(wrappers):
    rows = {row.primitives: row for row in map(cluster_row, clusters_of(wrappers))}

    assert rows["requests.get",].wrappers == 2
    assert rows["requests.get",].named == ("fetch", "fetch_json")
    assert 0.6 <= rows["requests.get",].confidence <= 1


def test_what_goes_past_the_wrapper_that_most_use_is_named(reader, wrappers):
    (one,) = find_preferences(reader, wrappers)
    row = prefer_row(reader, one)

    assert (row.primitive, row.wrapper, row.through, row.direct) == ("requests.get", "fetch", 10, 2)
    assert row.places == ("shop/direct.py:5", "shop/http.py:9")


@pytest.mark.parametrize(
    ("wrapper", "primitive", "stands"),
    [
        ("logger.error", "globalThis.console.error", True),
        ("requireInjection", "vue.inject", True),
        ("request", "globalThis.fetch", True),
        ("RefreshableConfig.checkInt", "org.slf4j.Logger.warn", False),
        ("BackgroundJob.enqueue", "serde_json.to_value", False),
        ("encode_for_testing", "jsonwebtoken.encode", False),
    ],
)
def test_a_wrapper_is_preferred_to_what_its_name_tells_of(wrapper, primitive, stands):
    assert is_called_after(wrapper, primitive) == stands


@pytest.mark.parametrize(
    ("name", "purpose"),
    [
        ("System.Net.Http.HttpClient.GetAsync", "data-fetching"),
        ("axios.AxiosInstance.post", "data-fetching"),
        ("jotai.useAtom.features.includes", None),  # called on what the primitive gave
        ("my.requests.get", None),
        ("react.useState", "state-management"),
        ("a." * 40 + "b", None),
    ],
)
def test_names_are_known_by_whole_parts(name, purpose):
    found = primitive_of(name)

    assert (found.purpose if found else None) == purpose
