"""The site made of the documentation: whole, without a link that leads nowhere, and closed to everything outside."""

import posixpath
import re
from html.parser import HTMLParser

import pytest
from markdown_pages import DOCS, PAGES, ROOT, name_of

# Sections that by their name hold figures.
_MEASURED = re.compile(
    r"^## (How well.*|Measured|Accuracy|What it costs|How fast|Speed|How it was checked)$", re.MULTILINE
)


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.ids, self.loaded, self.scripts = [], set(), [], 0

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.ids.add(given["id"])
        if tag == "a":
            self.links.append(given["href"])
        elif "src" in given or tag == "link":
            self.loaded.append(given.get("src") or given["href"])
        assert not any(name.startswith("on") or name == "style" for name in given)
        assert tag != "style"
        self.scripts += tag == "script" and "src" not in given


def read(html):
    found = Links()
    found.feed(html)
    return found


@pytest.fixture(scope="module")
def builder():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        import build_site  # not a package of the project: only its path makes it known

        yield build_site


@pytest.fixture(scope="module")
def site(builder):
    return builder.build_site()


@pytest.fixture(scope="module")
def sheets(site):
    return {name: read(text) for name, text in site.items() if name.endswith(".html")}


def test_every_page_is_on_the_site_once(builder):
    planned = [path for chapter in builder.read_plan(ROOT) for path in chapter.every_page()]

    assert sorted(planned) == sorted(name_of(page) for page in PAGES)


def test_every_link_on_the_site_leads_to_a_page_and_a_place_on_it(sheets):
    lost = []
    for name, sheet in sheets.items():
        for href in sheet.links:
            if "://" in href:
                continue
            target, _, anchor = href.partition("#")
            file = posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) if target else name
            if file not in sheets or (anchor and anchor not in sheets[file].ids):
                lost.append((name, href))

    assert lost == []


def test_nothing_is_loaded_from_elsewhere_and_no_script_stands_in_a_page(site, sheets):
    for name, sheet in sheets.items():
        folder = posixpath.dirname(name)
        assert {posixpath.normpath(posixpath.join(folder, one)) for one in sheet.loaded} <= set(site), name
        assert sheet.scripts == 0
        assert "default-src 'none'" in site[name]
        assert site[name].count("<h1") == 1, name


def test_markup_in_a_page_stays_text(builder, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/odd.md").write_text(
        "# Odd\n\n<img src=x onerror=alert(1)>\n\n[go](javascript:alert(1))\n", "utf-8"
    )
    source = builder.read_source(tmp_path, "docs/odd.md")
    [sheet] = builder.cut_sheets(source, None, 0)

    body = builder.render_sheets([sheet], builder.find_anchors([sheet]), lambda _path: False)["odd.html"]

    assert "<img" not in body
    assert "<a" not in body


def test_a_link_that_leads_nowhere_ends_the_build(builder, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/odd.md").write_text("# Odd\n\n[gone](#nowhere)\n", "utf-8")
    [sheet] = builder.cut_sheets(builder.read_source(tmp_path, "docs/odd.md"), None, 0)

    with pytest.raises(builder.BrokenLinkError, match=r"odd\.md#nowhere"):
        builder.render_sheets([sheet], builder.find_anchors([sheet]), lambda _path: False)


def test_every_section_with_figures_is_shown_among_those_that_tell_how_true_it_is(builder, site):
    from site_pages import read_measured  # as above

    listed = {target for group in read_measured() for target in group.sections}
    named = set()
    for page in DOCS.glob("*.md"):
        for title in _MEASURED.findall(page.read_text("utf-8")):
            named.add(f"{page.name}#{title.lower().replace(',', '').replace(' ', '-')}")

    assert named - listed == set()
    assert site["how-true.html"].count("<table>") > 20


def test_a_folder_that_is_no_site_is_not_overwritten(builder, tmp_path, capsys):
    (tmp_path / "precious.txt").write_text("mine", "utf-8")

    assert builder.main([str(tmp_path)]) == 1
    assert (tmp_path / "precious.txt").exists()
    assert "not overwritten" in capsys.readouterr().err
