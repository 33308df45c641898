"""The facts of a Python file: parse, survey, walk, and put together."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from drift.languages.comments import Commentary
from drift.languages.completion import completed
from drift.languages.facts import Complexity, EntryPoint, FileFacts, Import, Problem, Reference, Symbol
from drift.languages.overruns import CUT_SHORT, LEFT_OUT, describe_overrun
from drift.languages.python.functions import take_doc
from drift.languages.python.measures import VOCABULARY
from drift.languages.python.mounts import note_router_prefixes
from drift.languages.python.notebooks import ENDING as NOTEBOOKS
from drift.languages.python.notebooks import notebook_source
from drift.languages.python.recovery import parse_recovering
from drift.languages.python.registrations import resolve_registrations
from drift.languages.python.statements import STATEMENT_HANDLERS
from drift.languages.python.values import VALUE_HANDLERS
from drift.languages.python.walk import BUILTINS, MOST_LEVELS, Draft, Walk
from drift.languages.survey import Survey, survey
from drift.languages.syntax import SourceText
from drift.languages.vocabulary import NODE_KINDS, kind_numbers

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.lines import LineKinds
    from drift.languages.python.walk import Handler

_MOST_PROBLEMS: Final = 20


def extract(source: bytes, path: str) -> FileFacts:
    """All that a Python file says; never fails, whatever the bytes.

    Symbols begin at `def` or `class`, not at their decorators. Comprehension variables are bound in the
    scope around them. `self.x = …` makes x a field of the class. `with … as` and `d[k] = v` are implicit
    calls. Doc strings count as comment lines.
    """
    notebook = notebook_source(source) if path.endswith(NOTEBOOKS) else source
    source = notebook or b""
    text = SourceText(source)
    tree, recovered = parse_recovering(source)
    seen = survey(tree, text, VOCABULARY)
    problems = seen.problems() if notebook is not None else (Problem(1, "this is no notebook"),)
    if recovered is not None:
        seen = survey(recovered, text, VOCABULARY)
    root = seen.root
    walk = Walk(text, path, _handlers())
    walk.drafts.append(Draft("module", _module_name(path), 0, root))
    walk.drafts[0].doc = take_doc(walk, root)
    overrun = _walk_whole(walk, root)
    if path.replace("\\", "/").rpartition("/")[2] == "__main__.py":
        walk.entry_points.append(EntryPoint(0, "main", "__main__", 1))
    facts = _assemble(walk, seen, seen.line_kinds(walk.doc_spans))
    facts = facts._replace(problems=(*overrun, *_problems(walk, problems)))
    return completed(facts, "python", root=root, text=text)


def _walk_whole(walk: Walk, root: Node) -> tuple[Problem, ...]:
    """Gather what the file says; what was found is kept where that takes too much, which is the problem then."""
    try:
        walk.visit_children(root)
        resolve_registrations(walk)
        note_router_prefixes(walk)
    except CUT_SHORT as error:
        last_line = max((call.line for call in walk.calls), default=1)
        return (Problem(last_line, f"{describe_overrun(error)}: what follows {LEFT_OUT}"),)
    return ()


@cache
def _handlers() -> list[Handler]:
    numbers = kind_numbers("python")
    handlers: list[Handler] = [_visit_inside] * NODE_KINDS
    for name, handler in {**VALUE_HANDLERS, **STATEMENT_HANDLERS}.items():
        # A keyword and a named node may share a type; only nodes with meaning are ever visited.
        for number in numbers[name]:
            handlers[number] = handler
    return handlers


def _visit_inside(walk: Walk, node: Node) -> Expression:
    """A node that says nothing by itself."""
    if node.child_count:
        walk.visit_children(node)
    return None


def _assemble(walk: Walk, seen: Survey, lines: LineKinds) -> FileFacts:
    return FileFacts(
        language="python",
        code_lines=lines.code_lines,
        comment_lines=lines.comment_lines,
        blank_lines=lines.blank_lines,
        symbols=tuple([_symbol(walk, draft, seen, lines=lines) for draft in walk.drafts]),
        imports=tuple([_exported_import(walk, found) for found in walk.imports]),
        calls=tuple(walk.calls),
        accesses=walk.accesses(),
        bindings=tuple(walk.bindings),
        stores=tuple(walk.stores),
        returns=tuple(walk.returns),
        references=_kept_references(walk),
        constants=tuple(walk.constants),
        environment_reads=tuple(walk.environment_reads),
        comments=Commentary(walk.text, seen.comments).facts(),
        handlings=tuple(walk.handlings),
        entry_points=tuple(walk.entry_points),
        mounts=tuple(walk.mounts),
        fingerprints=seen.fingerprints(),
    )


def _symbol(walk: Walk, draft: Draft, seen: Survey, *, lines: LineKinds) -> Symbol:
    node = draft.node
    # tree-sitter starts the root at the first token; the file begins where it begins.
    is_module = draft.kind == "module"
    start = 0 if is_module else node.start_byte
    end = len(walk.source) if is_module else node.end_byte
    line = walk.text.line_of(start)
    fields = (
        draft.kind,
        draft.name,
        draft.parent,
        line,
        start - walk.text.line_start(line),
        walk.text.line_of(max(start, end - 1)),
        start,
        end,
        draft.signature,
        draft.parameters,
        draft.return_text,
        draft.return_type,
        draft.decorators,
        draft.bases,
        _visibility(draft.name, is_member=draft.kind != "module" and draft.parent != 0),
        _modifiers(walk, draft),
        draft.doc,
        draft.value_type,
        _complexity(draft, seen, node, lines),
    )
    symbol: Symbol = tuple.__new__(Symbol, fields)  # many, and its own constructor costs three times as much
    return symbol


def _complexity(draft: Draft, seen: Survey, node: Node, lines: LineKinds) -> Complexity | None:
    if draft.kind in {"function", "method", "constructor", "property", "module"}:
        return seen.complexity_of(node, lines)
    return None


def _modifiers(walk: Walk, draft: Draft) -> tuple[str, ...]:
    found = draft.modifiers
    if not draft.parent and draft.kind != "module" and draft.name != "<lambda>":
        is_exported = not draft.name.startswith("_") if walk.exports is None else draft.name in walk.exports
        found = found | {"exported"} if is_exported else found
    return tuple(sorted(found)) if found else ()


def _visibility(name: str, *, is_member: bool) -> str:
    if not name.startswith("_") or (name.startswith("__") and name.endswith("__")):
        return "public"
    return "protected" if is_member and not name.startswith("__") else "private"


def _exported_import(walk: Walk, found: Import) -> Import:
    """Mark what the file passes on: listed in `__all__`, imported as itself, or public in an `__init__`."""
    if found.scope or found.is_type_only or (found.alias is None and found.name != "*"):
        return found
    name = found.alias or ""
    is_package = walk.path.replace("\\", "/").rpartition("/")[2] in {"__init__.py", "__init__.pyi"}
    if name and walk.exports is not None:
        is_reexport = name in walk.exports
    elif found.name == "*":
        is_reexport = is_package or walk.exports is None
    else:
        is_reexport = is_package and not name.startswith("_") and found.name is not None
    return found._replace(is_reexport=True) if is_reexport else found


def _kept_references(walk: Walk) -> tuple[Reference, ...]:
    """Without those that only name a built-in of the language."""
    own = walk.frame.names | {found.alias for found in walk.imports if found.alias}
    noise = BUILTINS - own
    return tuple(
        [
            reference
            for reference in walk.references
            if not ((target := reference[3]) is not None and target[0] == "name" and target[1] in noise)
        ]
    )


def _problems(walk: Walk, problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    if walk.cut_line is None:
        return problems
    message = f"nested deeper than {MOST_LEVELS} levels: what is inside {LEFT_OUT}"
    return (*problems[: _MOST_PROBLEMS - 1], Problem(walk.cut_line, message))


def _module_name(path: str) -> str:
    """The file's own name as a module, the folder's for an `__init__`."""
    parts = path.replace("\\", "/").split("/")
    name = parts[-1].rpartition(".")[0] or parts[-1]
    return parts[-2] if name == "__init__" and len(parts) > 1 else name
