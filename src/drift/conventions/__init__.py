"""Conventions: what a project decides how, how sure that is, who does otherwise, and what people said to it."""
