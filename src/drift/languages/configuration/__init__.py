"""Reads of configuration: variables of the environment and settings, whether they are required, what stands in for them."""

from drift.languages.configuration.reading import with_configuration

__all__ = ["with_configuration"]
