"""Facts as a scan links them: packed into the index and read back, without what linking is said not to need."""

from collections.abc import Mapping

from drift.languages.facts import FileFacts
from drift.scan.link import FileLinks, MemorySources
from drift.scan.link.link import link
from drift.scan.link.reading import read_facts
from drift.scan.packing import pack_facts, unpack_facts


def link_kept(facts: Mapping[str, FileFacts], texts: Mapping[str, str]) -> dict[str, FileLinks]:
    kept = {path: unpack_facts(pack_facts(read_facts(found), None)).facts for path, found in facts.items()}
    return link(MemorySources(kept, texts))
