"""The page that clients which show pages put beside an answer: it draws what the tool said, and asks on where it may."""

from importlib import resources

from drift.protocol.resources import Resource
from drift.protocol.sources import Content
from drift.protocol.views import ANSWER_VIEW, VIEW_TYPE


def answer_view() -> Resource:
    """The page as a resource. It is the same for every answer, and holds nothing of a project."""
    return Resource(
        ANSWER_VIEW, "Answer", "A page that draws an answer", _read, mime_type=VIEW_TYPE, is_listed=False
    )


async def _read() -> Content:
    return (resources.files("drift.servers") / "views" / "answer.html").read_text("utf-8")
