"""Constant lists and tables of Python."""

ROLES = ["admin", "editor"]
STATES: dict[str, int] = {"open": 1, "closed": 2}
ALLOWED = frozenset({"get", "post"})
HANDLERS = {"open": open_cart, 404: errors.NotFound}
MIXED = [make("admin"), "plain"]


class Order:
    COLUMNS = ("id", "total")
