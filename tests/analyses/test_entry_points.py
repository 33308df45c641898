"""Entry points of all languages in one list, and what only looks like a guard of one."""

import pytest

from drift.analyses.entry_points import find_entry_points, standing_before
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.security import Routes
from drift.security.routes import all_route_guards

JAVA = """package shop;
import org.springframework.web.bind.annotation.*;
@RestController
@Tag(name = "AdminController", description = "what a role may do")
@RequestMapping("/admin")
class AdminController {
    @ApiOperation("needs permission")
    @GetMapping("/users")
    String users() { return ""; }
    @PreAuthorize("hasRole('ADMIN')")
    @DeleteMapping("/users/{id}")
    void delete(@PathVariable long id) {}
}
class SecurityConfig {
    Object chain(HttpSecurity http) { return http.authorizeHttpRequests().anyRequest().authenticated(); }
}
class JwtFilter extends OncePerRequestFilter {
    protected void doFilterInternal(Object request) {}
}
"""
PYTHON = """import click
from fastapi import APIRouter
admin_router = APIRouter(prefix="/staff")
@admin_router.get("/orders")
def orders():
    return []
@click.command()
def clean():
    pass
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("shop")
    (root / "AdminController.java").write_text(JAVA)
    (root / "web.py").write_text(PYTHON)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        yield reader


def rows(found):
    return [(one.row.method, one.row.path, one.row.handler) for one in found.placed]


def test_routes_of_all_languages_stand_in_one_list(reader):
    assert rows(find_entry_points(reader)) == [
        ("GET", "/admin/users", "AdminController.users"),
        ("DELETE", "/admin/users/{id}", "AdminController.delete"),
        ("GET", "/staff/orders", "orders"),
    ]


@pytest.mark.parametrize(
    ("asked", "handlers"),
    [
        ({"search": "delete"}, ["AdminController.delete"]),
        ({"search": "/STAFF"}, ["orders"]),
        ({"area": "web.py"}, ["orders"]),
        ({"area": "web"}, []),
        ({"kind": "cli"}, ["clean"]),
        ({"kind": "job"}, []),
    ],
)
def test_a_list_is_cut_to_what_was_asked(reader, asked, handlers):
    found = find_entry_points(reader, **asked)

    assert [one.row.handler for one in found.placed] == handlers
    assert found.by_kind == {"http": 3, "cli": 1}


def test_pages_of_a_browser_and_what_stands_before_routes_are_no_routes(tmp_path):
    (tmp_path / "package.json").write_text(
        '{"dependencies": {"vue-router": "4", "vue": "3", "express": "5"}}'
    )
    (tmp_path / "router.ts").write_text(
        "import { createRouter } from 'vue-router';\nimport Cart from './Cart.vue';\n"
        "export const router = createRouter({ routes: [{ path: '/cart', component: Cart }] });\n"
    )
    (tmp_path / "Cart.vue").write_text(
        "<script setup>\nconst total = 1;\n</script>\n<template>{{ total }}</template>\n"
    )
    (tmp_path / "server.js").write_text(
        "const express = require('express');\nconst app = express();\nfunction log(req, res, next) { next(); }\n"
        "app.use('/api', log);\napp.get('/orders', (req, res) => res.send('1'));\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        routes = rows(find_entry_points(reader))
        pages = rows(find_entry_points(reader, kind="page"))
        counted = len(Routes(reader).entries)

    assert [(method, path) for method, path, _ in routes] == [("GET", "/orders")]
    assert {(method, path) for method, path, _ in pages} == {("PAGE", "/cart")}
    assert counted == 1


def test_marks_that_make_or_document_a_route_are_not_told_as_standing_before_it(reader):
    found = find_entry_points(reader)

    before = {one.row.handler: standing_before(reader, one.entry) for one in found.placed}

    assert before == {
        "AdminController.users": None,
        "AdminController.delete": ("@PreAuthorize(\"hasRole('ADMIN')\")",),
        "orders": None,
    }


def test_words_of_paths_routers_and_documentation_guard_no_route(reader):
    routes = Routes(reader)

    assert [one.symbol.qualname for one in routes.entries if routes.is_guarded(one)] == [
        "AdminController.delete"
    ]


def test_what_may_guard_all_routes_at_once_is_told_with_its_place(reader):
    assert all_route_guards(reader) == (
        "anyRequest (AdminController.java:15)",
        "JwtFilter (AdminController.java:17)",
    )


def test_a_page_is_told_once_whatever_it_is_shown_in_and_by_its_component(tmp_path):
    view = "<script setup>\nconst a = 1\n</script>\n<template><b/></template>\n"
    for path, text in {
        "package.json": '{"dependencies": {"vue-router": "4"}}',
        "src/router.ts": (
            "import { createRouter } from 'vue-router'\nimport Layout from './views/Layout.vue'\n"
            "export const router = createRouter({ routes: [\n"
            "  { path: '/repos', component: Layout, children: [\n"
            "    { path: ':id', component: () => import('./views/Repo.vue'), children: [\n"
            "      { path: 'branches', component: () => import('./views/Branches.vue') },\n"
            "    ] },\n  ] },\n"
            "  { path: '/login', component: () => import('./views/Login.vue'), beforeEnter: guard },\n"
            "  { path: '*', component: Layout },\n] })\n"
            "function guard() { return true }\n"
        ),
        **{f"src/views/{name}.vue": view for name in ("Layout", "Repo", "Branches", "Login")},
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        pages = [(one.row.path, one.row.handler) for one in find_entry_points(reader, kind="page").placed]

    assert sorted(pages) == [
        ("/*", "Layout.vue"),
        ("/login", "Login.vue"),
        ("/repos", "Layout.vue"),
        ("/repos/:id", "Repo.vue"),
        ("/repos/:id/branches", "Branches.vue"),
    ]


def test_a_route_of_php_whose_method_is_not_there_leads_to_nothing(tmp_path):
    (tmp_path / "routes").mkdir()
    (tmp_path / "routes" / "web.php").write_text(
        "<?php\nuse App\\Kits;\n"
        "Route::get('/all', [Kits::class, 'all']);\n"
        "Route::prefix('in')->group(function () {\n    Route::get('/gone', [Kits::class, 'gone']);\n"
        "    Route::get('/here', function () { return 1; });\n});\n"
    )
    (tmp_path / "Kits.php").write_text("<?php\nnamespace App;\nclass Kits { public function all() { } }\n")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        handlers = {path: handler for _, path, handler in rows(find_entry_points(reader))}

    assert handlers["/all"] == "Kits.all"
    assert handlers["/in/gone"] == "(not found)"
    assert "closure" in handlers["/in/here"]
