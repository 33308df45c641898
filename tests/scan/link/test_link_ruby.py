"""Which code Ruby names and calls mean."""

import pytest
from typed_cases import Linked


def linked(**files: str) -> Linked:
    texts = {f"{name.replace('__', '/')}.rb": text for name, text in files.items()}
    return Linked("ruby", (".rb",), texts)


def test_a_constant_is_found_by_the_modules_around_it_first():
    found = linked(
        a="module M\nclass User\ndef self.go; end\nend\nend\nclass User\ndef self.go; end\nend",
        b="module M\nclass X\ndef f\nUser.go\n::User.go\nend\nend\nend\ndef g\nUser.go\nend",
    )

    calls = found.links["b.rb"].calls
    assert [found.name(call.targets[0].place) for call in calls] == [
        "a.rb:M.User.go",
        "a.rb:User.go",
        "a.rb:User.go",
    ]


def test_a_path_opens_only_the_class_it_ends_in():
    found = linked(
        a="module M\nclass User\ndef self.go; end\nend\nend\nclass User\ndef self.go; end\nend",
        b="class M::X\ndef f\nUser.go\nend\nend",
    )

    assert found.targets("b.rb", "User.go") == ["a.rb:User.go"]


def test_a_constant_is_found_in_the_ancestors_of_the_class():
    found = linked(
        a="class Parent\nclass Part\ndef self.go; end\nend\nend",
        b="class Child < Parent\ndef f\nPart.go\nend\nend",
    )

    assert found.targets("b.rb", "Part.go") == ["a.rb:Parent.Part.go"]


def test_objects_and_classes_have_methods_of_one_name():
    found = linked(a="class Job\ndef self.call(x) = new(x).call\ndef call = 1\nend\nJob.call(1)")

    symbols = found.facts["a.rb"].symbols
    inner, outer = found.links["a.rb"].calls[1], found.links["a.rb"].calls[2]
    assert symbols[inner.targets[0].place.symbol].modifiers == ()
    assert symbols[outer.targets[0].place.symbol].modifiers == ("classmethod",)


def test_a_class_method_is_inherited_past_a_method_of_objects_with_its_name():
    found = linked(a="class A\ndef self.run = 1\nend\nclass B < A\ndef run = 2\nend\nB.run")

    assert found.targets("a.rb", "B.run") == ["a.rb:A.run"]


def test_a_class_is_one_wherever_it_is_opened():
    found = linked(
        a="module M\nclass Cart\ndef a = b\nend\nend",
        b="class M::Cart\ndef b = c\nend",
        c="module M\nclass Cart\ndef c = 1\nend\nend\nM::Cart.new.a",
    )

    assert found.targets("a.rb", "b") == ["b.rb:M.Cart.b"]
    assert found.targets("b.rb", "c") == ["c.rb:M.Cart.c"]
    assert found.targets("c.rb", "M::Cart.new.a") == ["a.rb:M.Cart.a"]


def test_what_is_included_is_of_objects_and_what_extends_of_the_class():
    found = linked(
        a="module Loud\ndef shout = 1\nend\nmodule Made\ndef make = 1\nend",
        b="class C\ninclude Loud\nextend Made\ndef f = shout\nend\nC.make\nC.new.shout",
    )

    assert found.targets("b.rb", "shout") == ["a.rb:Loud.shout"]
    assert found.targets("b.rb", "C.make") == ["a.rb:Made.make"]
    assert found.targets("b.rb", "C.new.shout") == ["a.rb:Loud.shout"]


@pytest.mark.parametrize("opening", ["class_methods do", "module ClassMethods"])
def test_a_concern_gives_methods_to_the_class_that_includes_it(opening):
    found = linked(
        a=f"module Sized\n{opening}\ndef limit = 1\nend\nend",
        b="class C\ninclude Sized\nend\nC.limit",
    )

    assert [one.rpartition(".")[2] for one in found.targets("b.rb", "C.limit")] == ["limit"]


def test_a_module_asks_for_what_its_users_have():
    found = linked(
        a="module Named\ndef title = label\nend",
        b="class C\ninclude Named\ndef label = 1\nend",
    )

    assert found.targets("a.rb", "label") == ["b.rb:C.label"]


def test_super_leads_to_the_parent_also_of_a_class_method():
    found = linked(
        a="class A\ndef f = 1\ndef self.g = 1\nend",
        b="class B < A\ndef f = super\ndef self.g\nsuper\nend\nend",
    )

    calls = found.links["b.rb"].calls
    assert [found.name(call.targets[0].place) for call in calls] == ["a.rb:A.f", "a.rb:A.g"]


def test_an_object_is_what_instance_variables_and_readers_hold():
    found = linked(
        a="class Engine\ndef start = 1\nend",
        b="class Car\nattr_reader :engine\ndef initialize\n@engine = Engine.new\nend\n"
        "def go\nengine.start\n@engine.start\nend\nend\nCar.new.engine.start",
    )

    for text in ("engine.start", "@engine.start", "Car.new.engine.start"):
        assert found.targets("b.rb", text) == ["a.rb:Engine.start"]


def test_names_that_are_sent_and_passed_on_are_called():
    found = linked(
        a="class Line\ndef price = 1\ndef hidden = 2\nend",
        b="def f\nlines = [Line.new]\nlines.map(&:price)\nlines.first.send(:hidden)\nend",
    )

    assert found.targets("b.rb", "&:price") == ["a.rb:Line.price"]
    assert found.targets("b.rb", "lines.first.send") == ["a.rb:Line.hidden"]


def test_a_name_that_is_put_together_means_the_methods_that_begin_so():
    found = linked(
        shop=(
            'class Shop\n  def run(kind)\n    send("pack_#{kind}")\n    send("#{kind}_pack")\n  end\n'
            "  def pack_small; end\n  def pack_large; end\n  def packing; end\nend\n"
        )
    )
    calls = found.links["shop.rb"].calls

    leading = [found.name(target.place) for link in calls for target in (*link.targets, *link.overriders)]

    assert sorted(leading) == ["shop.rb:Shop.pack_large", "shop.rb:Shop.pack_small"]


def test_operators_and_elements_run_the_methods_of_their_names():
    found = linked(
        a="class V\ndef +(o) = self\ndef [](i) = 1\ndef ==(o) = true\ndef -@ = self\nend",
        b="def f\nv = V.new\nv + 1\nv[2]\nv != 3\n-v\nend",
    )

    said = [found.name(link.targets[0].place) for _, link in found.links["b.rb"].implicit]
    assert sorted(said) == ["a.rb:V.+", "a.rb:V.-@", "a.rb:V.==", "a.rb:V.[]"]


def test_functions_outside_of_classes_are_seen_everywhere():
    found = linked(a="def shared = 1", b="class C\ndef f = shared\nend\nshared")

    calls = found.links["b.rb"].calls
    assert [found.name(call.targets[0].place) for call in calls] == ["a.rb:shared", "a.rb:shared"]


def test_what_is_required_is_a_file_or_a_library():
    found = linked(
        lib__shop="require 'shop/cart'\nrequire_relative 'shop/cart'\nrequire 'json'\nrequire './gone'",
        lib__shop__cart="",
    )

    imports = found.links["lib/shop.rb"].imports
    assert [one.file for one in imports[:2]] == ["lib/shop/cart.rb"] * 2
    assert imports[2].external_package == "json"
    assert imports[3].problem is not None


def test_records_are_of_the_class_that_is_asked_for_them():
    found = linked(
        user="class User < ApplicationRecord\nhas_many :posts\nscope :old, -> { where(a: 1) }\ndef name = 1\nend\n"
        "class Post < ApplicationRecord\nbelongs_to :author, class_name: 'User'\ndef title = 1\nend",
        use="def f\nUser.find(1).name\nUser.where(a: 1).old.first.name\nUser.find(1).posts.first.title\n"
        "Post.last.author.name\nUser.all.each { |u| u.name }\nend",
    )

    assert found.targets("use.rb", "User.find(1).name") == ["user.rb:User.name"]
    assert found.targets("use.rb", "User.where(a: 1).old.first.name") == ["user.rb:User.name"]
    assert found.targets("use.rb", "User.find(1).posts.first.title") == ["user.rb:Post.title"]
    assert found.targets("use.rb", "Post.last.author.name") == ["user.rb:User.name"]
    assert found.targets("use.rb", "u.name") == ["user.rb:User.name"]


def test_helpers_and_values_of_tests_are_found_by_the_groups_around():
    found = linked(
        cart="class Cart\ndef add = 1\nend",
        cart_spec="RSpec.describe Cart do\nlet(:cart) { described_class.new }\ncontext 'x' do\n"
        "it 'adds' do\ncart.add\ncheck\nend\nend\ndef check = 1\nend",
    )

    assert found.targets("cart_spec.rb", "cart.add") == ["cart.rb:Cart.add"]
    assert found.targets("cart_spec.rb", "cart") == ["cart_spec.rb:<describe>.cart"]
    assert found.targets("cart_spec.rb", "check") == ["cart_spec.rb:<describe>.check"]


def test_instance_variables_of_tests_are_those_of_the_outermost_group():
    found = linked(
        cart="class Cart\ndef add = 1\nend",
        cart_spec="describe Cart do\nbefore { @cart = Cart.new }\ncontext 'x' do\nit { @cart.add }\nend\nend",
    )

    assert found.targets("cart_spec.rb", "@cart.add") == ["cart.rb:Cart.add"]


def test_what_no_class_has_is_given_to_method_missing():
    found = linked(a="class P\ndef method_missing(n) = 1\nend\nP.new.anything")

    assert found.targets("a.rb", "P.new.anything") == ["a.rb:P.method_missing"]


def test_a_constant_that_the_project_has_not_is_one_of_a_library():
    found = linked(a="class C < Lib::Base\ndef f\nLib::Tool.go\nhelp\nend\nend")

    assert found.call("a.rb", "Lib::Tool.go").external_name == "Lib.Tool.go"
    assert found.call("a.rb", "help").external_name == "Lib.Base.help"


def test_a_path_names_the_modules_on_its_way_by_the_scopes_around_it():
    found = linked(
        a="module Events\nclass Seen\nSIGN = 1\nend\nend",
        b="class Api::V1::Events::Lister\ndef go\n::Events::Seen\nend\nend",
        c="class Shop < Events::Seen\ninclude Events::Marked\ndef go\nEvents::Seen::SIGN\nend\nend",
        d="module Api\nmodule V1\nclass Shop\ndef go\nEvents::Lister\nend\nend\nend\nend",
    )

    def named(path):
        said = zip(found.facts[path].references, found.links[path].references, strict=True)
        return [
            (one.line, *(found.name(target.place) for target in link.targets))
            for one, link in said
            if one.kind == "name"
        ]

    assert named("b.rb") == [(3, "a.rb:Events")]
    assert named("c.rb") == [
        (1, "a.rb:Events"),
        (2, "a.rb:Events"),
        (4, "a.rb:Events.Seen"),
        (4, "a.rb:Events"),
    ]
    assert named("d.rb") == [(5, "b.rb:Api.V1.Events")]


def test_a_member_is_of_no_one_parent_outside_where_there_are_several():
    shared = "class Plain < ActionController::Base\ndef go\nrender :one\nend\nend"
    found = linked(
        a=f"class Shop < ActionController::Base\ninclude Pundit::Authorization\ndef go\nshow :all\nend\nend\n{shared}",
        b="class Job < ActiveJob::Base\ninclude GoodJob::Concurrency\ndef perform; end\nend\nJob.perform_later(1)",
    )

    assert found.call("a.rb", "show")[0] == "external"
    assert found.call("a.rb", "show").external_name is None
    assert found.call("a.rb", "render").external_name == "ActionController.Base.render"
    assert found.targets("b.rb", "Job.perform_later") == ["b.rb:Job.perform"]


def test_a_module_that_every_file_opens_is_one_however_many_they_are():
    files = {
        f"c{number:03}": f"class Api::V1::C{number:03} < Api::V1::Base\ndef f = guard\nend"
        for number in range(250)
    }
    found = linked(
        base="class Api::V1::Base\ndef guard = LIMIT\nend",
        other="class Web::V1::Base\ndef guard = 1\nend\nApi::V1::Base.new.guard\nApi::V2::Base.new.guard",
        limit="module Api\nmodule V1\nLIMIT = 1\ndef self.limit = 1\nend\nend\nApi::V1.limit",
        **files,
    )

    assert found.targets("c000.rb", "guard") == ["base.rb:Api.V1.Base.guard"]
    assert found.targets("c249.rb", "guard") == ["base.rb:Api.V1.Base.guard"]
    assert found.targets("other.rb", "Api::V1::Base.new.guard") == ["base.rb:Api.V1.Base.guard"]
    assert found.targets("other.rb", "Api::V2::Base.new.guard") == []
    assert found.targets("limit.rb", "Api::V1.limit") == ["limit.rb:Api.V1.limit"]


EDITIONS = {
    "order": "class Shop::Order\ndef total = tax\ndef tax = 1\ndef ship = wrap\nend\nShop::Order.prepend_mod_with('Shop::Order')",
    "ee__order": "module Enterprise::Shop::Order\ndef tax = super + 1\ndef wrap = 1\ndef seal = ship\nend",
    "cart": "class Cart\nprepend_mod\ndef self.open = 1\ndef fill = 1\nend",
    "ee__cart": "module EE::Cart\ndef self.open = 2\ndef fill = 2\nend",
    "other": "class Order\nend\nmodule Other::Order\ndef tax = 5\nend\nmodule Deep::Enterprise::Shop::Order\ndef tax = 6\nend",
}


def test_a_module_that_is_prepended_by_the_path_of_a_class_runs_in_the_place_of_its_methods():
    found = linked(
        **EDITIONS,
        use="Shop::Order.new.tax\nCart.new.fill\nCart.open\nclass Plain\nprepend Loud\ndef say = 1\nend\nmodule Loud\ndef say = 2\nend\nPlain.new.say",
    )

    def overriders(path, text):
        (said,) = [
            each
            for call, each in zip(found.facts[path].calls, found.links[path].calls, strict=True)
            if call.text == text
        ]
        return [found.name(one.place) for one in said.overriders]

    assert found.targets("use.rb", "Shop::Order.new.tax") == ["order.rb:Shop.Order.tax"]
    assert overriders("use.rb", "Shop::Order.new.tax") == ["ee/order.rb:Enterprise.Shop.Order.tax"]
    assert overriders("order.rb", "tax") == ["ee/order.rb:Enterprise.Shop.Order.tax"]
    assert found.targets("order.rb", "wrap") == ["ee/order.rb:Enterprise.Shop.Order.wrap"]
    assert found.targets("ee/order.rb", "ship") == ["order.rb:Shop.Order.ship"]
    assert found.targets("ee/order.rb", "super") == ["order.rb:Shop.Order.tax"]
    assert overriders("use.rb", "Cart.new.fill") == ["ee/cart.rb:EE.Cart.fill"]
    assert overriders("use.rb", "Cart.open") == []
    assert overriders("use.rb", "Plain.new.say") == ["use.rb:Loud.say"]


MADE = """class Base
def go = 1
end
class A < Base
end
class C < A
def go = 3
end
class B < Base
def go = 2
end
def direct = A.new.go
def named
one = A.new
one.go
end
def given(kind)
kind.new.go
end
def either(flag)
two = A.new
two = C.new if flag
two.go
end
given(A)
"""


def test_an_object_that_is_made_in_plain_sight_is_of_no_class_below():
    found = linked(a=MADE)

    def meant(text):
        (said,) = [
            each
            for call, each in zip(found.facts["a.rb"].calls, found.links["a.rb"].calls, strict=True)
            if call.text == text
        ]
        return [found.name(one.place).rpartition(":")[2] for one in (*said.targets, *said.overriders)]

    assert meant("A.new.go") == ["Base.go"]
    assert meant("one.go") == ["Base.go"]
    assert "C.go" in meant("two.go")
    assert "B.go" not in meant("two.go")
    assert meant("kind.new.go")[0] == "Base.go"
    assert "B.go" not in meant("kind.new.go")
