"""Endpoints and the calls that lead to them, in one project of five backends and their clients."""

import pytest

from drift.analyses.contracts.contracts import look_at_contracts
from drift.analyses.contracts.paths import data, parts_of, similarity
from drift.analyses.contracts.script_calls import read_script, script_rules
from drift.analyses.contracts.type_texts import kind_of, split_members, unwrap
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import scan

FILES = {
    "py/api.py": """
from fastapi import APIRouter, FastAPI
from pydantic import BaseModel

app = FastAPI()
router = APIRouter(prefix="/orders")

class OrderBase(BaseModel):
    title: str
    first_name: str

class Order(OrderBase):
    id: int
    paid: bool
    note: str | None = None

class OrderCreate(OrderBase):
    amount: int

class Page(BaseModel):
    data: list[Order]
    count: int

@router.get("/", response_model=Page)
def list_orders(): ...

@router.get("/{order_id}")
def one_order(order_id: int) -> Order: ...

@router.post("/")
def make_order(order: OrderCreate) -> Order: ...

@router.patch("/{order_id}")
def change_order(order_id: int, order: OrderCreate) -> Order: ...

@router.delete("/{order_id}")
def drop_order(order_id: int): ...

app.include_router(router, prefix="/api/v1")
""",
    "java/Labels.java": """package shop;
import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping("/api/labels")
class Labels {
  @GetMapping("/{id}")
  public ResponseEntity<Label> one(@PathVariable Long id) { return null; }
  @PutMapping("/{id}")
  public ResponseEntity<Label> put(@PathVariable Long id, @Valid @RequestBody Label label) { return null; }
}
class Label implements Serializable {
  private static final long serialVersionUID = 1L;
  private Long id;
  @NotNull
  private String name;
  @JsonIgnore
  private String secret;
  private String token;
  @JsonProperty("api_token")
  public String getToken() { return token; }
}
""",
    "php/routes/api.php": """<?php
use Illuminate\\Support\\Facades\\Route;
Route::apiResource('albums.songs', SongController::class);
""",
    "spec/openapi.yaml": "openapi: 3.0.0\npaths:\n  /api/described/{id}:\n    get:\n      operationId: getDescribed\n",
    "web/types.ts": """
export interface Order { id: number; title: string; firstName: string; paid: string; gone: string; note?: string | null }
export type NewOrder = Omit<Order, 'id' | 'paid' | 'gone'>
export interface Paged<T> { data: T[]; count: number }
export interface Label { id: number; name?: string | null; api_token: string }
export type LabelOf<T> = Omit<T, 'api_token'> & { extra?: string }
""",
    "web/http.ts": """
import axios from 'axios'
export const BASE = '/api/v1'
export async function send<T>(path: string, options?: any): Promise<T> {
  const answer = await fetch(path, options)
  return answer.json()
}
""",
    "web/orders.ts": """
import axios from 'axios'
import { BASE, send } from './http'
import { Order, NewOrder, Paged } from './types'

const ORDERS = `${BASE}/orders`

export const list = () => axios.get<Paged<Order>>(ORDERS)
export const one = (id: number) => axios.get<Order>(`${ORDERS}/${id}?full=1`)
export function make(order: NewOrder) { return axios.post<Order>(ORDERS, order) }
export async function drop(id: number): Promise<void> {
  await fetch(`/api/v1/orders/${id}`, { method: 'DELETE' })
}
export const change = (id: number) => axios.patch(`${ORDERS}/${id}`, { first_name: 'x', color: 1 })
export const described = () => send<Order>('/api/described/7')
export const songs = (album: string) => axios.get(`albums/${album}/songs`)
export const one_more = (id: number) => axios.get(config.get('base') + 'api/v1/orders/' + id)
export const nowhere = () => axios.get('/api/v1/missing/thing')
const cache = new Map<string, string>()
export const kept = () => cache.get('/api/v1/orders')
""",
    "web/labels.service.ts": """
import { Label, LabelOf } from './types'
export class LabelService {
  protected readonly http = inject(HttpClient);
  protected readonly url = this.config.getEndpointFor('api/labels');
  find(id: number) {
    return this.http
      .get<Label>(`${this.url}/${encodeURIComponent(id)}`);
  }
  put(label: LabelOf<Label>) { return this.http.put<Label>(this.url + '/' + label.id, label); }
}
""",
    "worker/sync.py": """
import requests
def sync(order):
    return requests.get(f"http://shop/api/v1/orders/{order}")
""",
    "web/orders.spec.ts": "import axios from 'axios'\ntest('x', () => { axios.get('/api/v1/orders/1') })\n",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    root = tmp_path_factory.mktemp("contracts")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    scan(root)
    with IndexReader(StateDir(root).index_db) as reader:
        yield look_at_contracts(reader, root)


@pytest.fixture(scope="module")
def contracts(found):
    return {f"{one.method} {one.endpoint}": one for one in found.contracts}


def mismatches(contract):
    return {(one.of, one.kind, one.field, one.severity) for one in contract.mismatches}


def test_calls_lead_to_their_endpoints_and_no_others(found, contracts):
    pairs = {(key, call.file, call.function) for key, one in contracts.items() for call in one.frontend}

    assert pairs == {
        ("GET /api/v1/orders/", "web/orders.ts", "list"),
        ("GET /api/v1/orders/{order_id}", "web/orders.ts", "one"),
        ("GET /api/v1/orders/{order_id}", "web/orders.ts", "one_more"),
        ("GET /api/v1/orders/{order_id}", "worker/sync.py", "requests.get"),
        ("POST /api/v1/orders/", "web/orders.ts", "make"),
        ("PATCH /api/v1/orders/{order_id}", "web/orders.ts", "change"),
        ("DELETE /api/v1/orders/{order_id}", "web/orders.ts", "drop"),
        ("GET /api/labels/{id}", "web/labels.service.ts", "find"),
        ("PUT /api/labels/{id}", "web/labels.service.ts", "put"),
        ("GET /albums/{album}/songs", "web/orders.ts", "songs"),
        ("GET /api/described/{id}", "web/orders.ts", "described"),
    }
    assert [(one.path, one.name) for one in found.calls] == [("/api/v1/missing/thing", "nowhere")]
    assert contracts["GET /api/described/{id}"].backend.framework == "openapi"


def test_fields_are_compared_with_those_of_parents_and_without_envelopes(contracts):
    assert mismatches(contracts["GET /api/v1/orders/{order_id}"]) == {
        ("response", "naming_mismatch", "first_name", "error"),
        ("response", "type_mismatch", "paid", "error"),
        ("response", "missing_in_backend", "gone", "error"),
    }
    assert contracts["GET /api/v1/orders/{order_id}"].status == "mismatch"
    # Both sides have the same envelope, which is compared itself.
    assert contracts["GET /api/v1/orders/"].status == "discovered"
    assert mismatches(contracts["GET /api/v1/orders/"]) == set()


def test_what_is_sent_is_compared_with_what_is_asked_for(contracts):
    assert mismatches(contracts["POST /api/v1/orders/"]) >= {
        ("request", "naming_mismatch", "first_name", "error"),
        ("request", "missing_in_frontend", "amount", "error"),
        ("request", "missing_in_backend", "note", "info"),
    }
    # What changes a part may leave the rest out.
    assert mismatches(contracts["PATCH /api/v1/orders/{order_id}"]) == {
        ("request", "missing_in_backend", "color", "warning"),
    }


def test_only_what_a_language_says_of_a_field_is_held_against_the_other(contracts):
    assert mismatches(contracts["GET /api/labels/{id}"]) == {
        ("response", "missing_in_frontend", "token", "info")
    }
    assert mismatches(contracts["PUT /api/labels/{id}"]) == {
        ("request", "optionality_mismatch", "name", "warning"),
        ("request", "missing_in_frontend", "token", "info"),
        ("request", "missing_in_backend", "extra", "info"),
        ("response", "missing_in_frontend", "token", "info"),
    }


def test_shapes_that_are_not_whole_are_not_compared(contracts):
    one = contracts["DELETE /api/v1/orders/{order_id}"]

    assert (one.status, one.mismatches) == ("unknown_shape", ())
    assert contracts["GET /api/described/{id}"].unknown == ("response: backend says no type",)


def test_confidence_is_made_of_the_match_the_fields_and_the_errors(contracts):
    one = contracts["GET /api/v1/orders/{order_id}"]

    assert one.confidence == round((0.6 + 0.4 * 0.6) * 0.7, 2)
    assert one.level == "low"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("/api/v1/users/:id", "/users/{user_id}", 1.0),
        ("https://shop.test/rest/users/${id}?x=1", "/users/<int:pk>/", 1.0),
        ("/users/{id?}/songs", "/users/:id/songs", 1.0),
        ("/users", "/orders", 0.1),
    ],
)
def test_paths_are_alike_by_their_parts(one, other, alike):
    assert similarity(parts_of(one), parts_of(other)) == pytest.approx(alike, abs=0.05)


def test_scripts_are_read_in_all_their_forms():
    text = b"""<template><a/></template><script setup lang="ts">
const a = await http.silently.post('songs/by-ids', { ids })
api({ url: '/users', method: 'put', data: user })
request('DELETE', `/users/${id}`)
router.get('/served', (req, res) => res.send())
headers.get('/x')
const resource = httpResource<User[]>(() => { if (x) return undefined; return { url: '/users' } })
</script>"""
    found = read_script("a.vue", text, lambda _name, _member: None).calls

    assert [(one.method, one.path, one.line) for one in found] == [
        ("POST", "songs/by-ids", 2),
        ("DELETE", "/users/{id}", 4),
        ("GET", "/users", 7),
    ]


def test_a_word_is_an_address_where_what_it_is_given_to_makes_one():
    source = b"""
import { getApiPath } from "./paths";
let url = "goals";
const load = (uidSlug) => fetch(getApiPath("areas"), { method: "PATCH" });
fetch(getApiPath(url));
fetch(getApiPath(`note/${uidSlug}`));
fetch(config.get("url"));
"""
    constants = {"uidSlug": "a/b"}  # of another file, which this one does not import

    found = read_script("a.ts", source, lambda name, member: constants.get(name) if member is None else None)

    assert [(one.method, one.path) for one in found.calls] == [
        ("PATCH", "/areas"), ("GET", "/goals"), ("GET", "note/{uidSlug}"),
    ]  # fmt: skip


def test_names_of_several_functions_are_told_apart():
    source = b"""
const base = "/api";
async function load(id) {
  const url = `${base}/areas/${id}`;
  const method = "GET";
  return fetch(url, { method });
}
const save = (id) => async () => {
  const url = `${base}/goals/${id}`;
  const method = "PUT";
  return fetch(url, { method, body: "x" });
};
"""

    found = read_script("a.ts", source, lambda _name, _member: None)

    assert [(one.method, one.path) for one in found.calls] == [
        ("GET", "/api/areas/{id}"),
        ("PUT", "/api/goals/{id}"),
    ]


def test_what_a_router_is_mounted_at_may_be_known_in_part():
    assert parts_of("/<`${basePath}/oidc`>/link/:slug") == ("oidc", "link", ":param")


def test_types_are_told_without_what_holds_them():
    assert unwrap("Promise<AxiosResponse<Order[]>>") == ("Order", True)
    assert unwrap("ResponseEntity<List<Order>>") == ("Order", True)
    assert unwrap("Observable<{}>") == (None, False)
    assert [kind_of(each) for each in ("uuid.UUID", "number | null", "'a' | 'b'", "Order", "list[str]")] == [
        "text", "number", "text", None, "list",
    ]  # fmt: skip


def test_members_of_a_type_are_told_apart_by_marks_or_lines():
    written = "name: Record<string, a> | null readonly age?: number, ok: boolean; 'x-y': { a: b c: d }"

    assert split_members(written) == [
        "name: Record<string, a> | null", "readonly age?: number", "ok: boolean", "'x-y': { a: b c: d }",
    ]  # fmt: skip


def test_the_data_is_whole():
    assert script_rules().verbs["get"] == "GET"
    assert not {"through", "many", "unknown", "envelopes", "plain_parents"} - data()["types"].keys()
