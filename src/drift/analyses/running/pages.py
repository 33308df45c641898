"""Who fills which page, and which pages take in which: what a page calls runs with the request that asks for it.

What it does: leads from an action to the page that is named like it, from a call such as `render "a/b"` or `view('a.b')`
to the page it names, and from pages to those they take in or stand in. The whole path of a page counts whatever it is
given to, and one that is put together means all the pages it may spell.
Why it matters: no call in the text leads to a page, so what only pages call would have no test.
Known limits: pages that are read as code; one that Rails finds by the class of an object is not found.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from drift.analyses.running.client_calls import calls_by_line
from drift.analyses.running.edges import Run
from drift.analyses.running.page_names import Action, Pages, page_paths, page_rules
from drift.analyses.running.spelling import spelling_of
from drift.index.ids import FileId, SymbolId, file_of_symbol, file_symbol, is_file
from drift.index.run_records import PathText

if TYPE_CHECKING:
    from drift.index import IndexReader

_TAKEN_BY_ANY: Final = 0.7  # the whole path of one page, given to what may be a function of the project's own
_BY_NAME: Final = 0.9  # an action that says no other page
_OR_BY_NAME: Final = 0.5  # one that does, perhaps in a branch
_AROUND: Final = 0.7  # a page may be shown without what usually stands around it
_LONGEST: Final = 200  # of a name that is put together
_LINES_OF_CALL: Final = 3  # a name may stand below the call it is given to


def page_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which functions fill which pages, and which pages take in which."""
    paths = page_paths(reader)
    if not paths:
        return
    rules = page_rules()
    pages = Pages(paths)
    said = [*reader.pages.texts_equal_to(pages.names()), *_put_together(reader, pages)]
    taken = reader.pages.taken()
    users = {file_of_symbol(one.symbol_id) for one in (*said, *taken)}
    folders = {file: found for file, path in reader.pages.paths(users).items() if (found := _folder(path))}
    filling: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    layouts: dict[SymbolId, str] = {}
    calls = calls_by_line(reader, users, {"page": rules.calls, "around": rules.around, "apart": rules.apart})
    named = ((one, _beside(calls.get(one.symbol_id, {}), one.line)) for one in said)
    for one, beside in (*((one, {"page"}) for one in taken), *named):
        user, here = one.symbol_id, pages.by_id.get(one.symbol_id)
        if "around" in beside:
            layouts[user] = one.value
        is_inside = here is not None or not is_file(user)
        is_any = is_inside and "apart" not in beside and pages.is_whole(one.value)
        if "page" not in beside and not is_any:
            continue
        folder = here.folder if here is not None else folders.get(file_of_symbol(user))
        for page, confidence in pages.meant(one.value, folder, in_page=here is not None):
            if page != user:
                filling[user].add(page)
                yield Run(user, page, confidence if "page" in beside else min(confidence, _TAKEN_BY_ANY))
    yield from _by_action(reader, pages, filling, layouts)
    yield from _of_classes(reader, paths)


def _of_classes(reader: "IndexReader", paths: Mapping[FileId, str]) -> Iterator[Run]:
    """Pages that the class of a file beside them shows, which call its methods by their bare names."""
    of_page, of_class = page_rules().beside
    files = {path: file for file, path in reader.pages.paths().items() if path.endswith(of_class)}
    shown = {
        page: files[code]
        for page, path in paths.items()
        if path.endswith(of_page) and (code := f"{path.removesuffix(of_page)}{of_class}") in files
    }
    if not shown:
        return
    texts = reader.testing.call_texts(list(shown))
    called: dict[SymbolId, set[str]] = defaultdict(set)
    for call in reader.testing.calls_written(list(shown), texts):
        called[call.caller_id].add(call.text)
    for page, file in shown.items():
        here = file_symbol(page)
        for one in reader.symbols.of_file(file):
            if one.kind in {"class", "constructor"}:
                yield Run(one.id, here, _BY_NAME)
            elif one.kind == "method" and one.name in called[here]:
                yield Run(here, one.id, _BY_NAME)


def _put_together(reader: "IndexReader", pages: Pages) -> Iterator[PathText]:
    """The texts that may spell the names of pages, with a sign for what is not known of them."""
    for one in reader.pages.put_together(_LONGEST):
        spelling = spelling_of(one.value)
        if spelling is not None and pages.may_spell(spelling.parts):
            yield one._replace(value="/".join(spelling.parts))


def _by_action(
    reader: "IndexReader",
    pages: Pages,
    filling: Mapping[SymbolId, Collection[SymbolId]],
    layouts: Mapping[SymbolId, str],
) -> Iterator[Run]:
    """Methods that fill the page of their own name, and what stands around the pages of a class."""
    for file, path in reader.pages.paths().items():
        rule, match = _action(path)
        if rule is None or match is None:
            continue
        folder, outer = rule.pages.format(**match.groupdict()), rule.layouts.format(**match.groupdict())
        for method, owner, name in reader.pages.methods_of(file):
            said = filling.get(method, ())
            own = pages.inside(folder, name)
            yield from (Run(method, page, _OR_BY_NAME if said else _BY_NAME) for page in own)
            whole = own or [each for each in said if not pages.by_id[each].is_partial]
            if not whole:
                continue
            around = layouts.get(owner) or (
                match["name"] if pages.inside(outer, match["name"]) else rule.layout
            )
            yield from (Run(method, page, _AROUND) for page in pages.inside(outer, around))


def _beside(calls: Mapping[int, set[str]], line: int) -> set[str]:
    """What the calls of a line do, else those of the nearest line above it."""
    near = (calls[each] for each in range(line, line - _LINES_OF_CALL, -1) if calls.get(each))
    return next(near, set())


def _folder(path: str) -> str | None:
    """Where the pages of a file of actions stand."""
    rule, match = _action(path)
    return rule.pages.format(**match.groupdict()) if rule is not None and match is not None else None


def _action(path: str) -> tuple[Action | None, re.Match[str] | None]:
    for rule in page_rules().actions:
        match = rule.file.fullmatch(path)
        if match is not None:
            return rule, match
    return None, None
