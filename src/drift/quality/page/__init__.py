"""The quality of a project as one page of HTML that needs nothing else."""

from drift.quality.page.content import ConventionLine, FileCell, PageContent, TrendLine
from drift.quality.page.document import write_page

__all__ = ["ConventionLine", "FileCell", "PageContent", "TrendLine", "write_page"]
