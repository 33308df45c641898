"""Tests and what they test: frameworks, cases, coverage, mocks, quality, and which tests a change needs."""
