"""Which code Go imports and calls mean."""

from typed_cases import Linked

MODULE = {"go.mod": "module example.com/shop\n\ngo 1.22\n"}


def linked(texts: dict[str, str]) -> Linked:
    return Linked("golang", (".go",), MODULE | texts)


def test_a_package_is_all_files_of_its_folder():
    found = linked({"a.go": "package shop\nfunc f() { g() }\n", "b.go": "package shop\nfunc g() {}\n"})

    assert found.targets("a.go", "g") == ["b.go:g"]
    assert found.call("a.go", "g").reason == "package"


def test_an_import_path_leads_to_the_folder_below_its_module():
    main = 'package main\nimport db "example.com/shop/store"\nfunc main() { db.Open() }\n'
    found = linked({"main.go": main, "store/store.go": "package store\nfunc Open() {}\n"})

    assert found.targets("main.go", "db.Open") == ["store/store.go:Open"]


def test_each_module_of_a_workspace_is_found_by_its_own_path():
    main = 'package main\nimport "example.com/lib/log"\nfunc main() { log.Print() }\n'
    texts = {
        "app/go.mod": "module example.com/app\n",
        "app/main.go": main,
        "lib/go.mod": "module example.com/lib\n",
        "lib/log/log.go": "package log\nfunc Print() {}\n",
        "go.work": "go 1.22\nuse ./app\nuse ./lib\n",
    }

    assert linked(texts).targets("app/main.go", "log.Print") == ["lib/log/log.go:Print"]


def test_a_module_replaced_by_a_folder_is_that_folder():
    texts = {
        "go.mod": "module example.com/app\nreplace other.org/x v1.0.0 => ./third/x\n",
        "main.go": 'package main\nimport "other.org/x"\nfunc main() { x.Run() }\n',
        "third/x/x.go": "package x\nfunc Run() {}\n",
    }

    assert linked(texts).targets("main.go", "x.Run") == ["third/x/x.go:Run"]


def test_a_vendored_package_is_found_before_it_is_called_external():
    texts = {
        "main.go": 'package main\nimport "github.com/a/b"\nfunc main() { b.Run() }\n',
        "vendor/github.com/a/b/b.go": "package b\nfunc Run() {}\n",
    }

    assert linked(texts).targets("main.go", "b.Run") == ["vendor/github.com/a/b/b.go:Run"]


def test_the_standard_library_and_other_modules_are_external_by_what_one_installs():
    source = 'package main\nimport (\n"net/http"\n"github.com/go-chi/chi/v5/middleware"\n)\nfunc f() { http.Get() }\n'
    found = linked({"main.go": source})

    assert found.externals("main.go") == ["net/http", "github.com/go-chi/chi"]
    assert found.call("main.go", "http.Get").external_name == "net/http.Get"


def test_a_missing_package_of_the_module_is_a_problem_and_not_external():
    found = linked({"main.go": 'package main\nimport "example.com/shop/gone"\n'})

    (said,) = found.links["main.go"].imports
    assert said.problem == "the project has no package example.com/shop/gone"
    assert said.external_package is None


def test_built_in_functions_are_external():
    found = linked({"main.go": "package main\nfunc f(xs []int) int { return len(xs) }\n"})

    assert found.call("main.go", "len").outcome == "external"
    assert found.call("main.go", "len").external_name == "builtin.len"


def test_a_method_belongs_to_its_type_across_the_files_of_the_package():
    texts = {
        "type.go": "package shop\ntype Store struct{}\nfunc Open() *Store { return &Store{} }\n",
        "methods.go": "package shop\nfunc (s *Store) Close() { s.flush() }\nfunc (s *Store) flush() {}\n",
        "use.go": "package shop\nfunc use() { s := Open(); s.Close() }\n",
    }
    found = linked(texts)

    assert found.targets("use.go", "s.Close") == ["methods.go:Close"]
    assert found.targets("methods.go", "s.flush") == ["methods.go:flush"]


def test_a_method_of_an_embedded_struct_is_promoted():
    source = (
        "package shop\ntype Base struct{}\nfunc (b Base) Describe() {}\n"
        "type Item struct{ Base }\nfunc use(i *Item) { i.Describe() }\n"
    )

    found = linked({"a.go": source})
    assert found.targets("a.go", "i.Describe") == ["a.go:Base.Describe"]
    assert found.call("a.go", "i.Describe").reason in {"inherited", "annotation"}


def test_what_a_slice_or_map_holds_has_the_methods_of_its_element():
    source = (
        "package shop\ntype Item struct{}\nfunc (i *Item) Touch() {}\nfunc (i *Item) Drop() {}\n"
        'func use(xs []*Item, m map[string]*Item) { for _, x := range xs { x.Touch() }; m["a"].Drop() }\n'
    )
    found = linked({"a.go": source})

    assert found.targets("a.go", "x.Touch") == ["a.go:Item.Touch"]
    assert found.targets("a.go", 'm["a"].Drop') == ["a.go:Item.Drop"]


def test_a_variable_of_a_function_type_is_not_taken_for_the_type():
    source = "package shop\ntype Visitor func(int)\nfunc walk(visit Visitor) { visit(1) }\n"

    assert linked({"a.go": source}).targets("a.go", "visit") == []


def test_an_external_test_package_sees_no_unexported_neighbours():
    texts = {
        "a.go": "package shop\nfunc help() {}\n",
        "a_test.go": "package shop_test\nfunc use() { help() }\n",
        "b_test.go": "package shop\nfunc use() { help() }\n",
    }
    found = linked(texts)

    assert found.call("a_test.go", "help").outcome == "unknown"
    assert found.targets("b_test.go", "help") == ["a.go:help"]


def test_code_does_not_see_the_names_of_tests():
    texts = {"a.go": "package shop\nfunc f() { fake() }\n", "a_test.go": "package shop\nfunc fake() {}\n"}

    assert linked(texts).call("a.go", "fake").outcome == "unknown"


def test_variants_of_a_function_for_several_systems_are_all_candidates():
    texts = {
        "a.go": "package shop\nfunc f() { open() }\n",
        "open_linux.go": "package shop\nfunc open() {}\n",
        "open_windows.go": "package shop\nfunc open() {}\n",
    }
    said = linked(texts).call("a.go", "open")

    assert said.outcome == "ambiguous"
    assert [target.confidence for target in said.targets] == [0.5, 0.5]


def test_a_type_is_never_hidden_by_a_member_of_its_name():
    source = (
        "package shop\ntype Level int\nfunc (l Level) Text() {}\n"
        "type Entry struct { Level Level }\ntype Args interface { First() }\n"
        "type Command struct{}\nfunc (c *Command) Args() Args { return nil }\n"
        "func f(e Entry, c *Command) { e.Level.Text(); c.Args().First() }\n"
    )
    found = linked({"a.go": source})

    assert found.targets("a.go", "e.Level.Text") == ["a.go:Level.Text"]
    assert found.targets("a.go", "c.Args().First") == ["a.go:Args.First"]


def test_a_variable_may_be_given_what_a_package_or_function_of_its_name_gives():
    texts = {
        "a.go": (
            'package shop\nimport "example.com/shop/store"\nfunc load() *store.Item { return nil }\n'
            "func f() { store := store.Open(); store.Touch() }\nfunc g() { load := load(); load.Seal() }\n"
        ),
        "store/store.go": (
            "package store\ntype Item struct{}\nfunc (i *Item) Touch() {}\nfunc (i *Item) Seal() {}\n"
            "func Open() *Item { return nil }\n"
        ),
    }
    found = linked(texts)

    assert found.targets("a.go", "store.Open") == ["store/store.go:Open"]
    assert found.targets("a.go", "store.Touch") == ["store/store.go:Item.Touch"]
    assert found.targets("a.go", "load") == ["a.go:load"]
    assert found.targets("a.go", "load.Seal") == ["store/store.go:Item.Seal"]


def test_elements_of_a_named_slice_or_map_are_known_by_its_type():
    source = (
        "package shop\ntype Row struct{}\nfunc (r *Row) Push() {}\nfunc (r *Row) Pop() {}\ntype Rows []*Row\n"
        "type Table map[string]*Row\n"
        "func (rs Rows) all(t Table) { rs[0].Push(); for _, r := range t { r.Pop() } }\n"
    )
    found = linked({"a.go": source})

    assert found.targets("a.go", "rs[0].Push") == ["a.go:Row.Push"]
    assert found.targets("a.go", "r.Pop") == ["a.go:Row.Pop"]


def test_a_function_made_for_types_is_that_function():
    texts = {
        "a.go": (
            "package shop\ntype Box struct{}\nfunc (b *Box) Open() {}\nfunc make2[A, B any]() *Box { return nil }\n"
            "func run[T any](x T) int { return int(T(x)) }\nvar NewBox = make2[int, string]\n"
        ),
        "b.go": "package shop\ntype Msg struct{}\n",
        "c.go": "package shop\nfunc f(m Msg) { NewBox().Open(); run[Msg](m); run[*Msg](nil) }\n",
    }
    found = linked(texts)

    assert found.targets("c.go", "NewBox") == ["a.go:make2"]
    assert found.targets("c.go", "NewBox().Open") == ["a.go:Box.Open"]
    assert [call.text for call in found.facts["a.go"].calls] == ["int"]
    runs = [
        said
        for call, said in zip(found.facts["c.go"].calls, found.links["c.go"].calls, strict=True)
        if "run" in call.text
    ]
    assert [found.name(said.targets[0].place) for said in runs] == ["a.go:run", "a.go:run"]


READERS = """package text
type Reader interface { Peek() byte }
type reader struct{}
func (r *reader) Peek() byte { return 0 }
func NewReader() Reader { return &reader{} }
"""


def assert_calls_the_interface(source: str) -> None:
    found = linked({"text.go": READERS, "main.go": source})

    assert found.targets("main.go", "r.Peek") == ["text.go:Reader.Peek"]
    assert found.overriders("main.go", "r.Peek") == ["text.go:reader.Peek"]


def test_a_result_declared_as_an_interface_is_called_through_it_whatever_is_given_back():
    assert_calls_the_interface("package text\nfunc f() {\n r := NewReader()\n r.Peek()\n}\n")


def test_a_variable_declared_as_an_interface_is_called_through_it_whatever_it_is_given():
    assert_calls_the_interface("package text\nfunc f() {\n var r Reader = &reader{}\n r.Peek()\n}\n")


def test_a_package_variable_declared_as_an_interface_is_called_through_it_whatever_it_is_given():
    assert_calls_the_interface("package text\nvar r Reader = &reader{}\nfunc f() { r.Peek() }\n")


def test_a_field_declared_as_an_interface_is_called_through_it_whatever_it_is_given():
    source = "package text\ntype T struct { r Reader }\nfunc (t *T) f() { t.r = &reader{}; t.r.Peek() }\n"
    found = linked({"text.go": READERS, "main.go": source})

    assert found.targets("main.go", "t.r.Peek") == ["text.go:Reader.Peek"]


def test_a_field_of_a_function_type_is_what_it_is_given():
    source = "package text\ntype Step func()\ntype T struct { step Step }\nfunc go1() {}\n"
    source += "func f() {\n t := T{step: go1}\n t.step()\n}\n"

    assert linked({"main.go": source}).targets("main.go", "t.step") == ["main.go:go1"]


def test_a_method_called_like_its_type_makes_no_object_of_it():
    source = "package shop\ntype DB struct{}\nfunc (d *DB) DB() int { return 0 }\n"
    source += "type Statement struct { *DB }\nfunc f() { _ = Statement{} }\n"

    assert linked({"a.go": source}).targets("a.go", "Statement") == ["a.go:Statement"]


def test_a_method_of_an_embedded_struct_is_not_overridden_by_the_struct_around_it():
    source = "package shop\ntype Inner struct{}\nfunc (i Inner) Check() {}\n"
    source += "type Outer struct { Inner }\nfunc (o Outer) Check() {}\nfunc f(i Inner) { i.Check() }\n"
    found = linked({"a.go": source})

    assert found.targets("a.go", "i.Check") == ["a.go:Inner.Check"]
    assert found.overriders("a.go", "i.Check") == []


def test_a_variable_called_like_the_package_of_its_type_hides_it_only_afterwards():
    source = 'package main\nimport "example.com/shop/vm"\nfunc f() {\n vm := &vm.VM{}\n vm.Run()\n}\n'
    machine = "package vm\ntype VM struct{}\nfunc (v *VM) Run() {}\n"
    found = linked({"main.go": source, "vm/vm.go": machine})

    assert found.targets("main.go", "vm.VM") == ["vm/vm.go:VM"]
    assert found.targets("main.go", "vm.Run") == ["vm/vm.go:VM.Run"]


def test_a_variable_of_a_block_hides_a_package_in_that_block_alone():
    source = 'package main\nimport "example.com/shop/vm"\nfunc f(all []int) {\n vm.Start()\n'
    source += " for _, vm := range all {\n  vm.Never()\n }\n vm.Stop()\n}\n"
    machine = "package vm\nfunc Start() {}\nfunc Stop() {}\nfunc Never() {}\n"
    found = linked({"main.go": source, "vm/vm.go": machine})

    assert found.targets("main.go", "vm.Start") == ["vm/vm.go:Start"]
    assert found.targets("main.go", "vm.Stop") == ["vm/vm.go:Stop"]
    assert found.targets("main.go", "vm.Never") == []


def test_a_type_is_not_the_variable_that_is_called_like_it():
    source = "package main\ntype item struct{}\nfunc f(all []item) {\n"
    source += " for _, item := range all { _ = item }\n _ = item{}\n}\n"

    assert linked({"main.go": source}).targets("main.go", "item") == ["main.go:item"]


def test_a_declared_list_of_an_interface_settles_what_its_elements_are():
    source = "package main\ntype Link interface { Send() }\ntype Wire struct{}\nfunc (w *Wire) Send() {}\n"
    source += "type Net struct { all []Link }\nfunc (n *Net) fill() { n.all = append(n.all, &Wire{}) }\n"
    source += "func (n *Net) run() {\n for _, one := range n.all { one.Send() }\n}\n"
    found = linked({"a.go": source})

    assert found.targets("a.go", "one.Send") == ["a.go:Link.Send"]
    assert found.overriders("a.go", "one.Send") == ["a.go:Wire.Send"]


def test_a_type_fits_an_interface_by_the_types_of_its_methods_and_with_what_it_embeds():
    texts = {
        "go.mod": "module m\n",
        "a/a.go": "package a\ntype Store interface { Get(key string) (m.Item, error); Put(item *m.Item) }\nfunc f(s Store) { s.Get(``) }\n",
        "b/disk.go": "package b\ntype Disk struct { *half }\nfunc (d Disk) Put(i *Item) {}\n",
        "b/half.go": "package b\ntype half struct{}\nfunc (h *half) Get(k string) (i Item, err error) { return }\n",
        "c/c.go": "package c\ntype Other struct{}\nfunc (o Other) Get(k int) (string, error) { return ``, nil }\nfunc (o Other) Put(i *Item) {}\n",
    }
    found = linked(texts)

    assert found.overriders("a/a.go", "s.Get") == ["b/half.go:half.Get"]


NAMELESS = """package shop
type Order struct{}
func (o *Order) Pay() error { return nil }
type Refund struct{}
func (r *Refund) Pay() error { return nil }
func settle(r *Refund) {}
func table() {
	tests := []struct {
		name string
		order *Order
		run func(*Refund)
	}{
		{"first", &Order{}, settle},
		{name: "second", run: func(r *Refund) { r.Pay() }},
	}
	for _, tt := range tests {
		tt.order.Pay()
		tt.run(nil)
	}
}
func named() {
	cases := map[string]struct{ refund *Refund }{"x": {refund: &Refund{}}}
	for _, each := range cases {
		each.refund.Pay()
	}
	var one struct{ order *Order }
	one.order.Pay()
}
"""


def test_the_fields_of_a_struct_without_a_name_are_known():
    found = linked({"go.mod": "module shop\n", "shop.go": NAMELESS})

    assert found.targets("shop.go", "tt.order.Pay") == ["shop.go:Order.Pay"]
    assert found.targets("shop.go", "each.refund.Pay") == ["shop.go:Refund.Pay"]
    assert found.targets("shop.go", "one.order.Pay") == ["shop.go:Order.Pay"]
    assert found.targets("shop.go", "tt.run") == ["shop.go:settle", "shop.go:table.func1"]
