"""Measures of quality, as tools and as methods."""
