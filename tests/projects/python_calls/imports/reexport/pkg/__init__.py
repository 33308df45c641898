from pkg.impl import Tool

__all__ = ["Tool"]
