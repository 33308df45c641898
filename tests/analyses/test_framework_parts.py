"""Hooks and middleware, by the signs that frameworks give them."""

import pytest

from drift.analyses.hooks import find_hooks, imports_hooks
from drift.analyses.middleware import find_frameworks, find_middleware
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


@pytest.fixture
def read(tmp_path):
    readers = []

    def run(files):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        scan(tmp_path, ScanOptions(jobs=0))
        readers.append(IndexReader(StateDir(tmp_path).index_db))
        return readers[-1]

    yield run
    for reader in readers:
        reader.close()


HOOKS = """import { useState } from 'react';
export const useCart = () => { const [cart] = useState(1); return cart; };
export function useless() { return 1 }
export function Page() { return useCart() }
"""


def test_hooks_say_what_they_are_made_of_and_who_uses_them(read):
    found = find_hooks(read({"src/cart.tsx": HOOKS}))

    (hook,) = found.own
    assert (hook.hook, hook.line, hook.made_of, hook.users) == ("useCart", 2, ("useState",), 1)
    assert [(row.hook, row.package) for row in found.outside] == [("useState", "react")]


def test_hooks_are_searched_whatever_the_case(read):
    reader = read({"src/cart.tsx": HOOKS})

    assert [row.hook for row in find_hooks(reader, "CART").own] == ["useCart"]
    assert find_hooks(reader, "nothing").own == ()


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "a.ts",
            "import { CanActivate } from '@nestjs/common';\nexport class Gate implements CanActivate {}\n",
            ("Gate", "guard", "NestJS", "descends from CanActivate"),
        ),
        (
            "a.js",
            "function log(req, res, next) { next() }\n",
            ("log", "middleware", "Express", "takes (req, res, next)"),
        ),
        (
            "a.js",
            "function fail(err, req, res, next) { next() }\n",
            ("fail", "error handler", "Express", "takes (err, req, res, next)"),
        ),
        (
            "a.py",
            "class Timing:\n    def __init__(self, get_response):\n        pass\n",
            ("Timing", "middleware", "Django", "__init__ takes get_response"),
        ),
        (
            "a.go",
            "package a\n\nfunc Log() gin.HandlerFunc { return nil }\n",
            ("Log", "middleware", "Gin", "returns gin.HandlerFunc"),
        ),
        (
            "a.py",
            "from flask import Flask\napp = Flask(__name__)\n@app.before_request\ndef see(): ...\n",
            ("see", "before requests", "Flask", "decorated with before_request"),
        ),
        (
            "a.ts",
            "import { initTRPC } from '@trpc/server';\nexport const timed = t.middleware(async ({ next }) => next());\n",
            ("<callback of t.middleware>", "middleware", "tRPC", "handed to middleware"),
        ),
        (
            "web/src/proxy.ts",
            "import { NextResponse } from 'next/server';\nexport function proxy() { return NextResponse.next(); }\n",
            ("proxy", "middleware", "Next", "stands in proxy.ts"),
        ),
        (
            "A.php",
            "<?php\nclass Auth { public function handle($request, $next) {} }\n",
            ("Auth", "middleware", "Laravel", "handle takes $next"),
        ),
        (
            "A.java",
            "class Trace implements jakarta.servlet.Filter {}\n",
            ("Trace", "filter", "Servlet", "descends from Filter"),
        ),
    ],
)
def test_middleware_is_known_by_its_sign(read, path, text, expected):
    (row,) = find_middleware(read({path: text}))

    assert (row.name, row.role, row.framework, row.reason) == expected


def test_a_sign_of_another_language_is_none(read):
    assert find_middleware(read({"a.py": "class Blur(Filter):\n    pass\n"})) == ()


def test_middleware_of_tests_is_left_out(read):
    assert (
        find_middleware(read({"tests/test_a.py": "class T:\n    def __init__(self, get_response): pass\n"}))
        == ()
    )


def test_a_handler_of_go_that_is_handed_the_next_one_is_middleware(read):
    code = (
        'package web\n\nimport "net/http"\n\ntype Gate struct{}\n\n'
        "func (g Gate) ServeHTTP(w http.ResponseWriter, r *http.Request, next http.Handler) error { return nil }\n"
    )

    (row,) = find_middleware(read({"web/gate.go": code}))

    assert (row.name, row.framework, row.reason) == ("Gate", "net/http", "ServeHTTP takes next")


OWN_WRAPPERS = {
    "web/engine.go": (
        'package web\n\nimport "net/http"\n\ntype HandlerFunc func(*Context) error\n\n'
        "type MiddlewareFunc func(HandlerFunc) HandlerFunc\n"
    ),
    "worker/jobs.go": "package worker\n\ntype HandlerFunc func(Job) error\n\ntype Around func(HandlerFunc) HandlerFunc\n",
    "gates/gates.go": (
        "package gates\n\nfunc Signed() web.MiddlewareFunc { return nil }\n\n"
        "func Setup() worker.Around { return nil }\n"
    ),
}


def test_what_gives_a_type_of_the_project_that_wraps_handlers_of_requests_is_middleware(read):
    (row,) = find_middleware(read(OWN_WRAPPERS))

    assert (row.name, row.framework, row.reason) == ("Signed", "net/http", "returns web.MiddlewareFunc")


def test_middleware_of_examples_stands_behind_that_of_the_product(read):
    code = "export function gate(req, res, next) { next() }\n"

    rows = find_middleware(read({"examples/a.js": code, "lib/z.js": code}))

    assert [row.file for row in rows] == ["lib/z.js", "examples/a.js"]


@pytest.mark.parametrize(
    ("path", "text", "known", "imported"),
    [
        ("a.py", "import os\n", ("ASGI", "Django", "FastAPI", "Flask", "Starlette"), ()),
        (
            "a.py",
            "import fastapi\n",
            ("ASGI", "Django", "FastAPI", "Flask", "Starlette"),
            ("ASGI", "FastAPI", "Starlette"),
        ),
        ("a.py", "import djangonaut\n", ("ASGI", "Django", "FastAPI", "Flask", "Starlette"), ()),
        (
            "a.ts",
            "import { Get } from '@nestjs/common';\n",
            ("Astro", "Express", "Fastify", "Hono", "Koa", "NestJS", "Next", "Nuxt", "SvelteKit", "tRPC"),
            ("NestJS",),
        ),
        (
            "a.go",
            'package a\n\nimport "net/http"\n\nvar X = http.MethodGet\n',
            ("Echo", "Gin", "net/http"),
            ("net/http",),
        ),
        ("a.c", "int main(void) { return 0; }\n", (), ()),
    ],
)
def test_a_framework_is_recognised_by_what_is_imported(read, path, text, known, imported):
    assert find_frameworks(read({path: text})) == (known, imported)


def test_a_project_without_react_or_vue_is_known_to_be_one(read):
    assert not imports_hooks(read({"a.js": "import fs from 'node:fs';\n"}))


def test_a_project_that_imports_react_has_hooks_to_look_for(read):
    assert imports_hooks(read({"a.js": "import { useState } from 'react';\n"}))


ASGI = """class Limit:
    def __init__(self, app, most=1):
        self.app = app

    async def __call__(self, scope, receive, send):
        await self.app(scope, receive, send)


class Endpoint:
    async def __call__(self, scope, receive, send):
        ...
"""


def test_a_class_that_wraps_an_application_of_asgi_is_middleware(read):
    (row,) = find_middleware(read({"shop/limit.py": ASGI}))

    assert (row.name, row.framework) == ("Limit", "ASGI")


def test_a_function_of_go_that_wraps_a_handler_is_middleware_by_the_one_that_hands_it_out(read):
    reader = read(
        {
            "auth.go": "package shop\n\n"
            "func Log(next http.Handler) http.Handler { return next }\n\n"
            "func Auth(realm string) func(next http.Handler) http.Handler {\n"
            "\treturn func(next http.Handler) http.Handler { return next }\n}\n\n"
            "func chain(all []func(http.Handler) http.Handler, end http.Handler) http.Handler { return end }\n"
        }
    )

    assert [(row.name, row.line) for row in find_middleware(reader)] == [("Log", 3), ("Auth", 5)]


HONO = """import type { MiddlewareHandler } from 'hono'
export const cors = (): MiddlewareHandler => {
  return async function cors(ctx, next) { await next() }
}
"""


def test_a_function_of_go_that_gives_a_handler_is_no_middleware_for_what_it_uses(read):
    reader = read(
        {
            "go.mod": "module shop\n",
            "server.go": 'package shop\n\nimport "net/http"\n\n'
            "func NewServer(router *Router) (http.Handler, error) {\n"
            "\trouter.Use(func(next http.Handler) http.Handler { return next })\n\treturn router, nil\n}\n",
        }
    )

    assert "NewServer" not in {row.name for row in find_middleware(reader)}


def test_what_a_function_hands_out_is_told_with_the_function(read):
    (row,) = find_middleware(read({"src/cors.ts": HONO, "src/app.js": "import Koa from 'koa'\n"}))

    assert (row.name, row.framework, row.line) == ("cors", "Hono", 2)


@pytest.mark.parametrize(("package", "names"), [("koa", ["log"]), ("telegraf", [])])
def test_words_that_others_use_too_are_a_sign_only_with_the_package(read, package, names):
    text = f"import it from '{package}'\nexport async function log(ctx, next) {{ await next() }}\n"

    assert [row.name for row in find_middleware(read({"src/log.js": text}))] == names


def test_what_a_route_leads_to_is_no_middleware(read):
    text = (
        "import express from 'express'\nconst app = express()\nexport const log = (req, res, next) => next()\n"
        "app.get('/x', log, (req, res, next) => next(1))\n"
    )

    assert [row.name for row in find_middleware(read({"src/app.js": text}))] == ["log"]


def test_middleware_of_rack_is_made_with_an_application_and_called_with_an_environment(read):
    hosts = "class Hosts\n  def initialize(app)\n    @app = app\n  end\n  def call(env) = @app.call(env)\nend\nclass App\n  def call(env) = 1\nend\n"
    reader = read(
        {"lib/hosts.rb": hosts, "config.ru": "require 'rack'\nuse Hosts\n", "a.rb": "require 'rack'\n"}
    )

    assert [(row.name, row.framework) for row in find_middleware(reader)] == [("Hosts", "Rack")]
