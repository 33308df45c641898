from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI
from flask import Flask
from starlette.routing import Route
from unittest import mock

app = FastAPI()
router = APIRouter()
site = Flask(__name__)


def session():
    yield 1


@router.get("/items/{item_id}")
async def read_item(item_id: int, db: Annotated[str, Depends(session)]):
    return db


@app.post("/items", status_code=201)
def create_item():
    return {}


@site.route("/old", methods=["GET", "POST"])
def old():
    return ""


@mock.patch("shop.api.session")
def patched(fake):
    return fake


@app.on_event("startup")
def start():
    pass


def health(request):
    return request


routes = [Route("/health", health, methods=["GET"])]
site.add_url_rule("/health", view_func=health)
