"""Pages of ERB and Blade, read as scripts of the same length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.languages.php import extract as extract_php
from drift.languages.php.blade import script_of as blade_script
from drift.languages.ruby import extract as extract_ruby
from drift.languages.ruby.erb import script_of as erb_script
from drift.languages.ruby.erb import surroundings_of

ERB = b"""<h1><%= @story.title %></h1>
<% @story.comments.each do |comment| -%>
  <%# comment.hidden %> <%% comment.shown_as_text %>
  <p class="said"><%== comment.body? %></p>
<% end %>
"""
BLADE = b"""@extends('layouts.app')
@php
  $total = $cart->total();
@endphp
{{-- {{ $cart->hidden() }} --}} @{{ script.only() }} @@if($cart->escaped())
@forelse ($orders as $order)
  <li :item="$order->first()" :value="ofVue()">{{ $order->label(')') }} {!! $order->html() !!}</li>
@endforelse
@if(auth()->user()->isAdmin())
@elseif ($cart->isEmpty())
@endif
@verbatim {{ $cart->verbatim() }} @endverbatim
@can('update', [$cart->owner()]) someone@example.org (no call)
<style>@media (min-width: 1px) { a { color: red } }</style>
"""


def called(facts) -> list[tuple[int, str]]:
    return [(call.line, call.text) for call in facts.calls]


def own(path):
    """An object of a class of the project; nothing where the project has none of that name."""
    return ("own", ("instance", path), None)


def test_a_page_of_erb_calls_what_its_code_calls_where_it_stands():
    facts = extract_ruby(ERB, "app/views/stories/show.html.erb")
    assert called(facts) == [
        (1, "@story.title"),
        (2, "@story.comments"),
        (2, "@story.comments.each"),
        (4, "comment.body?"),
    ]
    assert (facts.sites, facts.comments, facts.fingerprints, facts.problems) == ((), (), (), ())
    assert [element.tag for element in facts.elements] == ["h1", "p"]


def test_a_page_of_blade_calls_what_its_expressions_and_directives_call():
    facts = extract_php(BLADE, "resources/views/cart.blade.php")
    assert called(facts) == [
        (3, "$cart->total"),
        (7, "$order->first"),
        (7, "$order->label"),
        (7, "$order->html"),
        (9, "auth"),
        (9, "auth()->user"),
        (9, "auth()->user()->isAdmin"),
        (10, "$cart->isEmpty"),
        (13, "$cart->owner"),
    ]
    assert {binding.name for binding in facts.bindings} >= {"$total", "$order"}
    assert facts.problems == ()


@pytest.mark.parametrize(
    ("path", "variables", "methods"),
    [
        ("app/views/stories/show.html.erb", ("name", "StoriesController"), None),
        (
            "app/views/admin/users/index.html.erb",
            ("member", ("name", "Admin"), "UsersController"),
            None,
        ),
        ("app/views/user_mailer/welcome.text.erb", ("name", "UserMailer"), None),
        ("app/components/menu_component.html.erb", ("name", "MenuComponent"), ("name", "MenuComponent")),
        ("config/database.yml.erb", None, None),
    ],
)
def test_a_page_sees_the_variables_of_whom_its_folder_names(path, variables, methods):
    found = surroundings_of(path)
    assert found.variables == (variables and own(variables))
    assert found.methods == (own(methods) if methods else ("this",))


def test_a_part_of_a_page_is_given_the_object_it_is_named_after():
    facts = extract_ruby(b"<%= story.title %> <%= user.name %>", "app/views/stories/_story.html.erb")
    assert called(facts) == [(1, "story.title"), (1, "user"), (1, "user.name")]
    assert [(each.name, each.value) for each in facts.bindings] == [("story", own(("name", "Story")))]


_PIECES = st.sampled_from(
    [b"<%", b"%>", b"<%=", b"-%>", b"<%#", b"{{", b"}}", b"{!!", b"!!}", b"{{--", b"--}}", b"@php", b"@endphp", b"@if(",
     b"@foreach(", b")", b"(", b"'", b'"', b"\\", b"\n", b"\r\n", b"x", b"$a->b()", b"<?php", b"?>", b"@", b' :x="$y"', b"\xff"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=60).map(b"".join))
def test_every_byte_keeps_its_place(source):
    for script in (erb_script(source), blade_script(source)):
        assert len(script) == len(source)
        assert [at for at, byte in enumerate(script) if byte in b"\r\n"] == [
            at for at, byte in enumerate(source) if byte in b"\r\n"
        ]


@given(st.lists(_PIECES, max_size=40).map(b"".join))
def test_any_page_has_facts(source):
    assert extract_ruby(source, "a.erb").language == "ruby"
    assert extract_php(source, "a.blade.php").language == "php"


@pytest.mark.parametrize(
    "piece", [b"<%", b"{{", b"{!!", b"@if(", b"@if('", b"@php ", b"{{--", b' :a="$', b"@if(("]
)
def test_what_never_ends_costs_no_more_than_its_length(piece):
    source = piece * (400_000 // len(piece))
    # Quadratic work on half a megabyte would never end.
    assert len(erb_script(source)) == len(blade_script(source)) == len(source)
