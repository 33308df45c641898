"""Manifests and lock files of nine languages: what a project declares, settles on, and uses."""
