"""What linking finds out is freed when it ends: a server that scans must neither keep nor search it."""

import gc

from link_cases import link_texts

from drift.scan.link.program import Program


def test_what_was_found_out_is_freed_without_a_search_for_cycles():
    gc.collect()
    gc.disable()
    try:
        link_texts({"a.py": "import b\nb.run()\n", "b.py": "def run(): pass\n"})
        left = [each for each in gc.get_objects() if isinstance(each, Program)]
    finally:
        gc.enable()

    assert left == []
