"""Files and packages as resources, over stdio as an editor reads them: both eras, plain and encoded, hostile too."""

import json
import sys

import pytest
import stdio_client

from drift.protocol.resources import Template
from drift.scan import ScanOptions, scan

ABSENT = {"2025-11-25": -32002, "2026-07-28": -32602}
INVALID = -32602
FILES = {
    "package.json": '{"name":"shop","workspaces":["packages/*"]}',
    "packages/core/package.json": '{"name":"@shop/core"}',
    "packages/core/index.ts": "export function total(): number {\n  return 1;\n}\n",
    "packages/web/package.json": '{"name":"@shop/web","dependencies":{"@shop/core":"*"}}',
    "packages/web/page one.ts": "import { total } from '@shop/core';\nexport const page = total();\n",
    "tools/package.json": "{}",
    "Makefile.ts": "",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    place = tmp_path_factory.mktemp("places")
    folder = place / "shop"
    many = {f"gen/part{number:03}.ts": "" for number in range(120)}
    for path, text in (FILES | many).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (place / "secret.ts").write_text("export const secret = 1;\n")
    (folder / "leak.ts").symlink_to(place / "secret.ts")
    scan(folder, ScanOptions(jobs=0))
    return folder


@pytest.fixture(scope="module", params=["2025-11-25", "2026-07-28"])
def session(request, root):
    command = [sys.executable, "-m", "drift", "mcp", "analysis", str(root)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(root.parent / "home"))
        patch.setenv("DRIFT_MCP_RATE_LIMIT", "0")
        with stdio_client.serving(request.param, command) as found:
            yield found


def read(session, uri):
    return session.ask(session.request("resources/read", uri=uri))


def content(answer):
    assert "result" in answer, answer
    return json.loads(answer["result"]["contents"][0]["text"])["data"]


def complete(session, template, name, value):
    argument = {"name": name, "value": value}
    request = session.request(
        "completion/complete", ref={"type": "ref/resource", "uri": template}, argument=argument
    )
    return session.ask(request)["result"]["completion"]


def test_a_file_is_read_by_its_path_plain_or_encoded(session):
    plain = read(session, "drift://files/packages/core/index.ts")
    encoded = read(session, "drift://files/packages%2Fcore%2Findex.ts")
    spaced = read(session, "drift://files/packages/web/page%20one.ts")

    assert content(plain) == content(encoded)
    assert content(plain)["file"]["parts"][0]["name"] == "total"
    assert content(spaced)["file"]["file"] == "packages/web/page one.ts"


def test_boundaries_are_read_by_folder_and_end_at_the_root(session):
    found = content(read(session, "drift://boundaries/packages/core"))

    assert (found["tables"], found["rules"]) == ([], 0)
    assert "error" in read(session, "drift://boundaries/..%2F..%2Fetc")
    assert "packages/core" in complete(session, "drift://boundaries/{module}", "module", "packages")["values"]


def test_a_package_is_read_by_its_name_with_its_scope(session):
    plain = read(session, "drift://packages/@shop/core")
    encoded = read(session, "drift://packages/%40shop%2Fcore")

    assert content(plain) == content(encoded)
    assert content(plain)["package"]["dependents"][0]["package"] == "@shop/web"


def test_an_unknown_file_is_not_found_and_the_like_are_named(session):
    answer = read(session, "drift://files/packages/core/indx.ts")

    assert answer["error"]["code"] == ABSENT[session.version]
    assert answer["error"]["data"]["uri"] == "drift://files/packages/core/indx.ts"
    assert "packages/core/index.ts" in answer["error"]["data"]["similar"]


def test_the_end_of_a_path_is_no_address_but_leads_to_one(session):
    answer = read(session, "drift://files/index.ts")

    assert answer["error"]["code"] == ABSENT[session.version]
    assert answer["error"]["data"]["similar"] == ["packages/core/index.ts"]


def test_an_unknown_package_is_not_found_and_the_like_are_named(session):
    answer = read(session, "drift://packages/@shop/cor")

    assert answer["error"]["code"] == ABSENT[session.version]
    assert "@shop/core" in answer["error"]["data"]["similar"]


@pytest.mark.parametrize(
    "path",
    [
        "../secret.ts",
        "..%2Fsecret.ts",
        "packages/../../secret.ts",
        "/etc/passwd",
        "%2Fetc%2Fpasswd",
        "leak.ts",
        "a%00b",
        "C%3A%5Cx",
        "%E2%88%95etc",
        "packages%5C..%5C..%5Csecret.ts",
    ],
)
def test_a_path_that_leads_out_or_is_none_is_refused(session, path):
    answer = read(session, f"drift://files/{path}")

    assert answer["error"]["code"] in {INVALID, ABSENT[session.version]}
    assert "secret = 1" not in json.dumps(answer)
    assert "root:" not in json.dumps(answer)


def test_paths_are_completed_prefix_first_up_to_a_hundred(session):
    begun = complete(session, "drift://files/{path}", "path", "packages/w")
    inside = complete(session, "drift://files/{path}", "path", "page")
    many = complete(session, "drift://files/{path}", "path", "gen/")

    assert begun["values"] == ["packages/web/package.json", "packages/web/page one.ts"]
    assert "packages/web/page one.ts" in inside["values"]
    assert (len(many["values"]), many["total"], many["hasMore"]) == (100, 120, True)


def test_package_names_are_completed_with_their_scope(session):
    found = complete(session, "drift://packages/{name}", "name", "@shop/")
    contained = complete(session, "drift://packages/{name}", "name", "core")

    assert found["values"] == ["@shop/core", "@shop/web"]
    assert contained["values"] == ["@shop/core"]


async def _unread(value):
    return value


@pytest.mark.parametrize(
    ("slashes", "uri", "expected"),
    [
        (False, "x://a/b%2Fc", "b/c"),
        (False, "x://a/b/c", None),
        (True, "x://a/b/c", "b/c"),
        (True, "x://a/b%2Fc", "b/c"),
        (True, "x://a/", None),
        (True, "x://other/b", None),
    ],
)
def test_plain_slashes_fit_only_templates_that_allow_them(slashes, uri, expected):
    template = Template("x://a/{v}", "A", "", _unread, may_have_slashes=slashes)

    assert template.match(uri) == expected
