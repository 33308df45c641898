"""One edit for each kind of finding that can be mended safely: a function from the text and the finding to another text."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from drift.analyses.import_style import advise_imports
from drift.guards.constraints.verifying import wanted
from drift.guards.mending.by_cause import keep_cause
from drift.guards.mending.by_dimension import dimension_of, follow_convention
from drift.guards.mending.by_type import with_line
from drift.guards.mending.one_place import import_existing
from drift.guards.text_checks import Subject
from drift.kernel.words import split_parts
from drift.quality.findings import Finding

Edit = Callable[[Subject, Finding], Iterator[tuple[str, str]]]
"""Ways to mend a finding, each as a title and the whole text after it."""

_QUOTED: Final = re.compile(r"Did you mean ([\w$]{1,100})\?")
_PREFIXED: Final = re.compile(r"I[A-Z][a-z]")
_CASINGS: Final[dict[str, Callable[[list[str]], str]]] = {
    "snake_case": lambda words: "_".join(words).lower(),
    "camelCase": lambda words: words[0].lower() + "".join(map(str.capitalize, words[1:])),
    "PascalCase": lambda words: "".join(map(str.capitalize, words)),
    "UPPER_CASE": lambda words: "_".join(words).upper(),
    "SCREAMING_SNAKE_CASE": lambda words: "_".join(words).upper(),
    "kebab-case": lambda words: "-".join(words).lower(),
}


def recased(name: str, casing: str) -> str | None:
    """A name in another casing; None where the casing is none that is known."""
    make = _CASINGS.get(casing)
    words = [word for word in split_parts(name) if word]
    if make is None or not words:
        return None
    lead = name[: len(name) - len(name.lstrip("_"))]
    return lead + make(words)


def wished_name(name: str, dimension: str, expected: str) -> str | None:
    """The name of a symbol as the convention of a dimension wants it; None where it does not tell which."""
    if dimension == "errors/exception-suffix":
        bare = name.removesuffix("Exception").removesuffix("Error")
        return f"{bare}{expected}" if bare and expected in {"Error", "Exception"} else None
    if dimension == "structural/interface-prefix":
        bare = (name[1:] if _PREFIXED.match(name) else name).removesuffix("Interface")
        made = {"prefix": f"I{bare}", "suffix": f"{bare}Interface", "plain": bare}
        return made.get(expected) if bare else None
    if dimension == "structural/private-field":
        bare = name.removeprefix("m_").strip("_")
        made = {"underscore": f"_{bare}", "plain": bare, "m": f"m_{bare}"}
        return made.get(expected) if bare[:1].isalpha() else None
    if dimension == "performance/async-suffix":
        bare = name.removesuffix("Async")
        return {"with": f"{bare}Async", "without": bare}.get(expected) if bare else None
    return recased(name, expected)


def take_real_name(subject: Subject, found: Finding) -> Iterator[tuple[str, str]]:
    """The nearest name that is there in the place of one that nobody has; or the import that brings it."""
    suggestion, evidence = found.suggestion or "", found.evidence or {}
    near = _QUOTED.match(suggestion)
    name = str(evidence.get("name", ""))
    if near and name:
        after = _on_line(subject, found.line, rf"(?<![\w$]){re.escape(name)}(?![\w$])", near[1])
        if after is not None:
            yield f"Call {near[1]}, which is there", after
    elif suggestion and not near:
        yield f"Import {name}", with_import(subject, suggestion)


def add_await(subject: Subject, found: Finding) -> Iterator[tuple[str, str]]:
    """`await` before a call that nobody waits for, in a function that may wait."""
    for one in subject.file.calls():
        scope = subject.file.facts.symbols[one.call.scope]
        if one.call.line != found.line or "async" not in scope.modifiers:
            continue
        line = subject.file.lines[found.line - 1]
        before, called, behind = line.partition(f"{one.call.text}(")
        # As a statement, or as all that a variable is given: a member of it would be that of what is awaited.
        if called and (not before.strip() or before.rstrip().endswith("=")):
            yield (
                f"Wait for {one.call.text}",
                with_line(subject, found.line, f"{before}await {called}{behind}"),
            )


def call_wrapper(subject: Subject, found: Finding) -> Iterator[tuple[str, str]]:
    """The project's own wrapper in the place of what it wraps."""
    if subject.project is None:
        return
    named = str((found.evidence or {}).get("constraint", ""))
    for constraint in wanted(subject.overlay.reader, subject.project, statuses=subject.statuses):
        if constraint.id != named or not constraint.predicate.get("instead"):
            continue
        wrapper = constraint.predicate.get("instead")[0].rpartition("::")[2]
        for one in subject.file.calls():
            if one.call.line == found.line and found.message.endswith(one.call.text):
                after = _on_line(
                    subject,
                    found.line,
                    rf"(?<![\w.$]){re.escape(one.call.text)}(?=\()",
                    wrapper.rpartition(".")[2],
                )
                advice = advise_imports(subject.overlay.reader, subject.root, [wrapper], subject.path)
                if after is not None and advice is not None and advice.statements:
                    brought = "\n".join(advice.statements)
                    yield f"Go through {wrapper}", _insert_import(after, brought)


def add_guard(subject: Subject, found: Finding) -> Iterator[tuple[str, str]]:
    """The guard that stands before routes beside it, as it is written there."""
    dimension = dimension_of(found)
    if dimension and not dimension.startswith("auth/"):
        return
    facts = subject.file.facts
    here = [number for number, one in enumerate(facts.symbols) if found.symbol == subject.file.names[number]]
    if not here:
        return
    symbol = facts.symbols[here[0]]
    own = {each.name for each in symbol.decorators}
    siblings = [
        one
        for one in facts.symbols
        if one.parent == symbol.parent and one.kind == symbol.kind and one is not symbol
    ]
    seen: dict[str, int] = {}
    for one in siblings:
        for each in one.decorators:
            if each.name not in own and "route" not in each.name.lower():
                seen[each.text] = seen.get(each.text, 0) + 1
    for text, _times in sorted(seen.items(), key=lambda each: -each[1]):
        lines = list(subject.file.lines)
        at = _head_of(subject, symbol.line)
        indent = lines[at - 1][: len(lines[at - 1]) - len(lines[at - 1].lstrip())]
        written = text if text.startswith(("@", "[")) else f"@{text}"
        place = symbol.line - 1 if subject.file.facts.language == "python" else at - 1
        lines.insert(place, f"{indent}{written}")
        yield f"Guard it as its neighbours: {written}", "\n".join(lines)


def _head_of(subject: Subject, line: int) -> int:
    while line > 1 and subject.file.lines[line - 2].lstrip().startswith(("@", "[")):
        line -= 1
    return line


def write_import_as_others(subject: Subject, found: Finding) -> Iterator[tuple[str, str]]:
    """An import written as the files around write it: through the alias, absolute, relative."""
    if "import" not in str((found.evidence or {}).get("convention", "")):
        return
    names = [
        each.alias or each.name
        for each in subject.file.facts.imports
        if each.line == found.line and each.name not in {None, "*"}
    ]
    lines = list(subject.file.lines)
    if not names or found.end_line != found.line:
        return
    del lines[found.line - 1]
    advice = advise_imports(
        subject.overlay.reader, subject.root, [name for name in names if name], subject.path
    )
    if advice is not None and advice.statements and not advice.unresolved:
        lines[found.line - 1 : found.line - 1] = list(advice.statements)
        yield "Import it as the files around do", "\n".join(lines)


def with_import(subject: Subject, statement: str) -> str:
    """The text with an import where its others stand."""
    return _insert_import(subject.file.text, statement)


def _insert_import(text: str, statement: str) -> str:
    lines = text.split("\n")
    heads = ("import ", "from ", "use ", "using ", "#include", "const ")
    last = max((n for n, line in enumerate(lines) if line.startswith(heads[:5])), default=None)
    if last is None:
        last = next(
            (
                n - 1
                for n, line in enumerate(lines)
                if not line.startswith(("#", '"""', "//", "<?php", "package", "/*", " *"))
            ),
            -1,
        )
    elif lines[last].rstrip().endswith(("(", "{")):
        last = next((n for n in range(last, len(lines)) if lines[n].lstrip().startswith((")", "}"))), last)
    return "\n".join([*lines[: last + 1], *statement.split("\n"), *lines[last + 1 :]])


def _on_line(subject: Subject, line: int, pattern: str, replacement: str) -> str | None:
    """The text with one place of a line replaced; None where the line has several that fit, or none."""
    old = subject.file.lines[line - 1]
    new, count = re.subn(pattern, lambda _: replacement, old)
    return with_line(subject, line, new) if count == 1 else None


EDITS: Final[dict[str, tuple[Edit, ...]]] = {
    "names/unknown": (take_real_name,),
    "async/not-awaited": (add_await,),
    "duplication/exists": (import_existing,),
    "conventions/deviation": (follow_convention, keep_cause, write_import_as_others, add_guard),
    "constraint/must-propagate": (keep_cause,),
    "constraint/must-wrap": (call_wrapper,),
    "constraint/must-not-have": (call_wrapper,),
    "constraint/must-have": (add_guard,),
    "constraint/must-precede": (add_guard,),
    "security/unguarded-route": (add_guard,),
}
"""What may mend findings of a rule. A rule that is not here gets advice alone."""
