r"""PHP: what its syntax means.

Variables keep their `$` in expressions, bindings, parameters and keywords, which sets them apart from the
functions, classes and constants of the same name; members have none. Segments of a qualified name are
members of each other, and `("name", "\\")` is the global namespace. `self` is the class at hand, `static`
and `$this` are the object, `parent` is the same object seen as its parent. An unnamed function is a symbol
`{closure}`, an unnamed class `class@anonymous`, as PHP itself calls them. An included file is an import of
all its names whose module is the path expression. A file with one namespace has it as its package; each
of several namespaces is a symbol around what it holds. Pages of Blade are scripts of their expressions.
"""

from drift.languages.facts import FileFacts
from drift.languages.markup import Page, Span, page_facts, with_page
from drift.languages.php.blade import ENDING, script_of
from drift.languages.php.calls import CALL_HANDLERS
from drift.languages.php.classes import CLASS_HANDLERS
from drift.languages.php.declarations import DECLARATION_HANDLERS, read_file
from drift.languages.php.entries import settle_registrations
from drift.languages.php.magic_methods import drop_certain
from drift.languages.php.statements import STATEMENT_HANDLERS
from drift.languages.php.type_forms import TYPE_HANDLERS
from drift.languages.php.values import VALUE_HANDLERS
from drift.languages.php.walk import PhpWalk

__all__ = ["extract"]

_TEMPLATE_ENDINGS = (".html.php", ".tpl.php")

_HANDLERS = {
    **TYPE_HANDLERS,
    **VALUE_HANDLERS,
    **CALL_HANDLERS,
    **STATEMENT_HANDLERS,
    **CLASS_HANDLERS,
    **DECLARATION_HANDLERS,
}


def extract(source: bytes, path: str) -> FileFacts:
    """The facts of a PHP file, whatever its bytes."""
    name = path.lower()
    if name.endswith(ENDING):
        return page_facts(_extract(script_of(source), path), source, ENDING)
    facts = _extract(source, path)
    return (
        with_page(facts, source, Page((Span(0, len(source)),))) if name.endswith(_TEMPLATE_ENDINGS) else facts
    )


def _extract(source: bytes, path: str) -> FileFacts:
    php = PhpWalk(source, path)
    php.handlers = _HANDLERS
    with php.walking():
        read_file(php)
        settle_registrations(php)
        drop_certain(php)
    return php.finish("php")
