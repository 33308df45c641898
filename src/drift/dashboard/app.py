"""The dashboard as a Starlette application: the page, its files, and the questions it may ask."""

import secrets
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any, Final

import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from drift.dashboard.activity import ActivityStream
from drift.dashboard.gate import PageGate
from drift.dashboard.inquiry import Inquiry
from drift.dashboard.looks import LOOKS
from drift.dashboard.question_list import QUESTIONS
from drift.dashboard.questions import Look, read_address, read_decision
from drift.dashboard.visitors import Door, Visitor, own_door
from drift.kernel.errors import DriftError
from drift.protocol.http.drain import Drain
from drift.protocol.http.origin import OriginGate, OriginPolicy
from drift.protocol.http.settings import HttpSettings

_JSON: Final = "application/json"
_FIRST: Final = "index.html"
_KEY_HEADER: Final = "x-drift-key"
_MOST_BODY_BYTES: Final = 100_000
_MEDIA_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_READS_ONLY: Final = {
    "error": "This page only reads.",
    "hint": "Start it with --write, or show a token with the scope drift:write.",
}

_Handler = Callable[[Request, Visitor], Awaitable[Response]]


def create_dashboard(inquiry: Inquiry, settings: HttpSettings, *, may_write: bool = False) -> Starlette:
    """The application for one project on this machine, for the hosts the settings allow."""
    drain = Drain()
    app = create_page(inquiry, drain, own_door(may_write=may_write))
    app.add_middleware(OriginGate, policy=OriginPolicy(settings))
    app.add_middleware(PageGate)
    app.state.drain = drain  # the server ends endless streams with it
    return app


def create_page(inquiry: Inquiry, drain: Drain, door: Door) -> Starlette:
    """The page for whoever the door lets in; its files hold nothing of the project and are for all."""
    key = secrets.token_urlsafe()
    routes = [_page_file(name) for name in page_files()]
    routes += [
        Route("/tools.json", _behind(door, _tools(inquiry))),
        Route("/activity", _activity(ActivityStream(inquiry, drain), door), methods=["GET"]),
        Route("/api/session", _behind(door, _session(key))),
        Route("/api/decide", _behind(door, _decide(inquiry, key)), methods=["POST"]),
        Route("/api/{name:path}", _behind(door, _answers(inquiry))),
    ]
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False
    return app


def guarded_page(inquiry: Inquiry, drain: Drain, door: Door) -> Starlette:
    """The same for a server that has looked at Host and Origin already."""
    app = create_page(inquiry, drain, door)
    app.add_middleware(PageGate)
    return app


def page_files() -> tuple[str, ...]:
    """The names of the files that make the page, all of which are served."""
    folder = files("drift.dashboard").joinpath("page")
    return tuple(
        sorted(one.name for one in folder.iterdir() if PurePosixPath(one.name).suffix in _MEDIA_TYPES)
    )


def _page_file(name: str) -> Route:
    content = files("drift.dashboard").joinpath("page", name).read_bytes()
    media_type = _MEDIA_TYPES[PurePosixPath(name).suffix]

    async def show_file(_request: Request) -> Response:
        return Response(content, headers={"content-type": media_type})

    return Route("/" if name == _FIRST else f"/{name}", show_file)


def _behind(door: Door, handler: _Handler) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        visitor = await door(request)
        return visitor if isinstance(visitor, Response) else await handler(request, visitor)

    return answer


def _activity(stream: ActivityStream, door: Door) -> Callable[[Request], Awaitable[Any]]:
    async def follow(request: Request) -> Any:
        visitor = await door(request)
        return visitor if isinstance(visitor, Response) else stream

    return follow


def _session(key: str) -> _Handler:
    async def show_session(_request: Request, visitor: Visitor) -> Response:
        return _json({"mayWrite": visitor.may_write, "key": key if visitor.may_write else None})

    return show_session


def _tools(inquiry: Inquiry) -> _Handler:
    async def show_tools(_request: Request, _visitor: Visitor) -> Response:
        return _json(await inquiry.list_tools())

    return show_tools


def _decide(inquiry: Inquiry, key: str) -> _Handler:
    """Approve or ignore a convention. Only the page knows the key, so no other site can send a decision."""

    async def decide(request: Request, visitor: Visitor) -> Response:
        sent = request.headers.get(_KEY_HEADER, "")
        if not visitor.may_write or not secrets.compare_digest(sent.encode(), key.encode()):
            return _json(_READS_ONLY, HTTPStatus.FORBIDDEN)
        try:
            decision = read_decision(await _read_body(request))
        except DriftError as error:
            return _json(error.as_wire(), HTTPStatus.BAD_REQUEST)
        return _json(await inquiry.decide(decision, visitor))

    return decide


async def _read_body(request: Request) -> bytes:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _MOST_BODY_BYTES:
            return b""  # which is no decision
    return body


def _answers(inquiry: Inquiry) -> _Handler:
    async def show_answer(request: Request, visitor: Visitor) -> Response:
        name = request.path_params["name"]
        question = LOOKS.get(name) or QUESTIONS.get(name)
        if question is None:
            return _json({"error": "There is no such question."}, HTTPStatus.NOT_FOUND)
        try:
            asked = read_address(question, request.query_params.multi_items(), now=inquiry.now())
        except DriftError as error:
            return _json(error.as_wire(), HTTPStatus.BAD_REQUEST)
        if isinstance(question, Look):
            return _json(await inquiry.look(question, asked, visitor))
        return _json(await inquiry.ask(question, asked, visitor))

    return show_answer


def _json(value: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(orjson.dumps(value), status, media_type=_JSON)
