"""Shapes that no type says: serializers, form requests and resources, schemas, documents."""

import pytest

from drift.analyses.contracts.contracts import look_at_contracts
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import scan

FILES = {
    "py/models.py": """
from django.db import models

class Named(models.Model):
    name = models.CharField(max_length=9)
    class Meta:
        abstract = True

class Tag(Named):
    color = models.CharField(max_length=9, blank=True)
    inbox = models.BooleanField(default=False)
    made = models.DateTimeField(auto_now_add=True)
    owner = models.ForeignKey("auth.User", null=True, on_delete=models.CASCADE)
""",
    "py/serializers.py": """
from rest_framework import serializers
from .models import Tag

class OwnedSerializer(serializers.ModelSerializer):
    mine = serializers.SerializerMethodField()
    secret = serializers.CharField(write_only=True, required=False)

class TagSerializer(OwnedSerializer):
    children = serializers.ListField(read_only=True)
    class Meta:
        model = Tag
        fields = ("id", "name", "color", "inbox", "owner", "mine", "secret", "children")
        read_only_fields = ["owner"]
        extra_kwargs = {"inbox": {"read_only": True}}

class AllSerializer(serializers.ModelSerializer):
    class Meta:
        model = Tag
        exclude = ["made"]

class FreeSerializer(serializers.Serializer):
    a = serializers.CharField()
    def to_representation(self, value): return {}
""",
    "py/urls.py": """
from django.urls import include, path
from rest_framework import routers, viewsets
from .serializers import AllSerializer, FreeSerializer, TagSerializer

class TagViewSet(viewsets.ModelViewSet):
    serializer_class = TagSerializer

class AllViewSet(viewsets.ModelViewSet):
    serializer_class = AllSerializer
    def create(self, request): return Response({})

class FreeViewSet(viewsets.ModelViewSet):
    serializer_class = FreeSerializer

router = routers.DefaultRouter()
router.register("tags", TagViewSet)
router.register("everything", AllViewSet)
router.register("free", FreeViewSet)
urlpatterns = [path("api/", include(router.urls))]
""",
    "php/routes/api.php": """<?php
use Illuminate\\Support\\Facades\\Route;
use App\\Http\\Controllers\\SongController;
Route::post('songs', [SongController::class, 'store']);
""",
    "php/app/Http/Controllers/SongController.php": """<?php
namespace App\\Http\\Controllers;
use App\\Http\\Requests\\SongRequest;
use App\\Http\\Resources\\SongResource;
class SongController extends Controller {
    public function store(SongRequest $request) {
        return SongResource::make(Song::create($request->validated()));
    }
}
""",
    "php/app/Http/Requests/SongRequest.php": """<?php
namespace App\\Http\\Requests;
use Illuminate\\Foundation\\Http\\FormRequest;
class SongRequest extends FormRequest {
    public function rules(): array {
        return [
            'title' => 'required|string|max:255',
            'album_id' => ['required', 'integer'],
            'lyrics' => 'nullable|string',
            'tags.*.name' => 'required',
        ];
    }
}
""",
    "php/app/Http/Resources/SongResource.php": """<?php
namespace App\\Http\\Resources;
use Illuminate\\Http\\Resources\\Json\\JsonResource;
class SongResource extends JsonResource {
    public function toArray($request): array {
        return ['id' => $this->id, 'title' => $this->title, 'album' => $this->whenLoaded('album'), 'loved' => (bool) $this->loved, 'Title' => $this->title];
    }
}
""",
    "node/schemas.ts": """
import { z } from 'zod'
const base = z.object({ email: z.string().email(), age: z.number().optional() })
export const userSchema = base.extend({ roles: z.array(z.string()), nick: z.string().nullable().default('x') }).strict()
export const userPatch = userSchema.partial()
export type User = z.infer<typeof userSchema>
""",
    "node/server.ts": """
import express from 'express'
import { userSchema, userPatch } from './schemas'
const app = express()
app.post('/accounts', createAccount)
app.put('/accounts/:id', changeAccount)
function createAccount(req, res) { const user = userSchema.parse(req.body); res.json(user) }
function changeAccount(req, res) { const user = userPatch.safeParse(req.body); res.json(user) }
""",
    "py/rooms.py": """
from fastapi import FastAPI
from pydantic import UUID4, BaseModel, ConfigDict
from humps import camelize
app = FastAPI()

class Model(BaseModel):
    model_config = ConfigDict(alias_generator=camelize, populate_by_name=True)

class Room(Model):
    room_name: str
    is_free: bool

@app.put("/rooms/{room_id}")
def put_room(room_id: UUID4, room: Room) -> Room: ...
""",
    "nest/houses.controller.ts": """
import { Body, Controller, Post } from '@nestjs/common'
class HouseId { houseId: string }
class Paging { cursor: string }
@Controller('houses')
export class HouseController {
  @Post('list')
  async list(@Body() dto: HouseId, @Body() paging: Paging) { return [] }
}
""",
    "spec/openapi.yaml": """openapi: 3.0.0
paths:
  /api/pets/{id}:
    get:
      operationId: getPet
      responses: {"200": {content: {application/json: {schema: {$ref: '#/components/schemas/Dog'}}}}}
    put:
      operationId: putPet
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {"204": {description: ok}}
components:
  schemas:
    Pet: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string}}}
    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {required: [bark], properties: {bark: {type: boolean}}}]}
""",
    "spec/notes.proto": """syntax = "proto3";
package notes.v1;
message Note { string note_name = 1; int64 size = 2; repeated string tags = 3; }
message GetNote { string id = 1; }
service Notes {
  rpc Get(GetNote) returns (Note) { option (google.api.http) = { get: "/v1/notes/{id}" }; }
}
""",
    "web/tsconfig.json": '{"compilerOptions": {"strict": true}}',
    "web/api.ts": """
import axios from 'axios'
interface Tag { id: number; name: string; color: string; inbox: string; owner: number | null; mine: boolean; children: string[]; gone: string }
interface TagDraft { name: string; inbox: boolean }
interface Everything { id: number; name: string; color: string; inbox: boolean; owner: number }
interface Song { id: number; title: string; album: string; loved: string; artist: string }
interface Pet { id: number; name: string; bark: string }
interface Note { noteName: string; size: string; tags: string }
export const tags = () => axios.get<Tag[]>('/api/tags/')
export const makeTag = (tag: TagDraft) => axios.post<Tag>('/api/tags/', tag)
export const everything = (id: number) => axios.get<Everything>(`/api/everything/${id}/`)
export const makeAll = (one: Everything) => axios.post<Everything>('/api/everything/', one)
export const free = () => axios.get<Tag>('/api/free/')
export const song = () => axios.post<Song>('/songs', { title: 'a', lyrics: 'b', length: 3 })
export const account = (email: string) => axios.post('/accounts', { email, age: 1, Roles: [] })
export const patched = (one: Partial<Tag>, id: number) => axios.put(`/accounts/${id}`, { email: 'x', nick: 'y', color: 1 })
export const room = (id: string) => axios.put<{ roomName: string; is_free: boolean }>(`/rooms/${id}`, { roomName: 'x', isFree: true })
export const houses = () => axios.post('/houses/list', { houseId: 'x', cursor: 'y' })
export const pet = () => axios.get<Pet>('/api/pets/1')
export const putPet = (pet: Partial<Pet>) => axios.put('/api/pets/1', pet)
export const note = () => axios.get<Note>('/v1/notes/7')
""",
}


@pytest.fixture(scope="module")
def contracts(tmp_path_factory):
    root = tmp_path_factory.mktemp("shapes")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    scan(root)
    with IndexReader(StateDir(root).index_db) as reader:
        return {f"{one.method} {one.endpoint}": one for one in look_at_contracts(reader, root).contracts}


def mismatches(contract, *, side):
    return {(one.kind, one.field, one.severity) for one in contract.mismatches if one.of == side}


def test_a_serializer_gives_what_it_reads_and_takes_what_it_writes(contracts):
    assert mismatches(contracts["GET /api/tags/"], side="response") == {
        ("type_mismatch", "inbox", "error"),
        ("missing_in_backend", "gone", "error"),
    }
    # Only color may be left out, secret and color need not be sent; inbox is not taken.
    assert mismatches(contracts["POST /api/tags/"], side="request") == {
        ("missing_in_frontend", "color", "info"),
        ("missing_in_frontend", "secret", "info"),
        ("missing_in_backend", "inbox", "warning"),
    }


def test_all_fields_of_a_model_but_those_excluded_are_in_its_serializer(contracts):
    one = contracts["GET /api/everything/{pk}/"]

    assert mismatches(one, side="response") == {("nullability_mismatch", "owner", "warning")}
    assert one.backend.response_fields == 5


def test_answers_that_are_made_by_hand_are_unknown(contracts):
    assert contracts["POST /api/everything/"].backend.response_type is None
    assert contracts["GET /api/free/"].unknown == (
        "response: FreeSerializer: to_representation of FreeSerializer makes it",
    )


def test_a_form_request_takes_what_its_rules_name_and_a_resource_gives_its_array(contracts):
    one = contracts["POST /songs"]

    assert mismatches(one, side="request") == {
        ("missing_in_frontend", "album_id", "error"),
        ("missing_in_frontend", "tags", "info"),
        ("missing_in_backend", "length", "warning"),
    }
    assert mismatches(one, side="response") == {
        ("type_mismatch", "loved", "error"),
        ("missing_in_frontend", "Title", "info"),
        ("missing_in_backend", "artist", "error"),
    }


def test_a_schema_that_checks_a_body_is_its_shape(contracts):
    assert mismatches(contracts["POST /accounts"], side="request") == {
        ("naming_mismatch", "roles", "error"),
        ("missing_in_frontend", "nick", "info"),
    }
    # A part of it may be sent, but nothing that it does not know.
    assert mismatches(contracts["PUT /accounts/:id"], side="request") == {
        ("missing_in_backend", "color", "warning")
    }


def test_documents_describe_shapes_with_those_they_are_made_of(contracts):
    assert mismatches(contracts["GET /api/pets/{id}"], side="response") == {
        ("optionality_mismatch", "name", "warning"),
        ("type_mismatch", "bark", "error"),
    }
    assert mismatches(contracts["PUT /api/pets/{id}"], side="request") == set()
    assert mismatches(contracts["GET /v1/notes/{id}"], side="response") == {
        ("type_mismatch", "tags", "error")
    }


def test_fields_have_the_names_that_a_generator_of_aliases_makes(contracts):
    one = contracts["PUT /rooms/{room_id}"]

    assert one.backend.request_type == "Room"
    assert (one.status, one.mismatches) == ("discovered", ())


def test_a_body_that_two_parameters_read_has_the_fields_of_both(contracts):
    one = contracts["POST /houses/list"]

    assert (one.status, one.mismatches) == ("discovered", ())
