"""What `drift doctor` looks at: one module per part of the surroundings, each a few small checks."""

from drift.cli.checks.finding import Finding, Verdict
from drift.cli.checks.run import run_checks

__all__ = ["Finding", "Verdict", "run_checks"]
