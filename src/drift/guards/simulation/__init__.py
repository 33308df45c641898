"""Simulation: a task tried on paper, by what the project has already."""
