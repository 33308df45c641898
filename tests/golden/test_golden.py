"""Every look-up tool on a small shop in every language: the same questions, answers read against the source."""

import pytest
from golden_answers import CASES, Shop, read_case, write_project

LOOK_UP_TOOLS = {
    "drift_analyze_function",
    "drift_callees",
    "drift_callers",
    "drift_context",
    "drift_dead_code",
    "drift_dependencies",
    "drift_errors",
    "drift_explain",
    "drift_files_list",
    "drift_graph",
    "drift_hooks",
    "drift_impact_analysis",
    "drift_imports",
    "drift_middleware",
    "drift_package_context",
    "drift_reachability",
    "drift_recent",
    "drift_references",
    "drift_rename",
    "drift_search",
    "drift_signature",
    "drift_similar",
    "drift_test_template",
    "drift_test_topology",
    "drift_type",
}


@pytest.fixture(scope="module")
def shops(tmp_path_factory):
    opened = {}

    def open_shop(name):
        if name not in opened:
            home = tmp_path_factory.mktemp(name)
            opened[name] = Shop(write_project(name, home / name), home)
        return opened[name]

    yield open_shop
    for shop in opened.values():
        shop.close()


def case_param(path):
    wrong = read_case(path).wrong
    marks = [pytest.mark.xfail(strict=True, reason=wrong)] if wrong else []
    return pytest.param(path, id=f"{path.parent.name}-{path.stem}", marks=marks)


@pytest.mark.parametrize("path", [case_param(path) for path in CASES])
def test_an_answer_is_as_it_was_reviewed(shops, path):
    case = read_case(path)

    assert shops(path.parent.name).answer(case) == case.answer


def test_every_look_up_tool_has_a_reviewed_answer():
    assert {read_case(path).tool for path in CASES} >= LOOK_UP_TOOLS
