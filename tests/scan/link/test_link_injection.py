"""Objects that a framework makes and hands over: what is asked of a container is of the class it is asked for."""

import pytest
from script_cases import ScriptProject
from typed_cases import Linked

SERVICE = "export class Svc { run(): void {} }\nexport class Other { run(): void {} }\n"


@pytest.mark.parametrize(
    ("imports", "given"),
    [
        ("import { inject } from '@angular/core'", "inject(Svc)"),
        ("import { inject } from '@angular/core'", "inject(Svc, { optional: true })"),
        ("import { Injector } from '@angular/core'", "new Injector().get(Svc)"),
        ("import { TestBed } from '@angular/core/testing'", "TestBed.inject(Svc)"),
        ("import { NestFactory } from '@nestjs/core'", "(await NestFactory.create(Svc)).get(Svc)"),
        ("import { Test } from '@nestjs/testing'", "(await Test.createTestingModule({}).compile()).get(Svc)"),
        ("import { container } from 'tsyringe'", "container.resolve(Svc)"),
        ("import { Container } from 'typedi'", "Container.get(Svc)"),
    ],
)
def test_a_script_gets_an_object_of_the_class_it_asks_for(imports, given):
    user = f"{imports};\nimport {{ Svc }} from './svc';\n"
    user += f"export class User {{ private svc = {given}; async go() {{ this.svc.run(); }} }}\n"
    found = ScriptProject({"svc.ts": SERVICE, "user.ts": user})

    assert "user.ts:User.go -> svc.ts:Svc.run" in found.calls()
    assert "user.ts:User.go -> svc.ts:Other.run" not in found.calls()


@pytest.mark.parametrize(
    "token",
    ["new InjectionToken<Svc>('svc')", "new InjectionToken('svc', { factory: () => new Svc() })"],
)
def test_what_is_got_for_a_token_is_what_the_token_stands_for(token):
    tokens = f"import {{ InjectionToken }} from '@angular/core';\nimport {{ Svc }} from './svc';\nexport const SVC = {token};\n"
    user = "import { inject } from '@angular/core';\nimport { SVC } from './tokens';\n"
    user += "export class User { private svc = inject(SVC); go() { this.svc.run(); } }\n"
    found = ScriptProject({"svc.ts": SERVICE, "tokens.ts": tokens, "user.ts": user})

    assert {edge for edge in found.calls() if edge.startswith("user.ts")} == {
        "user.ts:User.go -> svc.ts:Svc.run"
    }


def test_what_another_package_gives_is_not_taken_for_an_object_of_a_class():
    user = "import { get } from 'lodash';\nimport { Svc } from './svc';\nexport function go() { get(Svc).run(); }\n"
    found = ScriptProject({"svc.ts": SERVICE, "user.ts": user})

    assert not any(edge.startswith("user.ts") for edge in found.calls())


@pytest.mark.parametrize(
    "asked", ["context.getBean(Svc.class)", 'context.getBean("svc", Svc.class)', "mock(Svc.class)"]
)
def test_java_gets_an_object_of_the_class_it_asks_for(asked):
    own = "package a;\nclass Svc { void run() {} }\nclass Other { void run() {} }\n"
    user = "package a;\nimport org.springframework.context.ApplicationContext;\nimport static org.mockito.Mockito.mock;\n"
    user += f"class User {{ ApplicationContext context; void go() {{ var one = {asked}; one.run(); }} }}\n"
    found = Linked("java", (".java",), {"Svc.java": own, "User.java": user})

    assert found.targets("User.java", "one.run") == ["Svc.java:Svc.run"]


LICENSE = r"""<?php
namespace App\Services;
interface Licenses { public function isPlus(): bool; }
class LicenseService implements Licenses { public function isPlus(): bool { return true; } }
class Other { public function isPlus(): bool { return true; } }
"""
FACADE = r"""<?php
namespace App\Facades;
use App\Services\LicenseService;
use Illuminate\Support\Facades\Facade;
class License extends Facade { protected static function getFacadeAccessor(): string { return %s; } }
"""
PROVIDER = r"""<?php
namespace App\Providers;
use App\Services\Licenses;
use App\Services\LicenseService;
class Provider { public function register() { %s } }
"""
USER = r"""<?php
namespace App;
use App\Facades\License;
class User { public function go() { License::isPlus(); } public function ask() { app('license')->isPlus(); } }
"""


@pytest.mark.parametrize(
    ("accessor", "bound", "meant"),
    [
        ("LicenseService::class", "", "LicenseService"),
        ("'license'", "$this->app->singleton('license', LicenseService::class);", "LicenseService"),
        ("'license'", "app()->bind('license', fn () => new LicenseService());", "LicenseService"),
        (
            "'license'",
            "app()->singleton('license', static fn (): Licenses => app(Licenses::class));",
            "Licenses",
        ),
    ],
)
def test_a_facade_of_the_project_leads_to_the_object_behind_it(accessor, bound, meant):
    texts = {
        "composer.json": '{"autoload": {"psr-4": {"App\\\\": "app/"}}}',
        "app/Services/License.php": LICENSE,
        "app/Facades/License.php": FACADE % accessor,
        "app/Providers/Provider.php": PROVIDER % bound,
        "app/User.php": USER,
    }
    found = Linked("php", (".php",), texts)

    assert found.targets("app/User.php", "License::isPlus") == [f"app/Services/License.php:{meant}.isPlus"]
    if bound:
        assert found.targets("app/User.php", "app('license')->isPlus") == [
            f"app/Services/License.php:{meant}.isPlus"
        ]


def test_a_facade_of_a_framework_is_outside_with_its_member():
    user = "<?php\nnamespace App;\nuse Illuminate\\Support\\Facades\\Cache;\nclass User { function go() { Cache::get('x'); } }\n"
    found = Linked("php", (".php",), {"app/User.php": user})

    assert found.call("app/User.php", "Cache::get").external_name == "Illuminate\\Support\\Facades.Cache.get"


@pytest.mark.parametrize(
    ("imports", "parameter"),
    [
        ("use rocket::State;", "users: &State<Users>"),
        ("use actix_web::web;", "users: web::Data<Users>"),
        ("use axum::extract::State;", "State(users): State<Users>"),
        ("use axum::Extension;", "Extension(users): Extension<Arc<Users>>"),
        ("use crate::own::Known;", "users: Known<'_>"),
    ],
)
def test_what_a_web_framework_of_rust_hands_over_is_what_it_holds(imports, parameter):
    own = "pub struct Users;\nimpl Users { pub fn find(&self) {} }\npub struct Other;\nimpl Other { pub fn find(&self) {} }\n"
    own += "pub type Known<'a> = &'a rocket::State<Users>;\n"
    user = f"use std::sync::Arc;\nuse crate::own::Users;\n{imports}\nasync fn show({parameter}) {{ users.find(); }}\n"
    manifest = '[package]\nname = "app"\n[dependencies]\nrocket = "1"\naxum = "1"\nactix-web = "1"\n'
    texts = {
        "Cargo.toml": manifest,
        "src/lib.rs": "mod own;\nmod user;\n",
        "src/own.rs": own,
        "src/user.rs": user,
    }
    found = Linked("rust", (".rs",), texts)

    assert found.targets("src/user.rs", "users.find") == ["src/own.rs:Users.find"]
