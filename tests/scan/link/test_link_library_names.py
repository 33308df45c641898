"""Types of a project that have the name of a library's: the project's own is meant wherever it is in sight."""

import pytest
from script_cases import ScriptProject
from typed_cases import Linked

from drift.languages.cpp import type_forms as cpp_types
from drift.languages.csharp import vocabulary as csharp_names
from drift.languages.golang import vocabulary as go_names
from drift.languages.java import vocabulary as java_names
from drift.languages.php import type_forms as php_types
from drift.languages.rust import vocabulary as rust_names
from drift.languages.typescript import types as script_types

RUST = sorted({*rust_names.WRAPPERS, *rust_names.LISTS, *rust_names.MAPS, *rust_names.ITEM_TRAITS, "Future"})
CSHARP = sorted(
    {
        *csharp_names.LIST_TYPES,
        *csharp_names.DICT_TYPES,
        *csharp_names.TRANSPARENT_TYPES,
        *csharp_names.EVERYDAY_TYPES - {"dynamic"},
    }
)
JAVA = sorted({*java_names.LIST_TYPES, *java_names.DICT_TYPES, *java_names.EVERYDAY_TYPES})
CPP = sorted({*cpp_types.LISTS, *cpp_types.DICTS, *cpp_types.TRANSPARENT})


@pytest.mark.parametrize("name", RUST)
@pytest.mark.parametrize("parameters", ["'a", "'a, T", "T"])
def test_a_rust_type_is_the_one_that_is_imported(name, parameters):
    texts = {
        "Cargo.toml": '[package]\nname = "app"\n',
        "src/lib.rs": "mod own;\nmod user;\n",
        "src/own.rs": f"pub struct {name}<{parameters}> {{ held: u8 }}\n"
        f"impl<{parameters}> {name}<{parameters}> {{ pub fn advance(&self) {{}} }}\n",
        "src/user.rs": f"use crate::own::{name};\nstruct Holder<{parameters}> {{ own: {name}<{parameters}> }}\n"
        f"impl<{parameters}> Holder<{parameters}> {{ fn turn(&self) {{ self.own.advance(); }} }}\n"
        f"fn run<{parameters}>(given: &mut {name}<{parameters}>) {{ given.advance(); }}\n",
    }
    found = Linked("rust", (".rs",), texts)

    assert found.targets("src/user.rs", "given.advance") == [f"src/own.rs:{name}.advance"]
    assert found.targets("src/user.rs", "self.own.advance") == [f"src/own.rs:{name}.advance"]
    assert found.call("src/user.rs", "given.advance").reason != "unique-name"


def test_a_rust_type_that_is_declared_below_or_seen_whole_is_the_projects_own():
    below = "fn run(given: &Stream<u8>) { given.advance(); }\nstruct Stream<T> { t: T }\n"
    whole = "use crate::own::*;\nfn run(given: &Stream<u8>) { given.advance(); }\n"
    implemented = "impl<T> Stream<T> { pub fn advance(&self) {} }\n"
    texts = {"Cargo.toml": '[package]\nname = "app"\n', "src/lib.rs": "mod own;\nmod whole;\n"}
    own = f"pub {below.splitlines()[1]}\n{implemented}"
    other = "pub struct Other;\nimpl Other { pub fn advance(&self) {} }\n"
    found = Linked(
        "rust",
        (".rs",),
        texts | {"src/own.rs": own + other, "src/whole.rs": whole, "src/below.rs": below + implemented},
    )

    assert found.targets("src/whole.rs", "given.advance") == ["src/own.rs:Stream.advance"]
    assert found.targets("src/below.rs", "given.advance") == ["src/below.rs:Stream.advance"]


def test_a_rust_name_for_a_type_of_the_library_is_read_as_that():
    texts = {
        "Cargo.toml": '[package]\nname = "app"\n',
        "src/lib.rs": "mod own;\nmod user;\n",
        "src/own.rs": "pub struct Error;\npub struct Box_;\nimpl Box_ { pub fn open(&self) {} }\n"
        "pub type Result<T> = std::result::Result<T, Error>;\n",
        "src/user.rs": "use crate::own::{Box_, Result};\nuse tokio::sync::Mutex;\n"
        "fn find() -> Result<Box_> { todo!() }\nfn run(held: Mutex<Box_>) { find().unwrap().open(); held.lock().open(); }\n",
    }
    found = Linked("rust", (".rs",), texts)

    assert found.targets("src/user.rs", "find().unwrap().open") == ["src/own.rs:Box_.open"]
    assert found.targets("src/user.rs", "held.lock().open") == ["src/own.rs:Box_.open"]


@pytest.mark.parametrize("name", sorted(script_types.LIBRARY_TYPES))
def test_a_typescript_type_is_the_one_that_is_imported_or_declared(name):
    own = (
        f"export class {name}<T> {{ advance(): void {{}} }}\nexport class Other {{ advance(): void {{}} }}\n"
    )
    user = f'import {{ {name} }} from "./own";\nfunction run(given: {name}<string>) {{ given.advance(); }}\n'
    user += (
        f"class Holder {{ constructor(private own: {name}<string>) {{}} turn() {{ this.own.advance(); }} }}\n"
    )
    here = f"function run(given: {name}<string>) {{ given.advance(); }}\n{own}"
    found = ScriptProject({"own.ts": own, "user.ts": user, "here.ts": here})

    assert found.calls() == {
        f"user.ts:run -> own.ts:{name}.advance",
        f"user.ts:Holder.turn -> own.ts:{name}.advance",
        f"here.ts:run -> here.ts:{name}.advance",
    }


@pytest.mark.parametrize("name", CSHARP)
def test_a_csharp_type_is_that_of_the_namespaces_in_sight(name):
    own = f"namespace A;\npublic class {name}<K, V> {{ public void Advance() {{}} }}\n"
    own += f"public class {name}<K> {{ public void Advance() {{}} }}\npublic class Other {{ public void Advance() {{}} }}\n"
    body = f"void Run({name}<string, int> two, {name}<string> one) {{ two.Advance(); one.Advance(); }}"
    texts = {
        "Own.cs": own,
        "Beside.cs": f"using System.Collections.Generic;\nnamespace A;\nclass Beside {{ {body} }}\n",
        "Using.cs": f"using A;\nnamespace B;\nclass Using {{ {name}<string> own; {body} void Turn() {{ own.Advance(); }} }}\n",
    }
    found = Linked("csharp", (".cs",), texts)

    for path in ("Beside.cs", "Using.cs"):
        for text in ("two.Advance", "one.Advance"):
            assert found.targets(path, text) == [f"Own.cs:{name}.Advance"]
            assert found.call(path, text).reason != "unique-name"
    assert found.targets("Using.cs", "own.Advance") == [f"Own.cs:{name}.Advance"]


def test_a_csharp_class_that_takes_no_types_hides_no_generic_one_of_the_library():
    own = "namespace A;\npublic class Task { public void Advance() {} }\npublic class Todo { public void Advance() {} }\n"
    user = "namespace A;\nclass User { async Task<Todo> Find() { return null; } async void Run(Task one)"
    user += " { (await Find()).Advance(); one.Advance(); } }\n"
    found = Linked("csharp", (".cs",), {"Own.cs": own, "User.cs": user})

    assert found.targets("User.cs", "(await Find()).Advance") == ["Own.cs:Todo.Advance"]
    assert found.targets("User.cs", "one.Advance") == ["Own.cs:Task.Advance"]


@pytest.mark.parametrize("name", JAVA)
def test_a_java_type_is_that_of_the_package_or_import(name):
    own = f"package app.own;\npublic class {name}<K, V> {{ public void advance() {{}} }}\n"
    body = f"class %s {{ {name}<String, String> own; void run({name}<String, String> given) {{ given.advance(); own.advance(); }} }}"
    other = "package app;\nclass Other { void advance() {} }\n"
    texts = {
        f"app/own/{name}.java": own,
        "app/Other.java": other,
        "app/own/Beside.java": f"package app.own;\nimport java.io.*;\n{body % 'Beside'}\n",
        "app/Named.java": f"package app;\nimport java.util.*;\nimport app.own.{name};\n{body % 'Named'}\n",
        "app/Whole.java": f"package app;\nimport app.own.*;\n{body % 'Whole'}\n",
        "org/far/Far.java": f"package org.far;\nimport app.own.{name};\n{body % 'Far'}\n",
    }
    found = Linked("java", (".java",), texts)

    for path in ("app/own/Beside.java", "app/Named.java", "app/Whole.java", "org/far/Far.java"):
        assert found.targets(path, "given.advance") == [f"app/own/{name}.java:{name}.advance"], path
        assert found.targets(path, "own.advance") == [f"app/own/{name}.java:{name}.advance"], path


@pytest.mark.parametrize("name", CPP)
def test_a_cpp_type_outside_of_std_is_the_projects_own(name):
    own = f"namespace app {{ template <class K, class V> class {name} {{ public: void advance() {{}} }};\n"
    own += "class Other { public: void advance() {} }; }\n"
    user = '#include "own.h"\n#include <vector>\nnamespace app { class Holder { '
    user += f"{name}<int, int> own; void turn() {{ own.advance(); }} }};\n"
    user += f"void inside({name}<int, int>& near) {{ near.advance(); }} }}\n"
    user += f"void outside(app::{name}<int, int>* far) {{ far->advance(); }}\n"
    found = Linked("cpp", (".h", ".cpp"), {"own.h": own, "user.cpp": user})

    for text in ("own.advance", "near.advance", "far->advance"):
        assert found.targets("user.cpp", text) == [f"own.h:app.{name}.advance"]


@pytest.mark.parametrize("name", sorted(one.title() for one in php_types.SPOKEN))
def test_a_php_class_may_have_the_name_that_docblocks_give_a_type(name):
    own = f"<?php\nnamespace App;\nclass {name}_ {{}}\nclass {name} {{ public function advance() {{}} }}\n"
    own += "class Other { public function advance() {} }\n"
    user = f"<?php\nnamespace App\\Users;\nuse App\\{name};\nclass User {{\n"
    user += f"  function declared({name} $one) {{ $one->advance(); }}\n"
    user += f"  /** @param {name} $two */\n  function told($two) {{ $two->advance(); }}\n}}\n"
    found = Linked("php", (".php",), {"src/Own.php": own, "src/User.php": user})

    assert found.targets("src/User.php", "$one->advance") == [f"src/Own.php:{name}.advance"]
    assert found.targets("src/User.php", "$two->advance") == [f"src/Own.php:{name}.advance"]


@pytest.mark.parametrize("name", sorted(go_names.PREDECLARED_FUNCTIONS))
def test_a_go_function_of_the_package_hides_the_predeclared_one(name):
    own = f"package app\n\nfunc {name}(n int) int {{ return n }}\n"
    user = f"package app\n\nfunc run() {{ {name}(1) }}\n"
    found = Linked("golang", (".go",), {"go.mod": "module app\n", "own.go": own, "user.go": user})

    assert found.targets("user.go", name) == [f"own.go:{name}"]


@pytest.mark.parametrize("name", sorted(go_names.PREDECLARED_TYPES))
def test_a_go_type_of_the_package_hides_the_predeclared_one(name):
    own = f"package app\n\ntype {name} struct{{}}\n\nfunc (b *{name}) Open() {{}}\n\ntype Other struct{{}}\n\nfunc (o *Other) Open() {{}}\n"
    user = f"package app\n\nfunc run(given *{name}) {{ given.Open() }}\n"
    found = Linked("golang", (".go",), {"go.mod": "module app\n", "own.go": own, "user.go": user})

    assert found.targets("user.go", "given.Open") == [f"own.go:{name}.Open"]
