"""A small shop in layers: routes above services above storage, requests through one client, routes behind a login."""

import os

import pytest

from drift.index import IndexReader
from drift.project import open_project
from drift.scan import scan

PAGES = 30


def _command(number):
    """A command with its handler, which locks, unlocks, and keeps the causes of errors; the last does none of it."""
    is_last = number == 29
    unlock = "" if is_last else "        lock.release()\n"
    cause = "" if is_last else " from error"
    return (
        f"from shop.base import Command\n\n\nclass Make{number}Command(Command):\n"
        f"    def run(self, lock):\n        lock.acquire()\n        try:\n            self.make()\n"
        f"        except KeyError as error:\n            raise ValueError(self){cause}\n{unlock}\n\n"
        + ("" if is_last else f"class Make{number}CommandHandler(Command):\n    ...\n")
    )


def _draft(number):
    """A type of its own file that validates before it saves; the last saves at once, and is not alone."""
    is_last = number == 29
    check = "" if is_last else "        form.validate()\n"
    more = f"\n\nclass Copy{number}:\n    ...\n" if is_last else ""
    return (
        f"class Draft{number}:\n    def keep(self, form):\n{check}        form.save()\n\n"
        f"    def show(self, form):\n        return form.title()\n{more}"
    )


def _files():
    files = {
        "shop/client.py": "import requests\n\n\ndef fetch(url):\n    return requests.get(url, timeout=5)\n",
        "shop/auth.py": "def login_required(view):\n    return view\n",
        "shop/direct.py": "import requests\n\n\ndef ping():\n    return requests.get('https://shop')\n",
        "shop/app.py": "from flask import Flask\n\napp = Flask(__name__)\n",
    }
    for number in range(PAGES):
        files[f"shop/storage/table{number}.py"] = f"def load{number}(key):\n    return key\n"
        files[f"shop/services/order{number}.py"] = (
            f"from shop.client import fetch\nfrom shop.storage.table{number} import load{number}\n"
            f"from shop.storage.table0 import load0\n\n\n"
            f"def order{number}(key):\n    load0(key)\n    fetch(key)\n    return load{number}(key)\n"
        )
        files[f"shop/web/page{number}.py"] = (
            f"from shop.app import app\nfrom shop.auth import login_required\n"
            f"from shop.services.order{number} import order{number}\n\n\n"
            f"@app.route('/orders/{number}')\n@login_required\ndef page{number}():\n    return order{number}(1)\n"
        )
    for number in range(30):
        files[f"shop/commands/make{number}.py"] = _command(number)
        files[f"shop/drafts/draft{number}.py"] = _draft(number)
    files["shop/web/open.py"] = (
        "from shop.app import app\n\n\n@app.route('/cart')\ndef cart():\n    return 'cart'\n"
    )
    files["tests/test_orders.py"] = (
        "from shop.services.order1 import order1\n\n\ndef test_it():\n    assert order1(1)\n"
        "\n\ndef test_teleport_zebras_by_quantum():\n    assert order1(2)\n"
    )
    return files


@pytest.fixture(scope="session")
def layered(tmp_path_factory):
    """The project, scanned; rules that a test writes it takes away again."""
    root = tmp_path_factory.mktemp("layered")
    for path, text in _files().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root)
    return open_project(root, os.environ)


@pytest.fixture
def reader(layered):
    with IndexReader(layered.state.index_db) as opened, opened.snapshot():
        yield opened


@pytest.fixture
def rules(layered):
    """Writes a file of rules, and takes all away at the end."""

    def write(text, name="own.toml"):
        layered.state.rules.mkdir(parents=True, exist_ok=True)
        (layered.state.rules / name).write_text(text)

    yield write
    for path in layered.state.rules.glob("*.toml"):
        path.unlink()
