"""Whatever is scanned, following data through it ends."""

import pytest

from drift.flow import find_flows
from drift.flow.reading import SourceFile
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import scan

DEEP = 3_000
HOSTILE = {
    "nested.py": "x = " + "(" * DEEP + "1" + ")" * DEEP + "\n",
    "chained.py": "def f(a):\n    return " + " + ".join(["a"] * DEEP) + "\n",
    "ifs.py": "def f(a):\n"
    + "".join(f"{'  ' * depth}  if a:\n" for depth in range(90))
    + "  " * 92
    + "pass\n",
    "many.py": "import os\ndef f(a):\n"
    + "".join(f"    a = a + str({n})\n    os.system(a)\n" for n in range(4_000)),
    "branches.py": "def f(a, b):\n"
    + "".join(f"    if b == {n}:\n        a = a + '{n}'\n" for n in range(400))
    + "    return a\n",
    "recursion.py": "def f(a):\n    return g(a)\ndef g(a):\n    return h(a) + f(a)\ndef h(a):\n    return f(a)\n",
    "fields.py": "def f(a):\n"
    + "".join(f"    a.x{n} = a.x{n - 1}.b.c.d.e\n" for n in range(1, 500))
    + "    return a\n",
    "growing.py": "import os\nfrom flask import request\ndef f():\n    a = request.args['x']\n    b = {'x': a}\n    os.system(a)\n"
    + "    if a:\n        b = {'x': b}\n    else:\n        b = {'x': {'x': b}}\n" * 600
    + "    return b\n",
    "loops.py": "def f(a):\n"
    + "".join(f"{'  ' * depth}  for x{depth} in a:\n" for depth in range(30))
    + "  " * 32
    + "a.append(x29)\n",
    "closures.js": "const f = " + "(a) => " * 300 + "a;\n" + "(function(){" * 200 + "})()" * 200,
    "broken.php": "<?php function f($a { if ($_GET['x' { echo $a . ",
    "bytes.py": b"def f(a):\n    return '\xff\xfe' + a\n",
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    root = tmp_path_factory.mktemp("hostile")
    for name, content in HOSTILE.items():
        (root / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    scan(root)
    return root


def test_hostile_code_is_followed_within_bounds_and_what_was_cut_is_said(hostile):
    with IndexReader(StateDir(hostile).index_db) as reader, reader.snapshot():
        flows = find_flows(reader, hostile, StateDir(hostile))

    assert any("not all of them was followed" in each for each in flows.problems)
    assert flows.functions < 100


def test_a_tree_that_is_too_deep_is_cut_and_not_refused():
    file = SourceFile("python", "x.py", HOSTILE["nested.py"].encode())

    assert file.outside()
    assert file.is_cut
