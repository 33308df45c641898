"""The dashboard: one web page about a project, its tools, instructions, memories and packs."""

from drift.dashboard.app import create_dashboard, guarded_page
from drift.dashboard.inquiry import Inquiry
from drift.dashboard.listening import find_port
from drift.dashboard.visitors import own_door, token_door

__all__ = ["Inquiry", "create_dashboard", "find_port", "guarded_page", "own_door", "token_door"]
