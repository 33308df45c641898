"""Data files of the package, read without `importlib.resources`, which takes 15 ms to import.

What starts with every prompt of a user reads its tables by this; wherever time does not matter, either will do.
"""

from pkgutil import get_data


def read_data(package: str, name: str) -> str:
    """The text of a data file that lies in a package."""
    content = get_data(package, name)
    if content is None:
        raise FileNotFoundError(f"{package} cannot read its data file {name}")
    return content.decode("utf-8")
