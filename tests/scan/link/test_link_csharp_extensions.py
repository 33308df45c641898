"""Extension methods that C# calls because the methods of the object itself do not take what is given."""

import pytest
from typed_cases import Linked

from drift.languages.csharp import extract
from drift.scan.link import Linker, MemorySources
from drift.scan.link.analysis import flatten
from drift.scan.link.languages.csharp.extensions import extension_values

TEXT = """using System;
using System.Collections.Generic;
namespace A;
public class Part {{}}
public class Other {{}}
public class Box : Old {{
  public object Get(Type kind) => null;
  public void Put(Part part) {{}}
  public void Find(string name) {{}}
  public void Find<T>(string name) {{}}
}}
public class Old {{ public void Put(Part part, string name, int count) {{}} }}
public static class More {{
  public static T Get<T>(this Box box) => default;
  public static void Put(this Box box, Part part, int count) {{}}
  public static void Put(this Box box, Other other) {{}}
  public static void Put(this Box box, Part part, string name, int count) {{}}
  public static void Each(this Box box, IEnumerable<Part> parts) {{}}
  public static void Each(this Box box, params Part[] parts) {{}}
  public static void Named(this Type kind, string name) {{}}
}}
public class Main {{ void F(Box box, Part[] parts) {{ {call}; }} }}
"""


def called(call: str) -> list[str]:
    """The class and the parameters of what a call means."""
    found = Linked("csharp", (".cs",), {"A.cs": TEXT.format(call=call)})
    symbols = found.facts["A.cs"].symbols
    targets = found.call("A.cs", call.partition('("' if call.startswith("typeof") else "(")[0]).targets
    return [
        f"{symbols[symbols[one.place.symbol].parent].name}: "
        + ", ".join(str(each.type_text) for each in symbols[one.place.symbol].parameters)
        for one in targets
    ]


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        ("box.Get<Part>()", "More: Box"),
        ("box.Get(typeof(Part))", "Box: Type"),
        ("box.Put(new Part())", "Box: Part"),
        ("box.Put(new Part(), 1)", "More: Box, Part, int"),
        ("box.Put(new Other())", "More: Box, Other"),
        ('box.Put(new Part(), "", 1)', "Old: Part, string, int"),
        ("box.Put(null)", "Box: Part"),
        ("box.Each((IEnumerable<Part>)parts)", "More: Box, IEnumerable<Part>"),
        ('typeof(Box).Named("")', "More: Type, string"),
    ],
)
def test_an_extension_method_is_called_where_no_method_of_the_object_takes_what_is_given(call, meant):
    assert called(call) == [meant]


@pytest.mark.parametrize(("call", "arity"), [('box.Find<Part>("")', 1), ('box.Find("")', 0)])
def test_type_arguments_tell_methods_of_one_name_apart(call, arity):
    found = Linked("csharp", (".cs",), {"A.cs": TEXT.format(call=call)})
    (target,) = found.call("A.cs", call.partition("(")[0]).targets

    assert ("<T>" in found.facts["A.cs"].symbols[target.place.symbol].signature) == bool(arity)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("<ImplicitUsings>enable</ImplicitUsings>", ["Defaults/More.cs:More.MapDefaults"]),
        ("<ImplicitUsings>disable</ImplicitUsings>", []),
    ],
)
def test_a_build_may_have_files_use_the_namespaces_of_its_kind_of_project(settings, expected):
    texts = {
        "Directory.Build.props": f"<Project><PropertyGroup>{settings}</PropertyGroup></Project>",
        "Api/Api.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>',
        "Api/Program.cs": "var app = WebApplication.CreateBuilder(args).Build();\napp.MapDefaults();\n",
        "Defaults/More.cs": (
            "namespace Microsoft.Extensions.Hosting;\npublic static class More {\n"
            "  public static WebApplication MapDefaults(this WebApplication app) => app;\n}\n"
        ),
    }

    assert Linked("csharp", (".cs",), texts).targets("Api/Program.cs", "app.MapDefaults") == expected


def test_who_asks_second_has_read_which_namespaces_a_file_sees_too():
    text = "using Tools;\nclass Thing {}\nclass Main { void F(Thing thing) { thing.Clean(); } }\n"
    more = "namespace Tools { static class More { public static void Clean(this Thing one) {} } }\n"
    sources = MemorySources(
        {path: extract(each.encode(), path) for path, each in {"a.cs": text, "b.cs": more}.items()}
    )
    analysis = Linker(sources).analysis
    semantics, table = analysis.program.semantics_of("csharp"), analysis.program.table(0)
    (call,) = table.facts.calls

    def reads():
        analysis.begin_file()
        extension_values(analysis, call, table.first + call.scope, values=(), semantics=semantics)
        return flatten(analysis.program.reads)

    assert reads() == reads()


def test_an_extension_of_object_is_one_of_everything():
    text = """namespace A;
public class Part {}
public static class Mapping { public static T To<T>(this object source) => default; }
public class Main { void F(Part part) { part.To<string>(); } }
"""
    found = Linked("csharp", (".cs",), {"A.cs": text})

    assert found.targets("A.cs", "part.To<string>") == ["A.cs:Mapping.To"]
