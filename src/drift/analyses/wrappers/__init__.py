"""Functions of a project that stand before a library."""

from drift.analyses.wrappers.finding import Wrapper, Wrappers, find_wrappers
from drift.analyses.wrappers.preferring import Preference, find_preferences
from drift.analyses.wrappers.primitives import purposes
from drift.analyses.wrappers.rows import (
    CLUSTER_SORTS,
    PREFER_SORTS,
    WRAPPER_SORTS,
    ClusterRow,
    PreferRow,
    WrapperRow,
    cluster_row,
    clusters_of,
    prefer_row,
    wrapper_row,
)

__all__ = [
    "CLUSTER_SORTS",
    "PREFER_SORTS",
    "WRAPPER_SORTS",
    "ClusterRow",
    "PreferRow",
    "Preference",
    "Wrapper",
    "WrapperRow",
    "Wrappers",
    "cluster_row",
    "clusters_of",
    "find_preferences",
    "find_wrappers",
    "prefer_row",
    "purposes",
    "wrapper_row",
]
