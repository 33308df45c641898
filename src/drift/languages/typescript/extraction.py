"""From source bytes to facts: the survey every language shares, then one walk for meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.comments import Commentary
from drift.languages.completion import completed
from drift.languages.facts import FileFacts, Problem, Symbol
from drift.languages.overruns import LEFT_OUT
from drift.languages.survey import survey
from drift.languages.syntax import SourceText
from drift.languages.typescript import (
    assignments,
    calls,
    classes,
    declarations,
    elements,
    expressions,
    literals,
    modules,
    objects,
    statements,
    types,
)
from drift.languages.typescript.angular_markup import markup_uses
from drift.languages.typescript.angular_templates import COMPONENT, component_import, read_template
from drift.languages.typescript.applications import find_module_rows
from drift.languages.typescript.components import ENDINGS as COMPONENT_ENDINGS
from drift.languages.typescript.files_by_name import note_files_by_name
from drift.languages.typescript.jsdoc import note_typedef_imports, read_documented_types
from drift.languages.typescript.line_ends import parse_script
from drift.languages.typescript.modules import EXPORTS
from drift.languages.typescript.mounts import find_mounts
from drift.languages.typescript.names import Names, settle_bindings, settle_references, settle_symbols
from drift.languages.typescript.page_routes import may_have_pages
from drift.languages.typescript.registrations import find_entry_points
from drift.languages.typescript.test_fixtures import settle_fixtures
from drift.languages.typescript.vocabulary import VOCABULARIES
from drift.languages.typescript.vue_options import ENDING as VUE_ENDING
from drift.languages.typescript.vue_options import settle_options
from drift.languages.typescript.walk import MOST_LEVELS, Measures, Walk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.lines import LineKinds
    from drift.languages.survey import Survey
    from drift.languages.typescript.walk import Handler

_PARTS: Final = (
    assignments, calls, classes, declarations, elements, expressions,
    literals, modules, objects, statements, types,
)  # fmt: skip
_HANDLERS: Final[Mapping[str, Handler]] = {
    node_type: handler for part in _PARTS for node_type, handler in part.HANDLERS.items()
}
_DOC_OPENINGS: Final = ("/**",)
_MOST_PROBLEMS: Final = 20


def extract_template(source: bytes, path: str) -> FileFacts:
    """The facts of a template of Angular, whose names are members of its component."""
    template = read_template(source)
    return extract_with(
        "typescript",
        template.source,
        path,
        language="typescript",
        template_names=template.declared,
        markup=tuple(markup_uses(source)),
    )


def extract_with(
    grammar: str,
    source: bytes,
    path: str,
    *,
    language: str,
    template_names: frozenset[str] | None = None,
    markup: tuple[tuple[int, Expression], ...] = (),
) -> FileFacts:
    """The facts of a file that one of the three grammars reads; `template_names` where it is a template of Angular.

    `markup` are the names that a template uses outside of expressions.
    """
    text = SourceText(source)
    tree = parse_script(grammar, source)
    seen = survey(tree, text, VOCABULARIES[grammar])
    lines, comments = seen.line_kinds(), Commentary(text, seen.comments)
    measures = Measures(
        complexity_of=lambda node: seen.complexity_of(node, lines),
        take_doc=lambda line: comments.take_doc(line, _DOC_OPENINGS),
    )
    walk = Walk(text, _HANDLERS, measures)
    walk.has_pages = may_have_pages(source)
    if template_names is not None:
        walk.component, walk.template_names = ("name", COMPONENT), template_names
        walk.imports.append(component_import(path))
        walk.reads += [(0, place, target, "value") for place, target in markup]
    root = tree.root_node
    walk.symbols.append(
        Symbol(
            kind="module",
            name=_stem(path) if template_names is None else path.rpartition("/")[2],
            parent=0,
            line=1,
            column=0,
            end_line=max(1, lines.code_lines + lines.comment_lines + lines.blank_lines),
            start_byte=0,
            end_byte=len(source),
            complexity=seen.complexity_of(root, lines),
        )
    )
    walk.visit_children(root)
    walk.visit_deferred()
    settle_fixtures(walk)
    if path.endswith(VUE_ENDING):
        settle_options(walk)
    if path.endswith(COMPONENT_ENDINGS) and not any(one.name == "default" for one in walk.stores):
        walk.store(EXPORTS, "default", ("symbol", 0), node=root)  # the component is the file
    walk.mounts += find_module_rows(walk, root)
    note_files_by_name(walk, root, path)
    walk.symbols[0] = walk.symbols[0]._replace(doc=_file_doc(walk, root))
    facts = _gather(walk, seen, lines, comments=comments, language=language, path=path)
    return completed(facts, grammar, root=root, text=text)


def _file_doc(walk: Walk, root: Node) -> str:
    """The doc comment at the head of a file, unless it is right above a declaration and so speaks of that."""
    children = [child for child in root.named_children[:4] if child.type != "hash_bang_line"]
    if not children or children[0].type != "comment":
        return ""
    below = walk.text.line_of(children[0].end_byte) + 1  # the line after the comment
    is_next_to_code = len(children) > 1 and walk.line_of(children[1]) == below
    if is_next_to_code and children[1].type not in {"import_statement", "comment"}:
        return ""
    return walk.measures.take_doc(below)


def _stem(path: str) -> str:
    """What a module is called: its file's name up to the extension, `users.test` for users.test.ts."""
    return path.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or path


def _gather(
    walk: Walk, seen: Survey, lines: LineKinds, *, comments: Commentary, language: str, path: str
) -> FileFacts:
    if language == "javascript":
        note_typedef_imports(walk)
    names = Names(walk)
    symbols = settle_symbols(walk, names)
    if language == "javascript":
        symbols = tuple(
            read_documented_types(symbol, lambda name: names.is_worth_noting(0, name)) for symbol in symbols
        )
    return FileFacts(
        language=language,
        code_lines=lines.code_lines,
        comment_lines=lines.comment_lines,
        blank_lines=lines.blank_lines,
        symbols=symbols,
        imports=tuple(walk.imports),
        calls=tuple(walk.calls),
        accesses=tuple(walk.accesses.values()),
        bindings=settle_bindings(walk, names),
        stores=tuple(walk.stores),
        returns=tuple(walk.returns),
        references=settle_references(walk, names, sees_more=path.endswith(VUE_ENDING)),
        constants=tuple(walk.constants),
        environment_reads=tuple(walk.environment_reads),
        comments=comments.facts(),
        handlings=tuple(walk.handlings),
        elements=tuple(walk.elements),
        markup_bindings=tuple(walk.markup_bindings),
        entry_points=find_entry_points(walk, names, path),
        mounts=find_mounts(walk),
        fingerprints=seen.fingerprints(),
        problems=_problems(walk, seen),
    )


def _problems(walk: Walk, seen: Survey) -> tuple[Problem, ...]:
    problems = seen.problems()
    if walk.cut_line is None:
        return problems
    message = f"nested deeper than {MOST_LEVELS} levels: what is inside {LEFT_OUT}"
    return (*problems[: _MOST_PROBLEMS - 1], Problem(walk.cut_line, message))
