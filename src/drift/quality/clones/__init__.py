"""Clones: code that stands in several places, word for word, renamed, with gaps, or in other words."""

from drift.quality.clones.clusters import Cluster, Kind, Least
from drift.quality.clones.corpus import CodeFile, Corpus, Fragment
from drift.quality.clones.extraction import Extraction, propose
from drift.quality.clones.finding import CLONE_KINDS, Found, find_clones
from drift.quality.clones.statements import StatementReader, Statements
from drift.quality.clones.written_once import leave_apart

__all__ = [
    "CLONE_KINDS",
    "Cluster",
    "CodeFile",
    "Corpus",
    "Extraction",
    "Found",
    "Fragment",
    "Kind",
    "Least",
    "StatementReader",
    "Statements",
    "find_clones",
    "leave_apart",
    "propose",
]
