"""Models that a call makes rather than a class: `const Cat = mongoose.model("Cat", …)`, and fields that lists name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from drift.analyses.data_access.chains import all_texts, first_text, read_chain
from drift.analyses.data_access.class_facts import ClassFacts, family_of
from drift.analyses.data_access.knowledge import DataLibrary
from drift.analyses.data_access.naming import table_name
from drift.analyses.data_access.rows import Model, ModelField
from drift.analyses.data_access.sources import Source, open_source
from drift.index import IndexReader
from drift.index.ids import FileId, file_of_symbol

_CALLED: Final = re.compile(r"(\w{1,100})(?:<[^<>]{0,100}>)?$")
_VARIABLE: Final = re.compile(
    r"([A-Za-z_]\w{0,80})\s{0,4}(?::[^=\n]{0,80})?=\s{0,4}(?:await\s{1,4})?(?:\([^()\n]{0,60}\|\|\s{0,4})?$"
)
_KEY: Final = re.compile(r"[{,]\s{0,80}([A-Za-z_]\w{0,60})\s{0,4}:\s{0,4}(\w{1,40})")
_LIST: Final = re.compile(r"\$?(?:fillable|hidden|casts|dates|guarded)\s{0,4}=\s{0,4}\[([^\]]{0,1500})\]")
_MOST_MADE: Final = 5_000


def find_made(
    reader: IndexReader, root: Path, facts: ClassFacts, libraries: Mapping[str, Sequence[DataLibrary]]
) -> Iterator[tuple[str, Model]]:
    """Each model that a call makes, with the family of languages it is known in."""
    makers = {
        name for some in libraries.values() for each in some for name in each.model_makers | each.table_makers
    }
    if not makers:
        return
    texts = {
        number
        for number, text in reader.data.called_texts()
        if (end := _CALLED.search(text)) and end.group(1) in makers
    }
    sources: dict[FileId, Source | None] = {}
    for call in reader.data.calls(texts)[:_MOST_MADE]:
        file = file_of_symbol(call.caller_id)
        known = facts.files.get(file)
        if known is None or known[2] != "source" or call.outcome == "resolved":
            continue
        if file not in sources:
            sources[file] = open_source(root, known[0])
        source = sources[file]
        place = source.place(call.line, call.column) if source is not None else None
        if source is None or place is None:
            continue
        for library in libraries.get(known[1], ()):
            made = _made(source, place, library, path=known[0], line=call.line)
            if made is not None:
                yield family_of(known[1]), made
                break


def _made(source: Source, place: int, library: DataLibrary, *, path: str, line: int) -> Model | None:
    chain = read_chain(source.text, place)
    link = next(
        (
            each
            for each in chain.links
            if each.given is not None and each.name in library.model_makers | library.table_makers
        ),
        None,
    )
    name = first_text(link.given or "") if link is not None else None
    if link is None or not name or not re.fullmatch(r"[\w.-]{1,80}", name):
        return None
    before = _VARIABLE.search(source.text[max(0, chain.start - 200) : chain.start])
    if before is None and link.name in library.table_makers:
        return None
    said = link.name in library.table_makers
    table = name if said else table_name(library.table_names, name)
    fields = tuple(
        ModelField(key, kind, None, line) for key, kind in _KEY.findall((link.given or "")[:4_000])
    )
    return Model(
        before.group(1) if before else name,
        table,
        library.framework,
        path,
        line,
        fields,
        None,
        is_table_said=said,
    )


def listed_fields(root: Path, model: Model) -> tuple[ModelField, ...]:
    """The fields that lists in the class of a model name: what may be filled, what is hidden, how it is cast."""
    source = open_source(root, model.file)
    if source is None:
        return ()
    begin = source.start_of(model.line)
    found: dict[str, ModelField] = {}
    for match in _LIST.finditer(source.text, begin, begin + 20_000):
        line = source.line_of(match.start())
        for part in match.group(1).split(","):
            name = all_texts(part.partition("=>")[0])
            if re.fullmatch(r"[a-z_]\w{0,60}", name):
                kind = first_text(part.partition("=>")[2]) if "=>" in part else None
                found.setdefault(name, ModelField(name, kind, None, line))
    return tuple(found.values())
