"""The quality of a project as one page of HTML that needs nothing else, or in short as Markdown."""

from drift.quality.page.content import ConventionLine, FileCell, PageContent, TrendLine
from drift.quality.page.document import write_page
from drift.quality.page.summary import write_summary

__all__ = ["ConventionLine", "FileCell", "PageContent", "TrendLine", "write_page", "write_summary"]
