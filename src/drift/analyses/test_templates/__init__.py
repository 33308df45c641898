"""Tests to begin with: where a test belongs, how the project writes tests, and one written so."""
