"""Where data lives: models and their tables, and every place that reads or changes them."""

from drift.analyses.data_access.finding import data_of, find_data, reaches_data
from drift.analyses.data_access.rows import AccessPoint, DataMap, Model, ModelField
from drift.analyses.data_access.sql_text import Operation, Touch, read_sql

__all__ = [
    "AccessPoint",
    "DataMap",
    "Model",
    "ModelField",
    "Operation",
    "Touch",
    "data_of",
    "find_data",
    "reaches_data",
    "read_sql",
]
