"""The dashboard as a Starlette application: the page, its files, and the questions it may ask."""

from collections.abc import Callable
from http import HTTPStatus
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any, Final

import orjson
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from drift.dashboard.activity import ActivityStream
from drift.dashboard.gate import PageGate
from drift.dashboard.inquiry import Inquiry
from drift.dashboard.looks import LOOKS
from drift.dashboard.question_list import QUESTIONS
from drift.dashboard.questions import Look, read_address
from drift.kernel.errors import DriftError
from drift.protocol.http.drain import Drain
from drift.protocol.http.origin import OriginGate, OriginPolicy
from drift.protocol.http.settings import HttpSettings

_JSON: Final = "application/json"
_FIRST: Final = "index.html"
_MEDIA_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def create_dashboard(inquiry: Inquiry, settings: HttpSettings) -> Starlette:
    """The application for one project; it answers GET and HEAD, from the hosts the settings allow."""
    routes = [_page_file(name) for name in page_files()]
    drain = Drain()
    routes += [
        Route("/tools.json", _tools(inquiry)),
        Route("/activity", ActivityStream(inquiry, drain), methods=["GET"]),
        Route("/api/{name:path}", _answers(inquiry)),
    ]
    gates = [Middleware(PageGate), Middleware(OriginGate, policy=OriginPolicy(settings))]
    app = Starlette(routes=routes, middleware=gates)
    app.router.redirect_slashes = False
    app.state.drain = drain  # the server ends endless streams with it
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


def _tools(inquiry: Inquiry) -> Callable[[Request], Any]:
    async def show_tools(_request: Request) -> Response:
        return _json(await inquiry.list_tools())

    return show_tools


def _answers(inquiry: Inquiry) -> Callable[[Request], Any]:
    async def show_answer(request: Request) -> Response:
        name = request.path_params["name"]
        question = LOOKS.get(name) or QUESTIONS.get(name)
        if question is None:
            return _json({"error": "There is no such question."}, HTTPStatus.NOT_FOUND)
        try:
            asked = read_address(question, request.query_params.multi_items(), now=inquiry.now())
        except DriftError as error:
            return _json(error.as_wire(), HTTPStatus.BAD_REQUEST)
        if isinstance(question, Look):
            return _json(await inquiry.look(question, asked))
        return _json(await inquiry.ask(question, asked))

    return show_answer


def _json(value: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(orjson.dumps(value), status, media_type=_JSON)
