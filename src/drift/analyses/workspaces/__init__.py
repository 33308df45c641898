"""Packages of a project: which there are, what holds them together, what they offer and how they use each other."""
