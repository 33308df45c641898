"""What is known of the data of a project: models, and the places that reach them."""

from dataclasses import dataclass

from drift.analyses.data_access.sql_text import Operation
from drift.index.ids import SymbolId


@dataclass(frozen=True, slots=True)
class ModelField:
    """A field or column. `column` is its name in the table where that is said to differ."""

    name: str
    type: str | None
    column: str | None
    line: int
    marks: str = ""
    """How it is declared, with its decorators, as written."""


@dataclass(frozen=True, slots=True)
class Model:
    """A table, collection or the class that stands for one."""

    name: str
    table: str
    framework: str
    file: str
    line: int
    fields: tuple[ModelField, ...]
    symbol_id: SymbolId | None = None
    is_table_said: bool = False
    """The name of the table stands in the code; else it is what the framework makes of the class."""


@dataclass(frozen=True, slots=True)
class AccessPoint:
    """A place that reaches data. A table is null where nothing near the place names one."""

    table: str | None
    operation: Operation
    framework: str
    file: str
    line: int
    is_raw_sql: bool
    model: str | None
    fields: tuple[str, ...]
    confidence: float
    symbol: str
    symbol_id: SymbolId
    role: str
    """Of the file: source, test, …"""


@dataclass(frozen=True, slots=True)
class DataMap:
    """The data of a project: what it is kept in, and who reaches it."""

    models: tuple[Model, ...]
    points: tuple[AccessPoint, ...]
    frameworks: tuple[str, ...]
    problems: tuple[str, ...] = ()
