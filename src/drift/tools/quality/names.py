"""Names like a given one."""

from functools import partial
from typing import Annotated, Literal

from drift.index import Layer
from drift.kernel.answer import Answer
from drift.quality.names import Asked, NameScope, NamesData, find_names
from drift.quality.scope import choose_scope
from drift.registry import WHOLE_PROJECT, Call, KnownPath, Length, MustExist, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.tools.quality.answering import document_writer, told_answer


@tool(
    category="quality",
    title="Similar names",
    tokens=(200, 1500),
    needs=Layer.SYMBOLS,
    is_method=True,
    examples=({"query": "calculateTotal"}, {"query": "fetchCart", "scope": "functions", "phonetic": True}),
)
def analyze_name_similarity(
    call: Call,
    query: Annotated[str, Length(200), "Name to search for"],
    *,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    top_k: Annotated[int, Range(1, 1000)] = 10,
    phonetic: Annotated[bool, "Also words that sound alike"] = False,
    scope: NameScope = "all",
    threshold: Annotated[float, Range(0, 1), "Least score"] = 0.3,
    fuzzy: Annotated[bool, "Also words nearly spelled the same"] = True,
    case_sensitive: Annotated[bool, "Only names that begin in the same case"] = False,
    format: Annotated[  # noqa: A002 - the name on the wire
        Literal["summary", "detailed", "json", "csv", "markdown"], "summary has no reasons"
    ] = "detailed",
    include: Annotated[tuple[str, ...], "Only paths that match"] = (),
    exclude: Annotated[tuple[str, ...], "No paths that match"] = (),
    page: Page = Page(limit=20, sorts=("score", "name")),
) -> Answer[NamesData]:
    """Names like a given one: by words, abbreviations, synonyms of English and of the project, spelling, sound."""
    asked = Asked(phonetic=phonetic, fuzzy=fuzzy, case_sensitive=case_sensitive)
    with opened_index(call) as reader:
        chosen = choose_scope(reader, project_path, include=include, exclude=exclude)
        found = find_names(reader, chosen, query, kinds=scope, top_k=top_k, threshold=threshold, asked=asked)
    data = partial(found.data, format, write=document_writer(call, format))
    return told_answer(
        call, page, found.ranked(), data, summary=found.summary, form=format, warnings=found.notes
    )
