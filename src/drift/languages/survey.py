"""One look at every node of a tree, for what all languages measure alike.

The survey gives complexity by function, fingerprints, line kinds, comments and syntax problems. It walks
with an explicit stack, so no nesting is too deep for it; a language's own walk is left with meaning.
"""

from __future__ import annotations

from bisect import bisect_right
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
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node, Tree

_COMMENT: Final = -int(Role.COMMENT)
_MEASURED: Final = -int(Role.MEASURED)

# What the end of a node undoes.
_NOTHING: Final = 0
_NESTING: Final = 1
_FUNCTION: Final = 2

_make: Final = tuple.__new__  # a named tuple's own constructor costs three times as much


@dataclass(slots=True)
class _Frame:
    """A function being measured. Tokens and operands are counted from the first to the one after the last."""

    first_token: int
    first_operand: int
    cyclomatic: int = 1
    cognitive: int = 0
    nesting: int = 0
    max_nesting: int = 0
    last_token: int = 0
    last_operand: int = 0

    def nest(self) -> None:
        self.nesting += 1
        self.max_nesting = max(self.max_nesting, self.nesting)


@dataclass(slots=True)
class Survey:
    """What the walk saw. `codes` and `tokens` are parallel; operands are texts of identifiers and literals."""

    text: SourceText
    root: Node  # nodes keep their children: a walk from this one pays for no node twice
    codes: bytearray = field(default_factory=bytearray)
    tokens: list[Node] = field(default_factory=list)
    operands: list[bytes] = field(default_factory=list)
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
        starts, tokens = self.text.line_starts, self.tokens
        return tuple(
            [
                _make(
                    Fingerprint,
                    (
                        value,
                        bisect_right(starts, tokens[first].start_byte),
                        bisect_right(starts, tokens[last].start_byte),
                    ),
                )
                for value, first, last in winnow(bytes(self.codes))
            ]
        )

    def complexity_of(self, node: Node, lines: LineKinds) -> Complexity | None:
        """The measures of a function node (or the root); None for a node that is not measured."""
        frame = self._frames.get(node.id)
        if frame is None:
            return None
        kinds = set(self.codes[frame.first_token : frame.last_token])
        operand_count = frame.last_operand - frame.first_operand
        line_of, start = self.text.line_of, node.start_byte
        return Complexity(
            frame.cyclomatic,
            frame.cognitive,
            frame.max_nesting,
            lines.code_between(line_of(start), line_of(max(start, node.end_byte - 1))),
            operators=frame.last_token - frame.first_token - operand_count,
            distinct_operators=len(kinds) - (IDENTIFIER_CODE in kinds) - (LITERAL_CODE in kinds),
            operands=operand_count,
            distinct_operands=len(set(self.operands[frame.first_operand : frame.last_operand])),
        )

    def open_frame(self, node: Node) -> _Frame:
        frame = self._frames[node.id] = _Frame(len(self.tokens), len(self.operands))
        return frame

    def close_frame(self, frame: _Frame) -> None:
        frame.last_token, frame.last_operand = len(self.tokens), len(self.operands)


def survey(tree: Tree, text: SourceText, vocabulary: Vocabulary) -> Survey:
    """Look at every node of `tree` once."""
    return _Walk(tree.root_node, text, compile_kinds(vocabulary), vocabulary.default_cases).run()


class _Walk:
    """The state of one survey: the children still to look at, level by level, and what a level's end undoes."""

    __slots__ = ("_continued", "_default_cases", "_frames", "_kinds", "_root", "_seen")

    def __init__(self, root: Node, text: SourceText, kinds: KindTable, default_cases: frozenset[str]) -> None:
        self._root = root
        self._kinds = kinds
        self._default_cases = default_cases
        self._seen = Survey(text, root)
        self._frames: list[_Frame] = []
        self._continued: set[int] = set()  # ids of nodes whose cost was counted with what stands before them

    def run(self) -> Survey:  # noqa: C901 - the one loop over every node: calls in it would double its cost
        seen = self._seen
        source = seen.text.source
        # Only where something is broken can a token be empty that its grammar gives a width.
        outlook = self._kinds.wary_outlook if self._root.has_error else self._kinds.outlook
        codes = self._kinds.codes
        add_code, add_token, add_operand = seen.codes.append, seen.tokens.append, seen.operands.append
        self._open_root()
        children, undo = iter(self._root.children), _NOTHING
        levels: list[tuple[Iterator[Node], int]] = []
        while True:
            for node in children:
                kind = node.kind_id
                code = outlook[kind]
                if code > 0:
                    add_code(code)
                    add_token(node)
                    continue
                later = _NOTHING
                if code == _MEASURED:
                    later = self._measure(node, kind)
                elif code:
                    parts = self._take_whole(node, code)
                    if not parts:
                        continue
                    levels.append((children, undo))
                    children, undo = iter(parts), _NOTHING
                    break
                if node.child_count:
                    levels.append((children, undo))
                    children, undo = iter(node.children), later
                    break
                start, end = node.start_byte, node.end_byte
                if start == end:
                    self._note_missing(node)
                    continue
                code = codes[kind]
                add_code(code)
                add_token(node)
                if code == IDENTIFIER_CODE:
                    add_operand(source[start:end])
            else:
                if undo:
                    self._leave(undo)
                if not levels:
                    seen.close_frame(self._frames.pop())
                    return seen
                children, undo = levels.pop()

    def _open_root(self) -> None:
        self._frames.append(self._seen.open_frame(self._root))
        if self._root.kind_id == ERROR_KIND:
            self._seen.broken.append(self._root)

    def _take_whole(self, node: Node, outlook: int) -> list[Node]:
        """Note a comment or a literal: one thing, whatever is inside, but for the code that comes back."""
        seen, start, end = self._seen, node.start_byte, node.end_byte
        if outlook == _COMMENT:
            seen.comments.append((start, end))
            return []
        written = seen.text.source[start:end]
        seen.codes.append(LITERAL_CODE)
        seen.tokens.append(node)
        seen.operands.append(written)
        wanted = self._kinds.interpolations
        # Code in a string begins with one of these in every language; the others need no look at their parts.
        if wanted and (b"{" in written or b"$" in written):
            return [child for child in node.children if child.kind_id in wanted]
        return []

    def _note_missing(self, node: Node) -> None:
        if node.is_missing:
            self._seen.broken.append(node)

    def _leave(self, undo: int) -> None:
        if undo == _FUNCTION:
            self._seen.close_frame(self._frames.pop())
        else:
            self._frames[-1].nesting -= 1

    def _measure(self, node: Node, kind: int) -> int:
        """Note a node that matters to complexity; what is to undo when it is left comes back."""
        if kind == ERROR_KIND:
            self._seen.broken.append(node)
        elif not node.child_count:
            if kind in self._kinds.continuations:
                self._frames[-1].cognitive += 1
            elif kind in self._kinds.decisions:
                self._frames[-1].cyclomatic += 1
        elif kind in self._kinds.functions:
            self._frames.append(self._seen.open_frame(node))
            return _FUNCTION
        else:
            return self._count(node, kind, self._frames[-1])
        return _NOTHING

    def _count(self, node: Node, kind: int, frame: _Frame) -> int:
        kinds = self._kinds
        is_continuation = kind in kinds.continuations
        frame.cyclomatic += self._weigh_decision(node, kind)
        if kind in kinds.logical_expressions:
            self._count_logical(node, frame)
        if is_continuation or (kind in kinds.jumps and node.named_child_count):
            frame.cognitive += 1
        if is_continuation or kind in kinds.ifs:
            self._mark_else_ifs(node, is_clause=is_continuation)
        if kind in kinds.structures:
            if node.id in self._continued:
                return _NOTHING
            frame.cognitive += 1 + frame.nesting
        elif kind not in kinds.nesting:
            return _NOTHING
        frame.nest()
        return _NESTING

    def _weigh_decision(self, node: Node, kind: int) -> int:
        """What a node adds to the decisions: of cases that all are counted, what is around them takes one back."""
        kinds = self._kinds
        if kind in kinds.decisions:
            return not (kind in kinds.cases and self._is_default(node))
        if (field_name := kinds.decisions_with.get(kind)) is not None:
            return node.child_by_field_name(field_name) is not None
        if kind in kinds.exhaustive and any(
            child.kind_id in kinds.decisions for child in node.named_children
        ):
            return -1
        return 0

    def _is_default(self, node: Node) -> bool:
        """Whether a case is what is left when no other fits: `default:`, or a pattern that takes all."""
        if node.children[0].kind_id in self._kinds.default_token:
            return True
        if not self._default_cases or not node.named_child_count:
            return False
        return self._seen.text.brief(node.named_children[0], 20) in self._default_cases

    def _count_logical(self, node: Node, frame: _Frame) -> None:
        """Each operator decides; a run of equal ones, read from left to right, costs a reader once."""
        if self._logical_operator(node) is None:
            return
        frame.cyclomatic += 1
        if node.id in self._continued:
            return
        run = None
        for operator in self._operators_in(node):
            if operator != run and operator not in self._kinds.default_operators:
                frame.cognitive += 1
            run = operator

    def _operators_in(self, node: Node) -> Iterator[int]:
        """The logical operators of an expression in the order of the text; the expressions in it are marked."""
        kinds = self._kinds
        waiting: list[Node | int] = [node]
        while waiting:
            one = waiting.pop()
            if isinstance(one, int):
                yield one
            elif one.kind_id in kinds.transparent:
                waiting.extend(one.named_children)
            elif one.kind_id in kinds.logical_expressions and self._logical_operator(one) is not None:
                self._continued.add(one.id)
                for child in reversed(one.children):
                    is_operator = child.kind_id in kinds.logical_operators
                    waiting.append(child.kind_id if is_operator else child)

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
