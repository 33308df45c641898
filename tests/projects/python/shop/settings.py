"""Settings.

From the environment.
"""

import os
from os import environ, getenv

TIMEOUT_MS = 2_500
RETRIES: int = 3
NEGATIVE = -40
NAME = "sho" "p"
DEBUG = os.environ.get("SHOP_DEBUG", "no") == "yes"
TOKEN = os.environ["SHOP_TOKEN"]
REGION = getenv("SHOP_REGION")


def database():
    """Where the data is."""
    # not the host
    return environ.get("SHOP_DB", default="sqlite://") or os.getenv("SHOP_" + NAME)


os.environ["SHOP_CHILD"] = "1"
