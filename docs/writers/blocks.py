"""Generated blocks inside pages that people write: the text around them is theirs."""

import re
from collections.abc import Mapping

Block = Mapping[str, str]

_BLOCK = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def fill_blocks(text: str, blocks: Block) -> str:
    """The page with every block filled. Raises ValueError when the page and the blocks do not match."""
    found = [match["name"] for match in _BLOCK.finditer(text)]
    if sorted(found) != sorted(blocks):
        raise ValueError(f"the page has the blocks {found}, the generator makes {list(blocks)}")
    return _BLOCK.sub(lambda match: f"{match[1]}\n{blocks[match['name']]}\n\n{match[3]}", text)
