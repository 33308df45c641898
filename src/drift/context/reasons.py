"""Says in words why a file was found."""

from typing import Final

from drift.context.focus import stems_in
from drift.context.localize import FoundFile, Located
from drift.context.symbols import term_values
from drift.index import IndexReader
from drift.kernel.text import shorten
from drift.kernel.words import undouble

_MOST_REASONS: Final = 3
_MOST_WORDS: Final = 4
_LONGEST_SUBJECT: Final = 60
# Of signs that say all there is to say.
_PLAIN: Final = {
    "place": "named in the focus",
    "active": "the active file",
    "habit": "changes often",
    "caller": "calls what was found first",
    "guard": "has words of guards and secrets",
    "entry": "has entry points",
}
_WEAKEST: Final = 0.03  # of the score: what adds less is no reason


def explain_file(reader: IndexReader, located: Located, file: FoundFile) -> str:
    """The strongest reasons, strongest first."""
    strongest = sorted(file.signs, key=lambda kind: (-file.signs[kind], kind))
    reasons = [
        reason
        for kind in strongest
        if file.signs[kind] >= _WEAKEST * file.score and (reason := _explain(reader, located, file, kind))
    ]
    return "; ".join(list(dict.fromkeys(reasons))[:_MOST_REASONS])


def _explain(reader: IndexReader, located: Located, file: FoundFile, kind: str) -> str | None:
    match kind:
        case "body" | "passage" | "pair":
            return _listed("text has", _spelled(located, _words_in(located, file)))
        case "name":
            return _listed("symbols named", _spelled(located, _words_naming(located, file)))
        case "path" | "folder" | "scope":
            words = {undouble(term): word for term, word in stems_in(file.path).items()}
            shared = [undouble(term) for term in located.focus.terms if undouble(term) in words]
            return _listed("path has", [words[term] for term in shared])
        case "definition":
            places = reader.places
            return _listed(
                "defines", [name for name in located.focus.names if file.id in places.files_defining(name)]
            )
        case "likeness":
            return f"changed by {shorten(located.alike[file.path].subject, _LONGEST_SUBJECT)!r}"
        case _:
            return _PLAIN.get(kind)


def _words_in(located: Located, file: FoundFile) -> list[str]:
    values = term_values(located)
    inside = [term for term in values if file.path in located.counts[term]]
    return sorted(inside, key=lambda term: (-values[term], term))


def _words_naming(located: Located, file: FoundFile) -> list[str]:
    return [term for term in _words_in(located, file) if file.path in located.naming[term]]


def _spelled(located: Located, terms: list[str]) -> list[str]:
    return [located.focus.spellings.get(term, term) for term in terms]


def _listed(lead: str, words: list[str]) -> str | None:
    return f"{lead} {', '.join(words[:_MOST_WORDS])}" if words else None
