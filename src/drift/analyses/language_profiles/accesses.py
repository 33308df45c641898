"""Where a language's files read and write data, from what `data_access` knows of the project."""

from collections import Counter

from drift.analyses.data_access import AccessPoint, data_of
from drift.analyses.language_profiles.rows import AccessRow, LanguageData, ModelRow
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.kernel.text import plural

_MOST_MODELS = 15


def find_accesses(sources: Sources) -> Found:
    """Places that reach data, by place; the tables and models that most of them reach."""
    paths = {file.path for file in sources.files.values()}
    known = data_of(sources.reader, sources.root)
    wanted = (sources.asked.framework or "").lower()
    points = [one for one in known.points if one.file in paths and wanted in {"", one.framework.lower()}]
    models = [one for one in known.models if one.file in paths]
    rows = list(dict.fromkeys(map(_row, points)))
    by_framework = dict(Counter(row.framework for row in rows).most_common())
    by_operation = dict(Counter(row.operation for row in rows).most_common())
    reached = Counter(one.model for one in points if one.model is not None)
    shown_models = tuple(
        ModelRow(one.name, one.table, one.framework, one.file, one.line, reached[one.name])
        for one in sorted(models, key=lambda one: (-reached[one.name], one.name, one.file))[:_MOST_MODELS]
    )
    counts = {
        "accessPoints": len(rows),
        "models": len(models),
        "rawSql": sum(row.is_raw_sql for row in rows),
        "tableNotKnown": sum(row.table is None for row in rows),
    }
    reason = (
        None
        if rows or models
        else "no use of a data library that is known was seen; others are not looked for"
    )
    told = (
        f"{plural(len(rows), 'access point')}, {plural(len(models), 'model')}; {counts['rawSql']} in raw SQL"
        if reason is None
        else f"No data access seen: {reason}"
    )
    return Found(
        told,
        ranked(
            rows,
            lambda row: (row.file, row.line, row.table or "", row.operation, row.framework, row.is_raw_sql),
        ),
        lambda page: LanguageData(
            counts=counts,
            access_points=page,
            by_framework=by_framework,
            by_operation=by_operation,
            models=shown_models,
            reason=reason,
        ),
    )


def _row(point: AccessPoint) -> AccessRow:
    return AccessRow(
        point.table, point.operation, point.framework, point.file, point.line, is_raw_sql=point.is_raw_sql
    )
