"""Ruby: what its syntax means.

Modules are traits, and so is what only a path names (`class A::B` opens A). A method of the class itself has the
modifier `classmethod`, one that `module_function` makes `static`; both sorts of one name live side by side. `self` is
the object or class of a method, and in the body of a class that class. A bare word that is no variable is a call of
`self`; outside of classes it is a plain name. Instance variables are members with their `@`. Blocks are part of the
method they stand in, except those that a framework runs by itself, which are functions in angle brackets. `extend`
binds the metaclass of a class. What is required is an import without a name; constants need none. Pages of ERB are
scripts that see the variables of their controller.
"""

from drift.languages.facts import FileFacts
from drift.languages.markup import page_facts
from drift.languages.ruby.calls import CALL_HANDLERS
from drift.languages.ruby.declarations import DECLARATION_HANDLERS
from drift.languages.ruby.entries import note_script
from drift.languages.ruby.erb import ENDING, given_to, script_of, surroundings_of
from drift.languages.ruby.inflection import camelize
from drift.languages.ruby.literals import LITERAL_HANDLERS
from drift.languages.ruby.routes import is_routes_file
from drift.languages.ruby.statements import STATEMENT_HANDLERS, visit_body
from drift.languages.ruby.values import VALUE_HANDLERS
from drift.languages.ruby.walk import Nesting, RubyWalk

__all__ = ["extract"]

_HANDLERS = {
    **LITERAL_HANDLERS,
    **VALUE_HANDLERS,
    **CALL_HANDLERS,
    **STATEMENT_HANDLERS,
    **DECLARATION_HANDLERS,
}


def extract(source: bytes, path: str) -> FileFacts:
    """The facts of a Ruby file, whatever its bytes."""
    if path.lower().endswith(ENDING):
        return page_facts(_extract_page(script_of(source), path), source, ENDING)
    ruby = RubyWalk(source, path)
    ruby.handlers = _HANDLERS
    with ruby.walking():
        if is_routes_file(ruby):
            ruby.nesting = Nesting()
        visit_body(ruby, ruby.root)
        note_script(ruby)
    return ruby.finish("ruby")


def _extract_page(script: bytes, path: str) -> FileFacts:
    ruby = RubyWalk(script, path)
    ruby.handlers = _HANDLERS
    ruby.page = surroundings_of(path)
    with ruby.walking():
        if (given := given_to(path)) is not None:
            ruby.bind(ruby.root, given, ("own", ("instance", ("name", camelize(given))), None))
        visit_body(ruby, ruby.root)
    return ruby.finish("ruby")
