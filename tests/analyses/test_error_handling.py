"""Where errors end, in one project of eight languages."""

import pytest

from drift.analyses.error_handling.boundaries import rules
from drift.analyses.error_handling.hierarchy import Hierarchy, catches_everything, families
from drift.analyses.error_handling.picture import look_at_errors, notes
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import scan

FILES = {
    "py/requirements.txt": "fastapi\n",
    "py/shop.py": """
import logging
from fastapi import FastAPI, HTTPException
app = FastAPI()
class ShopError(Exception): ...
class SoldOut(ShopError): ...
class Unpaid(ShopError): ...
def take(name):
    if name == "last":
        raise SoldOut(name)
    if not name:
        raise HTTPException(404)
    raise ValueError
def sell(name):
    try:
        return take(name)
    except LookupError:
        return None
    except ValueError as error:
        raise Unpaid(name) from error
@app.post("/orders")
def order(name):
    return sell(name)
@app.exception_handler(SoldOut)
def sold_out(request, error):
    return 409
@app.get("/stock")
def stock():
    try:
        sell("x")
    except ShopError:
        logging.warning("no")
        return 0
def quiet():
    try:
        take("a")
    except:
        pass
    try:
        take("b")
    except KeyError:
        pass
    try:
        take("c")
    except Exception as error:
        logging.error(error)
def nested():
    try:
        try:
            take("a")
        except SoldOut:
            raise
    except Exception:
        return 1
    else:
        take("outside")
""",
    "py/test_shop.py": "from shop import take\ndef test_take():\n    try:\n        take('x')\n    except:\n        pass\n",
    "js/package.json": '{"dependencies": {"express": "4"}}',
    "js/shop.ts": """
import express from 'express'
const app = express()
class SoldOut extends Error {}
export async function take(): Promise<number> { throw new SoldOut('x') }
async function safe() {
  try {
    await take()
  } catch (error) {
    console.error(error)
  }
}
export function start() {
  take()
  safe()
  take().then(one => one)
  take().then(one => one).catch(console.log)
}
async function late() {
  try {
    return take()
  } catch (error) {
    return 0
  }
}
export async function twice() {
  try {
    try {
      await take()
    } finally {
      start()
    }
    await take()
  } catch (error) {
    return 0
  }
}
app.get('/late', async (req, res) => { res.json(await late()) })
""",
    "go/go.mod": "module shop\n",
    "go/main.go": """package main

import "fmt"

func take() error { return nil }

func sell() error {
	if err := take(); err != nil {
		return fmt.Errorf("sell: %v", err)
	}
	if err := take(); err != nil {
		return fmt.Errorf("sell: %w", err)
	}
	_ = take()
	take()
	defer take()
	panic("empty")
}

func guarded() {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(r)
		}
	}()
	sell()
}

func main() {
	guarded()
}
""",
    "rs/Cargo.toml": '[package]\nname = "shop"\n',
    "rs/src/main.rs": """fn take() -> Result<i32, String> { Err("x".into()) }
fn sell() -> i32 {
    let _ = take();
    take().unwrap()
}
fn main() { if sell() > 1 { panic!("x"); } }
mod tests { fn check() { super::take().unwrap(); } }
""",
    "java/pom.xml": "<project/>",
    "java/Shop.java": """package shop;
import org.springframework.web.bind.annotation.*;
@RestController
class Shop {
  Orders orders;
  @GetMapping("/orders")
  Order one(long id) {
    return orders.findById(id)
        .orElseThrow(() -> new NotThere(id));
  }
  @GetMapping("/all")
  void all() {
    if (orders == null) throw new IllegalStateException("x");
  }
  @GetMapping("/missing")
  void missing() {
    throw new Missing();
  }
  void quiet() {
    try {
      all();
    } catch (Throwable error) {
      orders = null;
    }
  }
}
class NotThere extends RuntimeException {}
@ResponseStatus(HttpStatus.NOT_FOUND)
class Missing extends RuntimeException {}
@RestControllerAdvice
class Answers {
  @ExceptionHandler(NotThere.class)
  String gone(NotThere error) { return "gone"; }
}
""",
    "cs/Shop.csproj": "<Project/>",
    "cs/Shop.cs": """using System;
class Shop {
  void Take() { throw new ArgumentNullException("x"); }
  async void Sell() {
    try {
      Take();
    } catch (ArgumentException error) {
      throw error;
    }
    try {
      Take();
    } catch (Exception) when (Take() == null) {
      throw;
    }
  }
  async void Clicked(object sender, ClickEventArgs args) { }
}
""",
    "php/shop.php": """<?php
function take() { throw new RuntimeException("x"); }
function sell() {
    $text = @file_get_contents("x");
    try {
        take();
    } catch (LogicException | RuntimeException $error) {
    }
}
""",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("errors")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    scan(root)
    with IndexReader(StateDir(root).index_db) as reader:
        yield reader, look_at_errors(reader, root)


def line_of(file, text):
    return 1 + FILES[file].split("\n").index(text)


def gaps(picture, file):
    return {(one.kind, one.function, one.line) for one in picture.gaps if one.file == file}


def test_errors_come_up_until_a_handler_of_their_type_or_a_boundary_ends_them(project):
    _, picture = project
    paths = {(one.type, one.entry): one.path for one in picture.unhandled}

    # SoldOut has a handler, HTTPException FastAPI itself; in /stock both come below ShopError.
    assert paths["Unpaid", "POST /orders order"] == (
        f"order py/shop.py:{line_of('py/shop.py', '    return sell(name)')}",
        f"sell py/shop.py:{line_of('py/shop.py', '        raise Unpaid(name) from error')}",
    )
    # A promise that is returned fails after its region was left.
    assert [one.partition(" ")[0] for one in paths["SoldOut", "GET /late <callback of app.get>"]][1:] == [
        "late",
        "take",
    ]
    assert {kind for kind, _ in paths} == {"Unpaid", "SoldOut", "panic", "IllegalStateException"}
    # A deferred recovery ends the panic of what is called below; nothing does in Rust.
    assert [entry for kind, entry in paths if kind == "panic"] == ["main main"]


def test_boundaries_of_frameworks_are_told_with_their_types(project):
    _, picture = project
    found = {one.function: one for one in picture.boundary_rows}

    assert (found["sold_out"].boundary_type, found["sold_out"].catches) == ("fastapi-handler", ("SoldOut",))
    assert found["Answers.gone"].catches_from_count == 1
    assert picture.status.answered_by_frameworks["Spring"] == 1
    assert (found["stock"].catches, found["stock"].coverage) == (("SoldOut", "Unpaid"), 0.67)
    assert found["twice"].coverage == 1.0
    assert found["nested"].catches == ("HTTPException", "SoldOut", "ValueError")


def test_what_a_handler_does_about_an_error_decides_whether_it_is_a_gap(project):
    _, picture = project
    at = [
        number
        for number, line in enumerate(FILES["py/shop.py"].split("\n"), 1)
        if line.startswith("    except")
    ]

    assert gaps(picture, "py/shop.py") == {
        ("no-try-catch", "order", line_of("py/shop.py", "    return sell(name)")),
        ("swallowed-error", "quiet", at[3]),
        ("swallowed-error", "quiet", at[4]),
        ("logged-only", "quiet", at[5]),
        ("default-returned", "nested", at[6]),
    }
    bare, narrow = sorted(
        (one for one in picture.gaps if one.file == "py/shop.py" and one.kind == "swallowed-error"),
        key=lambda one: one.line,
    )
    assert narrow.inputs == {
        "start": 50,
        "swallowed-error": 30,
        "exported": 15,
        "only errors that are named": -30,
    }
    assert (bare.risk, bare.severity, narrow.risk, narrow.severity) == (95, "high", 65, "low")
    assert not gaps(picture, "py/test_shop.py")


def test_each_language_has_its_own_ways_to_lose_errors(project):
    _, picture = project

    assert {(kind, line) for kind, _, line in gaps(picture, "js/shop.ts")} >= {
        ("unhandled-async", line_of("js/shop.ts", "  take()")),
        ("unhandled-async", line_of("js/shop.ts", "  take().then(one => one)")),
        ("logged-only", line_of("js/shop.ts", "  } catch (error) {")),
    }
    assert sum(kind == "unhandled-async" for kind, _, _ in gaps(picture, "js/shop.ts")) == 2
    assert gaps(picture, "go/main.go") == {
        ("missing-wrap", "sell", 9),
        ("ignored-error", "sell", 14),
        ("ignored-error", "sell", 15),
        ("ignored-error", "guarded", 26),
    }
    assert {(kind, name) for kind, name, _ in gaps(picture, "rs/src/main.rs")} == {
        ("ignored-error", "sell"),
        ("unwrap", "sell"),
        ("no-try-catch", "main"),
    }
    assert ("bare-catch", "Shop.quiet") in {(kind, name) for kind, name, _ in gaps(picture, "java/Shop.java")}
    assert gaps(picture, "cs/Shop.cs") == {
        ("async-void", "Shop.Sell", 4),
        ("throw-ex", "Shop.Sell", line_of("cs/Shop.cs", "      throw error;")),
    }
    assert {kind for kind, _, _ in gaps(picture, "php/shop.php")} == {"suppressed", "swallowed-error"}


def test_quality_is_the_sum_of_its_inputs_and_says_what_is_let_pass(project):
    reader, picture = project
    found = {
        one.qualname: picture.profile(one)
        for one in reader.symbols.many(
            s.id for name in ("sell", "quiet", "safe") for s in reader.symbols.named(name)
        )
        if one.path in {"py/shop.py", "js/shop.ts"}
    }

    assert found["sell"].inputs == {
        "start": 50, "handles errors": 20, "recovers": 15, "transforms": 10, "keeps the cause": 5,
    }  # fmt: skip
    assert (found["sell"].quality, found["sell"].level) == (100, "excellent")
    assert found["sell"].lets_pass == ("HTTPException", "SoldOut", "Unpaid")
    assert [one.does for one in found["quiet"].handlers] == ["nothing", "nothing", "log"]
    assert found["safe"].inputs["awaits in a region"] == 10
    assert sum(found["quiet"].inputs.values()) == found["quiet"].quality


def test_types_descend_as_their_languages_and_the_project_say(project):
    reader, _ = project
    hierarchy = Hierarchy(reader)

    assert hierarchy.catches("python", ["ShopError"], "SoldOut")
    assert hierarchy.catches("python", ["OSError"], "FileNotFoundError")
    assert not hierarchy.catches("python", ["Exception"], "KeyboardInterrupt")
    assert not hierarchy.catches("php", [r"\Exception"], "TypeError")
    assert hierarchy.catches("java", ["Exception"], "SomethingOfALibrary")
    assert not hierarchy.catches("java", ["IOException"], "IllegalStateException")
    assert catches_everything("csharp", ["System.Exception"])


def test_the_data_is_whole():
    for family in families().values():
        assert {parent for some in family.parents.values() for parent in some} <= {
            *family.parents,
            *family.catches_all,
            family.root,
        }
    assert all({"risk", "told", "advice"} <= note.keys() for note in notes().values())
    for row in rules()["boundaries"]:
        assert row["language"] in families()
        assert row.keys() & {"decorators", "parents", "methods", "first", "calls", "events", "keys"}
    assert all(row["language"] in families() and row["types"] for row in rules()["answered"])
