"""One look at every node of a tree, for what all languages measure alike.

The survey gives complexity by function, fingerprints, line kinds, comments and syntax problems. It walks
with an explicit stack, so no nesting is too deep for it; a language's own walk is left with meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Complexity, Fingerprint, Problem
from drift.languages.fingerprints import winnow
from drift.languages.lines import LineKinds
from drift.languages.syntax import SourceText, describe_problems
from drift.languages.vocabulary import (
    ERROR_KIND,
    IDENTIFIER_CODE,
    LITERAL_CODE,
    KindTable,
    Role,
    Vocabulary,
    compile_kinds,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node, Tree

_COMMENT: Final = int(Role.COMMENT)
_MEASURED: Final = int(Role.MEASURED)


@dataclass(slots=True)
class _Frame:
    """A function being measured."""

    node: Node
    first_token: int
    cyclomatic: int = 1
    cognitive: int = 0
    nesting: int = 0
    max_nesting: int = 0
    last_token: int = 0

    def nest(self) -> None:
        self.nesting += 1
        self.max_nesting = max(self.max_nesting, self.nesting)


@dataclass(slots=True)
class Survey:
    """What the walk saw. Tokens are parallel lists; `frames` ends with the file itself."""

    text: SourceText
    root: Node  # nodes keep their children: a walk from this one pays for no node twice
    codes: bytearray = field(default_factory=bytearray)
    starts: list[int] = field(default_factory=list)
    operands: list[bytes | None] = field(default_factory=list)  # None for an operator
    comments: list[tuple[int, int]] = field(default_factory=list)  # byte spans
    broken: list[Node] = field(default_factory=list)
    _frames: dict[int, _Frame] = field(default_factory=dict)  # by node id

    def problems(self) -> tuple[Problem, ...]:
        """Places the parser could not make sense of, at most twenty."""
        return describe_problems(self.broken, self.text)

    def line_kinds(self, docs: Iterable[tuple[int, int]] = ()) -> LineKinds:
        """Code, comment and blank lines; `docs` are further spans that count as comment."""
        return LineKinds(self.text, [*self.comments, *docs])

    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """Winnowed hashes of the file's tokens, with the lines they span."""
        line_of, starts = self.text.line_of, self.starts
        return tuple(
            Fingerprint(value, line_of(starts[first]), line_of(starts[last]))
            for value, first, last in winnow(bytes(self.codes))
        )

    def complexity_of(self, node: Node, lines: LineKinds) -> Complexity | None:
        """The measures of a function node (or the root); None for a node that is not measured."""
        frame = self._frames.get(node.id)
        if frame is None:
            return None
        first, last = frame.first_token, frame.last_token
        codes = self.codes[first:last]
        operand_count = codes.count(IDENTIFIER_CODE) + codes.count(LITERAL_CODE)
        line_of = self.text.line_of
        return Complexity(
            cyclomatic=frame.cyclomatic,
            cognitive=frame.cognitive,
            max_nesting=frame.max_nesting,
            code_lines=lines.code_between(
                line_of(node.start_byte), line_of(max(node.start_byte, node.end_byte - 1))
            ),
            operators=len(codes) - operand_count,
            distinct_operators=len(set(codes) - {IDENTIFIER_CODE, LITERAL_CODE}),
            operands=operand_count,
            distinct_operands=len(set(self.operands[first:last]) - {None}),
        )

    def open_frame(self, node: Node) -> _Frame:
        frame = self._frames[node.id] = _Frame(node, len(self.starts))
        return frame


def survey(tree: Tree, text: SourceText, vocabulary: Vocabulary) -> Survey:
    """Look at every node of `tree` once."""
    return _Walk(tree.root_node, text, compile_kinds(vocabulary), vocabulary.default_cases).run()


class _Walk:
    """The state of one survey: a stack of nodes, and beside it what to undo when a node is left."""

    __slots__ = ("_continued", "_default_cases", "_frames", "_kinds", "_leaving", "_root", "_seen", "_stack")

    def __init__(self, root: Node, text: SourceText, kinds: KindTable, default_cases: frozenset[str]) -> None:
        self._root = root
        self._kinds = kinds
        self._default_cases = default_cases
        self._seen = Survey(text, root)
        self._stack: list[Node | None] = []
        self._leaving: list[bool] = []  # for each None on the stack: whether a function ends there
        self._frames: list[_Frame] = []
        self._continued: set[int] = set()  # ids of nodes whose cost was counted with what stands before them

    def run(self) -> Survey:
        seen, stack = self._seen, self._stack
        roles, codes = self._kinds.roles, self._kinds.codes
        source = seen.text.source
        add_code, add_start, add_operand = seen.codes.append, seen.starts.append, seen.operands.append
        self._frames.append(seen.open_frame(self._root))
        stack.extend(reversed(self._root.children))
        while stack:
            node = stack.pop()
            if node is None:
                self._leave()
                continue
            kind = node.kind_id
            role = roles[kind]
            if role == _MEASURED:
                self._measure(node, kind)
            elif role:
                self._take_whole(node, role)
                continue
            if node.child_count:
                stack += node.children[::-1]
                continue
            start, end = node.start_byte, node.end_byte
            if start == end:
                self._note_missing(node)
                continue
            code = codes[kind]
            add_code(code)
            add_start(start)
            add_operand(source[start:end] if code == IDENTIFIER_CODE else None)
        self._frames.pop().last_token = len(seen.starts)
        return seen

    def _take_whole(self, node: Node, role: int) -> None:
        """A comment or a literal: one thing, whatever is inside, but for code that a string holds."""
        seen, start, end = self._seen, node.start_byte, node.end_byte
        if role == _COMMENT:
            seen.comments.append((start, end))
            return
        seen.codes.append(LITERAL_CODE)
        seen.starts.append(start)
        seen.operands.append(seen.text.source[start:end])
        wanted = self._kinds.interpolations
        if wanted and node.child_count:
            self._stack += [child for child in reversed(node.children) if child.kind_id in wanted]

    def _note_missing(self, node: Node) -> None:
        if node.is_missing:
            self._seen.broken.append(node)

    def _leave(self) -> None:
        if self._leaving.pop():
            self._frames.pop().last_token = len(self._seen.starts)
        else:
            self._frames[-1].nesting -= 1

    def _undo_later(self, *, is_function: bool) -> None:
        self._stack.append(None)
        self._leaving.append(is_function)

    def _measure(self, node: Node, kind: int) -> None:
        """Note a node that matters to complexity, and what to undo when it is left."""
        if kind == ERROR_KIND:
            self._seen.broken.append(node)
        elif not node.child_count:
            if kind in self._kinds.continuations:
                self._frames[-1].cognitive += 1
        elif kind in self._kinds.functions:
            self._frames.append(self._seen.open_frame(node))
            self._undo_later(is_function=True)
        else:
            self._count(node, kind, self._frames[-1])

    def _count(self, node: Node, kind: int, frame: _Frame) -> None:
        kinds = self._kinds
        is_continuation = kind in kinds.continuations
        if kind in kinds.decisions and not self._is_default(node):
            frame.cyclomatic += 1
        if kind in kinds.logical_expressions:
            self._count_logical(node, frame)
        if is_continuation or (kind in kinds.jumps and node.named_child_count):
            frame.cognitive += 1
        if is_continuation or kind in kinds.ifs:
            self._mark_else_ifs(node, is_clause=is_continuation)
        if kind in kinds.structures:
            if node.id in self._continued:
                return
            frame.cognitive += 1 + frame.nesting
        if kind in kinds.structures or kind in kinds.nesting:
            frame.nest()
            self._undo_later(is_function=False)

    def _is_default(self, node: Node) -> bool:
        if not self._default_cases or node.kind_id not in self._kinds.cases or not node.named_child_count:
            return False
        first = node.named_children[0]
        return self._seen.text.brief(first, 20) in self._default_cases

    def _count_logical(self, node: Node, frame: _Frame) -> None:
        operator = self._logical_operator(node)
        if operator is None:
            return
        frame.cyclomatic += 1
        if node.id not in self._continued:
            frame.cognitive += 1
        for child in node.children:
            if child.kind_id in self._kinds.logical_expressions and self._logical_operator(child) == operator:
                self._continued.add(child.id)

    def _logical_operator(self, node: Node) -> int | None:
        wanted = self._kinds.logical_operators
        return next((child.kind_id for child in node.children if child.kind_id in wanted), None)

    def _mark_else_ifs(self, node: Node, *, is_clause: bool) -> None:
        """Note the `if` that an else leads to. A plain `if (a) if (b)` leads to none."""
        is_after_else = is_clause
        for child in node.children:
            kind = child.kind_id
            if kind in self._kinds.else_token:
                is_after_else = True
            elif is_after_else and kind in self._kinds.ifs:
                self._continued.add(child.id)
