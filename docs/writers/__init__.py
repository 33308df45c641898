"""What the generated parts of the documentation say, read from the code they describe."""

from writers.architecture import architecture_blocks
from writers.blocks import Block, fill_blocks
from writers.configuration import write_configuration
from writers.conventions import conventions_blocks
from writers.errors import write_errors
from writers.facts import write_facts
from writers.how_true import how_true_blocks
from writers.protocol import protocol_blocks
from writers.quick_start import quick_start_blocks
from writers.readme import readme_blocks
from writers.tools import write_tools

__all__ = [
    "Block",
    "architecture_blocks",
    "conventions_blocks",
    "fill_blocks",
    "how_true_blocks",
    "protocol_blocks",
    "quick_start_blocks",
    "readme_blocks",
    "write_configuration",
    "write_errors",
    "write_facts",
    "write_tools",
]
