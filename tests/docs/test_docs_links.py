import re

import pytest
from markdown_pages import PAGES, ROOT, anchors, code_spans, links, name_of

# The example of CONTRIBUTING.md is a module that exists in the document alone.
MADE_UP = "src/drift/tools/sizes.py"


def local_links():
    return [
        pytest.param(page, target, id=f"{name_of(page)} -> {target}")
        for page in PAGES
        for target in links(page)
        if "://" not in target
    ]


def test_there_are_links_to_look_at():
    assert len(local_links()) > 20


@pytest.mark.parametrize(("page", "target"), local_links())
def test_every_link_between_pages_leads_somewhere(page, target):
    name, _, anchor = target.partition("#")
    linked = (page.parent / name).resolve() if name else page

    assert linked.exists()
    assert not anchor or anchor in anchors(linked)


def test_every_page_can_be_reached_from_the_readme():
    readme = next(page for page in PAGES if page.name == "README.md" and page.parent.name != "decisions")
    reached, waiting = {readme}, [readme]
    while waiting:
        page = waiting.pop()
        for target in links(page):
            linked = (page.parent / target.partition("#")[0]).resolve()
            if linked.suffix == ".md" and linked.exists() and linked not in reached:
                reached.add(linked)
                waiting.append(linked)

    assert {name_of(page) for page in set(PAGES) - reached} == set()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_source_file_that_is_named_exists(page):
    named = {span for span in code_spans(page) if re.fullmatch(r"[\w./-]+/[\w.-]+\.(py|sh)", span)} - {
        MADE_UP
    }
    missing = {
        name for name in named if not ((ROOT / name).exists() or (ROOT / "src" / "drift" / name).exists())
    }

    assert missing == set()
