"""Resources: fixed ones and templates, each with a function that reads it."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

import mcp_types as types

from drift.kernel.errors import DriftError
from drift.protocol.faults import ABSENT
from drift.protocol.sources import Content

MAX_URI_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Resource:
    """Something to read at a fixed address."""

    uri: str
    name: str
    description: str
    read: Callable[[], Awaitable[Content]]
    mime_type: str = "application/json"
    tool: str = ""
    """The tool whose rights it needs, where the server's own are not enough."""
    is_listed: bool = True
    """False for what only those read who are told its address elsewhere."""


@dataclass(frozen=True, slots=True)
class Template:
    """Something to read at an address with one variable, such as `drift://tools/{name}`."""

    uri_template: str
    name: str
    description: str
    read: Callable[[str], Awaitable[Content | None]]
    mime_type: str = "application/json"
    listed_as: str | None = None
    """The form that lists show, where the variable has parts with names of their own."""
    may_have_slashes: bool = False
    """Whether the value may be written with plain slashes, as paths are; percent-encoded ones always fit."""
    may_come: bool = False
    """Whether what is not there yet may be watched for."""
    tool: str = ""
    """The tool whose rights it needs, where the server's own are not enough."""

    @property
    def variable(self) -> str:
        found = re.search(r"\{(\w+)\}", self.uri_template)
        assert found is not None, "a template has exactly one variable"
        return found.group(1)

    def match(self, uri: str) -> str | None:
        """The variable's value in a URI of this form."""
        before, _, after = self.uri_template.partition("{" + self.variable + "}")
        value = uri[len(before) : len(uri) - len(after)]
        fits = uri.startswith(before) and uri.endswith(after) and len(uri) > len(before) + len(after)
        return unquote(value) if fits and (self.may_have_slashes or "/" not in value) else None


class Resources:
    """The resource source of Drift's own servers."""

    def __init__(
        self,
        resources: Sequence[Resource] = (),
        templates: Sequence[Template] = (),
        *,
        more: Callable[[], Sequence[types.Resource]] = tuple,
    ) -> None:
        self._resources = {resource.uri: resource for resource in resources}
        self._templates = tuple(templates)
        self._more = more
        """Lists what a template reads and nobody needs to know before a list is asked for."""

    def list_resources(self) -> Sequence[types.Resource]:
        return [
            types.Resource(
                uri=each.uri, name=each.name, description=each.description, mime_type=each.mime_type
            )
            for each in self._resources.values()
            if each.is_listed
        ] + list(self._more())

    def list_templates(self) -> Sequence[types.ResourceTemplate]:
        return [
            types.ResourceTemplate(
                uri_template=each.listed_as or each.uri_template,
                name=each.name,
                description=each.description,
                mime_type=each.mime_type,
            )
            for each in self._templates
        ]

    def tools_behind(self, uri: str) -> tuple[str, ...]:
        """The tools whose rights a reader of this address needs."""
        if uri in self._resources:
            behind = [self._resources[uri].tool]
        else:
            behind = [each.tool for each in self._templates if each.match(uri) is not None]
        return tuple(filter(None, behind))

    async def can_watch(self, uri: str) -> bool:
        """Whether news of a resource may come: also where it cannot be read at this moment."""
        if any(template.may_come and template.match(uri) is not None for template in self._templates):
            return True
        try:
            return await self.read(uri) is not None
        except DriftError as error:
            return error.code not in ABSENT

    async def read(self, uri: str) -> tuple[Content, str] | None:
        if len(uri) > MAX_URI_CHARS:
            return None
        if uri in self._resources:
            resource = self._resources[uri]
            return await resource.read(), resource.mime_type
        for template in self._templates:
            value = template.match(uri)
            content = await template.read(value) if value is not None else None
            if content is not None:
                return content, template.mime_type
        return None
