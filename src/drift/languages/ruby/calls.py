"""Ruby calls: with and without receiver and brackets, `super`, names as symbols, and the blocks they are given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import either_of
from drift.languages.facts import EnvironmentRead
from drift.languages.frameworks import load_frameworks
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.ruby.blocks import read_block, result_of
from drift.languages.ruby.entries import (
    checks_alone,
    enter_block,
    matcher_test,
    mix_into_tests,
    note_description,
)
from drift.languages.ruby.factories import made_by_factory
from drift.languages.ruby.inflection import camelize
from drift.languages.ruby.literals import read_pair
from drift.languages.ruby.macros import apply_macro, apply_word
from drift.languages.ruby.mixed_by_name import mix_by_name
from drift.languages.ruby.routes import read_route
from drift.languages.ruby.walk import arguments_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Entry, Expression
    from drift.languages.ruby.walk import Handler, RubyWalk

_SENDING: Final = frozenset({"send", "__send__", "public_send", "try", "try!"})
_NAMING: Final = frozenset({"method", "public_method", "instance_method"})
_BEGINNING: Final = re.compile(r"[a-z_]\w{1,80}_")
_RAISING: Final = frozenset({"raise", "fail"})
_BLOCKS: Final = frozenset({"block", "do_block"})
_RUN_BY_CLASS: Final = load_frameworks("ruby").names("blocks", "of_class")


def _read_call(ruby: RubyWalk, node: Node) -> Expression:
    """A chain of calls, from its beginning, without recursion: chains can be very long."""
    chain = [node]
    inner = node.child_by_field_name("receiver")
    while inner is not None and inner.type == "call":
        chain.append(inner)
        inner = inner.child_by_field_name("receiver")
    value: Expression = None
    has_receiver = inner is not None
    if inner is not None:
        value = _read_receiver(ruby, inner, chain[-1])
    for link in reversed(chain):
        value = _read_link(ruby, link, value, has_receiver=has_receiver)
        has_receiver = True
    return value


def _read_receiver(ruby: RubyWalk, node: Node, call: Node) -> Expression:
    method = call.child_by_field_name("method")
    if node.type == "constant" and method is not None and ruby.text.text(method) == "new":
        return ("name", ruby.text.text(node))  # the call itself leads to the class
    return ruby.visit(node)


def _read_link(ruby: RubyWalk, node: Node, receiver: Expression, *, has_receiver: bool) -> Expression:
    method = node.child_by_field_name("method")
    name = "call" if method is None else ruby.text.text(method)
    if method is not None and method.type == "super":
        return call_super(ruby, node, read_arguments(ruby, node))
    if not has_receiver and (
        read_route(ruby, node, name) or mix_into_tests(ruby, node, name) or apply_macro(ruby, node, name)
    ):
        return None
    mix_by_name(ruby, node, name, receiver=receiver if has_receiver else None)
    if not has_receiver and checks_alone(ruby, node, name):
        with matcher_test(ruby, node, name):
            return call_method(ruby, node, name, receiver=receiver, has_receiver=False)
    return call_method(ruby, node, name, receiver=receiver, has_receiver=has_receiver)


def call_method(
    ruby: RubyWalk, node: Node, name: str, *, receiver: Expression, has_receiver: bool
) -> Expression:
    """The value of a call of the method `name`, after gathering its arguments and its block."""
    is_macro = not has_receiver and ruby.class_number is not None and ruby.method is None
    if is_macro and not ruby.is_for_objects:
        arguments = _read_handed(ruby, node)
    else:
        arguments = read_arguments(ruby, node)
    method = node.child_by_field_name("method")
    end = node.end_byte if method is None else method.end_byte
    text = ruby.text.callee(node.start_byte, end)
    if name == "class" and has_receiver and not arguments:
        return None if receiver is None else ("member", receiver, "class")
    callee, kind = _callee(ruby, name, receiver=receiver, has_receiver=has_receiver)
    if name in _SENDING and (sent := _sent_name(ruby, node)):
        callee, arguments = ("member", receiver if has_receiver else ruby.self_form(), sent), arguments[1:]
    elif name in _SENDING and (beginning := _sent_beginning(ruby, node)):
        owner = receiver if has_receiver else ruby.self_form()
        callee, arguments = ("family", owner, beginning), arguments[1:]
    number = ruby.add_call(method or node, callee, text=text, arguments=arguments, kind=kind)
    _note_special(ruby, node, name, has_receiver=has_receiver)
    block = node.child_by_field_name("block")
    worth = _apply_passed_block(ruby, node, receiver)
    if block is not None and block.type in _BLOCKS:
        worth = enter_block(ruby, node, block, name=name)
        if worth is None and is_macro and name not in _RUN_BY_CLASS:
            with ruby.run_by_objects():
                worth = read_block(ruby, block, name=name, receiver=receiver, call=number)
        elif worth is None:
            worth = read_block(ruby, block, name=name, receiver=receiver, call=number)
    if name in _NAMING and (named := _sent_name(ruby, node)):
        target: Expression = ("member", receiver if has_receiver else ruby.self_form(), named)
        ruby.refer(node, target, "value")
        return ("partial", target)
    made = made_by_factory(ruby, node, name, receiver=receiver if has_receiver else None)
    if made is not None and (has_receiver or ruby.suite_titles or ruby.class_number is not None):
        return either_of([("result", number), made])
    return result_of(name, number, receiver if has_receiver else None, worth)


def _read_handed(ruby: RubyWalk, node: Node) -> tuple[Entry, ...]:
    """The arguments of a call in the body of a class, of which objects run the lambdas: `if: -> { is_new? }`."""
    ruby.hands_to_macro = True
    found = read_arguments(ruby, node)
    ruby.hands_to_macro = False
    return found


def _callee(ruby: RubyWalk, name: str, *, receiver: Expression, has_receiver: bool) -> tuple[Expression, str]:
    if name == "new":
        return (receiver if has_receiver else ruby.self_form()), "new"
    if has_receiver:
        return ("member", receiver, name), "call"
    return ruby.own_member(name), "call"


def call_bare(ruby: RubyWalk, node: Node, name: str) -> Expression:
    """A word that is no variable: a call without arguments and receiver."""
    if apply_word(ruby, name):
        return None
    mix_by_name(ruby, node, name, receiver=None)
    if name == "new" and ruby.class_number is not None:
        return ("result", ruby.add_call(node, ruby.self_form(), text=name, kind="new"))
    number = ruby.add_call(node, ruby.own_member(name), text=ruby.call_text(node))
    if name in _RAISING:
        ruby.add_handling(node, "throw")
    if ruby.page is not None:
        # What a page is given is called after its class: `render @story` gives a `story`.
        return either_of([("result", number), ("own", ("instance", ("name", camelize(name))), None)])
    return ("result", number)


def call_super(ruby: RubyWalk, node: Node, arguments: tuple[Entry, ...]) -> Expression:
    """`super`: the same method as the parents of the class have it."""
    name = "" if ruby.method is None else ruby.symbols[ruby.method].name
    callee: Expression = ("member", ("super",), name) if name else None
    value: Expression = ("result", ruby.add_call(node, callee, text="super", arguments=arguments))
    block = node.child_by_field_name("block")
    if block is not None and block.type in _BLOCKS:
        read_block(ruby, block, name=name, receiver=None, call=len(ruby.calls) - 1)
    return value


def read_arguments(ruby: RubyWalk, node: Node) -> tuple[Entry, ...]:
    """The arguments of a call: (keyword, value); a block that is passed on is none of them."""
    found: list[Entry] = []
    for argument in arguments_of(node):
        if argument.type == "pair":
            found.append(read_pair(ruby, argument))
        elif argument.type == "hash_splat_argument":
            for child in argument.named_children:
                ruby.visit(child)
        elif argument.type == "block_argument":
            continue
        else:
            found.append((None, ruby.visit(argument)))
    return tuple(found)


def _apply_passed_block(ruby: RubyWalk, node: Node, receiver: Expression) -> Expression:
    """`map(&:name)` calls the method of each element; anything else that is passed on is only read."""
    passed = next((one for one in arguments_of(node) if one.type == "block_argument"), None)
    inner = passed.named_children[0] if passed is not None and passed.named_child_count else None
    if inner is None:
        return None
    name = ruby.string_of(inner) if inner.type == "simple_symbol" else None
    if name is None:
        return ruby.visit(inner)
    if receiver is None:
        return None
    callee: Expression = ("member", ("item", receiver), name)
    return ("result", ruby.add_call(inner, callee, text=f"&:{name}", kind="implicit"))


def _sent_name(ruby: RubyWalk, node: Node) -> str | None:
    """The method that `send(:name)` calls, where it is constant."""
    arguments = arguments_of(node)
    name = ruby.string_of(arguments[0]) if arguments else None
    return name if name and not name.isspace() else None


def _sent_beginning(ruby: RubyWalk, node: Node) -> str | None:
    """How the name begins that `send("update_#{kind}")` calls; fewer letters are a beginning of chance."""
    arguments = arguments_of(node)
    if not arguments or arguments[0].type not in {"string", "delimited_symbol"}:
        return None
    parts = arguments[0].named_children
    text = ruby.text.text(parts[0]) if len(parts) > 1 and parts[0].type == "string_content" else ""
    return text if _BEGINNING.fullmatch(text) else None


def _note_special(ruby: RubyWalk, node: Node, name: str, *, has_receiver: bool) -> None:
    if name == "desc" and not has_receiver:
        note_description(ruby, node)
        return
    if name in _RAISING and not has_receiver:
        ruby.add_handling(node, "throw", _raised_types(ruby, node))
    elif name in {"fetch", "key?", "dig"} and has_receiver:
        owner, arguments = node.child_by_field_name("receiver"), arguments_of(node)
        if owner is None or ruby.text.text(owner) != "ENV" or not arguments:
            return
        variable = ruby.string_of(arguments[0])
        default = ruby.text.brief(arguments[1], MOST_TEXT_CHARACTERS) if len(arguments) > 1 else None
        if variable:
            ruby.environment_reads.append(EnvironmentRead(ruby.scope, ruby.line(node), variable, default))


def _raised_types(ruby: RubyWalk, node: Node) -> tuple[str, ...]:
    arguments = arguments_of(node)
    raised = arguments[0] if arguments else None
    if raised is not None and raised.type == "call":
        raised = raised.child_by_field_name("receiver")
    if raised is None or raised.type not in {"constant", "scope_resolution"}:
        return ("RuntimeError",) if arguments and arguments[0].type == "string" else ()
    return (ruby.text.brief(raised, MOST_TEXT_CHARACTERS),)


CALL_HANDLERS: Final[dict[str, Handler]] = {"call": _read_call}
