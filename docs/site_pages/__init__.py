"""The pages of docs/ as a static site: what is on it, how a page becomes HTML, and the frame around each."""

from site_pages.frame import Frame
from site_pages.measured import Measured, gather_measured, read_measured
from site_pages.plan import Chapter, read_plan
from site_pages.sheets import Sheet, Source, cut_sheets, find_anchors, read_source
from site_pages.writing import render_sheets

__all__ = [
    "Chapter",
    "Frame",
    "Measured",
    "Sheet",
    "Source",
    "cut_sheets",
    "find_anchors",
    "gather_measured",
    "read_measured",
    "read_plan",
    "read_source",
    "render_sheets",
]
