"""What a language's part of a project consists of: files, code, frameworks, entry points."""

from collections import Counter

from drift.analyses.language_profiles.frameworks import used_frameworks
from drift.analyses.language_profiles.routes import routes_with_frameworks
from drift.analyses.language_profiles.rows import LanguageData
from drift.analyses.language_profiles.sources import NO_ROWS, Found, Sources
from drift.kernel.text import plural
from drift.languages.kinds import CLASS_KINDS

_FUNCTIONS = ("function", "method", "constructor")


def find_status(sources: Sources) -> Found:
    """Sizes, frameworks and routes of a language in the project."""
    kinds = sources.facts.kinds(sources.ids)
    functions = sum(kinds.get(kind, 0) for kind in _FUNCTIONS)
    types = sum(kinds.get(kind, 0) for kind in CLASS_KINDS)
    lines = sum(file.code_lines for file in sources.files.values())
    routes = Counter(framework for _, framework in routes_with_frameworks(sources))
    frameworks = used_frameworks(sources, routes)
    counts = {"files": len(sources.files), "codeLines": lines, "functions": functions, "types": types}
    if sources.profile.routed:
        counts["routes"] = routes.total()
    told = (
        f"{sources.profile.title}: {plural(len(sources.files), 'file')}, {plural(lines, 'line')} of code, "
        f"{plural(functions, 'function')}, {plural(types, 'type')}"
    )
    if not sources.profile.frameworks:
        ties = Counter(tie.kind for file in sources.ids for tie in sources.reader.markup.bindings_of(file))
        counts |= {f"{kind}s": count for kind, count in sorted(ties.items())}
        return Found(told, NO_ROWS, lambda _shown: LanguageData(counts=counts))
    named = ", ".join(row.framework for row in frameworks[:5]) or "no framework that is known"
    return Found(
        f"{told}; {named}", NO_ROWS, lambda _shown: LanguageData(counts=counts, frameworks=frameworks)
    )
