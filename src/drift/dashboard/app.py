"""The dashboard as a Starlette application: the page, its files, and the questions it may ask."""

from collections.abc import Callable
from http import HTTPStatus
from importlib.resources import files
from typing import Any, Final

import orjson
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from drift.dashboard.gate import PageGate
from drift.dashboard.inquiry import Inquiry
from drift.dashboard.questions import MEMORY_PAGES, QUESTIONS, Browsing, read_address
from drift.kernel.errors import DriftError
from drift.protocol.http.drain import Drain
from drift.protocol.http.origin import OriginGate, OriginPolicy
from drift.protocol.http.settings import HttpSettings

_JSON: Final = "application/json"
_SCRIPT: Final = "text/javascript; charset=utf-8"
_PAGE_FILES: Final = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/dashboard.css": ("dashboard.css", "text/css; charset=utf-8"),
    "/dashboard.js": ("dashboard.js", _SCRIPT),
    "/elements.js": ("elements.js", _SCRIPT),
    "/views.js": ("views.js", _SCRIPT),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}


def create_dashboard(inquiry: Inquiry, settings: HttpSettings) -> Starlette:
    """The application for one project; it answers GET and HEAD, from the hosts the settings allow."""
    routes = [_page_file(path, *named) for path, named in _PAGE_FILES.items()]
    routes += [Route("/tools.json", _tools(inquiry)), Route("/api/{name:path}", _answers(inquiry))]
    gates = [Middleware(PageGate), Middleware(OriginGate, policy=OriginPolicy(settings))]
    app = Starlette(routes=routes, middleware=gates)
    app.router.redirect_slashes = False
    app.state.drain = Drain()  # the server ends endless streams with it; this page has none
    return app


def _page_file(path: str, file_name: str, media_type: str) -> Route:
    content = files("drift.dashboard").joinpath("page", file_name).read_bytes()

    async def show_file(_request: Request) -> Response:
        return Response(content, headers={"content-type": media_type})

    return Route(path, show_file)


def _tools(inquiry: Inquiry) -> Callable[[Request], Any]:
    async def show_tools(_request: Request) -> Response:
        return _json(await inquiry.list_tools())

    return show_tools


def _answers(inquiry: Inquiry) -> Callable[[Request], Any]:
    async def show_answer(request: Request) -> Response:
        name = request.path_params["name"]
        question = MEMORY_PAGES if name == "memory/list" else QUESTIONS.get(name)
        if question is None:
            return _json({"error": "There is no such question."}, HTTPStatus.NOT_FOUND)
        try:
            asked = read_address(question, request.query_params.multi_items(), now=inquiry.now())
        except DriftError as error:
            return _json(error.as_wire(), HTTPStatus.BAD_REQUEST)
        if isinstance(question, Browsing):
            return _json(await inquiry.browse_memories(asked))
        return _json(await inquiry.ask(question, asked))

    return show_answer


def _json(value: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(orjson.dumps(value), status, media_type=_JSON)
