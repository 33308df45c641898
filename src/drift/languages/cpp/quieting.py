"""Reading past macros that no parser can know.

`class API Foo {` or a line `BEGIN_NAMESPACE` makes a parser lose its way. When a file has syntax problems,
words in capitals in such places are blanked, byte for byte, and the reading with fewer problems is taken.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from drift.languages.cpp.declaring_macros import blanked, find_declaring_uses
from drift.languages.cpp.listed_conditions import find_listed_conditions
from drift.languages.cpp.macros import MASKED_SLASH
from drift.languages.cpp.open_conditions import find_open_conditions
from drift.languages.cpp.openings import find_openings
from drift.languages.cpp.walk import CppWalk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_C_ONLY: Final = (".c",)
_HEADERS: Final = (".h",)
_CPP_SIGNS = re.compile(
    rb"^[ \t]*(?:class|namespace|template|using)\b|\b(?:public|private|protected)\s*:|\bstd::|\bconstexpr\b"
    rb"|\bvirtual\b|\boperator\s*[=<>+\-*/(\[]|\bstatic_cast\b|\bnoexcept\b",
    re.MULTILINE,
)
_LINKAGE_GUARD = re.compile(
    rb"^[ \t]*#[ \t]*if(?=[^\n]*\b__cplusplus\b)[^\n]*+\n(?:[ \t]*(?:extern[ \t]+\"C\"[ \t]*\{|\}[^\n]*)?\r?\n)*"
    rb"[ \t]*#[ \t]*endif[^\n]*",
    re.MULTILINE,
)
_EXTERN_C = re.compile(rb"^(?=[^\n]*__cplusplus)[^\n]*+\n(?:[^#\n][^\n]*\n|\n)*", re.MULTILINE)
_CAPITALS: Final = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+"
_GIVEN: Final = rb"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"  # parentheses up to three deep
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?:el)?if[ \t]+((?:[^\n\\]|\\\r?\n|\\)*)", re.MULTILINE)
_ATTRIBUTE: Final = rb"(?:\[\[[^\]\n]*\]\]\s*)?"
_CLASS_MACRO = re.compile(
    rb"\bclass[ \t]+([A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?)(?=\s+"
    + _ATTRIBUTE
    + rb"[A-Za-z_]\w*\s*(?:final\s*)?[:{;<])"
)
# `struct TIME_VALUE now;` declares a variable.
_STRUCT_MACRO = re.compile(
    rb"\b(?:struct|union)[ \t]+("
    + _CAPITALS
    + rb"(?:\([^()\n]*\))?)(?=\s+"
    + _ATTRIBUTE
    + rb"[A-Za-z_]\w*\s*(?:final\s*)?[:{<])"
)
_LINE_MACRO = re.compile(rb"^[ \t]*(" + _CAPITALS + rb"(?:" + _GIVEN + rb")?)[ \t]*\r?$", re.MULTILINE)
# `LIB_NAMESPACE_START` before a block at the margin: a namespace by another name, of which the block is read alone.
_SPACE_MACRO = re.compile(
    rb"^([A-Z][A-Z0-9]*_(?=[A-Z0-9_]{9})(?=[A-Z0-9_]{0,60}(?:NAMESPACE|BEGIN))[A-Z0-9_]+)(?=[ \t]*\r?\n?\{)",
    re.MULTILINE,
)
_LINKAGE: Final = b'extern "C"'  # a block that is no scope of its own
_BEFORE_KEYWORD = re.compile(
    rb"(?<![\w#.>])("
    + _CAPITALS
    + rb"(?:\([^()\n]*\))?)(?=\s+(?:auto|void|int|bool|char|unsigned|double|float"
    rb"|long|inline|static|explicit|virtual|constexpr|template|friend|operator|typedef|extern|class|struct"
    rb"|enum|std::)\b)"
)
# Words that projects put into the names of macros which only annotate.
_ANNOTATION_NAME: Final = (
    rb"(?:[A-Z0-9]+_)+(?:API|CAPI|ATTR|ATTRIBUTE|CALL|CALLCONV|CC|CDECL|COLD|CONSTEXPR|CONSTEXPR\d+|CONSTEVAL|DECL|DEPRECATED"
    rb"|EXPORT|EXTERN|FUNC|HOT|INLINE|LIFETIMEBOUND|NODISCARD|NOEXCEPT|NOINLINE|NORETURN|OVERRIDE|PUBLIC|RESTRICT"
    rb"|STATIC|STDCALL|UNUSED|VISIBILITY)_?(?:\([^()\n]*\))?"
)
_BEFORE_NAME = re.compile(rb"(?<![\w#.>])(" + _ANNOTATION_NAME + rb")(?=\s+(?:[A-Za-z_~]|::))")
# `API_INLINE(int) name(`: the macro is given the type, and the grammar knows how to read it.
_TYPE_GIVEN = re.compile(_CAPITALS + rb"\([A-Za-z_][\w \t*]*\)\s+[A-Za-z_]\w*\s*\(")
_AFTER_PARAMETERS = re.compile(rb"\)\s*(" + _ANNOTATION_NAME + rb")(?=\s*[;{:])")
# `void run() const EXCLUSIVE_LOCKS_REQUIRED(mutex) {`, which is no `while (is_open) FOR_EACH(item) {`.
_AFTER_SIGNATURE: Final = rb"\)(?:\s*(?:const|final|noexcept|override)\b)*\s*("
_BEFORE_BODY = re.compile(_AFTER_SIGNATURE + _CAPITALS + rb"(?:" + _GIVEN + rb")?)(?=\s*\{)")
_STATEMENT = re.compile(rb"[\s}]*(?:else\s+)?(?:for|if|switch|while)\b")
_LOCK_NOTE = re.compile(
    _AFTER_SIGNATURE
    + rb"(?:[A-Z0-9]+_)*(?:ACQUIRE|EXCLUDES|LOCKS?_EXCLUDED|LOCKS?_REQUIRED|LOCK_RETURNED|RELEASE"
    rb"|REQUIRES|(?:UN)?LOCK_FUNCTION)\([^()\n]*\))(?=\s*;)"
)
# `Queue waiting GUARDED_BY(mutex);`
_FIELD_NOTE = re.compile(
    rb"\w\s+((?:[A-Z]+_)*(?:ACQUIRED_(?:AFTER|BEFORE)|GUARDED_BY)_?\([^()\n]*\))(?=\s*[;={])"
)
# What a pointer may be, said between its star and its name.
_POINTER_NOTE = re.compile(
    rb"[*&>]\s*((?:[a-z]+_)?(?:nonnull|nullable|nullability_unknown)|_Nonnull|_Nullable|_Null_unspecified)\b"
)
# `DEFINE_FLAG(int, limit, 3);` at the margin: no call takes a type, and the parser drops what follows with it.
_TYPE_STATEMENT = re.compile(
    rb"^("
    + _CAPITALS
    + rb"\(\s*(?:bool|char|const|double|enum|float|int|long|short|std::|struct|unsigned|void)\b(?:[^()]|"
    + _GIVEN
    + rb")*\))(?=[ \t]*;)",
    re.MULTILINE,
)
# `char * near_call` at the margin, and the function's name behind it: no C has two names there.
_CONVENTION = re.compile(
    rb"^(?:[A-Za-z_]\w*[ \t]+)*(?:[A-Za-z_]\w*[ \t]*\*+[ \t]*|(?:bool|char|double|float|int|long|short|size_t|void)[ \t]+)"
    rb"((?!(?:char|const|double|inline|int|long|operator|restrict|__restrict|short|signed|unsigned|volatile)\b)"
    rb"[A-Za-z_]\w*)(?=\s+(?!\w*GUARDED_BY)[A-Za-z_]\w*\s*\()",
    re.MULTILINE,
)
# `  void MY_CONVENTION open(`: what stands between a type that is no name and a function's.
_BETWEEN_NAMES = re.compile(
    rb"\b(?:bool|char|double|float|int|long|short|size_t|void)\b[ \t]*+[*&]*+[ \t]*+("
    + _CAPITALS
    + rb")(?=\s+[A-Za-z_]\w*\s*\()"
)
# `API_FN Result Box::open(` and `API_FN Box::Box(`: a macro stands before a type, or before a constructor.
_TYPE_WORD: Final = rb"(?:const[ \t]+)?[A-Za-z_][\w:]*(?:<[\w:,*& \t]*>)?"
_BEFORE_DEFINITION = re.compile(
    rb"^[ \t]*("
    + _CAPITALS
    + rb")(?=[ \t]+(?:"
    + _TYPE_WORD
    + rb"(?:[ \t]+|[ \t]*[*&]+[ \t]*)(?!(?:if|while|for|switch)\b)(?:\w+(?:<[\w:, \t]*>)?::)*~?\w+[ \t]*\("
    rb"|(?:\w+::)*(\w+)(?:<[\w:, \t]*>)?::(?:~?\2[ \t]*\(|operator\b)))",
    re.MULTILINE,
)
# `const char* names[] LEVEL_NAMES;`
_ARRAY_MACRO = re.compile(rb"\]\s*(" + _CAPITALS + rb")(?=\s*;)")
_CONDITION_MACRO = re.compile(rb"\bif[ \t]+(" + _CAPITALS + rb")(?=[ \t]*\()")
_CONSTRAINT = re.compile(
    rb"(?<=[,<])\s*([A-Z_]{0,60}(?:ENABLE_IF|REQUIRES)[A-Z_]{0,60}" + _GIVEN + rb")(?=\s*[,>])"
)
# `"Shop " SHOP_VERSION` is one string.
_STRING_MACRO = re.compile(rb"\"[ \t]+([A-Z][A-Z0-9_]{2,60})(?=[ \t]*[\";,)])")
# `static_cast<void (Box::*)(int)>(&Box::changed)`, which the grammar does not know.
_MEMBER_CAST = re.compile(
    rb"\b(static_cast<[\w\s:]{1,80}+\(\s*(?:\w++::){1,5}\*\s*\)\s*\([^()]{0,200}+\)\s*(?:const\s*)?>)(?=\s*\()"
)
_POINTER_ARGUMENT = re.compile(rb"\bva_arg\s*\([^,()\n]+,[^()*\n]*(\*[\s*]*)\)")
# Words of Qt: `public slots:` says what `public:` does, `signals:` is public, and `emit changed();` is a call of it.
_SLOTS = re.compile(rb"\b(?:public|protected|private)\s+(slots|Q_SLOTS)(?=\s*:)")
_SIGNALS = re.compile(rb"^[ \t]*(signals|Q_SIGNALS)(?=\s*:(?!:))", re.MULTILINE)
_EMIT = re.compile(rb"(?<![\w.>:])(emit|Q_EMIT)(?=[ \t]+[A-Za-z_][\w:.]{0,200}(?:->|\())")
_IN_THE_WAY: Final = (
    _SLOTS,
    _EMIT,
    _CLASS_MACRO,
    _STRUCT_MACRO,
    _BEFORE_KEYWORD,
    _BEFORE_NAME,
    _AFTER_PARAMETERS,
    _LOCK_NOTE,
    _FIELD_NOTE,
    _POINTER_NOTE,
    _TYPE_STATEMENT,
    _CONVENTION,
    _BETWEEN_NAMES,
    _BEFORE_DEFINITION,
    _ARRAY_MACRO,
    _CONDITION_MACRO,
    _MEMBER_CAST,
    _STRING_MACRO,
    _POINTER_ARGUMENT,
)
# `#define GLOB "refs/*"`: to the grammar a comment begins in the string, and takes what follows with it.
_COMMENT_IN_STRING = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t][^\n\"/]*\"(?:[^\"\n\\/]|\\.|/(?!\*))*+/\*[^\"\n]*\"", re.MULTILINE
)
_DEFINITION = re.compile(rb"^[ \t]*#[ \t]*define\b(?:[^\n\\]|\\\r?\n|\\[^\n\r])*+", re.MULTILINE)
_COMMENT_OF_LINE = re.compile(rb"\"(?:[^\"\\\n]|\\.)*+\"?|(/\*[^\n]{0,1000}?\*/)")
_LINE_START = re.compile(rb"^[^\r\n]", re.MULTILINE)
_NOT_LINE_END = re.compile(rb"[^\r\n;]")
# A list may be one macro, as may be what an enum has; a class is never.
_CLASS_OPENED: Final = re.compile(rb"^\s*(?:class|struct)\b[^=(]*\{$")
_BODY_OPENED: Final = re.compile(rb"\)\s{0,40}(?:const|noexcept|override|final)?\s{0,40}\{\Z")
_BEFORE_STATEMENT: Final = frozenset(b"{};:")
_MOST_LOOK_BACK: Final = 2_000


def read_quietly(source: bytes, path: str) -> CppWalk:
    """A walk over the file in the language it seems to be in, past macros where they hurt."""
    is_cpp = _is_cpp(source, path.lower())
    uses = find_declaring_uses(source) if is_cpp else []
    walk = _read_past_macros(blanked(source, uses) if uses else source, path, is_cpp=is_cpp)
    walk.expansions.extend(uses)
    return walk


def _read_past_macros(source: bytes, path: str, *, is_cpp: bool) -> CppWalk:
    plain = CppWalk(source, path, is_cpp=is_cpp)
    # `class API Foo {` is a function of type `class API` to the grammar, and no problem.
    is_misread = is_cpp and any(pattern.search(source) for pattern in (_CLASS_MACRO, _STRUCT_MACRO))
    # `Queue waiting GUARDED_BY(mutex);` is a method named as the macro.
    is_misread = is_misread or (is_cpp and b"GUARDED_BY" in source and _FIELD_NOTE.search(source) is not None)
    # `emit changed();` declares a function.
    is_misread = is_misread or (is_cpp and b"emit" in source.lower() and _EMIT.search(source) is not None)
    has_false_comment = _COMMENT_IN_STRING.search(source) is not None
    is_misread = is_misread or has_false_comment
    if not plain.survey.broken and not is_misread:
        return plain
    quieted = quiet(source, plain.survey.comments)
    if quieted == source:
        return plain
    other = CppWalk(quieted, path, is_cpp=is_cpp)
    other.openings = find_openings(source, lambda byte: _is_code(source, byte, plain.survey.comments))
    if len(other.survey.broken) >= len(plain.survey.broken) + is_misread:
        return plain
    if not has_false_comment:
        other.lines = plain.lines  # what was blanked is code
    return other


def _is_cpp(source: bytes, path: str) -> bool:
    if path.endswith(_C_ONLY):
        return False
    if not path.endswith(_HEADERS):
        return True
    # What a C header keeps for C++ compilers says nothing about itself.
    return _CPP_SIGNS.search(_EXTERN_C.sub(b"", source)) is not None


def quiet(source: bytes, comments: Sequence[tuple[int, int]] = ()) -> bytes:
    """The source with macros blanked where they stand in the way; every other byte keeps its place."""
    text = bytearray(source)
    for match in _annotations(source):
        if _is_code(source, match.start(1), comments):
            _blank(text, match)
    for match in _LINE_MACRO.finditer(source):
        start, end = match.span(1)
        if _is_code(source, start, comments) and _stands_alone(text, start, end):
            _blank(text, match, b";")
    for match in _SIGNALS.finditer(source):
        _blank(text, match, b"public")
    for match in _SPACE_MACRO.finditer(source):
        _blank(text, match, _LINKAGE)
    for match in _CONSTRAINT.finditer(source):
        _blank(text, match, b"int")
    _blank_directives(text, source)
    return bytes(text)


def _blank_directives(text: bytearray, source: bytes) -> None:
    """Blank what the preprocessor is told where the grammar takes it for code, or code for it."""
    for match in _DIRECTIVE.finditer(source):
        _blank(text, match, b"1")  # conditions are not read, and have a syntax of their own
    for start, end in find_listed_conditions(source):
        text[start:end] = _NOT_LINE_END.sub(b" ", source[start:end].replace(b";", b" "))
    for start, end in find_open_conditions(source):
        text[start:end] = _NOT_LINE_END.sub(b" ", source[start:end].replace(b";", b" "))
    for match in _DEFINITION.finditer(source):
        if b"/*" in match[0] and b"\n" in match[0]:  # the grammar ends the text of a macro at a comment
            _blank_comments(text, match)
    for match in _COMMENT_IN_STRING.finditer(source):
        text[match.start() : match.end()] = match[0].replace(b"/*", MASKED_SLASH + b"*")
    for match in _LINKAGE_GUARD.finditer(source):
        text[match.start() : match.end()] = _NOT_LINE_END.sub(b" ", _LINE_START.sub(b";", match[0]))


def _blank_comments(text: bytearray, definition: re.Match[bytes]) -> None:
    """Blank the comments that begin and end in a line of a macro's text."""
    for match in _COMMENT_OF_LINE.finditer(definition[0]):
        if match[1] is not None:
            start = definition.start() + match.start(1)
            text[start : start + len(match[1])] = b" " * len(match[1])


def _annotations(source: bytes) -> Iterator[re.Match[bytes]]:
    """The words that only annotate what stands beside them."""
    for pattern in _IN_THE_WAY:
        for match in pattern.finditer(source):
            if pattern is not _BEFORE_NAME or _TYPE_GIVEN.match(source, match.start(1)) is None:
                yield match
    for match in _BEFORE_BODY.finditer(source):
        line_start = source.rfind(b"\n", max(0, match.start() - _MOST_LOOK_BACK), match.start()) + 1
        if _STATEMENT.match(source, line_start) is None:
            yield match


def _blank(text: bytearray, match: re.Match[bytes], instead: bytes = b"") -> None:
    start, end = match.span(1)
    kept = re.sub(rb"[^\r\n\\]|\\(?!\r?\n)", b" ", match[1])
    text[start:end] = instead + kept[len(instead) :]


def _is_code(source: bytes, place: int, comments: Sequence[tuple[int, int]]) -> bool:
    """Whether a place is in no directive, comment or string."""
    first = max(0, place - _MOST_LOOK_BACK)
    before = source[max(first, source.rfind(b"\n", first, place) + 1) : place]
    if before.lstrip().startswith(b"#") or before.count(b'"') % 2:
        return False
    index = bisect_right(comments, (place, len(source))) - 1
    return index < 0 or comments[index][1] <= place


def _stands_alone(source: bytearray, start: int, end: int) -> bool:
    """Whether a line's only word is no part of an expression, list or definition around it."""
    before = source[max(0, start - _MOST_LOOK_BACK) : start].rstrip()
    last_line = before[before.rfind(b"\n") + 1 :]
    code = last_line.partition(b"//")[0].strip()
    after = source[end : end + _MOST_LOOK_BACK].lstrip()
    is_alone = before.endswith(b"{") and after.startswith(b"}")
    opens_code = _CLASS_OPENED.search(last_line) or _BODY_OPENED.search(before)
    if before.endswith(b"\\") or (is_alone and not opens_code):
        return False
    follows = not code or code[-1] in _BEFORE_STATEMENT or code.startswith(b"#") or code.endswith(b"*/")
    return follows and (not after or after[:1].isalpha() or after[:1] in b"_#/[~}:")
