"""Routes of frameworks that go by the names of files and folders: Next, SvelteKit, Remix, Nuxt."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from drift.languages.facts import EntryPoint
from drift.languages.frameworks import METHODS_OF_HTTP, join_route
from drift.languages.typescript.modules import EXPORTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol
    from drift.languages.typescript.walk import Walk

_PAGE_STEMS: Final = frozenset({"page", "+page"})
_ROUTE_STEMS: Final = frozenset({"route", "+server"})
_PAGE_ENDINGS: Final = frozenset({".tsx", ".jsx", ".js"})
_HIDDEN_SEGMENT: Final = re.compile(r"^(?:\(.*\)|@.*)$")  # groups and slots of Next, not in the URL
# What a framework calls beside the page itself, by the word of the method that leads to it.
_NEXT_LOADERS: Final = frozenset({"getServerSideProps", "getStaticProps", "getStaticPaths"})
_SVELTE_LOADER: Final = ("+page", "load")
_REMIX_WORDS: Final = {"loader": "GET", "clientLoader": "GET", "action": "POST", "clientAction": "POST"}
_NEXT_ENDINGS: Final = (".page", ".api")  # of `pageExtensions`, as Next recommends them; no part of the URL
_NEXT: Final = ("next/", "next-")
# Files of Next's `app` that stand for others, by what is asked for.
_METADATA: Final = {
    "sitemap": "sitemap.xml",
    "robots": "robots.txt",
    "manifest": "manifest.webmanifest",
    "opengraph-image": "opengraph-image",
    "twitter-image": "twitter-image",
    "icon": "icon",
    "apple-icon": "apple-icon",
}
_REMIX: Final = ("@remix-run/", "@react-router/", "react-router")
_REMIX_TYPES: Final = "./+types/"
_DEFAULT: Final = "default"
_SERVED: Final = "server"
_SERVING: Final = (("api",), ("routes",))


def routed_by_path(walk: Walk, path: str) -> Iterator[EntryPoint]:
    """What a file answers because of where it stands."""
    file = PurePosixPath(path.replace("\\", "/"))
    yield from _in_app_folder(walk, file)
    yield from _in_pages_folder(walk, file)
    yield from _in_remix_folder(walk, file)
    yield from _in_server_folder(walk, file)


def _in_app_folder(walk: Walk, file: PurePosixPath) -> Iterator[EntryPoint]:
    """Next's `app/…/page.tsx` and `route.ts`, SvelteKit's `routes/…/+page.ts` and `+server.ts`."""
    stem, is_next = _app_stem(file)
    if stem not in _PAGE_STEMS | _ROUTE_STEMS | _METADATA.keys():
        return
    folders = _folders_below(file.parts[:-1], "app" if is_next else "routes")
    if folders is None:
        return
    url = "/" + "/".join(part for part in folders if not _HIDDEN_SEGMENT.match(part))
    yield from (_metadata(walk, stem, url) if stem in _METADATA else _shown(walk, stem, url))


def _shown(walk: Walk, stem: str, url: str) -> Iterator[EntryPoint]:
    """What a page or a file of routes answers at a path."""
    for index, symbol in _exported(walk):
        if stem in _ROUTE_STEMS and symbol.name in METHODS_OF_HTTP:
            yield EntryPoint(index, "http", f"{symbol.name} {url}", symbol.line)
        elif stem in _PAGE_STEMS and ("default" in symbol.modifiers or (stem, symbol.name) == _SVELTE_LOADER):
            yield EntryPoint(index, "http", f"GET {url}", symbol.line)
    for name, handler, line in _handed_on(walk):
        if stem in _ROUTE_STEMS and name in METHODS_OF_HTTP:
            yield EntryPoint(0, "http", f"{name} {url}", line, handler)
        elif stem in _PAGE_STEMS and (name == _DEFAULT or (stem, name) == _SVELTE_LOADER):
            yield EntryPoint(0, "http", f"GET {url}", line, handler)


def _app_stem(file: PurePosixPath) -> tuple[str, bool]:
    """What a file is in a folder of routes, by its name, and whether Next says so: `page.client.tsx` is no page of it."""
    if file.name.startswith("+"):
        return file.name.split(".")[0], False
    stem = file.stem
    return next((stem.removesuffix(one) for one in _NEXT_ENDINGS if stem.endswith(one)), stem), True


def _metadata(walk: Walk, stem: str, folder: str) -> Iterator[EntryPoint]:
    """What a file answers that stands for one beside the pages: `sitemap.ts` makes /sitemap.xml."""
    if not _imports_next(walk):
        return
    url = join_route(folder, _METADATA[stem])
    for index, symbol in _exported(walk):
        if _DEFAULT in symbol.modifiers:
            yield EntryPoint(index, "http", f"GET {url}", symbol.line)
    for name, handler, line in _handed_on(walk):
        if name == _DEFAULT:
            yield EntryPoint(0, "http", f"GET {url}", line, handler)


def _in_pages_folder(walk: Walk, file: PurePosixPath) -> Iterator[EntryPoint]:
    """Next's `pages`: every file of `pages/api` answers all methods, every other one is a page."""
    folders = _folders_below(file.parts[:-1], "pages")
    if folders is None or _is_deep_in_sources(file.parts):
        return
    word = "ALL" if folders[:1] == ("api",) else "GET" if _is_page_of_next(walk, file) else None
    if word is None:
        return
    stem = file.stem.removesuffix(_NEXT_ENDINGS[0]).removesuffix(_NEXT_ENDINGS[1])
    url = join_route("/" + "/".join(folders), "" if stem == "index" else stem)
    for index, symbol in _exported(walk):
        if "default" in symbol.modifiers or symbol.name in _NEXT_LOADERS:
            yield EntryPoint(index, "http", f"{word} {url}", symbol.line)
    for name, handler, line in _handed_on(walk):
        if name == _DEFAULT or name in _NEXT_LOADERS:
            yield EntryPoint(0, "http", f"{word} {url}", line, handler)


def _is_deep_in_sources(parts: tuple[str, ...]) -> bool:
    """Whether `pages` lies in `src` and not directly, where Next does not look: `src/components/pages`."""
    place = parts.index("pages")
    return "src" in parts[: place - 1] and parts[place - 1] != "src"


def _is_page_of_next(walk: Walk, file: PurePosixPath) -> bool:
    """Whether a file says that it is one: other frameworks keep pages in folders of that name, too."""
    if file.suffix not in _PAGE_ENDINGS or file.name.startswith("_"):
        return False
    return _imports_next(walk) or any(
        name in _NEXT_LOADERS
        for name in (*(each.name for _, each in _exported(walk)), *(name for name, *_ in _handed_on(walk)))
    )


def _imports_next(walk: Walk) -> bool:
    return any(found.module == "next" or found.module.startswith(_NEXT) for found in walk.imports)


def _in_remix_folder(walk: Walk, file: PurePosixPath) -> Iterator[EntryPoint]:
    """Remix' `app/routes/users.$id.tsx`: dots stand for slashes, what begins with `_` is not in the URL."""
    folders = _folders_below(file.parts[:-1], "routes")
    if folders is None or not any(found.module.startswith((*_REMIX, _REMIX_TYPES)) for found in walk.imports):
        return
    parts = [*folders, *(file.stem.split(".") if file.stem != "route" else [])]
    parts = [segment.removesuffix("+") for part in parts for segment in part.split(".")]
    if parts and parts[-1].startswith("_") and parts[-1] != "_index":
        return  # what stands around pages, and has no path of its own
    url = "/" + "/".join(part.rstrip("_") for part in parts if not part.startswith("_") and part != "index")
    exported = list(_exported(walk))
    is_in_app = file.parts[: -len(folders) - 1][-2:] == ("app", "routes")
    is_shown = is_in_app and file.suffix in _PAGE_ENDINGS
    if not any(
        symbol.name in _REMIX_WORDS or (is_shown and _DEFAULT in symbol.modifiers) for _, symbol in exported
    ):
        return
    for index, symbol in exported:
        word = _REMIX_WORDS.get(symbol.name) or ("GET" if "default" in symbol.modifiers else None)
        if word is not None:
            yield EntryPoint(index, "http", f"{word} {url}", symbol.line)


def _in_server_folder(walk: Walk, file: PurePosixPath) -> Iterator[EntryPoint]:
    """Nuxt's and Nitro's routes: `server/api/users/[id].post.ts` answers POST /api/users/[id]."""
    parts = file.parts
    folders = _folders_below(parts[:-1], _SERVED)
    if folders is None or folders[:1] not in _SERVING:
        return
    given = next((one for one in walk.stores if one.receiver == EXPORTS and one.name == "default"), None)
    value = given.value if given is not None else None
    if value is not None and value[0] == "result" and walk.calls[value[1]].arguments:
        value = walk.calls[value[1]].arguments[0][1]
    if given is None or value is None or value[0] != "symbol":
        return
    stem, _, method = parts[-1].rpartition(".")[0].partition(".")
    shown = folders[1:] if folders[0] == "routes" else folders
    url = join_route("/" + "/".join(shown), "" if stem == "index" else stem)
    word = method.upper() if method.upper() in METHODS_OF_HTTP else "ALL"
    yield EntryPoint(value[1], "http", f"{word} {url}", given.line)


def _exported(walk: Walk) -> Iterator[tuple[int, Symbol]]:
    for index, symbol in enumerate(walk.symbols):
        if symbol.parent == 0 and index and "exported" in symbol.modifiers:
            yield index, symbol


def _handed_on(walk: Walk) -> Iterator[tuple[str, Expression, int]]:
    """What a file exports that another declares: by name, what it is here, and the line."""
    for each in walk.imports:
        if each.is_reexport and each.alias and each.name and not each.is_type_only:
            yield each.alias, ("name", each.alias), each.line
    declared = {symbol.name for _, symbol in _exported(walk)}
    for one in walk.stores:  # export { handler as GET }
        is_named = one.receiver == EXPORTS and one.name not in {_DEFAULT, "", *declared}
        if is_named and one.value is not None and one.value[0] == "name":
            yield one.name, one.value, one.line
    if any(_DEFAULT in symbol.modifiers for _, symbol in _exported(walk)):
        return
    for one in walk.stores:
        is_default = one.receiver == EXPORTS and one.name == _DEFAULT
        if is_default and one.value is not None and one.value[0] in {"name", "result"}:
            yield _DEFAULT, one.value, one.line


def _folders_below(parts: tuple[str, ...], root: str) -> tuple[str, ...] | None:
    """The folders below the routing root: the one in `src`, else the first of that name."""
    places = [place for place, part in enumerate(parts) if part == root]
    if not places:
        return None
    place = next((place for place in places if parts[max(0, place - 1)] == "src"), places[0])
    return parts[place + 1 :]
