"""Handlers that one file registers and another defines are entry points."""

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

URLS = "from django.urls import path\nfrom shop import views\nurlpatterns = [path('carts/', views.index), path('x/', views.Show.as_view())]\n"
VIEWS = "def index(request): pass\nclass Show: pass\n"


def entries(root):
    with IndexReader(StateDir(root).index_db) as reader:
        return [
            (each.symbol.path, each.symbol.qualname, each.detail)
            for each in reader.facts.entry_points("http")
        ]


def write(root, name, text):
    path = root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def test_a_route_leads_to_its_handler_and_follows_it(tmp_path):
    write(tmp_path, "shop/__init__.py", "")
    write(tmp_path, "shop/urls.py", URLS)
    write(tmp_path, "shop/views.py", VIEWS)
    scan(tmp_path, ScanOptions(jobs=0))

    assert [found[:2] for found in entries(tmp_path)] == [
        ("shop/views.py", "index"),
        ("shop/views.py", "Show"),
    ]
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        (index,) = reader.symbols.named("index")
        assert len(reader.facts.entry_points_at(index.id)) == 1

    write(tmp_path, "shop/views.py", "class Show: pass\n")
    scan(tmp_path, ScanOptions(jobs=0))

    assert [found[:2] for found in entries(tmp_path)] == [("shop/urls.py", "urls"), ("shop/views.py", "Show")]
