"""Which code Java imports and calls mean."""

from typed_cases import Linked

MONEY = {
    "model/Money.java": "package acme.model;\npublic class Money { public static Money of(int n) { return null; }\n class Unit { Unit(int n) {} } }\n"
}


def linked(texts: dict[str, str]) -> Linked:
    return Linked("java", (".java",), texts)


def in_class(body: str, head: str = "package acme;\n", bases: str = "") -> str:
    return f"{head}class Main {bases} {{ {body} }}\n"


def test_an_imported_class_leads_to_its_file_wherever_that_is():
    source = in_class("void f() { Money.of(1); }", "package acme;\nimport acme.model.Money;\n")
    found = linked(MONEY | {"src/Main.java": source})

    assert found.targets("src/Main.java", "Money.of") == ["model/Money.java:Money.of"]
    assert found.links["src/Main.java"].imports[0].file == "model/Money.java"


def test_a_wildcard_import_gives_the_classes_of_the_package():
    source = in_class("void f() { Money.of(1); }", "package acme;\nimport acme.model.*;\n")

    assert linked(MONEY | {"Main.java": source}).targets("Main.java", "Money.of") == [
        "model/Money.java:Money.of"
    ]


def test_static_imports_give_members_by_name_and_by_wildcard():
    for written in ("acme.model.Money.of", "acme.model.Money.*"):
        source = in_class("void f() { of(1); }", f"package acme;\nimport static {written};\n")

        assert linked(MONEY | {"Main.java": source}).targets("Main.java", "of") == [
            "model/Money.java:Money.of"
        ]


def test_a_nested_class_is_imported_through_its_outer_class():
    source = in_class("void f() { new Unit(1); }", "package acme;\nimport acme.model.Money.Unit;\n")

    assert linked(MONEY | {"Main.java": source}).targets("Main.java", "Unit") == [
        "model/Money.java:Money.Unit.Unit"
    ]


def test_a_name_written_in_full_needs_no_import():
    found = linked(
        MONEY | {"Main.java": in_class("void f() { acme.model.Money.of(1); java.util.List.of(); }")}
    )

    assert found.targets("Main.java", "acme.model.Money.of") == ["model/Money.java:Money.of"]
    assert found.call("Main.java", "java.util.List.of").external_name == "java.util.List.of"


def test_classes_of_the_same_package_need_no_import():
    texts = {
        "a/Main.java": in_class("void f() { Help.go(); }"),
        "b/Help.java": "package acme;\nclass Help { static void go() {} }\n",
    }

    assert linked(texts).targets("a/Main.java", "Help.go") == ["b/Help.java:Help.go"]


def test_a_class_of_another_package_is_not_seen_without_import():
    found = linked(MONEY | {"Main.java": in_class("void f() { Money.of(1); }")})

    assert found.call("Main.java", "Money.of").reason == "unique-name"  # a guess, not the language's rule


def test_the_platform_and_libraries_are_external_and_java_lang_is_built_in():
    head = "package acme;\nimport java.util.List;\nimport org.springframework.web.bind.Get;\nimport static java.lang.Math.max;\n"
    found = linked({"Main.java": in_class("void f() { System.exit(max(1, 2)); }", head)})

    assert found.externals("Main.java") == ["java.util", "org.springframework.web", "java.lang"]
    assert found.call("Main.java", "System.exit").external_name == "java.lang.System.exit"
    assert found.call("Main.java", "max").external_name == "java.lang.Math.max"


def test_a_class_missing_from_a_package_of_the_project_is_a_problem():
    found = linked(
        MONEY
        | {"Main.java": in_class("", "package acme;\nimport acme.model.Gone;\nimport acme.model.Gone.In;\n")}
    )

    assert [said.problem for said in found.links["Main.java"].imports] == [
        "the package has no Gone",
        "the project has no class acme.model.Gone",
    ]


def test_a_bare_name_is_a_method_of_the_class_its_parents_or_the_class_around():
    texts = {
        "Parent.java": "package acme;\nclass Parent { void inherited() {} }\n",
        "Main.java": in_class(
            "void own() { own2(); inherited(); }\n void own2() {}\n class In { void g() { outer(); } }\n void outer() {}",
            bases="extends Parent",
        ),
    }
    found = linked(texts)

    assert found.targets("Main.java", "own2") == ["Main.java:Main.own2"]
    assert found.targets("Main.java", "inherited") == ["Parent.java:Parent.inherited"]
    assert found.targets("Main.java", "outer") == ["Main.java:Main.outer"]


def test_a_variable_does_not_hide_a_method_of_the_same_name():
    found = linked({"Main.java": in_class("int size() { int size = size(); return size; }")})

    assert found.targets("Main.java", "size") == ["Main.java:Main.size"]


def test_an_interface_leads_to_its_method_and_names_those_that_implement_it():
    texts = {
        "Shape.java": "package acme;\ninterface Shape { int area(); }\n",
        "Square.java": "package acme;\nclass Square implements Shape { public int area() { return 1; } }\n",
        "Main.java": in_class("void f(Shape shape) { shape.area(); }"),
    }
    found = linked(texts)

    assert found.targets("Main.java", "shape.area") == ["Shape.java:Shape.area"]
    assert found.overriders("Main.java", "shape.area") == ["Square.java:Square.area"]


def test_fields_locals_and_results_have_the_methods_of_their_declared_type():
    texts = MONEY | {
        "model/Till.java": "package acme.model;\npublic class Till { public Money take() { return null; } public void shut() {} }\n",
        "Main.java": in_class(
            "private Till till; void f() { till.shut(); Money m = till.take(); }\n"
            "void g(java.util.List<Till> tills) { for (Till each : tills) { each.shut(); } }",
            "package acme;\nimport acme.model.*;\n",
        ),
    }
    found = linked(texts)

    assert found.targets("Main.java", "till.shut") == ["model/Till.java:Till.shut"]
    assert found.targets("Main.java", "each.shut") == ["model/Till.java:Till.shut"]


def test_of_overloads_those_are_meant_that_take_what_is_given():
    body = 'void f() { put(1); put(1, 2); put("a"); }\nvoid put(int n) {}\nvoid put(String s) {}\nvoid put(int n, int m) {}'
    found = linked({"Main.java": in_class(body)})
    lines = [
        [found.facts["Main.java"].symbols[target.place.symbol].signature for target in said.targets]
        for said in found.links["Main.java"].calls
    ]

    assert [len(line) for line in lines] == [1, 1, 1]
    assert ["int n" in lines[0][0], "int m" in lines[1][0], "String s" in lines[2][0]] == [True, True, True]


def test_overloads_that_cannot_be_told_apart_are_all_kept():
    body = "void f(Object any) { put(any); }\nvoid put(int n) {}\nvoid put(String s) {}"
    said = linked({"Main.java": in_class(body)}).links["Main.java"].calls[0]

    assert said.outcome == "ambiguous"
    assert sum(target.confidence for target in said.targets) == 1


def test_super_and_this_call_constructors():
    texts = {
        "Parent.java": "package acme;\nclass Parent { Parent(int n) {} }\n",
        "Main.java": in_class("Main() { this(1); }\n Main(int n) { super(n); }", bases="extends Parent"),
    }
    found = linked(texts)

    assert found.targets("Main.java", "this") == ["Main.java:Main.Main"]
    assert found.targets("Main.java", "super") == ["Parent.java:Parent.Parent"]
