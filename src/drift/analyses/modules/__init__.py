"""Modules of a project: files, folders, packages or layers, and how they hold on to each other."""
