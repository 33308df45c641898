import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.memory.work.code_changes import read_code_change

DIFF = """Fixed the totals.

diff --git a/shop/cart.py b/shop/cart.py
--- a/shop/cart.py
+++ b/shop/cart.py
@@ -1,4 +1,5 @@
 def total(cart):
-    return sum(cart)
+    # discounts first
+    return sum(cart) - cart.discount
 y = 2
 x = 1
"""


def test_a_diff_is_counted_by_its_hunks():
    change = read_code_change(DIFF)

    assert (change.added, change.removed, change.files) == (2, 1, ("shop/cart.py",))
    assert change.has_diff


def test_lines_that_look_like_headers_inside_a_hunk_are_lines():
    change = read_code_change(
        "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+++ new comment\n x\n"
    )

    assert (change.added, change.removed) == (1, 1)


def test_a_fenced_diff_without_hunks_is_counted():
    assert read_code_change("```diff\n- a\n+ b\n+ c\n```\n- not code")[:2] == (2, 1)


def test_code_that_is_no_diff_has_lines_and_changes_nothing():
    change = read_code_change("Like this:\n```python\nx = -1\n- 2\n```\n")

    assert (change.added, change.removed, change.code_lines) == (0, 0, 2)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("see src/app/main.ts and docs/a.md.", ("src/app/main.ts", "docs/a.md")),
        ("in `orders.py` and `Cart.total`", ("orders.py",)),
        ("https://example.com/a/b.html is no file", ()),
        ("either/or, and/or 1/2.5", ()),
        ("- a list\n- of things\n--- a rule\n+ plus", ()),
        ("--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", ("gone.py",)),
    ],
)
def test_files_are_named_by_paths_and_headers(text, files):
    assert read_code_change(text).files == files


@given(st.text(alphabet="+-@ \n`~/abc.,0123456789d", max_size=400))
def test_any_text_is_read_without_inventing_lines(text):
    change = read_code_change(text)

    assert 0 <= change.added + change.removed + change.code_lines <= len(text.splitlines())
