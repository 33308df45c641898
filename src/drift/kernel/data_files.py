"""Data files of the package, read without `importlib.resources`, which takes 15 ms to import.

What starts with every prompt of a user reads its tables by this; wherever time does not matter, either will do.
"""

from importlib import import_module
from pathlib import Path


def read_data(package: str, name: str) -> str:
    """The text of a data file that lies in a package.

    The file is opened beside the package's own, not asked of its loader: one that counts lines gives no data.
    """
    [folder] = import_module(package).__path__
    return Path(folder, name).read_text(encoding="utf-8")
