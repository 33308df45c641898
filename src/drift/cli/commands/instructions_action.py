"""What a module has for each of its verbs of `drift instructions`."""

import argparse
from collections.abc import Callable
from typing import NamedTuple

from drift.cli.console import Console
from drift.cli.exits import Exit


class Action(NamedTuple):
    """How a verb declares its options, and how it does its work."""

    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Console], Exit]
