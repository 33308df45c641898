"""Facts that were kept in an index are linked like facts just read."""

from pathlib import Path

import pytest

from drift.scan.extractors import extractor_of
from drift.scan.link import MemorySources, link
from drift.scan.link.reading import read_facts
from drift.scan.packing import pack_facts, unpack_facts

PROJECTS = Path(__file__).parents[1] / "projects"
LANGUAGES = {
    ".py": "python", ".ts": "typescript", ".tsx": "typescript", ".js": "javascript", ".go": "go", ".rs": "rust",
    ".java": "java", ".php": "php", ".cs": "csharp", ".cpp": "cpp", ".h": "cpp", ".hpp": "cpp", ".c": "cpp",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(path.name for path in PROJECTS.iterdir() if path.is_dir()))
def test_packing_takes_nothing_from_linking(name):
    root = PROJECTS / name
    texts = {}
    facts = {}
    for path in sorted(root.rglob("*")):
        if path.is_file():
            inner = path.relative_to(root).as_posix()
            texts[inner] = path.read_text(encoding="utf-8", errors="replace")
            if path.suffix in LANGUAGES:
                facts[inner] = extractor_of(LANGUAGES[path.suffix])(path.read_bytes(), inner)
    kept = {path: unpack_facts(pack_facts(read_facts(found), None)).facts for path, found in facts.items()}

    assert link(MemorySources(kept, texts)) == link(MemorySources(facts, texts))
