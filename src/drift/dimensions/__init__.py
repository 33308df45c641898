"""Dimensions of conventions as data: what every project decides somehow, where, and what it may choose."""

from drift.dimensions.casing import CASINGS, casing_of
from drift.dimensions.classification import compiled_globs, variant_of
from drift.dimensions.form import CATEGORIES, SEVERITIES, Category, Dimension, Severity, SiteRule
from drift.dimensions.library import queried_dimensions, shipped_dimensions
from drift.dimensions.own import OwnDimensions, read_own_dimensions
from drift.dimensions.reading import DimensionError, finders, read_dimension
from drift.dimensions.rule_queries import query_site_id

__all__ = [
    "CASINGS",
    "CATEGORIES",
    "SEVERITIES",
    "Category",
    "Dimension",
    "DimensionError",
    "OwnDimensions",
    "Severity",
    "SiteRule",
    "casing_of",
    "compiled_globs",
    "finders",
    "queried_dimensions",
    "query_site_id",
    "read_dimension",
    "read_own_dimensions",
    "shipped_dimensions",
    "variant_of",
]
