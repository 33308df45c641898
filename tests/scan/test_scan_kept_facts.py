"""Facts that were kept in an index are linked like facts just read."""

import marshal
import zlib
from pathlib import Path

import pytest

from drift.languages.facts import FileFacts
from drift.scan.extractors import extractor_of
from drift.scan.link import MemorySources
from drift.scan.link.link import link
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


@pytest.mark.parametrize("field", ["symbols", "calls", "bindings"])
def test_kept_facts_with_other_fields_are_refused(field):
    facts = extractor_of("python")(b"def f(a=g()):\n    b = f(a)\n", "a.py")
    plain, numbers = marshal.loads(zlib.decompress(pack_facts(facts, None)))
    place = FileFacts._fields.index(field)
    records = plain[place]
    cut = (*plain[:place], (*records[:-1], records[-1][:-1]), *plain[place + 1 :])

    with pytest.raises(ValueError, match="cannot be read"):
        unpack_facts(zlib.compress(marshal.dumps((cut, numbers))))


def test_kept_facts_are_the_same_types_as_facts_just_read():
    facts = extractor_of("python")(b"@d\ndef f(a: int = 1): pass\n\nclass A(B): pass\n", "a.py")

    kept = unpack_facts(pack_facts(facts, None)).facts

    assert [type(call) for call in kept.calls] == [type(call) for call in facts.calls] != []
    function, owner = kept.symbols[1:3]
    assert function.parameters[0].default_text == "1"
    assert function.decorators[0].name == "d"
    assert owner.bases[0].text == "B"
