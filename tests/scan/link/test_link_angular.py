"""Templates of Angular's components call their members, from their own file or from where they are written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from script_cases import ScriptProject

from drift.languages.table import language_of
from drift.languages.typescript.angular_templates import read_template

TEMPLATE = """\
<div *ngIf="user$ | async as user; else none" [title]="title()" (click)="save(user); log.info('x')">
  {{ total | currency: code() : 'x' }} {{ svc.format(total) }} {{ isOpen() ? left() : right() }}
  <li *ngFor="let row of rows(); trackBy: byId; let i = index" (x)="row.save()">{{ row }}</li>
  @if (shown(); as it) { <b #code (keyup)="name = pick($event)"></b> }
  @for (page of pages(); track key(page)) { <i [class.on]='{ a: one(), b: two() }'></i> }
  @let sum = add(1);
  <!-- nothing() -->
</div>
"""
COMPONENT = """\
import { Component } from '@angular/core';
import { Svc } from './svc';
@Component({ selector: 'cart', templateUrl: './cart.component.html' })
export class Basket {
  constructor(public svc: Svc) {}
  save() {} title() {} code() {} rows() {} isOpen() {} left() {} right() {} shown() {} pick() {} pages() {}
  key() {} one() {} two() {} add() {} nothing() {} byId() {}
}
@Component({ template: `<b (click)="close()" *ngIf="open()">{{ label }}</b>` })
export class Small { close() {} open() {} label = ''; }
"""


def test_a_template_calls_members_of_its_component_and_of_what_that_holds():
    texts = {"a/cart.component.html": TEMPLATE, "a/cart.component.ts": COMPONENT}
    found = ScriptProject({**texts, "a/svc.ts": "export class Svc { format(x) {} }"})

    called = {each for each in found.calls() if each.startswith("a/cart.component.html")}
    names = [
        "add",
        "isOpen",
        "key",
        "left",
        "one",
        "pages",
        "pick",
        "right",
        "rows",
        "save",
        "shown",
        "title",
        "two",
    ]
    assert called == {
        *(f"a/cart.component.html -> a/cart.component.ts:Basket.{name}" for name in names),
        "a/cart.component.html -> a/svc.ts:Svc.format",
    }
    assert not found.facts["a/cart.component.html"].problems
    places = {call.text: call.line for call in found.facts["a/cart.component.html"].calls}
    assert (places["title"], places["svc.format"], places["add"]) == (1, 2, 6)


def test_a_template_in_place_calls_members_of_its_class():
    found = ScriptProject({"a/cart.component.ts": COMPONENT, "a/svc.ts": "export class Svc {}"})

    assert {each.rpartition(".")[2] for each in found.calls() if ":Small ->" in each} == {"close", "open"}


def test_a_template_names_components_directives_and_pipes_of_any_file():
    markup = "<app-item [x]='size' appGlow>{{ name | money: 1 }}</app-item>\n<p *ngIf='a || b' [y]=\"n | money\"></p>"
    item = "@Component({ selector: 'app-item, [appOther]', template: `<i>{{ 1 | money }}</i>` }) export class Item {}"
    found = ScriptProject(
        {
            "a/cart.component.html": markup,
            "a/cart.component.ts": "@Component({ templateUrl: './cart.component.html' }) export class Cart { money() {} }",
            "b/item.ts": item,
            "b/glow.ts": "@Directive({ selector: 'b[appGlow]' }) export class Glow {}",
            "b/money.ts": "@Pipe({ name: 'money' }) export class MoneyPipe { transform(x) {} }",
        }
    )

    assert found.references("a/cart.component.html") == {
        (1, "b/item.ts:Item"), (1, "b/glow.ts:Glow"), (1, "b/money.ts:MoneyPipe.transform"),
        (2, "b/money.ts:MoneyPipe.transform"),
    }  # fmt: skip
    assert found.references("b/item.ts") == {(1, "b/money.ts:MoneyPipe.transform")}


def test_routes_that_load_late_name_what_they_load():
    routes = "export const routes = [{ path: 'a', loadComponent: () => import('./item').then(m => m.Item) }];"
    found = ScriptProject({"routes.ts": routes, "item.ts": "export class Item {}\nexport class Other {}"})

    assert found.references("routes.ts") == {(1, "item.ts:Item")}


@pytest.mark.parametrize(
    ("name", "language"),
    [("cart.component.html", "typescript"), ("index.html", None), (".html", None), ("component.html", None)],
)
def test_only_templates_are_read_among_pages(name, language):
    assert language_of(name) == language


@settings(max_examples=40)
@given(
    st.text('<*@[]()={}"|;:\naflost ', max_size=60).map(
        lambda text: f'<a *x="let a of\n{text}\nas b">'.encode()
    )
)
def test_a_template_keeps_its_length_and_lines(source):
    read = read_template(source).source

    assert len(read) == len(source)
    assert [i for i, c in enumerate(read) if c == 10] == [i for i, c in enumerate(source) if c == 10]
