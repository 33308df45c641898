"""Handlers that one file registers and another defines are entry points."""

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

URLS = "from django.urls import path\nfrom shop import views\nurlpatterns = [path('carts/', views.index), path('x/', view=views.Show.as_view())]\n"
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


def test_what_a_wrapper_is_handed_handles_the_route(tmp_path):
    write(tmp_path, "go.mod", "module shop\n\ngo 1.22\n")
    write(
        tmp_path,
        "routes.go",
        'package main\n\nimport "github.com/labstack/echo/v4"\n\n'
        "func hasID(next echo.HandlerFunc) echo.HandlerFunc { return next }\n\n"
        "func page(name string) echo.HandlerFunc { return nil }\n\n"
        "func routes(a *App, e *echo.Echo) {\n\tpm := a.Perm\n"
        '\te.GET("/orders", pm(a.List, "read"))\n\te.GET("/orders/:id", pm(hasID(a.Show), "read"))\n'
        '\te.GET("/style", page("style"))\n}\n',
    )
    write(
        tmp_path,
        "app.go",
        'package main\n\nimport "github.com/labstack/echo/v4"\n\ntype App struct{}\n\n'
        "func (a *App) Perm(next echo.HandlerFunc, all ...string) echo.HandlerFunc { return next }\n"
        "func (a *App) List(c echo.Context) error { return nil }\n"
        "func (a *App) Show(c echo.Context) error { return nil }\n",
    )
    scan(tmp_path, ScanOptions(jobs=0))

    assert sorted(entries(tmp_path)) == [
        ("app.go", "App.List", "GET /orders"),
        ("app.go", "App.Show", "GET /orders/:id"),
        ("routes.go", "page", "GET /style"),
    ]


HANDED = """package shop

import (
\t"net/http"

\t"github.com/gorilla/mux"
)

type Handle func(w http.ResponseWriter, r *http.Request) int

func adapt(f Handle) http.Handler { return nil }

func Routes() http.Handler {
\tr := mux.NewRouter()
\twrap := func(f Handle, prefix string) http.Handler { return adapt(f) }
\tapi := r.PathPrefix("/api").Subrouter()
\tapi.Handle("/list", wrap(list, "")).Methods("GET")
\tapi.Handle("/plain", wrap(plain, ""))
\tapi.Handle("/made", wrap(made(3), ""))
\tapi.PathPrefix("/named").Handler(wrap(named, "/api")).Methods("POST")
\treturn r
}
"""
HELD = """package shop

import "net/http"

func withUser(f Handle) Handle { return func(w http.ResponseWriter, r *http.Request) int { return f(w, r) } }

func inner() {}

var list = withUser(func(w http.ResponseWriter, r *http.Request) int { inner(); return 0 })

var plain = func(w http.ResponseWriter, r *http.Request) int { return 0 }

var named = withUser(show)

func show(w http.ResponseWriter, r *http.Request) int { return 0 }

func made(n int) Handle { return func(w http.ResponseWriter, r *http.Request) int { return n } }
"""


def test_a_variable_of_the_package_that_holds_a_function_is_used_where_it_is_named(tmp_path):
    write(tmp_path, "go.mod", "module shop\n\ngo 1.22\n")
    write(tmp_path, "routes.go", HANDED)
    write(tmp_path, "orders.go", HELD)
    scan(tmp_path, ScanOptions(jobs=0))

    assert sorted(entries(tmp_path)) == [
        ("orders.go", "list.func1", "GET /api/list"),
        ("orders.go", "made", "ANY /api/made"),
        ("orders.go", "plain.func1", "ANY /api/plain"),
        ("orders.go", "show", "POST /api/named"),
    ]
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        (held,) = reader.symbols.named("list")
        (inner,) = reader.symbols.named("inner")
        (routes,) = reader.symbols.named("Routes")
        assert routes.id in {one.symbol_id for one in reader.graph.users([held.id]).reached}
        assert routes.id in {one.symbol_id for one in reader.graph.users([inner.id]).reached}
