"""Which files C and C++ includes mean, and which declarations their calls."""

from typed_cases import Linked

HEADER = {"include/store/cache.h": "#pragma once\nvoid flush(int n);\nstruct Disk { void read(); };\n"}


def linked(texts: dict[str, str]) -> Linked:
    return Linked("cpp", (".c", ".cpp", ".h"), texts)


def test_an_include_is_found_beside_the_file_or_by_the_end_of_its_path():
    texts = HEADER | {
        "src/a.cpp": '#include "b.h"\n#include "store/cache.h"\n#include <store/cache.h>\n',
        "src/b.h": "",
        "other/b.h": "",
    }

    assert [said.file for said in linked(texts).links["src/a.cpp"].imports] == [
        "src/b.h",
        "include/store/cache.h",
        "include/store/cache.h",
    ]


def test_a_system_header_is_external_and_a_missing_quoted_one_a_problem():
    said = (
        linked({"a.c": '#include <stdio.h>\n#include "gone.h"\n#include "../../up.h"\n'}).links["a.c"].imports
    )

    assert [one.external_package for one in said] == ["stdio.h", None, None]
    assert [one.problem for one in said] == [
        None,
        "the project has no file gone.h",
        "the project has no file ../../up.h",
    ]


def test_a_call_leads_to_what_an_included_header_declares():
    texts = HEADER | {
        "a.cpp": '#include "mid.h"\nvoid f(Disk& d) { flush(1); d.read(); std::sort(); }\n',
        "mid.h": '#include "store/cache.h"\n',
    }
    found = linked(texts)

    assert found.targets("a.cpp", "flush") == ["include/store/cache.h:flush"]
    assert found.targets("a.cpp", "d.read") == ["include/store/cache.h:Disk.read"]
    assert found.call("a.cpp", "std::sort").external_name == "std.sort"


def test_a_function_of_the_file_itself_comes_before_its_declaration():
    texts = HEADER | {"a.cpp": '#include "store/cache.h"\nvoid flush(int n) {}\nvoid f() { flush(1); }\n'}

    assert linked(texts).targets("a.cpp", "flush") == ["a.cpp:flush"]
