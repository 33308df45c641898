r"""The template engine: variables, filters, if, unless and each, and nothing else a template could do.

    {{name}}  {{name | kebab}}  {{this.field}}      a value, written as it is: nothing is escaped but by a filter
    {{#if name}} … {{else}} … {{/if}}               also unless; a false or empty value does not hold
    {{#each names}} … {{this}} … {{/each}}          inside also {{@last}} and {{@first}}, to be asked by if and unless
    {{! a remark }}   \{{                            nothing, and two braces as they are

A block's tag that is alone on its line takes the line with it. Every name has to be declared: a body that says another
one is refused when it is read, whichever way it would be rendered. Reading takes one pass over the text; rendering is held
to a number of steps and characters, so that loops in loops come to an end.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from drift.templates.filters import FILTERS

Value = str | bool | int | Sequence["Value"] | Mapping[str, "Value"]
Values = Mapping[str, Value]

MOST_BODY_CHARS: Final = 100_000
MOST_OUTPUT_CHARS: Final = 500_000
_MOST_STEPS: Final = 100_000
_MOST_DEPTH: Final = 8

_TAG: Final = re.compile(r"\\?\{\{([^{}\n]{0,200})\}\}|\\\{\{")
_NAME: Final = re.compile(r"@(?:first|last)|[a-z][a-z0-9_]{0,60}(?:\.[a-z][a-z0-9_]{0,60})?")
_ASKED: Final = frozenset({"@first", "@last"})
_THIS: Final = "this"


class TemplateError(ValueError):
    """What is wrong with a body, or why it could not be rendered; `line` is where."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem if line is None else f"line {line}: {problem}")
        self.line = line


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    filters: tuple[str, ...]
    line: int


@dataclass(slots=True)
class _Block:
    kind: str
    name: str
    line: int
    inside: list["_Node"] = field(default_factory=list)
    otherwise: list["_Node"] = field(default_factory=list)
    has_else: bool = False


_Node = str | _Variable | _Block


@dataclass(frozen=True, slots=True)
class Body:
    """A body that was read: its names are known and its blocks are closed."""

    nodes: tuple[_Node, ...]


def read_body(text: str, names: Collection[str]) -> Body:
    """The body of a template that may say these names. Raises TemplateError."""
    if len(text) > MOST_BODY_CHARS:
        raise TemplateError(f"it is longer than {MOST_BODY_CHARS:,} characters")
    root = _Block("", "", 1)
    stack = [root]
    for piece in _pieces(text):
        if isinstance(piece, str):
            _current(stack).append(piece)
        else:
            _place(stack, *piece, names=names)
    if len(stack) > 1:
        raise TemplateError(f"{{{{#{stack[-1].kind} {stack[-1].name}}}}} is never closed", stack[-1].line)
    return Body(tuple(root.inside))


def _pieces(text: str) -> Iterator[str | tuple[str, int]]:
    """The text between tags as it is, and each tag's inside with its line."""
    at, line = 0, 1
    for found in _TAG.finditer(text):
        start, end = found.span()
        plain = _plain(text[at:start], line)
        line += plain.count("\n")
        if found[0].startswith("\\"):
            yield plain + found[0][1:]
        else:
            next_line = _end_of_line(text, start, end) if _is_block(found[1]) else None
            yield plain if next_line is None else plain.rstrip(" \t")
            yield found[1].strip(), line
            if next_line is not None:
                line += text.count("\n", end, next_line)
                end = next_line
        at = end
    yield _plain(text[at:], line)


def _plain(text: str, line: int) -> str:
    """The text, if no tag begins in it that does not end."""
    if (stray := text.find("{{")) >= 0:
        raise TemplateError("{{ has no }} on its line", line + text.count("\n", 0, stray))
    return text


def _is_block(inside: str) -> bool:
    tag = inside.strip()
    return tag[:1] in {"#", "/", "!"} or tag == "else"


def _end_of_line(text: str, start: int, end: int) -> int | None:
    """Where the next line begins, if nothing but blanks stands beside the tag on its line."""
    before = start
    while before > 0 and text[before - 1] in " \t":
        before -= 1
    after = end
    while after < len(text) and text[after] in " \t":
        after += 1
    begins = before == 0 or text[before - 1] == "\n"
    ends = after == len(text) or text[after] == "\n"
    return min(after + 1, len(text)) if begins and ends else None


def _current(stack: list[_Block]) -> list[_Node]:
    return stack[-1].otherwise if stack[-1].has_else else stack[-1].inside


def _place(stack: list[_Block], tag: str, line: int, *, names: Collection[str]) -> None:
    """Put a tag where it belongs: a variable into the open block, a block's begin or end onto the stack."""
    if tag.startswith("!"):
        return
    if tag.startswith("#"):
        _open(stack, tag[1:].split(), line, names=names)
    elif tag.startswith("/"):
        if len(stack) == 1 or stack[-1].kind != tag[1:].strip():
            raise TemplateError(f"{{{{{tag}}}}} closes nothing that is open", line)
        stack.pop()
    elif tag == "else":
        if len(stack) == 1 or stack[-1].has_else or stack[-1].kind == "each":
            raise TemplateError("{{else}} belongs to no if or unless", line)
        stack[-1].has_else = True
    else:
        name, *filters = (part.strip() for part in tag.split("|"))
        _check_name(name, names, stack, line=line)
        if name in _ASKED:
            raise TemplateError(f"{name} can be asked by if and unless, not written", line)
        if unknown := [one for one in filters if one not in FILTERS]:
            raise TemplateError(f"there is no filter {unknown[0]!r}; there are {', '.join(FILTERS)}", line)
        _current(stack).append(_Variable(name, tuple(filters), line))


def _open(stack: list[_Block], words: list[str], line: int, *, names: Collection[str]) -> None:
    if len(words) != 2 or words[0] not in {"if", "unless", "each"}:  # noqa: PLR2004 - a kind and a name
        raise TemplateError("a block begins with #if, #unless or #each and one name", line)
    kind, name = words
    _check_name(name, names, stack, line=line)
    if kind == "each" and name in _ASKED:
        raise TemplateError(f"{name} is no list", line)
    if len(stack) > _MOST_DEPTH:
        raise TemplateError(f"blocks are nested more than {_MOST_DEPTH} deep", line)
    block = _Block(kind, name, line)
    _current(stack).append(block)
    stack.append(block)


def _check_name(name: str, names: Collection[str], stack: list[_Block], *, line: int) -> None:
    if not _NAME.fullmatch(name):
        raise TemplateError(f"{name[:40]!r} is no name", line)
    first = name.partition(".")[0]
    is_inside_each = any(block.kind == "each" for block in stack)
    if first in _ASKED or first == _THIS:
        if not is_inside_each:
            raise TemplateError(f"{first} has a meaning only inside #each", line)
    elif first not in names:
        raise TemplateError(
            f"{first} is not declared; declared are {', '.join(sorted(names)) or 'none'}", line
        )


class _Rendering:
    """One rendering: what was written, and how much more may be done."""

    def __init__(self, values: Values) -> None:
        self._scopes: list[Values] = [values]
        self._written: list[str] = []
        self._chars = 0
        self._steps = 0

    def render(self, nodes: Sequence[_Node]) -> None:
        for node in nodes:
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise TemplateError(f"rendering takes more than {_MOST_STEPS:,} steps")
            if isinstance(node, str):
                self._write(node)
            elif isinstance(node, _Variable):
                self._write(self._shown(node))
            elif node.kind == "each":
                self._repeat(node)
            else:
                holds = bool(self._value(node.name, node.line)) is (node.kind == "if")
                self.render(node.inside if holds else node.otherwise)

    @property
    def text(self) -> str:
        return "".join(self._written)

    def _repeat(self, block: _Block) -> None:
        items = self._value(block.name, block.line)
        if isinstance(items, (str, bool, int, Mapping)):
            raise TemplateError(f"{block.name} is no list", block.line)
        for place, item in enumerate(items):
            marks = {_THIS: item, "@first": place == 0, "@last": place == len(items) - 1}
            self._scopes.append(marks)
            self.render(block.inside)
            self._scopes.pop()

    def _shown(self, variable: _Variable) -> str:
        value = self._value(variable.name, variable.line)
        if isinstance(value, bool):
            text = "true" if value else "false"
        elif isinstance(value, (str, int)):
            text = str(value)
        else:
            raise TemplateError(
                f"{variable.name} is a list or a table, and cannot be written as a text", variable.line
            )
        for name in variable.filters:
            text = FILTERS[name](text)
        return text

    def _value(self, name: str, line: int) -> Value:
        first, _, inner = name.partition(".")
        found = next((scope[first] for scope in reversed(self._scopes) if first in scope), None)
        if found is None:
            raise TemplateError(f"{first} has no value", line)
        if not inner:
            return found
        if not isinstance(found, Mapping) or inner not in found:
            raise TemplateError(f"{name} has no value", line)
        return found[inner]

    def _write(self, text: str) -> None:
        self._chars += len(text)
        if self._chars > MOST_OUTPUT_CHARS:
            raise TemplateError(f"the result is longer than {MOST_OUTPUT_CHARS:,} characters")
        self._written.append(text)


def render(body: Body, values: Values) -> str:
    """The text that a body makes of these values. Raises TemplateError."""
    rendering = _Rendering(values)
    rendering.render(body.nodes)
    return rendering.text
