"""`python -m drift` is the same as `drift`."""

import sys

from drift.cli import main

if __name__ == "__main__":
    sys.exit(main())
