"""What a convention wants is written as an edit where the text alone tells how, and only where it changes nothing else."""

import os
from datetime import date
from pathlib import Path

import pytest

from drift.conventions.picture import look
from drift.guards.mending.edits import EDITS, wished_name
from drift.guards.mending.local_names import is_put_together
from drift.guards.mending.suggesting import suggest_changes
from drift.guards.overlay import overlaid
from drift.guards.text_checks import Subject
from drift.index import IndexReader
from drift.project import open_project
from drift.quality.findings import finding
from drift.scan import scan

ALIKE = '''

def read_{n}(text: str) -> int:
    """Read number {n} of a form."""
    try:
        return int(text) + {n}
    except ValueError as error:
        raise KeyError("The number {n} is not one") from error
'''
ODD = '''"""Odd."""


def odd_one(text: str) -> int:
    """Read the odd one."""
    try:
        return int(text)
    except ValueError as exc:
        print(exc)
        raise KeyError("the odd one is no number") from exc


def lost(text: str) -> int:
    """Read what may be lost."""
    try:
        return int(text) * 2
    except ValueError:
        raise KeyError(
            "The second one is no number",
        )
'''
CASED = '''"""Cased."""


def _readUsed(text: str) -> str:
    """Read what is used."""
    return text.strip()


READ = _readUsed("x")


def _readUnseen(text: str) -> str:
    """Read what nobody reads in sight."""
    return text.upper()
'''


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("forms")
    texts = {
        f"forms/part{n}.py": "".join(ALIKE.format(n=n * 4 + each) for each in range(4)) for n in range(4)
    }
    texts |= {
        "forms/__init__.py": "",
        "forms/deep/__init__.py": "",
        "forms/deep/odd.py": ODD,
        "forms/cased.py": CASED,
        "tsconfig.json": '{"compilerOptions": {"target": "ES2022"}}',
        "forms/old/tsconfig.json": '{"compilerOptions": {"target": "ES2015"}}',
        "web/made.ts": "class Made extends Error { constructor(text: string, cause: Error) { super(text) } }",
    }
    texts["tests/test_forms.py"] = (
        'def test_words() -> None:\n    assert "a tested message" in "a tested message"\n'
    )
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root)
    return root


CASES = [
    ("errors/message-case", "capital", "a.py", 'raise ValueError("no such cart")', 'raise ValueError("No such cart")'),
    ("errors/message-case", "small", "a.go", 'var e = errors.New("No such cart")', 'var e = errors.New("no such cart")'),
    ("errors/message-case", "capital", "a.py", 'raise ValueError("a tested message")', None),
    ("errors/message-case", "capital", "a.py@3", "def f(sink):\n  if sink['x']:\n    raise ValueError('sink must be true')", None),
    ("errors/message-stop", "with", "a.ts", "throw new Error('no such cart')", "throw new Error('no such cart.')"),
    ("errors/message-stop", "without", "a.py", 'raise ValueError("No such cart.")', 'raise ValueError("No such cart")'),
    ("errors/message-stop", "with", "a.py", 'raise ValueError("no such cart" + " here")', None),
    ("structural/import-node", "with", "a.ts", "import fs from 'fs'", "import fs from 'node:fs'"),
    ("structural/import-node", "without", "a.ts", "import fs from 'node:fs'", "import fs from 'fs'"),
    ("structural/import-style", "relative", "forms/a.py", "from forms.part1 import read_4", "from .part1 import read_4"),
    ("structural/import-style", "relative", "forms/deep/a.py", "from forms.part1 import read_4", "from ..part1 import read_4"),
    ("structural/import-style", "absolute", "forms/deep/a.py", "from ..part1 import read_4", "from forms.part1 import read_4"),
    ("structural/import-style", "relative", "scripts/a.py", "from forms.part1 import read_4", None),
    ("documentation/summary-stop", "with", "a.py", 'def pay() -> None:\n    """Pay an order"""', 'def pay() -> None:\n    """Pay an order."""'),
    ("documentation/summary-stop", "with", "a.go@3", "// Pay pays the order of\n// a customer.\nfunc Pay() {}", None),
    ("documentation/summary-stop", "with", "a.go@4", "// Pay pays the order\n//\n// At once.\nfunc Pay() {}", "// Pay pays the order.\n//\n// At once.\nfunc Pay() {}"),
    ("documentation/summary-stop", "without", "a.go@2", "// Pay pays.\nfunc Pay() {}", "// Pay pays\nfunc Pay() {}"),
    ("errors/variable-name", "error", "a.py@3", "try:\n    x = 1\nexcept KeyError as e:\n    print(f'{e} {e.args}', a.e)",
     "try:\n    x = 1\nexcept KeyError as error:\n    print(f'{error} {error.args}', a.e)"),
    ("errors/variable-name", "error", "a.py@4", "error = 1\ntry:\n    x = 1\nexcept KeyError as e:\n    print(e)", None),
    ("errors/variable-name", "error", "a.py@3", "try:\n    x = 1\nexcept KeyError as e:\n    print(show(e=e))", None),
    ("errors/variable-name", "error", "a.ts@1", "try { f() } catch (e) {\n  report({ e })\n}", None),
    ("errors/variable-name", "error", "a.ts@1", "try { f() } catch (e) {\n  report(`${e}`, e)\n}", "try { f() } catch (error) {\n  report(`${error}`, error)\n}"),
    ("structural/receiver-name", "short", "a.go", "func (order *Order) Pay() int {\n\treturn order.sum + pay(order)\n}",
     "func (o *Order) Pay() int {\n\treturn o.sum + pay(o)\n}"),
    ("structural/receiver-name", "short", "a.go", "func (order *Order) Pay(o int) int {\n\treturn order.sum + o\n}", None),
    ("types/array-form", "brackets", "a.ts", "let carts: Array<shop.Cart> = []", "let carts: shop.Cart[] = []"),
    ("types/array-form", "brackets", "a.ts", "let carts: Array<() => Cart> = []", None),
    ("types/array-form", "generic", "a.ts", "let carts: Cart[] = []", "let carts: Array<Cart> = []"),
    ("types/array-form", "generic", "a.ts", "let carts: Cart[][] = []", None),
    ("types/interface-or-type", "type", "a.ts", "export interface Cart {\n  id: string\n}", "export type Cart = {\n  id: string\n}"),
    ("types/interface-or-type", "type", "a.ts", "interface Cart extends Box {\n  id: string\n}", None),
    ("types/python-generic", "builtin", "a.py", "x: List[Dict[str, int]] = []", "x: list[dict[str, int]] = []"),
    ("types/python-optional", "union", "a.py@2", "from __future__ import annotations\nx: Optional[int] = None",
     "from __future__ import annotations\nx: int | None = None"),
    ("types/python-optional", "union", "a.py", "x: Optional[int] = None", None),
    ("types/python-annotations", "with", "a.py", "def pay(order):\n    if order:\n        return\n    order.pay()",
     "def pay(order) -> None:\n    if order:\n        return\n    order.pay()"),
    ("types/python-annotations", "with", "a.py", "def pay(order):\n    if order:\n        return order\n    order.pay()", None),
    ("logging/message-case", "capital", "a.go", 'log.Error("failed to pay")', 'log.Error("Failed to pay")'),
    ("types/csharp-var", "var", "a.cs", "List<int> found = new List<int>();", "var found = new List<int>();"),
    ("types/csharp-var", "var", "a.cs", "IList<int> found = new List<int>();", None),
    ("errors/go-wrapping", "errorf", "a.go", 'var e = fmt.Errorf("pay %s: %v", id, err)', 'var e = fmt.Errorf("pay %s: %w", id, err)'),
    ("types/cpp-null", "nullptr", "a.cpp", "int *p = NULL;", "int *p = nullptr;"),
]  # fmt: skip


@pytest.mark.parametrize(("dimension", "expected", "place", "before", "after"), CASES)
def test_an_edit_does_as_the_convention_says_or_is_not_made(
    forms: Path, *, dimension: str, expected: str, place: str, before: str, after: str | None
) -> None:
    path, _, line = place.partition("@")
    first = int(line or 1)
    found = finding(
        "conventions/deviation",
        "otherwise",
        file=path,
        lines=(first, len(before.split("\n"))),
        evidence={"convention": f"{dimension}:any@src", "expected": expected},
    )
    head = "package shop\n\n" if path.endswith(".go") else ""
    found = found if not head else finding(
        found.rule, found.message, file=path, lines=(first + 2, found.end_line + 2), evidence=found.evidence
    )  # fmt: skip
    with (
        IndexReader(open_project(forms, os.environ).state.index_db) as reader,
        overlaid(forms, reader, {path: f"{head}{before}\n"}) as overlay,
    ):
        subject = Subject(forms, overlay, overlay.files[path])
        made = [text for edit in EDITS[found.rule][:1] for _, text in edit(subject, found)]

    assert made == ([] if after is None else [f"{head}{after}\n"])


CAUSES = [
    ("a.py", "try:\n    f()\nexcept KeyError:\n    raise ValueError(1)", "try:\n    f()\nexcept KeyError as error:\n    raise ValueError(1) from error"),
    ("a.py", "try:\n    f()\nexcept KeyError:\n    error = 1\n    raise ValueError(error)", None),
    ("a.js", "try { f() } catch {\n  throw new Error('a, b', )\n}", "try { f() } catch (error) {\n  throw new Error('a, b', { cause: error }, )\n}"),
    ("a.js", "try { f() } catch (e) {\n  throw new Custom('a')\n}", None),
    ("a.js", "try { f() } catch (e) {\n  throw new Error('a').more()\n}", None),
    ("a.ts", "try { f() } catch (e) {\n  throw new Error('a')\n}", "try { f() } catch (e) {\n  throw new Error('a', { cause: e })\n}"),
    ("forms/old/a.ts", "try { f() } catch (e) {\n  throw new Error('a')\n}", None),
    ("a.ts", "try { f() } catch (e) {\n  throw new Made('a')\n}", "try { f() } catch (e) {\n  throw new Made('a', e)\n}"),
    ("a.php", "<?php\ntry { f(); } catch (\\Exception $e) {\n  throw new \\RuntimeException('a');\n}", "<?php\ntry { f(); } catch (\\Exception $e) {\n  throw new \\RuntimeException('a', 0, $e);\n}"),
    ("A.java", 'class A { void a() { try { f(); } catch (IOException e) {\n throw new IllegalStateException(\n  "a");\n} } }',
     'class A { void a() { try { f(); } catch (IOException e) {\n throw new IllegalStateException(\n  "a", e);\n} } }'),
    ("A.cs", 'class A { void a() { try { f(); }\ncatch (IOException)\n{\n throw new InvalidOperationException("a"); } } }',
     'class A { void a() { try { f(); }\ncatch (IOException exception)\n{\n throw new InvalidOperationException("a", exception); } } }'),
    ("a.rb", "begin\n  f\nrescue KeyError\n  raise ArgumentError, 'a'\nend", None),
]  # fmt: skip


@pytest.mark.parametrize(("path", "before", "after"), CAUSES)
def test_the_error_that_another_is_thrown_for_becomes_its_cause(
    forms: Path, path: str, before: str, after: str | None
) -> None:
    found = finding("constraint/must-propagate", "", file=path, lines=(1, len(before.split("\n"))))
    with (
        IndexReader(open_project(forms, os.environ).state.index_db) as reader,
        overlaid(forms, reader, {path: f"{before}\n"}) as overlay,
    ):
        subject = Subject(forms, overlay, overlay.files[path])
        lines = {one.line for one in subject.file.facts.handlings if one.kind == "catch"}
        made = [
            text
            for line in lines
            for edit in EDITS[found.rule]
            for _, text in edit(subject, finding(found.rule, "", file=path, lines=(line, line)))
        ]

    assert made == ([] if after is None else [f"{after}\n"])


def test_the_conventions_of_a_project_lead_to_edits_that_were_tried(forms: Path) -> None:
    project = open_project(forms, os.environ)
    with IndexReader(project.state.index_db) as reader:
        picture = look(reader, project, date(2026, 1, 1))
        data = suggest_changes(
            reader, project, picture, target="forms/deep/odd.py", issue=None, pattern=None, most=20
        )

    edits = {row.title: row.after for row in data.suggestions if row.is_edit}
    assert edits["Begin the message with T"] == '        raise KeyError("The odd one is no number") from exc'
    assert "except ValueError as error:" in str(edits["Call the error error"])
    assert edits["Keep the cause of the error"] == "    except ValueError as error:\n        ) from error"


@pytest.mark.parametrize(
    ("name", "text", "is_made"),
    [
        ("add_proxy", '$method = "add_{$key}";', True),
        ("add_proxy", "getattr(self, 'add_' + key)", True),
        ("on_click_event", 'f"on_{kind}_event"', True),
        ("addProxy", "this[`add${key}`]()", True),
        ("add_proxy", 'print("add a proxy", self.add_proxy())', False),
        ("parse_proxy", '$method = "add_{$key}";', False),
    ],
)
def test_a_name_that_is_made_of_parts_is_not_changed(name: str, text: str, *, is_made: bool) -> None:
    assert is_put_together(name, text) is is_made


def test_a_rename_needs_a_use_that_is_seen(forms: Path) -> None:
    project = open_project(forms, os.environ)
    with IndexReader(project.state.index_db) as reader:
        picture = look(reader, project, date(2026, 1, 1))
        data = suggest_changes(
            reader, project, picture, target="forms/cased.py", issue=None, pattern=None, most=20
        )

    edits = [row.title for row in data.suggestions if row.is_edit]
    assert edits == ["Rename _readUsed to _read_used"]
    assert "forms/cased.py:12" in {row.location for row in data.suggestions if not row.is_edit}


def test_names_are_wished_for_by_suffix_and_prefix() -> None:
    assert wished_name("CartMissing", "errors/exception-suffix", "Error") == "CartMissingError"
    assert wished_name("CartException", "errors/exception-suffix", "Error") == "CartError"
    assert wished_name("CartError", "errors/exception-suffix", "none") is None
    assert wished_name("Cart", "structural/interface-prefix", "prefix") == "ICart"
    assert wished_name("ICart", "structural/interface-prefix", "plain") == "Cart"
    assert wished_name("Item", "structural/interface-prefix", "suffix") == "ItemInterface"
    assert wished_name("m_cart", "structural/private-field", "underscore") == "_cart"
    assert wished_name("Pay", "performance/async-suffix", "with") == "PayAsync"
    assert wished_name("getCart", "structural/function-casing", "snake_case") == "get_cart"
