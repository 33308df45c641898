"""Python's extractor against its fixture project, single expressions, and damaged sources."""

from pathlib import Path

import pytest
from extraction_checks import check_facts, check_survives, compare_with_expected, expectations
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.languages.python import extract

PROJECT = Path(__file__).parents[1] / "projects" / "python"
SOURCES = sorted(PROJECT.rglob("*.py"))


def facts_of(source, path="shop/example.py"):
    facts = extract(source.encode(), path)
    check_facts(facts, source.encode())
    return facts


def value_of(expression, before=""):
    """What the extractor says of an expression inside a method, `self` being its receiver."""
    body = f"{before}\n        found = {expression}"
    facts = facts_of(f"class C:\n    def m(self, x, *xs):\n        {body}\n")
    return next(binding.value for binding in facts.bindings if binding.name == "found")


def type_of(annotation):
    """What the extractor says of a value with this annotation."""
    return facts_of(f"def f(x: {annotation}): ...\n").symbols[1].parameters[0].type


@pytest.mark.parametrize(
    ("path", "kind", "lines"),
    expectations(PROJECT),
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_fixture_project_gives_what_stands_beside_it(path, kind, lines):
    compare_with_expected(extract, PROJECT, path=path, kind=kind, lines=lines)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("other", ("name", "other")),
        ("self", ("this",)),
        ("self.a.b", ("member", ("member", ("this",), "a"), "b")),
        ("x[0]", ("item", ("name", "x"), "[0]")),
        ("x[key]", ("item", ("name", "x"))),
        ("x['key']", ("item", ("name", "x"), "key")),
        ("x[:1]", ("name", "x")),
        ("x[1:]", ("item", ("name", "x"), "[1:]")),
        ("x[1:3]", ("item", ("name", "x"), "[1:3]")),
        ("x[a:]", ("item", ("name", "x"), "[?:]")),
        ("f()", ("result", 0)),
        ("f(g())", ("result", 1)),
        ("f().y", ("member", ("result", 0), "y")),
        ("super()", ("super",)),
        ("a or b", ("either", ("name", "a"), ("name", "b"))),
        ("a if x else None", ("name", "a")),
        ("[a, 1]", ("list", ("name", "a"), ("literal", "int"))),
        ("[1, 2]", ("literal", "list")),
        ("(a, *b)", ("list", ("name", "a"), ("item", ("name", "b")))),
        (
            "{'k': a, n: b, **c}",
            ("dict", ("k", ("name", "a")), (None, ("name", "b")), (None, ("item", ("name", "c")))),
        ),
        ("{}", ("literal", "dict")),
        ("{a for a in x}", ("list", ("name", "a"))),
        ("{a: b for a in x}", ("dict", (None, ("name", "b")))),
        ("lambda y: y", ("symbol", 3)),
        ("'a' 'b'", ("literal", "str")),
        ("b'a'", ("literal", "bytes")),
        ("f'{a}'", ("literal", "str")),
        ("'%s' % x", ("literal", "str")),
        ("1.5", ("literal", "float")),
        ("not x", ("literal", "bool")),
        ("a < b", ("literal", "bool")),
        ("a + b", ("operated", ("name", "a"), ("name", "b"), "__add__", "__radd__")),
        ("1 + 2", None),
        ("a + (b + c)", ("operated", ("name", "a"), None, "__add__", "__radd__")),
        ("(y := a)", ("name", "a")),
        ("functools.partial(a, 1)", ("partial", ("name", "a"))),
        ("cast('Foo', x)", ("first", ("instance", ("name", "Foo")), ("name", "x"))),
        ("getattr(x, 'run')", ("member", ("name", "x"), "run")),
        ("getattr(x, name)", ("result", 0)),
        ("Box[int]()", ("result", 0)),
    ],
)
def test_an_expression_says_what_it_is(expression, value):
    assert value_of(expression) == value


def test_awaiting_is_kept_apart_from_the_call():
    facts = facts_of("async def f():\n    x = await g()\n")

    assert facts.bindings[0].value == ("awaited", ("result", 0))


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        ("Foo", ("instance", ("name", "Foo"))),
        ("m.Foo", ("instance", ("member", ("name", "m"), "Foo"))),
        ('"Foo"', ("instance", ("name", "Foo"))),
        ('"m.Foo | None"', ("instance", ("member", ("name", "m"), "Foo"))),
        ("Foo | None", ("instance", ("name", "Foo"))),
        ("Foo | Bar | None", ("either", ("instance", ("name", "Foo")), ("instance", ("name", "Bar")))),
        ("Optional[Foo]", ("instance", ("name", "Foo"))),
        ("Union[Foo, 'Bar']", ("either", ("instance", ("name", "Foo")), ("instance", ("name", "Bar")))),
        ("list[Foo]", ("list", ("instance", ("name", "Foo")))),
        ("dict[str, Foo]", ("dict", (None, ("instance", ("name", "Foo"))))),
        ("tuple[Foo, int]", ("list", ("instance", ("name", "Foo")), ("literal", "int"))),
        ("type[Foo]", ("name", "Foo")),
        ("Annotated[Foo, 1]", ("instance", ("name", "Foo"))),
        ("Iterator[Foo]", ("list", ("instance", ("name", "Foo")))),
        ("Box[Foo]", ("instance", ("name", "Box"))),
        ("Self", ("this",)),
        ("Callable[[Foo], Bar]", None),
        ("Any", None),
        ("None", ("literal", "none")),
        ("'not a type('", None),
    ],
)
def test_an_annotation_says_what_its_values_are(annotation, value):
    assert type_of(annotation) == value


def test_a_class_that_a_call_goes_through_is_named():
    facts = extract(b"import models\nmodels.Order.objects.get()\nmodels.load()\n", "a.py")

    assert [(one.line, one.target) for one in facts.references] == [
        (2, ("member", ("member", ("name", "models"), "Order"), "objects"))
    ]


def test_names_in_annotations_are_type_references():
    facts = facts_of("def f(x: 'dict[str, m.Foo]') -> list[Bar]: ...\n")

    assert [(found.target, found.kind) for found in facts.references] == [
        (("member", ("name", "m"), "Foo"), "type"),
        (("name", "Bar"), "type"),
    ]


def test_locals_and_builtins_are_no_references_but_what_is_passed_is():
    facts = facts_of("import worker\n\ndef f(a):\n    b = a\n    g(a, b, len, callback, worker.run)\n")

    assert [found.target for found in facts.references] == [
        ("name", "callback"),
        ("member", ("name", "worker"), "run"),
    ]


def test_a_builtin_name_that_the_file_defines_is_a_reference():
    facts = facts_of("def filter(x): ...\n\nf(filter)\n")

    assert [found.target for found in facts.references] == [("name", "filter")]


def test_self_of_a_method_is_meant_in_its_closures_unless_shadowed():
    facts = facts_of(
        "class C:\n    def m(self):\n        def inner(): return self.a\n        def other(self): return self.b\n"
    )

    assert [found.value for found in facts.returns] == [
        ("member", ("this",), "a"),
        ("member", ("name", "self"), "b"),
    ]


def test_a_static_method_has_no_receiver():
    facts = facts_of("class C:\n    @staticmethod\n    def m(a):\n        return a\n")

    assert facts.symbols[2].parameters[0].kind == "plain"
    assert facts.returns[0].value == ("name", "a")


def test_a_decorator_is_called_with_what_it_decorates():
    facts = facts_of("@a\n@b.c(1)\ndef f(): ...\n")

    assert [(call.kind, call.callee, call.arguments) for call in facts.calls] == [
        ("decorator", ("name", "a"), ((None, ("symbol", 1)),)),
        ("call", ("member", ("name", "b"), "c"), ((None, ("literal", "int")),)),
        ("decorator", ("result", 1), ((None, ("symbol", 1)),)),
    ]
    assert [(found.name, found.text, found.line) for found in facts.symbols[1].decorators] == [
        ("a", "a", 1),
        ("b.c", "b.c(1)", 2),
    ]


def test_keywords_and_spread_arguments_are_told_apart():
    facts = facts_of("f(a, *b, k=c, **d)\n")

    assert facts.calls[0].arguments == (
        (None, ("name", "a")),
        ("*", ("name", "b")),
        ("k", ("name", "c")),
        ("**", ("name", "d")),
    )


def test_unpacking_follows_the_places_where_they_are_known():
    facts = facts_of("a, (b, c) = x, (y, z)\nd, *e = w\n")

    assert [(found.name, found.value) for found in facts.bindings] == [
        ("a", ("name", "x")),
        ("b", ("name", "y")),
        ("c", ("name", "z")),
        ("d", ("item", ("name", "w"))),
        ("e", ("name", "w")),
    ]


def test_a_chained_call_stands_where_its_name_does():
    facts = facts_of("(query\n    .filter(a)\n    .first())\n")

    assert [(call.callee[-1], call.line, call.column) for call in facts.calls] == [
        ("filter", 2, 5),
        ("first", 3, 5),
    ]


def test_a_method_of_an_unknown_value_keeps_its_name():
    facts = facts_of("(-a).read_text()\n")

    assert facts.calls[0].callee == ("member", None, "read_text")


def test_a_field_has_its_declared_type_with_or_without_a_value():
    facts = facts_of(
        "class C:\n    a: Foo\n    b: Foo = None\n    def m(self):\n        self.c: Foo = make()\n"
    )

    fields = {symbol.name: symbol.value_type for symbol in facts.symbols if symbol.kind == "field"}
    assert fields == dict.fromkeys("abc", ("instance", ("name", "Foo")))


def test_setting_a_property_makes_no_field():
    facts = facts_of(
        "class C:\n    def __init__(self):\n        self.size = 1\n        self.rest = 2\n\n"
        "    @property\n    def size(self): ...\n"
    )

    assert [symbol.name for symbol in facts.symbols if symbol.kind == "field"] == ["rest"]


def test_all_may_be_a_sum():
    facts = facts_of("__all__ = ['a'] + other.__all__ + ['b', *more]\ndef a(): ...\ndef c(): ...\n")

    assert [symbol.name for symbol in facts.symbols if "exported" in symbol.modifiers] == ["a"]


def test_parenthesised_contexts_are_all_entered():
    facts = facts_of("with (a() as x, b(), c.d as y):\n    pass\n")

    entered = [call.callee[1] for call in facts.calls if call.kind == "implicit"]
    assert entered == [("result", 0), ("member", ("name", "c"), "d")]
    assert [binding.name for binding in facts.bindings] == ["x", "y"]


def test_without_all_what_has_no_underscore_is_exported():
    facts = facts_of("def shown(): ...\ndef _hidden(): ...\nVALUE = 1\n")

    assert [symbol.name for symbol in facts.symbols if "exported" in symbol.modifiers] == ["shown", "VALUE"]


def test_visibility_follows_the_underscores():
    facts = facts_of(
        "class C:\n    def a(self): ...\n    def _b(self): ...\n    def __c(self): ...\n    def __d__(self): ...\n"
    )

    assert [symbol.visibility for symbol in facts.symbols[2:]] == ["public", "protected", "private", "public"]


def test_docstrings_are_docs_and_comment_lines_not_constants():
    facts = facts_of(
        '"""Module."""\n\n\ndef f():\n    """Give.\n\n    More:\n        less.\n    """\n    return "text"\n'
    )

    assert facts.symbols[0].doc == "Module."
    assert facts.symbols[1].doc == "Give.\n\nMore:\n    less."
    assert [constant.value for constant in facts.constants] == ["text"]
    assert (facts.code_lines, facts.comment_lines, facts.blank_lines) == (2, 5, 3)


def test_a_symbol_spans_its_definition_exactly():
    source = "x = 1\n@d\nclass C:\n    def m(self):\n        pass\n\ny = 2\n"
    method = facts_of(source).symbols[3]

    assert source[method.start_byte : method.end_byte] == "def m(self):\n        pass"
    assert (method.line, method.column, method.end_line) == (4, 4, 5)


def test_broken_code_keeps_what_stands_around_it():
    facts = facts_of("def a():\n    return b()\n\nx = = 3\n\ndef c():\n    d()\n")

    assert [symbol.name for symbol in facts.symbols if symbol.kind == "function"] == ["a", "c"]
    assert [problem.line for problem in facts.problems] == [4]


def test_an_unclosed_bracket_swallows_no_later_definition():
    facts = facts_of(
        "import a\n\ndef broken(x:\n    return f(\n\n@d(1)\n@e\nclass C:\n    def m(self): ...\n\ndef last(): g()\n"
    )

    kept = [(symbol.name, symbol.line) for symbol in facts.symbols[1:]]
    assert kept == [("C", 8), ("m", 9), ("last", 11)]
    assert [call.text for call in facts.calls if call.kind == "call"] == ["d", "g"]
    assert facts.problems[0].line == 3


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "(" * 5_000 + ")" * 5_000,
        "x = " + "[" * 3_000 + "a" + "]" * 3_000,
        "x = a" + ".b" * 5_000,
        "x = a" + "[0].b" * 2_000,
        "x = a" + ".b()" * 2_000,
        "x = " + " + ".join("a" for _ in range(5_000)),
        "x = " + " or ".join(f"a{i}" for i in range(5_000)),
        "x = " + "not " * 3_000 + "a",
        "x = " + "lambda: " * 1_000 + "a",
        "".join(" " * depth + "if a:\n" for depth in range(400)) + " " * 400 + "b()\n",
        "(" * 1_000 + "a" + ")" * 1_000 + " = 1",
        "def f(x: " + "list[" * 1_000 + "int" + "]" * 1_000 + "): ...",
        "match a:\n case " + "[" * 900 + "b" + "]" * 900 + ": pass\n",
        "x" + " = x" * 3_000,
        "class A(" + "B[" * 900 + "C" + "]" * 900 + "): ...",
    ],
    ids=range(15),
)
def test_no_nesting_is_too_deep(source):
    facts_of(source)


def test_what_is_cut_for_depth_is_a_problem():
    facts = facts_of("x = " + "[" * 500 + "f()" + "]" * 500)

    assert any("nested deeper" in problem.message for problem in facts.problems)


@pytest.mark.parametrize(
    "source", [b"", b"\n", b"\xff\xfe", b"\xef\xbb\xbfx = 1\r\n", b"\x00", b"x = '\xe2\x82'", b"\r"]
)
def test_odd_bytes_are_survived(source):
    check_facts(extract(source, "odd.py"), source)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_damaged_sources_never_raise(path):
    check_survives(extract, path.read_bytes(), str(path.relative_to(PROJECT)))


_WORDS = st.sampled_from(
    (
        "def", "class", "(", ")", "[", "]", "{", "}", ":", ",", ".", "=", ":=", "*", "**", "@", "->", "|",
        "lambda", "x", "y", "self", "return", "yield", "await", "async", "with", "as", "for", "in", "if",
        "else", "elif", "try", "except", "finally", "raise", "import", "from", "match", "case", "'a'", "f'{",
        "}'", "1", "not", "and", "or", "\n", "\n  ", "#", "\\", "type", "global", "nonlocal", "__all__",
        "super()", "os.environ", "def f(self):\n  ", "class C(B):\n  ", "match x:\n case ",
    )
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(_WORDS, max_size=60).map(" ".join))
def test_any_words_give_well_formed_facts(source):
    check_facts(extract(source.encode(), "tests/test_any.py"), source.encode())


@settings(max_examples=25)
@given(st.binary(max_size=200))
def test_any_bytes_give_well_formed_facts(source):
    check_facts(extract(source, "any.py"), source)


def test_the_same_source_gives_the_same_facts():
    source = SOURCES[0].read_bytes()

    assert extract(source, "a.py") == extract(source, "a.py")


def test_a_string_that_stands_alone_is_a_comment_wherever_it_stands():
    source = b'class A:\n    size = 1\n    """How big\n    it is."""\n\n    def f(self):\n        "Doc."\n        return "no doc"\n'
    facts = extract(source, "a.py")

    assert (facts.code_lines, facts.comment_lines, facts.blank_lines) == (4, 3, 1)


def test_the_error_that_a_handler_caught_is_raised_again_and_is_no_type():
    source = b"def f():\n    try: pass\n    except E as e:\n        if g: raise e\n        raise Other from e\n    raise e\n"

    thrown = [each.types for each in extract(source, "a.py").handlings if each.kind == "throw"]

    assert thrown == [(), ("Other",), ("e",)]


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        ("@app.route('/a')\ndef a(): ...\n", "GET /a"),
        ("@app.route('/a', methods=['POST', 'PUT'])\ndef a(): ...\n", "POST,PUT /a"),
        ("@app.route('/a', methods=METHODS)\ndef a(): ...\n", "ANY /a"),
        ("@app.route('/a')\nclass A: ...\n", "ANY /a"),
        ("class Feed: ...\nurlpatterns = [path('a', Feed())]\n", "ANY a"),
        ("def a(): ...\nurlpatterns = [path(route='a', view=a, name='one')]\n", "ANY a"),
        ("class A: ...\nurlpatterns = [re_path(view=A.as_view(), route=r'^a/$')]\n", "ANY ^a/$"),
        ("def a(): ...\napp.add_url_rule(rule='/a', view_func=a)\n", "ANY /a"),
        ("def a(): ...\napp.add_api_route(path='/a', endpoint=a, methods=['PUT'])\n", "PUT /a"),
        ("@app.post(status_code=201, path='/a')\ndef a(): ...\n", "POST /a"),
        ("@app.route(rule='/a')\ndef a(): ...\n", "GET /a"),
    ],
)
def test_a_route_has_the_methods_that_it_lists_or_its_framework_takes(code, detail):
    assert [point.detail for point in facts_of(code).entry_points] == [detail]


@pytest.mark.parametrize(
    "code",
    [
        "def a(): ...\nfound = path(route='a', name='one')\n",
        "def a(): ...\nclient.get(path='/a', headers=a)\n",
        "@cache.get(key='/a')\ndef a(): ...\n",
    ],
)
def test_a_call_that_names_no_path_or_no_handler_registers_nothing(code):
    assert facts_of(code).entry_points == ()


def test_view_sets_and_listeners_may_be_registered_by_keywords():
    register = "from rest_framework import routers\nclass V: ...\nrouter = routers.DefaultRouter()\nrouter.register(prefix='carts', viewset=V)\n"
    connect = "def saved(): ...\npost_save.connect(sender=Cart, receiver=saved)\n"

    assert [one.detail for one in facts_of(register).entry_points] == [
        "GET,POST /carts/",
        "GET,PUT,PATCH,DELETE /carts/{pk}/",
    ]
    assert [one.kind for one in facts_of(connect).entry_points] == ["event"]


@pytest.mark.parametrize(
    ("code", "details"),
    [
        ("class A: ...\nROUTES = [(A, '/a'), ('/b', A, 'b')]\n", ["ANY /a", "ANY /b"]),
        ("class A: ...\nURLS = [(r'^/a/(\\d+)$', A, {'x': 1})]\n", ["ANY ^/a/(\\d+)$"]),
        ("class A: ...\napi_routes = [(A, '/a', '/b')]\n", ["ANY /a", "ANY /b"]),
        ("class A: ...\nTITLES = [(A, '/a')]\n", []),
        ("class A: ...\nROUTES = [(A, 'a'), (A, A, '/a'), ('/a', '/b'), [A, '/a']]\n", []),
        ("class A: ...\ndef f():\n    ROUTES = [(A, '/a')]\n", []),
    ],
)
def test_a_table_of_paths_and_handlers_lists_routes(code, details):
    assert [point.detail for point in facts_of(code).entry_points] == details


def test_routes_of_a_router_that_a_function_keeps_to_itself_stand_behind_its_prefix():
    code = "class A: ...\ndef f(app):\n    api = Api(app, prefix='/v1')\n    api.add_resource(A, '/a')\n    other.add_resource(A, '/b')\n"

    assert [point.detail for point in facts_of(code).entry_points] == ["ANY /v1/a", "ANY /b"]
