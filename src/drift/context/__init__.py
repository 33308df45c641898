"""Answers composed from several domains: what an agent needs to know for a task."""
