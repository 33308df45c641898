"""The dashboard: one read-only web page about a project, its tools, instructions, memories and packs."""

from drift.dashboard.app import create_dashboard
from drift.dashboard.inquiry import Inquiry
from drift.dashboard.listening import find_port

__all__ = ["Inquiry", "create_dashboard", "find_port"]
