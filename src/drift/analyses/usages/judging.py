"""What a word in code means that no link was made from: by what stands around it, and what its file knows.

Known limits: of names that are bound inside functions, the usual forms are known. What is put into a scope by other
means (`globals()`, `with` of scripts, macros) is not seen.
"""

import re
import string
from collections.abc import Sequence
from typing import Final, NamedTuple

from drift.analyses.callables import FUNCTION_KINDS
from drift.analyses.usages.certainty import Certainty
from drift.analyses.usages.family import FIELDS_APART, Family, enclosing_chain
from drift.analyses.usages.shorthand import find_opening
from drift.analyses.usages.struct_keys import Key, find_key, judge_key
from drift.analyses.usages.words import Word
from drift.index import FileId, SymbolId, SymbolRecord, file_of_symbol
from drift.index.usage_queries import ImportUse
from drift.languages.kinds import TYPE_KINDS

_SELVES: Final = frozenset({b"self", b"this", b"cls", b"super", b"static", b"parent", b"base", b"Self"})
_IMPLICIT_SELF: Final = frozenset({"java", "csharp", "cpp"})
_SHARED_SCOPE: Final = frozenset({"java", "csharp", "cpp", "go", "php", "rust"})
"""Languages in which code sees names of its package, or of all it includes, without importing each."""
_BY_PACKAGE: Final = frozenset({"go", "java", "php"})
"""Those of them in which a name alone means nothing that another package declares, unless all of that is imported."""
_GLOBAL_TYPES: Final = frozenset({"ruby"})
"""Languages without imports, whose classes and modules are seen from everywhere."""
_FIELD_KINDS: Final = frozenset({"field", "property", "constant", "variable"})
_READS_VARIABLES: Final = ("attr_", "cattr_", "mattr_", "class_attribute")
_STEPS: Final = (b"?.", b"!.", b".", b"->", b"::", b"\\")
_LETTERS: Final = (string.ascii_letters + string.digits + "_$").encode()
_LOOK_AROUND: Final = 2_000
_NO_TYPE: Final = (
    rb"(?<!\breturn)(?<!\bthrow)(?<!\bnew)(?<!\belse)(?<!\bawait)(?<!\bcase)(?<!\byield)(?<!\bgoto)"
)
_LOOK_BACK: Final = 200
_BESIDE: Final = 300  # bytes within which a type is written beside what is taken out of its object
_SCRIPTS: Final = frozenset({"javascript", "typescript"})
_ACCESSOR_WORDS: Final = frozenset({"get", "set", "async", "static"})
"""Words that begin the declaration of a member where a name follows them."""
_BRACED: Final = frozenset({"go", "javascript", "rust", "typescript"})
"""Languages in which an object is made or taken apart by the names of its fields, in braces."""


class Surroundings(NamedTuple):
    """What is known of the file a word stands in."""

    content: bytes
    file_id: FileId
    language: str | None
    symbols: Sequence[SymbolRecord]
    imports: Sequence[ImportUse]
    is_known_here: bool  # the name is bound to the symbol: declared or imported
    is_other_here: bool  # the name is imported from elsewhere
    package: str | None


def judge(word: Word, family: Family, around: Surroundings, *, package: str | None) -> Certainty | None:
    """How sure it is that the word means the symbol; None where it means something else."""
    before = around.content[max(word.offset - _LOOK_BACK, 0) : word.offset]
    receiver = find_receiver(before)
    end = word.offset + len(family.symbol.name.encode())
    after = around.content[end : end + 20].lstrip()
    if receiver is not None:
        if _is_of_other_kind(before, after, family, around.language) or (
            around.language == "rust" and _is_of_module(before, receiver, family)
        ):
            return None
        return _judge_member(word, family, around, receiver)
    if around.language == family.symbol.language == "ruby" and before.endswith(b"@"):
        return _judge_variable(word, family, around)
    if _is_keyword(before, after, around.language) or _is_key_of_literal(
        before, after, family, around.language
    ):
        return _if_field(family)
    key = find_key(around.content, word.offset, end) if _is_rust_field(family, around) else None
    if key is not None:
        return _judge_key(key, word, family, around)
    if _may_be_property(before, after, family, around):
        return _judge_property(word, family, around)
    if family.is_member and around.language == "csharp" and _is_set_in_braces(before, after):
        return _judge_initialised(word, family, around)
    chain = enclosing_chain(around.symbols, word.offset)
    if _is_bound_within(chain, family, around):
        return None
    if family.is_member:
        return _judge_bare_member(family, around, chain, after)
    return _judge_alone(family, around, package)


def _is_rust_field(family: Family, around: Surroundings) -> bool:
    return family.symbol.kind == "field" and around.language == family.symbol.language == "rust"


def _may_be_property(before: bytes, after: bytes, family: Family, around: Surroundings) -> bool:
    """Whether a word names a property of an object in braces; a field of Rust does so only as a key of its type."""
    is_braced = family.is_member and around.language in _BRACED and _is_in_braces(before, after)
    return is_braced and not _is_rust_field(family, around)


def _judge_key(key: Key, word: Word, family: Family, around: Surroundings) -> Certainty | None:
    chain = enclosing_chain(around.symbols, word.offset)
    is_here = around.file_id in family.files
    return judge_key(
        key, family, chain, symbols=around.symbols, imports=around.imports, is_declared_here=is_here
    )


def _judge_alone(family: Family, around: Surroundings, package: str | None) -> Certainty | None:
    """A name that stands for itself and is bound nowhere around: by what its file sees."""
    if around.is_other_here:
        return None
    if around.is_known_here:
        return "resolved"
    if _is_seen_everywhere(family, around):
        return "likely" if family.is_only_one else "possible"
    if around.language in _SHARED_SCOPE and around.language == family.symbol.language:
        if _is_of_other_package(family, around, package):
            return None
        is_near = package is not None and package == around.package
        return "likely" if family.is_only_one or is_near else "possible"
    # Without an import the name can only come by a star, or be one that was not seen to be bound.
    has_star = any(one.name == "*" and not one.is_external for one in around.imports)
    return ("likely" if has_star else "possible") if family.is_only_one or has_star else None


def _is_seen_everywhere(family: Family, around: Surroundings) -> bool:
    """Whether code of the language names the symbol from anywhere, without an import or a package."""
    return around.language == family.symbol.language in _GLOBAL_TYPES and family.symbol.name[:1].isupper()


def _is_of_other_package(family: Family, around: Surroundings, package: str | None) -> bool:
    """Whether a name that stands alone cannot mean what another package declares."""
    symbol = family.symbol
    # Global functions of PHP are seen from everywhere; types inside of types come with those that inherit them.
    if around.language not in _BY_PACKAGE or not package or "." in symbol.qualname.removeprefix(package):
        return False
    has_all = any(
        one.name == "*" and (one.module == package or one.module.endswith(f"/{package}"))
        for one in around.imports
    )
    return package != (around.package or "") and not has_all


def begins_member(word: Word, name: str, around: Surroundings) -> bool:
    """Whether a word of scripts begins the declaration of a member: `get total() {`."""
    after = around.content[word.offset + len(name) : word.offset + len(name) + 20].lstrip()
    return around.language in _SCRIPTS and name in _ACCESSOR_WORDS and after[:1].isalpha()


def find_receiver(before: bytes) -> bytes | None:
    """What a name is a member of, told by what stands before it: a word, or nothing for a longer expression."""
    text = before.rstrip()
    step = next((each for each in _STEPS if text.endswith(each)), None)
    if step is None or text.endswith(b".."):  # a range, or the rest of a list
        return None
    rest = text[: -len(step)].rstrip()
    return rest[len(rest.rstrip(_LETTERS)) :]


def _is_of_other_kind(before: bytes, after: bytes, family: Family, language: str | None) -> bool:
    """Whether a member of an object is a field where a method is asked for, or the other way round."""
    if language not in FIELDS_APART or not before.rstrip().endswith((b".", b"->")):
        return False
    is_called = after.startswith((b"(", b"::<"))
    if family.symbol.kind in FUNCTION_KINDS:
        return not is_called
    return is_called and family.symbol.kind == "field"


def _is_of_module(before: bytes, receiver: bytes, family: Family) -> bool:
    """Whether what stands before is a module or a crate, `json::parse`: members of types have a type before them."""
    if not family.is_member or not before.rstrip().endswith(b"::") or receiver in _SELVES:
        return False
    return receiver[:1].islower()


def _judge_member(word: Word, family: Family, around: Surroundings, receiver: bytes) -> Certainty | None:
    by_name: Certainty = "likely" if family.is_only_one else "possible"
    if family.is_member:
        if _is_of_object(family, receiver):
            return None
        owner = _owner_of_self(word, around) if receiver in _SELVES else None
        if owner is not None and owner.id in family.owners:
            return "likely"
        is_of_other = owner is not None and any(one.parent_id == owner.id for one in family.others)
        return None if is_of_other or family.is_named_like_another(receiver.decode()) else by_name
    if receiver in _SELVES:
        return None
    bound = next((one for one in around.imports if (one.alias or one.name or "").encode() == receiver), None)
    if bound is not None and receiver:
        return _judge_in_import(bound, family, by_name)
    if around.language in _SHARED_SCOPE:
        return by_name
    return "possible" if family.is_only_one else None


def _is_of_object(family: Family, receiver: bytes) -> bool:
    """Whether a static method of C# is asked for and an object stands before the name, of which it never is a member."""
    symbol = family.symbol
    if symbol.language != "csharp" or symbol.kind != "method" or receiver in _SELVES:
        return False
    is_static = "static" in symbol.modifiers and "extension" not in symbol.modifiers
    return is_static and not receiver[:1].isupper()


def _judge_variable(word: Word, family: Family, around: Surroundings) -> Certainty | None:
    """A variable of an object of Ruby: what `attr_reader` makes reads the one of its name, and no other member does."""
    if not family.symbol.signature.startswith(_READS_VARIABLES):
        return None
    owner = next((one for one in enclosing_chain(around.symbols, word.offset) if _is_type(one)), None)
    if owner is None:
        return None
    if owner.id in family.owners:
        return "likely"
    return "possible" if owner.kind == "trait" else None  # a module may be mixed into the class


def _owner_of_self(word: Word, around: Surroundings) -> SymbolRecord | None:
    return next((one for one in enclosing_chain(around.symbols, word.offset) if _is_type(one)), None)


def _judge_in_import(bound: ImportUse, family: Family, by_name: Certainty) -> Certainty | None:
    """A member of something imported: a module that has the symbol, or has another one of its name."""
    if bound.target_file_id in family.files:
        return "resolved"
    has_other = any(file_of_symbol(one.id) == bound.target_file_id for one in family.others)
    return None if bound.is_external or has_other else by_name


def _judge_bare_member(
    family: Family, around: Surroundings, chain: list[SymbolRecord], after: bytes
) -> Certainty | None:
    owner = next((one for one in chain if _is_type(one)), None)
    is_inside = owner is not None and owner.id in family.owners
    if around.language in _IMPLICIT_SELF and (is_inside or _is_in_method(chain, family)):
        return "likely"
    if is_inside and chain and chain[0] is owner:
        return "likely"  # in the body of the class itself, beside the declaration
    if around.language in _IMPLICIT_SELF:
        return "possible" if family.is_only_one else None
    is_key = after[:1] in {b":", b"=", b",", b"}"} and around.language != "python"
    return "possible" if is_key and family.is_only_one else None


def _is_in_method(chain: list[SymbolRecord], family: Family) -> bool:
    """Whether a method of the type stands around that is defined apart from it, as C++ does."""
    owners = {one.qualname.rpartition(".")[0] for one in family.same} - {""}
    return any(one.kind in FUNCTION_KINDS and one.qualname.rpartition(".")[0] in owners for one in chain)


def _is_keyword(before: bytes, after: bytes, language: str | None) -> bool:
    """Whether the word names an argument: `call(name=1)`, `call(name: 1)`."""
    is_first = before.rstrip()[-1:] in {b"(", b","}
    if language == "python":
        return is_first and after[:1] == b"=" and after[:2] != b"=="
    if language in {"csharp", "php"}:
        return is_first and after[:1] == b":" and after[:2] != b"::"
    return False


def _is_key_of_literal(before: bytes, after: bytes, family: Family, language: str | None) -> bool:
    """Whether the word stands where Go and Rust name a field of what they make, which no type can be: `Server{Handler: r}`."""
    return (
        language in {"go", "rust"}
        and family.symbol.kind in TYPE_KINDS
        and before.rstrip()[-1:] in {b"{", b","}
        and after[:1] == b":"
        and after[:2] not in {b"::", b":="}
    )


def _is_in_braces(before: bytes, after: bytes) -> bool:
    """Whether the word may be a property of an object that is made or taken apart: `{ total }`, `{ total: 1 }`."""
    return before.rstrip()[-1:] in {b"{", b","} and after[:1] in {b",", b"}", b":", b"="}


def _is_set_in_braces(before: bytes, after: bytes) -> bool:
    """Whether the word may be a property that is set where an object is made: `new() { Total = 1 }`."""
    return before.rstrip()[-1:] in {b"{", b","} and after[:1] == b"=" and not after.startswith((b"==", b"=>"))


def _judge_initialised(word: Word, family: Family, around: Surroundings) -> Certainty | None:
    """Of an object whose type no link tells; one without a type has names of its own: `new { Total = 1 }`."""
    before = around.content[max(word.offset - _LOOK_AROUND, 0) : word.offset]
    opened = find_opening(before)
    if opened is not None and before[:opened].rstrip().endswith(b"new"):
        return None
    return "possible" if _judge_property(word, family, around) else None


def _judge_property(word: Word, family: Family, around: Surroundings) -> Certainty | None:
    """A property of some object: likely of the type whose name stands beside it, possible where the file knows that."""
    owners = {one.qualname.rpartition(".")[0].rpartition(".")[2] for one in family.same} - {""}
    near = around.content[max(word.offset - _BESIDE, 0) : word.offset + _BESIDE]
    is_near = any(owner.encode() in near for owner in owners)
    brought = {one.target_file_id for one in around.imports if one.name in owners}
    if brought and not brought & family.files and None not in brought:
        return None  # another type of that name
    is_sure = family.is_only_one or around.file_id in family.files or bool(brought & family.files)
    if is_near:
        return "likely" if is_sure else "possible"
    is_known = any(owner.encode() in around.content for owner in owners)
    return "possible" if is_known or family.is_only_one else None


def _if_field(family: Family) -> Certainty | None:
    if family.symbol.kind not in _FIELD_KINDS or not family.is_member:
        return None
    return "likely" if family.is_only_one else "possible"


def _is_type(symbol: SymbolRecord) -> bool:
    return symbol.kind in {"class", "interface", "trait", "struct", "enum"}


def _is_bound_within(chain: list[SymbolRecord], family: Family, around: Surroundings) -> bool:
    """Whether a function around the word has a parameter or a variable of this name."""
    name = family.symbol.name
    own: set[SymbolId] = {one.id for one in (*family.same, *family.related)}
    for one in chain:
        if one.id in own or one.kind not in FUNCTION_KINDS:
            continue
        if any(each.name.lstrip("*&$.") == name for each in one.parameters):
            return True
        # What is declared inside a function binds it for that function alone.
        if one.id == family.symbol.parent_id:
            return False
        body = around.content[one.start_byte : one.end_byte]
        if _binding(name, around.language).search(body):
            return True
    return False


def _binding(name: str, language: str | None) -> "re.Pattern[bytes]":
    word = re.escape(name.encode())
    if language == "rust" and name[:1].isupper():
        form = rb"(?!)"  # `let Details { version } = given` names the struct: what is bound is written small
    elif language == "python":
        form = (
            rb"^[ \t]*+" + word + rb"[ \t]*+(?::[^=\n]{1,200}?)?=(?!=)|\bfor[ \t]++(?:[\w, \t(]{0,200}?[ ,(])?"
            + word + rb"\b[\w, \t)]{0,200}?[ \t]in\b|\bas[ \t]++" + word + rb"[ \t]*+:|\b" + word + rb"[ \t]*+:="
        )  # fmt: skip
    elif language == "go":
        form = (
            rb"(?<![\w.])"
            + word
            + rb"[\w, \t]{0,200}?:=|,[ \t]*+"
            + word
            + rb"[ \t]*+:=|\bvar[ \t]++"
            + word
            + rb"\b"
        )
    elif language in {"javascript", "typescript", "rust"}:
        form = (
            rb"\b(?:let|const|var)[ \t]++(?:mut[ \t]++)?(?:[{\[(][^=;\n}\])]{0,200}?(?<![\w.]))?" + word
            + rb"(?![\w$])(?![ \t]*+:[ \t]*+\w++[ \t]*+[,}])|(?<![\w.])" + word + rb"[ \t]*+=>|\([^()\n]{0,200}?(?<![\w.$])"
            + word + rb"(?![\w$])[^()\n]{0,200}?\)[ \t]*+=>"
        )  # fmt: skip
    elif language == "php":
        form = rb"\$" + word + rb"[ \t]*+=(?!=)"
    else:
        # A type, then the name, then what begins or ends a variable: `Cart total = …`, `for (int total : …)`.
        form = rb"(?:[\w>\]*&]|\?)" + _NO_TYPE + rb"[ \t]++" + word + rb"[ \t]*+(?:=(?!=)|;|:(?!:))"
    return re.compile(form, re.MULTILINE)
