"""Whether a word of a page is part of an expression, which may name code, or of the text that people read.

What it does: asks which engine runs a page, and whether what opens one of its expressions is open where the word stands; in
an expression it tells members, bare words and strings apart.
Why it matters: most words of a page are read by people, and most of those in its expressions are variables and keys.
Example: `{{ order.total }} total` has the member `total` once.
Known limits: whose member it is, the page does not say; `receiver_before` gives the name of the object.
"""

import re
from typing import Final, Literal, NamedTuple

from drift.analyses.usages.engines import Engine, Hole, engines_of
from drift.index import SymbolRecord
from drift.languages.kinds import TYPE_KINDS

Form = Literal["expression", "string", "script", "tag"]
"""An expression is run where the page is made, or bound to what the page is made of; a script in the browser.

A string names an action or a page, and nothing else. A tag may be a component, and is never a member.
"""

_SCRIPTS: Final = frozenset({"javascript", "typescript"})
_COMPONENTS: Final = frozenset({"function", "constant", *TYPE_KINDS})
_MEMBERS: Final = frozenset({"method", "property", "field"})
_ACTIONS: Final = frozenset({"function", "method", *TYPE_KINDS})
_LOOK_BACK: Final = 1_000
_SCRIPT: Final = Hole(b"<script", b"</script")
_STEPS: Final = (b".", b"->", b"::", b"*{", b":", b"&", b"!.")
_VALUE: Final = rb"[\w.:\])-]{0,60}=[\"'][^\"'<>]{0,300}\Z"
_HANDLER: Final = re.compile(rb"(?<![\w:.-])on" + _VALUE, re.IGNORECASE)
# What Razor and Velocity write without brackets: `@Model.Total`, `$!cart.total`.
_SIGIL: Final = re.compile(rb"(?<![\w.@])([@$])[\w.!?()\[\]>:-]{0,200}\Z")
_DIRECTIVE: Final = re.compile(rb"(?<![\w.@])([@#])[A-Za-z][\w.]{0,60}[ \t]{0,4}\(")
# Lines of Razor that say of what types its objects are.
_DECLARING: Final = re.compile(
    rb"\s*@(?:model|inject|inherits|implements|using|typeparam|attribute)\s[^\n]*\Z"
)
# Lines of Haml, Slim and Pug: a sign at their beginning or behind a tag makes the rest code, and so do brackets of attributes.
_LINE_OF_CODE: Final = re.compile(
    rb"\s*(?:[-=~]|!=|&=|(?:if|unless|each|else if|case|when|while|include|extends|mixin|\+)\b)"
)
_BEHIND_TAG: Final = re.compile(rb"\s*[%.#]?[\w.#%-]+(?:[({\[][^\n]{0,500}[)}\]])?[<>]*(?:!=|&=|==?)(?!\")")
_OPEN_TAG: Final = re.compile(rb"\s*[%.#]?[\w.#%-]+[({\[]")
_COMMENTED: Final = re.compile(rb"\s*(?:-#|/|//)")
# What is called with the name of an action, a component or a page in a string.
_NAMING: Final = re.compile(
    rb"(?:\b\w{0,20}(?:url|Url|action|Action|route|Route|Component|Invoke|controller|Controller)\w{0,20}\s?[(\"'=:]|"
    rb"\basp-\w+=)[^)\n]{0,120}\Z"
)
_BEGUN: Final = re.compile(rb"\w*\.\w")
_DOTTED_ROUTES: Final = frozenset({"php"})
"""The language whose routes have names with dots in them that name no action."""
_INNER: Final = ((b"#{", b"}"), (b"{$", b"}"), (b"${", b"}"))
# An attribute of a component's tag: `<OrderList Title="all" @bind-Page="page">`.
_OF_COMPONENT: Final = re.compile(rb"<([A-Z]\w{0,80})(?:\s(?:=>|[^<>]){0,900})?\s(?:@bind-)?\Z")
_RECEIVER: Final = re.compile(
    rb"([A-Za-z_]\w{0,80})(?:\([^()]{0,80}\)|\[[^\[\]]{0,80}\])?[?!]?(?:\.|->|::|\?->)\Z"
)


class Place(NamedTuple):
    """What a word of a page is part of. `languages` is None where it may name code of any."""

    form: Form
    languages: frozenset[str] | None = None
    is_member: bool = False  # behind a dot or an arrow
    may_be_member: bool = True
    is_bound: bool = False  # of a field in a form, which is set, too
    component: str | None = None  # whose tag has an attribute of that name


_TAG: Final = Place("tag")
_IN_SCRIPT: Final = Place("script", _SCRIPTS)


def place_in_page(path: str, content: bytes, offset: int) -> Place | None:
    """What the word at an offset of a page is part of; None for text that people read, and for variables of the page."""
    engines = engines_of(path, content)
    if engines is None:
        return None
    line_start = content.rfind(b"\n", 0, offset) + 1
    before = content[max(line_start, offset - _LOOK_BACK) : offset]
    if before.endswith((b'".', b"'.")):
        return None  # a selector of a style sheet, the ending of a file
    if before.endswith((b"<", b"</")):
        return _TAG
    for engine in engines:
        if engine.has_components and (component := _component_of(content, offset)) is not None:
            return Place("tag", engine.languages, is_member=True, component=component)
        written = _expression(engine, content, offset, before)
        if written is not None:
            judged = _judge(engine, written, content, offset)
            is_bound = judged is not None and any(_attribute(each, before) for each in engine.binding)
            return judged._replace(is_bound=True, is_member=True) if judged and is_bound else judged
    is_script = _is_open(content, offset, _SCRIPT) or _HANDLER.search(before) is not None
    return _IN_SCRIPT if is_script else None


def may_name(kind: str, place: Place | None) -> bool:
    """Whether a word at such a place may name a symbol of a kind."""
    if place is None:
        return False
    if place.component is not None:
        return kind in _MEMBERS
    if place.form == "tag":
        return kind in _COMPONENTS
    if place.form == "string":
        return kind in _ACTIONS
    if kind in _MEMBERS:
        return place.is_member or place.may_be_member
    return not place.is_member or kind in TYPE_KINDS or kind == "function"


def may_run(language: str | None, place: Place | None) -> bool:
    """Whether code of a language may be named there: an engine runs one, and scripts run in the browser."""
    return place is not None and (place.languages is None or language in place.languages)


def needs_receiver(symbol: SymbolRecord) -> bool:
    """Whether a page says a member only after the object that has it: pages of Rails run in helpers, not in models."""
    is_model = "/models/" in symbol.path and "." in symbol.qualname
    return symbol.language == "ruby" and symbol.kind in _MEMBERS and is_model


def receiver_before(content: bytes, offset: int) -> str | None:
    """The name of the object whose member a word is: `order` in `order.total`; None where none is said."""
    found = _RECEIVER.search(content[max(offset - _LOOK_BACK // 4, 0) : offset])
    return found[1].decode("utf-8", "replace") if found else None


def _component_of(content: bytes, offset: int) -> str | None:
    """The component whose tag has an attribute of which the word is the name."""
    end = content.find(b"=", offset, offset + _LOOK_BACK // 4)
    if end < 0 or re.fullmatch(rb"\w+(?::\w+)?", content[offset:end]) is None:
        return None
    found = _OF_COMPONENT.search(content[max(offset - _LOOK_BACK, 0) : offset])
    return found[1].decode("ascii", "replace") if found else None


def _attribute(prefix: bytes, before: bytes) -> re.Match[bytes] | None:
    """The value of an attribute that a word stands in, where its name begins so."""
    return re.search(rb"(?<![\w:.-])" + re.escape(prefix) + _VALUE, before)


def _expression(engine: Engine, content: bytes, offset: int, before: bytes) -> bytes | None:
    """What stands of an expression before the word, from where it is opened; None where none is open."""
    if any(_is_open(content, offset, hole) for hole in engine.comments):
        return None
    opened = [_since(before, len(before), hole) for hole in engine.holes]
    opened += [_since(content, offset, hole) for hole in engine.blocks]
    found = [each for each in opened if each is not None]
    if found:
        return min(found, key=len)
    for prefix in engine.attributes:
        if (value := _attribute(prefix, before)) is not None:
            return re.split(rb"=[\"']", value[0], maxsplit=1)[1]
    sigil = _SIGIL.search(before)
    if sigil is not None and sigil[1] in engine.sigils:
        return sigil[0]
    for directive in _DIRECTIVE.finditer(before):
        rest = before[directive.end() :]
        if directive[1] in engine.directives and rest.count(b")") <= rest.count(b"("):
            return rest
    return _code_of_line(engine, before, content[offset : content.find(b"\n", offset)])


def _code_of_line(engine: Engine, before: bytes, behind: bytes) -> bytes | None:
    if engine.sigils == (b"@",):  # blocks of Razor have statements between the lines of markup
        is_statement = behind.rstrip().endswith(b";") and b"<" not in before + behind
        return before if is_statement or _DECLARING.match(before) else None
    if not engine.has_lines_of_code or _COMMENTED.match(before):
        return None
    if (line := _LINE_OF_CODE.match(before) or _BEHIND_TAG.match(before)) is not None:
        return before[line.end() :]
    if (tag := _OPEN_TAG.match(before)) is not None:
        rest = before[tag.end() - 1 :]
        if sum(rest.count(each) for each in (b"(", b"{", b"[")) > sum(map(rest.count, (b")", b"}", b"]"))):
            return rest
    value = re.search(rb"\s[\w-]+=[^\s\"'][^\s\"']*\Z", before)
    return value[0].partition(b"=")[2] if value else None


def _judge(engine: Engine, written: bytes, content: bytes, offset: int) -> Place | None:
    """What a word is, of which this much of the expression stands before it."""
    languages = engine.languages
    if _ends_in_string(written):
        if any(_since(written, len(written), Hole(*inner)) is not None for inner in _INNER):
            return Place("expression", languages, is_member=written.endswith(_STEPS))
        if _is_part_of_name(written, content, offset, languages):
            return None
        return Place("string", languages) if _NAMING.search(content[max(offset - 200, 0) : offset]) else None
    if engine.hides and written.endswith(engine.hides) and not written.endswith(b"::" + engine.hides):
        return None
    is_member = written.endswith(_STEPS) or content[:offset].endswith(b"*{")
    end = re.compile(rb"\w*[?!]?").match(content, offset)
    behind = content[end.end() if end else offset :][:2]
    is_key = behind[:1] in {b":", b"="} and behind not in {b"::", b"=="} and not is_member
    if is_key and behind[1:2] != b">":
        return None
    return Place("expression", languages, is_member=is_member, may_be_member=engine.has_bare_members)


def _is_part_of_name(written: bytes, content: bytes, offset: int, languages: frozenset[str] | None) -> bool:
    """Whether a word is part of the name of a route, not of an action: 'orders.index'; behind a dot Flask names those."""
    is_begun = _BEGUN.match(content, offset) is not None
    return is_begun or (languages == _DOTTED_ROUTES and written.endswith(b"."))


def _ends_in_string(written: bytes) -> bool:
    quote = b""
    for each in re.findall(rb"\\.|[\"'\n]", written[-_LOOK_BACK:]):
        if each == b"\n":
            quote = b""  # a string seldom goes on; a word with an apostrophe in a remark does not open one
        elif not quote and len(each) == 1:
            quote = each
        elif each == quote:
            quote = b""
    return bool(quote)


def _since(content: bytes, end: int, hole: Hole) -> bytes | None:
    """What stands behind the last opening, where nothing has closed it."""
    start = content.rfind(hole.opening, 0, end)
    is_open = start >= 0 and start > content.rfind(hole.closing, 0, end)
    return content[start + len(hole.opening) : end] if is_open else None


def _is_open(content: bytes, end: int, hole: Hole) -> bool:
    return content.rfind(hole.opening, 0, end) > content.rfind(hole.closing, 0, end)
