"""Small repositories, and lists of them."""

import subprocess

from drift.fleet import read_fleet

FILES = {
    # A library that the shop calls, and a service whose endpoints it asks.
    "pricing": {
        "pyproject.toml": '[project]\nname = "pricing-lib"\nversion = "1"\n',
        "pricing_lib/__init__.py": "from pricing_lib.tax import add_tax\n",
        "pricing_lib/tax.py": "def add_tax(amount):\n    return amount * 1.2\n\n\nclass Rates:\n    def of(self, land):\n        return 1\n",
    },
    "orders": {
        "requirements.txt": "flask\npricing-lib==1.0\n",
        "app.py": "from flask import Flask\nfrom pricing_lib.tax import Rates, add_tax\n\napp = Flask(__name__)\n\n\n"
        "@app.get('/orders/<id>')\ndef show(id):\n    Rates().of('at')\n    return {'total': add_tax(1)}\n",
    },
    "shop": {
        "package.json": '{"name": "shop", "dependencies": {"axios": "1"}}',
        "src/api.ts": "import axios from 'axios';\n\nexport async function order(id: string) {\n"
        "  return axios.get(`http://orders:8080/orders/${id}`);\n}\n\nexport async function gone() {\n"
        "  return axios.delete('http://orders:8080/baskets/all');\n}\n\nexport async function other() {\n"
        "  return axios.get('https://api.example.com/orders/1');\n}\n",
    },
}


def git(folder, *words):
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    done = subprocess.run(
        ["git", "-C", folder, *identity, *words], check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout.strip()


def make_repository(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Change")
    return folder


def write_list(place, names, **settings):
    lines = [f"{key} = {value!r}" for key, value in settings.items()]
    lines += [f'[[repositories]]\nname = "{name}"\npath = "origins/{name}"\n' for name in names]
    (place / "fleet.toml").write_text("\n".join(lines))
    return read_fleet(place / "fleet.toml")
