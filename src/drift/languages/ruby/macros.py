"""What calls in the body of a class declare: attributes, mixins, visibility, aliases, delegation, associations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import METACLASS, Import, Parameter, Return, Store
from drift.languages.frameworks import load_frameworks
from drift.languages.kinds import PREPENDS
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS
from drift.languages.ruby.constants import add_base, bind_in_class, open_symbol, path_form, refer_around
from drift.languages.ruby.forwarding import add_alias, delegate, forward, options_of
from drift.languages.ruby.functions import read_parameters
from drift.languages.ruby.inflection import class_of
from drift.languages.ruby.statements import visit_body
from drift.languages.ruby.walk import CLASS_METHOD, arguments_of
from drift.languages.ruby.yard import constant_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.ruby.walk import RubyWalk

    Macro = Callable[[RubyWalk, Node, str], bool]

_WORDS: Final = load_frameworks("ruby")
_MANY: Final = _WORDS.names("associations", "many")
_VISIBILITIES: Final = frozenset({"public", "protected", "private"})
_NAMES_ONLY: Final = frozenset({"only", "except", "class_name", "foreign_key", "inverse_of", "on", "as"})


def apply_word(ruby: RubyWalk, name: str) -> bool:
    """Whether a bare word in the body of a class says how what follows is seen."""
    if ruby.class_number is None or ruby.method is not None:
        return False
    if name in _VISIBILITIES:
        ruby.visibility, ruby.is_module_function = name, False
        return True
    if name == "module_function":
        ruby.is_module_function = True
        return True
    return False


def apply_macro(ruby: RubyWalk, node: Node, name: str) -> bool:
    """Whether a call without receiver is a declaration, which is then read."""
    if name in _LOADING:
        return _LOADING[name](ruby, node, name)
    if ruby.class_number is None or ruby.method is not None:
        return False
    macro = _MACROS.get(name)
    if macro is not None:
        return macro(ruby, node, name)
    _refer_to_methods(ruby, node)
    return False


def _refer_to_methods(ruby: RubyWalk, node: Node) -> None:
    """Methods that any other macro is given by name: `before_action :authenticate, if: :signed_in?`."""
    for argument in arguments_of(node):
        if argument.type == "simple_symbol":
            _refer_to(ruby, argument)
        elif argument.type == "pair":
            key, value = argument.child_by_field_name("key"), argument.child_by_field_name("value")
            if value is None or ruby.string_of(key) in _NAMES_ONLY:
                continue
            for one in value.named_children if value.type == "array" else [value]:
                if one.type == "simple_symbol":
                    _refer_to(ruby, one)


def _refer_to(ruby: RubyWalk, node: Node) -> None:
    name = ruby.string_of(node)
    if name:
        ruby.refer(node, ("member", ruby.object_form(), name), "value")


def _require(ruby: RubyWalk, node: Node, name: str) -> bool:
    arguments = arguments_of(node)
    path = ruby.string_of(arguments[-1]) if arguments else None
    if path is None:
        return False
    if name == "require_relative" and not path.startswith("."):
        path = f"./{path}"
    ruby.imports.append(Import(ruby.scope, ruby.line(node), path, None, None))
    return True


def _mix_in(ruby: RubyWalk, node: Node, name: str) -> bool:
    for argument in arguments_of(node):
        form = ruby.self_form() if argument.type == "self" else path_form(ruby, argument)
        refer_around(ruby, argument)
        if form is None:
            ruby.visit(argument)
        elif name == "extend" or ruby.is_singleton:
            ruby.refer(argument, form, "type")
            bind_in_class(ruby, argument, METACLASS, form)
        else:
            ruby.refer(argument, form, "type")
            add_base(ruby, argument, form, PREPENDS if name == "prepend" else "mixes")
    return True


def _add_accessors(ruby: RubyWalk, node: Node, name: str) -> bool:
    names = [one for one in arguments_of(node) if one.type in {"simple_symbol", "string"}]
    is_of_class = name.startswith(("cattr", "mattr", "class_attribute", "thread_"))
    is_readable = not name.endswith("writer")
    add_attributes(
        ruby,
        names,
        is_writable=not name.endswith("reader") and name != "attr",
        is_readable=is_readable,
        is_of_class=is_of_class,
        visibility=ruby.visibility if name.startswith("attr") else "public",
    )
    return True


def add_attributes(
    ruby: RubyWalk,
    names: list[Node],
    *,
    is_writable: bool,
    is_readable: bool = True,
    is_of_class: bool = False,
    visibility: str | None = None,
) -> None:
    """The methods that read and set instance variables of these names."""
    modifiers = (CLASS_METHOD,) if ruby.is_singleton else ("static",) if is_of_class else ()
    for node in names:
        name = ruby.string_of(node)
        if not name:
            continue
        doc = ruby.doc_above(ruby.line(node))
        symbol = ruby.begin("method", name, node)._replace(
            doc=doc,
            visibility=visibility or ruby.visibility,
            modifiers=tuple(sorted({*modifiers, "accessor"})),
        )
        parent = ruby.class_number or 0
        if is_readable:
            number = ruby.keep(symbol._replace(parent=parent, signature=f"attr_reader :{name}"))
            ruby.returns.append(Return(number, ("member", ("this",), f"@{name}"), symbol.line))
        if is_writable:
            setter = symbol._replace(name=f"{name}=", parent=parent, signature=f"attr_writer :{name}")
            number = ruby.keep(setter._replace(parameters=(Parameter("value"),)))
            ruby.stores.append(Store(number, ("this",), f"@{name}", ("name", "value"), symbol.line))


def _set_visibility(ruby: RubyWalk, node: Node, name: str) -> bool:
    """`private :a, :b`, `private def a`, `private attr_reader :a`."""
    word = name.removesuffix("_class_method")
    is_of_class = name.endswith("_class_method") or ruby.is_singleton
    for argument in arguments_of(node):
        first = len(ruby.symbols)
        names = _listed_names(ruby, argument)
        if not names:
            ruby.visit(argument)
            for number in range(first, len(ruby.symbols)):
                if ruby.symbols[number].parent == ruby.class_number:
                    _apply_visibility(ruby, number, word)
            continue
        for number, symbol in enumerate(ruby.symbols):
            is_meant = symbol.parent == ruby.class_number and symbol.name in names
            if is_meant and (CLASS_METHOD in symbol.modifiers) == is_of_class:
                _apply_visibility(ruby, number, word)
    return True


def _listed_names(ruby: RubyWalk, node: Node) -> set[str]:
    if node.type in {"simple_symbol", "string"}:
        return {ruby.string_of(node) or ""}
    if node.type in {"array", "symbol_array", "splat_argument"}:
        return {name for child in node.named_children for name in _listed_names(ruby, child)}
    return {ruby.text.text(node)} if node.type == "bare_symbol" else set()


def _apply_visibility(ruby: RubyWalk, number: int, word: str) -> None:
    if word == "module_function":
        ruby.add_modifier(number, "static")
    else:
        ruby.symbols[number] = ruby.symbols[number]._replace(visibility=word)


def _hide_constants(ruby: RubyWalk, node: Node, _name: str) -> bool:
    names = {ruby.string_of(argument) for argument in arguments_of(node)}
    for number, symbol in enumerate(ruby.symbols):
        if number and symbol.parent == ruby.class_number and symbol.name in names:
            ruby.symbols[number] = symbol._replace(visibility="private")
    return True


def _alias_method(ruby: RubyWalk, node: Node, _name: str) -> bool:
    names = [ruby.string_of(argument) for argument in arguments_of(node)]
    if len(names) != 2 or not names[0] or not names[1]:  # noqa: PLR2004 - the new name and the old
        return False
    add_alias(ruby, node, names[0], names[1])
    return True


def _associate(ruby: RubyWalk, node: Node, name: str) -> bool:
    """`has_many :posts, class_name: "Blog::Post"` gives a method of that name and what it holds."""
    arguments = arguments_of(node)
    held = ruby.string_of(arguments[0]) if arguments else None
    if not held:
        return False
    written = options_of(ruby, arguments).get("class_name")
    stated = ruby.string_of(written) if written is not None else None
    form = constant_path(stated or class_of(held))
    if form is not None and form[0] == "name" and not stated and "polymorphic" in ruby.text.text(node):
        form = None
    symbol = ruby.begin("method", held, node)._replace(
        parent=ruby.class_number or 0,
        signature=ruby.text.brief(node, MOST_SIGNATURE_CHARACTERS),
        doc=ruby.doc_above(ruby.line(node)),
        modifiers=("accessor",),
    )
    number = ruby.keep(symbol)
    # What many are asked for is what the class itself is asked for: its scopes, and its objects one by one.
    value: Expression = form if name in _MANY or form is None else ("instance", form)
    ruby.returns.append(Return(number, value, symbol.line))
    with ruby.inside(number, is_class=False):
        for argument in arguments[1:]:
            ruby.visit(argument)
        block = node.child_by_field_name("block")
        if block is not None:
            visit_body(ruby, block.child_by_field_name("body"))
    return True


def _scope(ruby: RubyWalk, node: Node, _name: str) -> bool:
    """`scope :published, -> { where(…) }` is a method of the class."""
    return _define_from_block(ruby, node, modifiers=(CLASS_METHOD,))


def _define_method(ruby: RubyWalk, node: Node, _name: str) -> bool:
    return _define_from_block(ruby, node, modifiers=(CLASS_METHOD,) if ruby.is_singleton else ())


def _define_from_block(ruby: RubyWalk, node: Node, *, modifiers: tuple[str, ...]) -> bool:
    arguments = arguments_of(node)
    name = ruby.string_of(arguments[0]) if arguments else None
    if not name:
        return False
    code = node.child_by_field_name("block") or next(
        (one for one in arguments[1:] if one.type in {"lambda", "block_argument"}), None
    )
    symbol = ruby.begin("method", name, node)._replace(
        parent=ruby.class_number or 0,
        signature=ruby.text.brief_slice(
            node.start_byte,
            node.end_byte if code is None else code.start_byte,
            limit=MOST_SIGNATURE_CHARACTERS,
        ).rstrip(" ,("),
        doc=ruby.doc_above(ruby.line(node)),
        visibility=ruby.visibility,
        modifiers=modifiers,
    )
    number = ruby.keep(symbol)
    with ruby.inside(number, is_class=False):
        if code is not None:
            parameters = read_parameters(ruby, code.child_by_field_name("parameters"), {})
            ruby.symbols[number] = symbol._replace(parameters=parameters)
            body = code.child_by_field_name("body")
            if body is not None and body.type in {"block", "do_block"}:
                body = body.child_by_field_name("body")
            value = visit_body(ruby, body) if code.type != "block_argument" else ruby.visit(code)
            ruby.returns.append(Return(number, value, ruby.line(code)))
    return True


def _give_class_methods(ruby: RubyWalk, node: Node, _name: str) -> bool:
    """`class_methods do … end` of a concern."""
    block = node.child_by_field_name("block")
    if block is None:
        return False
    symbol = ruby.begin("trait", "ClassMethods", node)._replace(signature="class_methods")
    number = open_symbol(ruby, symbol)
    bind_in_class(ruby, node, METACLASS, ("symbol", number))
    with ruby.inside(number, is_class=True):
        visit_body(ruby, block.child_by_field_name("body"))
    return True


_LOADING: Final[dict[str, Macro]] = {
    "load": _require,
    "require": _require,
    "require_dependency": _require,
    "require_relative": _require,
}
_MACROS: Final[dict[str, Macro]] = {
    "alias_method": _alias_method,
    "autoload": _require,
    "class_methods": _give_class_methods,
    "def_delegator": forward,
    "def_delegators": forward,
    "def_instance_delegator": forward,
    "def_instance_delegators": forward,
    "define_method": _define_method,
    "delegate": delegate,
    "module_function": _set_visibility,
    "private": _set_visibility,
    "private_class_method": _set_visibility,
    "private_constant": _hide_constants,
    "protected": _set_visibility,
    "public": _set_visibility,
    "public_class_method": _set_visibility,
    "scope": _scope,
    **dict.fromkeys(("extend", "include", "prepend"), _mix_in),
    **dict.fromkeys(_WORDS.texts("attributes", "macros"), _add_accessors),
    **dict.fromkeys(_WORDS.texts("associations", "macros"), _associate),
}
