"""Which code C# names and calls mean."""

from typed_cases import Linked

MONEY = {
    "Models/Money.cs": "namespace Acme.Models;\npublic class Money { public Money(int n) {} public static Money Of(int n) => new Money(n); public void Add() {} }\n"
}


def linked(texts: dict[str, str]) -> Linked:
    return Linked("csharp", (".cs",), texts)


def in_class(body: str, *, uses: str = "", space: str = "Acme.Shop", bases: str = "") -> dict[str, str]:
    return {"Main.cs": f"{uses}\nnamespace {space};\nclass Main {bases} {{ {body} }}\n"}


def test_using_a_namespace_gives_its_classes():
    found = linked(MONEY | in_class("void F() { Money.Of(1); }", uses="using Acme.Models;"))

    assert found.targets("Main.cs", "Money.Of") == ["Models/Money.cs:Money.Of"]
    assert found.call("Main.cs", "Money.Of").reason != "unique-name"


def test_using_static_and_aliases_lead_to_the_class():
    static = linked(MONEY | in_class("void F() { Of(1); }", uses="using static Acme.Models.Money;"))
    alias = linked(MONEY | in_class("void F() { M.Of(1); }", uses="using M = Acme.Models.Money;"))

    assert static.targets("Main.cs", "Of") == ["Models/Money.cs:Money.Of"]
    assert alias.targets("Main.cs", "M.Of") == ["Models/Money.cs:Money.Of"]


def test_names_of_the_namespaces_around_need_no_using():
    inner = linked(MONEY | in_class("void F() { new Money(1); }", space="Acme.Models.Deep"))
    relative = linked(MONEY | in_class("void F() { Models.Money.Of(1); }"))
    full = linked(MONEY | in_class("void F() { Acme.Models.Money.Of(1); }", space="Other"))

    assert inner.targets("Main.cs", "Money") == ["Models/Money.cs:Money.Money"]
    assert relative.targets("Main.cs", "Models.Money.Of") == ["Models/Money.cs:Money.Of"]
    assert full.targets("Main.cs", "Acme.Models.Money.Of") == ["Models/Money.cs:Money.Of"]


def test_members_need_no_this_and_properties_have_the_methods_of_their_type():
    body = "Money Price { get; set; }\n Money _m;\n void F() { G(); Price.Add(); _m.Add(); }\n void G() {}"
    found = linked(MONEY | in_class(body, uses="using Acme.Models;"))

    assert found.targets("Main.cs", "G") == ["Main.cs:Main.G"]
    assert found.targets("Main.cs", "Price.Add") == ["Models/Money.cs:Money.Add"]
    assert found.targets("Main.cs", "_m.Add") == ["Models/Money.cs:Money.Add"]


def test_a_property_named_like_its_type_is_not_what_new_makes():
    found = linked(
        MONEY
        | in_class("Money Money { get; set; }\n void F() { Money = new Money(1); }", space="Acme.Models")
    )

    assert found.targets("Main.cs", "Money") == ["Models/Money.cs:Money.Money"]


def test_base_and_this_call_constructors_by_their_arguments():
    texts = {
        "Base.cs": "namespace Acme.Shop;\nclass Base { public Base(int n) {} public Base(string s) {} }\n"
    }
    found = linked(texts | in_class("Main() : base(1) {}\n Main(int n) : this() {}", bases=": Base"))
    base, this = found.links["Main.cs"].calls

    assert [found.name(target.place) for target in base.targets] == ["Base.cs:Base.Base"]
    assert found.facts["Base.cs"].symbols[base.targets[0].place.symbol].parameters[0].name == "n"
    assert [found.facts["Main.cs"].symbols[target.place.symbol].parameters for target in this.targets] == [()]


def test_the_platform_and_packages_are_external():
    uses = "using System.IO;\nusing Newtonsoft.Json.Linq;"
    found = linked(in_class("void F() { Console.WriteLine(); JObject.Parse(); help(); }", uses=uses))

    assert found.externals("Main.cs") == ["System.IO", "Newtonsoft.Json"]
    assert found.call("Main.cs", "Console.WriteLine").external_name == "System.Console.WriteLine"
    assert found.call("Main.cs", "JObject.Parse").outcome == "external"
    assert found.call("Main.cs", "help").outcome == "unknown"


def test_a_name_the_project_has_elsewhere_is_not_called_external():
    texts = {
        "A.cs": "namespace Far;\nclass Thing { public void Go() {} }\n",
        "B.cs": "namespace Away;\nclass Other { public void Go() {} }\n",
    }
    found = linked(texts | in_class("void F() { Thing.Go(); }", uses="using System.IO;"))

    assert found.call("Main.cs", "Thing.Go").outcome == "unknown"


EXTENSIONS = {
    "Ext.cs": "using Acme.Models;\nnamespace Acme.Ext;\npublic static class MoneyExtensions {\n"
    " public static int Total(this Money m) => 1;\n public static int Total(this Money m, int times) => times;\n"
    " public static string Hash(this string s) => s;\n public static bool Add(this Money m, string s) => true;\n}\n"
}


def test_an_extension_method_is_found_by_its_first_parameter_and_by_the_number_of_the_others():
    body = "void F(Money m) { m.Total(2); m.Total(); }"
    found = linked(MONEY | EXTENSIONS | in_class(body, uses="using Acme.Models;\nusing Acme.Ext;"))
    ours = found.facts["Ext.cs"].symbols
    counts = [
        [len(ours[target.place.symbol].parameters) for target in said.targets]
        for said in found.links["Main.cs"].calls
    ]

    assert counts == [[2], [1]]


def test_an_extension_of_a_built_in_type_is_no_method_from_outside():
    body = 'void F(string s) { s.Trim().Hash(); "a".Hash(); }'
    found = linked(MONEY | EXTENSIONS | in_class(body, uses="using Acme.Ext;"))

    assert found.targets("Main.cs", "s.Trim().Hash") == ["Ext.cs:MoneyExtensions.Hash"]
    assert found.targets("Main.cs", '"a".Hash') == ["Ext.cs:MoneyExtensions.Hash"]
    assert found.call("Main.cs", "s.Trim").outcome == "external"


def test_an_extension_method_counts_only_where_its_namespace_is_used_and_the_type_fits():
    unused = linked(MONEY | EXTENSIONS | in_class('void F() { "a".Hash(); }'))
    other_type = linked(MONEY | EXTENSIONS | in_class("void F(int n) { n.Hash(); }", uses="using Acme.Ext;"))
    own = linked(
        MONEY
        | EXTENSIONS
        | in_class("void F(Money m) { m.Add(); }", uses="using Acme.Models;\nusing Acme.Ext;")
    )

    assert unused.targets("Main.cs", '"a".Hash') == []
    assert other_type.targets("Main.cs", "n.Hash") == []
    assert own.targets("Main.cs", "m.Add") == ["Models/Money.cs:Money.Add"]


def test_a_method_of_the_query_library_is_external_whatever_it_is_called_on():
    found = linked(in_class("void F() { hidden.Where(x => x); }"))
    ours = linked(in_class("void F() { hidden.Where(1); }\n public void Where(int n) {}"))

    assert found.call("Main.cs", "hidden.Where").external_name == "System.Linq.Enumerable.Where"
    assert ours.call("Main.cs", "hidden.Where").outcome != "external"


def test_what_a_task_gives_is_known_through_configure_await():
    body = (
        "Task<Money> Get() => null;\n async void F() { var m = await Get().ConfigureAwait(false); m.Add(); }"
    )
    texts = {"S.cs": "namespace Acme.Shop.System;\nclass Info {}\n"}
    found = linked(MONEY | texts | in_class(body, uses="using Acme.Models;"))

    assert found.targets("Main.cs", "m.Add") == ["Models/Money.cs:Money.Add"]
    said = found.call("Main.cs", "Get().ConfigureAwait")
    assert said.external_name == "System.Threading.Tasks.Task.ConfigureAwait"


def test_the_parts_of_a_class_have_each_others_members():
    texts = {
        "One.cs": "namespace Acme;\npublic partial class Both { void A() { B(); this.B(); Up(); } }\n",
        "Two.cs": "namespace Acme;\npublic partial class Both : Top { void B() { A(); } }\nclass Top { void Up() {} }\n",
        "Far.cs": "namespace Else;\npublic partial class Both { void B() {} }\n",
    }
    found = linked(texts)

    assert found.targets("One.cs", "B") == ["Two.cs:Both.B"]
    assert found.targets("One.cs", "this.B") == ["Two.cs:Both.B"]
    assert found.targets("One.cs", "Up") == ["Two.cs:Top.Up"]
    assert found.targets("Two.cs", "A") == ["One.cs:Both.A"]


def test_type_arguments_tell_a_generic_method_from_its_plain_namesake():
    body = "void F() { Get<int>(1); Get(1); }\n T Get<T>(int n) => default;\n object Get(int n) => null;"
    found = linked(in_class(body))
    generic, plain = found.links["Main.cs"].calls
    symbols = found.facts["Main.cs"].symbols

    assert ["Get<T>" in symbols[target.place.symbol].signature for target in generic.targets] == [True]
    assert ["Get<T>" in symbols[target.place.symbol].signature for target in plain.targets] == [False]


def test_new_without_a_type_makes_what_is_wanted_there():
    body = "Money _m;\n Money F() { _m = new(2); return new(1); }\n Money G() => new(3);"
    found = linked(MONEY | in_class(body, uses="using Acme.Models;"))

    targets = [found.name(target.place) for said in found.links["Main.cs"].calls for target in said.targets]
    assert targets == ["Models/Money.cs:Money.Money"] * 3


def test_a_type_argument_says_what_a_service_or_a_filtered_list_is():
    body = "void F(P p) { p.GetService<Money>().Add(); foreach (var m in p.All().OfType<Money>()) m.Add(); }"
    found = linked(MONEY | in_class(body, uses="using Acme.Models;"))

    assert found.targets("Main.cs", "p.GetService<Money>().Add") == ["Models/Money.cs:Money.Add"]
    assert found.targets("Main.cs", "m.Add") == ["Models/Money.cs:Money.Add"]


def test_using_a_namespace_brings_in_no_namespace_inside_it():
    texts = {"In.cs": "namespace Acme.Models.System;\nclass Info {}\n"}
    found = linked(texts | MONEY | in_class("void F() { System.IO.Go(); }", uses="using Acme.Models;"))

    assert found.call("Main.cs", "System.IO.Go").external_name == "System.IO.Go"


def test_a_file_the_parser_loses_keeps_its_namespace():
    broken = "namespace Acme.Models\n{\n#if A\n class Odd {\n#endif\n class Kept { public static void Go() {} }\n}\n}}\n"
    found = linked({"Odd.cs": broken} | in_class("void F() { Kept.Go(); }", uses="using Acme.Models;"))

    assert found.facts["Odd.cs"].package == "Acme.Models"


def test_a_type_from_nowhere_in_the_project_is_external_without_a_using():
    found = linked(in_class("void F() { Assert.That(1).IsTrue(); }"))

    assert found.call("Main.cs", "Assert.That").external_name == "Assert.That"


def test_what_a_class_runs_once_for_itself_makes_no_objects():
    texts = {"Clock.cs": "namespace Acme.Shop;\nclass Clock { static Clock() {} public Clock() {} }\n"}
    found = linked(texts | in_class("void F() { new Clock(); }"))
    (target,) = found.call("Main.cs", "Clock").targets

    assert "static" not in found.facts["Clock.cs"].symbols[target.place.symbol].modifiers


def test_global_usings_of_a_project_hold_in_all_its_files_and_in_no_other_project():
    texts = MONEY | {
        "App/App.csproj": "<Project />",
        "App/Properties/GlobalUsings.cs": "global using Acme.Models;\nglobal using Cash = Acme.Models.Money;\n",
        "App/Deep/Main.cs": "namespace App.Deep;\nclass Main { void F() { Money.Of(1); Cash.Of(2); } }\n",
        "Other/Other.csproj": "<Project />",
        "Other/Main.cs": "namespace Other;\nclass Main { void F() { Money.Of(1); } }\n",
    }
    found = linked(texts)

    assert found.targets("App/Deep/Main.cs", "Money.Of") == ["Models/Money.cs:Money.Of"]
    assert found.targets("App/Deep/Main.cs", "Cash.Of") == ["Models/Money.cs:Money.Of"]
    assert found.call("App/Deep/Main.cs", "Money.Of").reason != "unique-name"
    assert found.call("Other/Main.cs", "Money.Of").reason == "unique-name"


def test_global_usings_without_a_project_file_hold_in_the_folder_they_stand_in():
    texts = MONEY | {
        "App/Usings.cs": "global using Acme.Models;\n",
        "App/Deep/Main.cs": "namespace App.Deep;\nclass Main { void F() { Money.Of(1); } }\n",
        "Application/Main.cs": "namespace Other;\nclass Main { void F() { Money.Of(1); } }\n",
    }
    found = linked(texts)

    assert found.targets("App/Deep/Main.cs", "Money.Of") == ["Models/Money.cs:Money.Of"]
    assert found.call("Application/Main.cs", "Money.Of").reason == "unique-name"


def test_usings_of_a_build_hold_in_its_project_with_their_extension_methods():
    texts = MONEY | {
        "Directory.Build.props": '<Project><ItemGroup><Using Include="Acme.Tools" /></ItemGroup></Project>',
        "App/App.csproj": '<Project><Using Include="Acme.Models.Money" Static="true" /><Using Alias="x"></Project>',
        "Tools.cs": "namespace Acme.Tools;\nstatic class T { public static void Twice(this Acme.Models.Money m) {} }\n",
        "App/Main.cs": "namespace App;\nclass Main { void F() { Of(1).Twice(); } }\n",
    }
    found = linked(texts)

    assert found.targets("App/Main.cs", "Of") == ["Models/Money.cs:Money.Of"]
    assert found.targets("App/Main.cs", "Of(1).Twice") == ["Tools.cs:T.Twice"]


def test_a_class_in_more_parts_than_a_set_of_values_holds_is_one_class():
    parts = {
        f"Part{n}.cs": f"namespace Acme.Shop;\npublic partial class Desk {{ public static void M{n}() {{}} public Desk(P{n} p) {{}} }}\npublic class P{n} {{}}\n"
        for n in range(30)
    }
    found = linked(parts | in_class("void F() { Desk.M7(); Desk.M29(); new Desk(new P17()); }"))

    assert found.targets("Main.cs", "Desk.M7") == ["Part7.cs:Desk.M7"]
    assert found.targets("Main.cs", "Desk.M29") == ["Part29.cs:Desk.M29"]
    assert found.targets("Main.cs", "Desk") == ["Part17.cs:Desk.Desk"]


def test_overloads_in_several_parts_of_a_class_are_told_apart():
    texts = {
        "A.cs": "namespace Acme.Shop;\npartial class Desk { public void Put(int n) {} }\n",
        "B.cs": "namespace Acme.Shop;\npartial class Desk { public void Put(string s) {} }\n",
    }
    found = linked(texts | in_class('void F(Desk d) { d.Put("x"); }'))

    assert found.targets("Main.cs", "d.Put") == ["B.cs:Desk.Put"]


def test_a_class_and_its_generic_namesakes_are_three_classes():
    texts = {
        "Box.cs": "namespace Acme.Shop;\nclass Box { public void Open() {} public static void Make() {} }\n",
        "BoxT.cs": "namespace Acme.Shop;\nclass Box<T> : Box { public Box(T t) {} public void Look() {} public static void Make() {} }\n",
        "BoxTU.cs": "namespace Acme.Shop;\nclass Box<T, U> { public void Open() {} public static void Make() {} }\n",
    }
    body = (
        "void F(Box a, Box<int> b, Box<int, Map<int, int>> c) { a.Open(); b.Look(); c.Open(); b.Open();"
        " Box.Make(); Box<int>.Make(); new Box<int>(1); typeof(Box<,>).Name; }"
    )
    found = linked(texts | in_class(body))

    assert found.targets("Main.cs", "a.Open") == ["Box.cs:Box.Open"]
    assert found.targets("Main.cs", "b.Look") == ["BoxT.cs:Box.Look"]
    assert found.targets("Main.cs", "c.Open") == ["BoxTU.cs:Box.Open"]
    assert found.targets("Main.cs", "b.Open") == ["Box.cs:Box.Open"]
    assert found.targets("Main.cs", "Box.Make") == ["Box.cs:Box.Make"]
    assert found.targets("Main.cs", "Box<int>.Make") == ["BoxT.cs:Box.Make"]
    assert found.targets("Main.cs", "Box<int>") == ["BoxT.cs:Box.Box"]


def test_new_without_a_type_makes_what_is_wanted_where_it_stands():
    body = (
        'Money[] A = [new(1)]; List<Money> B = new() { new(2) }; Dictionary<string, Money> C = new() { { "k", new(3) } };'
        " void F(bool b) { this.D = b ? new(4) : null; D ??= new(5); Money m = G(new(6)); }"
        " List<Money> H() => new List<Money> { new(7) }; Money D; object G(object o) => o;"
    )
    found = linked(MONEY | in_class(body, uses="using Acme.Models;"))
    made = {
        call.arguments: [found.name(target.place) for target in said.targets]
        for call, said in zip(found.facts["Main.cs"].calls, found.links["Main.cs"].calls, strict=True)
        if call.kind == "new" and call.arguments
    }
    texts = [call.text for call in found.facts["Main.cs"].calls if call.kind == "new" and call.arguments]

    assert texts == ["Money", "Money", "Money", "Money", "Money", "new()", "Money"]
    assert list(made.values()) == [["Models/Money.cs:Money.Money"]]


def test_a_function_without_parameters_comes_before_one_that_takes_any_number():
    texts = {"Box.cs": "namespace Acme.Shop;\nclass Box { public Box() {} public Box(params int[] n) {} }\n"}
    found = linked(texts | in_class("void F() { new Box(); }"))
    (target,) = found.call("Main.cs", "Box").targets

    assert found.facts["Box.cs"].symbols[target.place.symbol].parameters == ()


def test_a_member_that_no_class_of_the_project_has_is_of_something_outside():
    found = linked(
        MONEY
        | in_class("void F(Money m) { m.ShouldBe(1); m.Add(); G(x => x.Pick()); }", uses="using Acme.Models;")
    )

    assert found.call("Main.cs", "m.ShouldBe").outcome == "external"
    assert found.call("Main.cs", "m.ShouldBe").external_name == "ShouldBe"
    assert found.call("Main.cs", "x.Pick").outcome == "external"
    assert found.targets("Main.cs", "m.Add") == ["Models/Money.cs:Money.Add"]


def test_a_static_using_inside_a_namespace_sees_the_types_of_those_around():
    files = {
        "Testing.cs": "namespace Shop.Tests;\npublic class Testing { public static void Send(object sent) {} }\n",
        "Orders.cs": "namespace Shop.Tests.Orders.Commands;\nusing static Testing;\nclass Create { void Run() { Send(1); } }\n",
    }
    said = Linked("csharp", (".cs",), files)

    assert said.targets("Orders.cs", "Send") == ["Testing.cs:Testing.Send"]


def test_a_method_that_a_package_adds_to_collections_is_of_the_package_and_not_of_the_list():
    body = "void F(List<int> rows) { rows.ToListAsync(); rows.Where(x => x).Include(x => x); rows.Add(1); rows.Shuffle(); }"
    told = linked(in_class(body, uses="using Microsoft.EntityFrameworkCore;"))
    silent = linked(in_class(body))
    query = "Microsoft.EntityFrameworkCore.EntityFrameworkQueryableExtensions"

    assert told.call("Main.cs", "rows.ToListAsync").external_name == f"{query}.ToListAsync"
    assert told.call("Main.cs", "rows.Where(x => x).Include").external_name == f"{query}.Include"
    assert told.call("Main.cs", "rows.Where").external_name == "System.Linq.Enumerable.Where"
    assert told.call("Main.cs", "rows.Add").external_name == "System.list.Add"
    assert told.call("Main.cs", "rows.Shuffle").external_name == "Shuffle"
    assert silent.call("Main.cs", "rows.ToListAsync").external_name == "ToListAsync"


def referred(found: Linked, path: str) -> set[tuple[int, str]]:
    """The lines of a file with what they refer to."""
    facts, links = found.facts[path], found.links[path]
    return {
        (reference.line, found.name(target.place))
        for reference, link in zip(facts.references, links.references, strict=True)
        for target in link.targets
    }


def run_by_access(found: Linked, path: str) -> set[tuple[int, str]]:
    """The lines of a file with the properties that run there."""
    facts, links = found.facts[path], found.links[path]
    return {
        (facts.accesses[number].line, found.name(target.place))
        for number, link in links.implicit
        for target in link.targets
    }


def test_an_attribute_is_of_the_class_with_or_without_the_end_of_its_name():
    files = {
        "Guards.cs": "namespace Acme.Guards;\npublic class GuardedAttribute : Attribute { public string Roles { get; set; } }\n"
        "public class Marked : Attribute {}\npublic class Key {}\npublic class KeyAttribute : GuardedAttribute {}\n",
        "Main.cs": 'using Acme.Guards;\nnamespace Acme;\n[Guarded]\nclass A {}\n[Guarded(Roles = "x"), Marked]\nclass B {}\n'
        "[Acme.Guards.Guarded]\nclass C {}\n[GuardedAttribute]\nclass D { [Key] int Id { get; set; } }\n",
        "Other.cs": "namespace Other;\n[Guarded]\nclass A {}\n",
    }
    found = linked(files)

    assert referred(found, "Main.cs") == {
        (3, "Guards.cs:GuardedAttribute"),
        (5, "Guards.cs:GuardedAttribute"),
        (5, "Guards.cs:GuardedAttribute.Roles"),
        (5, "Guards.cs:Marked"),
        (7, "Guards.cs:GuardedAttribute"),
        (9, "Guards.cs:GuardedAttribute"),
        (10, "Guards.cs:KeyAttribute"),
    }
    assert referred(found, "Other.cs") == set()


def test_a_class_that_is_no_attribute_is_not_meant_in_brackets():
    found = linked(
        {"Key.cs": "namespace Acme;\npublic class Key {}\npublic class Door { [Key] int Id { get; set; } }\n"}
    )

    assert referred(found, "Key.cs") == set()


ITEMS = {
    "Item.cs": "namespace Acme;\npublic record Item {\n public bool Done { get => _done; set { Raise(); _done = value; } }\n"
    " public string Title { get; set; }\n public Item Next { get; set; }\n void Raise() {}\n}\n"
    "public class Other { public bool Done { get; set; } public string Title { get; set; } }\n"
}


def test_what_an_initializer_sets_is_a_member_of_what_is_made():
    body = (
        "void F() {\n var a = new Item { Done = true, Next = { Title = x } };\n"
        " Item b = new() { Done = true };\n var c = b with { Title = x };\n var d = new Other { Done = true };\n"
        " var e = new { Done = true };\n if (b is { Done: true }) {}\n}"
    )
    found = linked(ITEMS | in_class(body, space="Acme"))

    assert {
        one for one in referred(found, "Main.cs") if one[1].rpartition(".")[2] in {"Done", "Title", "Next"}
    } == {
        (4, "Item.cs:Item.Done"),
        (4, "Item.cs:Item.Next"),
        (4, "Item.cs:Item.Title"),
        (5, "Item.cs:Item.Done"),
        (6, "Item.cs:Item.Title"),
        (7, "Item.cs:Other.Done"),
        (9, "Item.cs:Item.Done"),
    }
    assert run_by_access(found, "Main.cs") == {
        (4, "Item.cs:Item.Done"),
        (5, "Item.cs:Item.Done"),
        (9, "Item.cs:Item.Done"),
    }


def test_a_property_runs_where_it_is_set_or_read_and_one_without_code_never():
    body = "Item _i; int Total => Sum();\n int Sum() => 1;\n void F(Item i, Other o) {\n i.Done = true;\n o.Done = true;\n i.Title = x;\n}\nint G() => Total;\n"
    found = linked(ITEMS | in_class(body, space="Acme"))

    assert run_by_access(found, "Main.cs") == {(6, "Item.cs:Item.Done"), (10, "Main.cs:Main.Total")}


def test_an_interface_outside_gives_no_members_to_what_implements_it():
    files = {
        "Main.cs": "using Acme.Kit;\nnamespace Shop;\nclass Job : IJob {\n readonly Client _client;\n void Run() { _client.Go(); this.Missing(); }\n}\n"
        "class Page : Kit.PageBase, IJob {\n void Run() { this.Given(); }\n}\n"
    }
    found = linked(files)

    assert found.call("Main.cs", "this.Missing").external_name == "Missing"
    assert found.call("Main.cs", "_client.Go").external_name == "Client.Go"
    assert found.call("Main.cs", "this.Given").external_name == "Kit.PageBase.Given"


OF_BUILDERS = {
    "Routes.cs": "namespace Acme;\npublic static class Routes {\n"
    " public static X MapPost(this IBuilder b, Delegate handler, string path = null) { return b.MapPost(path, handler); }\n"
    " public static X MapGet(this IBuilder b, Delegate handler) { return b.MapGet(null, handler); }\n}\n"
    "class User { void F(IBuilder b, Delegate d, string s) { b.MapPost(d, s); b.MapGet(d); b.MapPost(s, d); } }\n"
}


def test_an_extension_method_that_does_not_take_the_arguments_is_not_meant():
    found = linked(OF_BUILDERS)
    runs = [
        (call.line, call.text, [found.name(one.place) for one in link.targets])
        for call, link in zip(found.facts["Routes.cs"].calls, found.links["Routes.cs"].calls, strict=True)
    ]

    assert runs == [
        (3, "b.MapPost", []),
        (4, "b.MapGet", []),
        (6, "b.MapPost", ["Routes.cs:Routes.MapPost"]),
        (6, "b.MapGet", ["Routes.cs:Routes.MapGet"]),
        (6, "b.MapPost", []),
    ]


BEHIND_INTERFACES = {
    "User.cs": "namespace Acme;\npublic interface IUser { string Id { get; } string Name { get; set; } }\n"
    "public class Current : IUser { public string Id => Find(); public string Name { get; set; } string Find() => null; }\n"
    "public abstract class Shape { public virtual int Area => 1; public abstract int Size { get; } }\n"
    "public class Square : Shape { public override int Area => 2; public override int Size => 3; }\n"
    "public class Other { public string Id => null; public int Size => 3; }\n",
    "Main.cs": "namespace Acme;\nclass Main { void F(IUser user, Shape shape, Other other) {\n Use(user.Id);\n Use(user.Name);\n Use(shape.Area);\n"
    " Use(shape.Size);\n Use(other.Id);\n} }\n",
}


def test_what_is_read_of_an_interface_runs_the_property_of_the_class_behind_it():
    found = linked(BEHIND_INTERFACES)
    facts, links = found.facts["Main.cs"], found.links["Main.cs"]
    run = {
        facts.accesses[number].line: [
            (found.name(one.place), one.confidence) for one in (*link.targets, *link.overriders)
        ]
        for number, link in links.implicit
    }

    assert run == {
        3: [("User.cs:Current.Id", 0.9)],
        5: [("User.cs:Shape.Area", 1.0), ("User.cs:Square.Area", 0.3)],
        6: [("User.cs:Square.Size", 0.9)],
        7: [("User.cs:Other.Id", 1.0)],
    }
