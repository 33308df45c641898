import os

import pytest

from drift.languages import LANGUAGES, detect_languages


def fill(root, *paths):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()


def found(root):
    return {each.language: each for each in detect_languages(root)}


def test_an_empty_directory_has_no_language(tmp_path):
    assert detect_languages(tmp_path) == ()


def test_a_missing_directory_has_no_language(tmp_path):
    assert detect_languages(tmp_path / "gone") == ()


def test_a_build_file_is_enough_since_sources_may_lie_deeper(tmp_path):
    fill(tmp_path, "pyproject.toml", "src/shop/cart/model/entity.py")

    python = found(tmp_path)["python"]

    assert python.confidence == "high"
    assert python.evidence == ("pyproject.toml",)


def test_translations_of_qt_are_no_typescript(tmp_path):
    fill(tmp_path, "main.cpp", "web/a.ts", "words/readme.ts")
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="{}"/>\n'
    for name in ("ar", "de", "fr"):
        (tmp_path / f"words/shop_{name}.ts").write_text(head.format(name))
    (tmp_path / "words/readme.ts").write_text(head.format("en"))

    assert found(tmp_path)["typescript"].evidence == ("1 .ts file near the root",)


def test_sources_alone_give_medium_confidence_and_are_counted(tmp_path):
    fill(tmp_path, *(f"src/part{number}.go" for number in range(42)))

    go = found(tmp_path)["go"]

    assert (go.confidence, go.evidence) == ("medium", ("42 .go files near the root",))


def test_three_levels_down_count_and_four_do_not(tmp_path):
    fill(tmp_path, "services/backend/api/Cargo.toml", "a/b/c/d/composer.json")

    assert found(tmp_path)["rust"].evidence == ("services/backend/api/Cargo.toml",)
    assert "php" not in found(tmp_path)


@pytest.mark.parametrize(
    "directory", ["node_modules", ".git", ".venv", "vendor", "target", "dist", "build", "Vendor"]
)
def test_hidden_and_vendored_directories_are_not_entered(tmp_path, directory):
    fill(tmp_path, f"{directory}/pom.xml", f"{directory}/a.java")

    assert detect_languages(tmp_path) == ()


def test_a_makefile_speaks_for_c_only_beside_sources(tmp_path):
    fill(tmp_path, "Makefile", "go.mod")
    assert "cpp" not in found(tmp_path)

    fill(tmp_path, "main.c")
    assert found(tmp_path)["cpp"].confidence == "high"


def test_a_package_json_of_a_typescript_project_does_not_outrank_it(tmp_path):
    fill(tmp_path, "package.json", "tsconfig.json", "src/a.ts", "src/b.tsx")

    first, second = detect_languages(tmp_path)

    assert (first.language, first.confidence) == ("typescript", "high")
    assert (second.language, second.confidence) == ("javascript", "medium")


def test_a_stray_script_among_many_sources_has_low_confidence(tmp_path):
    fill(tmp_path, "deploy.php", *(f"part{number}.rs" for number in range(50)))

    assert found(tmp_path)["php"].confidence == "low"


def test_the_only_file_of_a_small_project_is_no_stray(tmp_path):
    fill(tmp_path, "main.py")

    assert found(tmp_path)["python"].confidence == "medium"


def test_project_files_are_matched_by_ending_whatever_their_name(tmp_path):
    fill(tmp_path, "Shop.sln", "Shop/Shop.csproj", "Shop/View.xaml")

    assert found(tmp_path)["csharp"].evidence == ("Shop.sln", "Shop/Shop.csproj")
    assert "wpf" in found(tmp_path)


def test_more_sources_come_first_and_ties_are_by_name(tmp_path):
    fill(tmp_path, *(f"{n}.pl" for n in range(9)), *(f"{n}.go" for n in range(3)))
    fill(tmp_path, *(f"{n}.rs" for n in range(3)), *(f"{n}.java" for n in range(4)))

    assert [each.language for each in detect_languages(tmp_path)] == ["java", "go", "rust"]


def test_upper_case_endings_count(tmp_path):
    fill(tmp_path, "A.PY", "B.PY", "C.PY")

    assert found(tmp_path)["python"].evidence == ("3 .py files near the root",)


def test_a_name_without_an_ending_is_no_source(tmp_path):
    fill(tmp_path, "py", "go", "README")

    assert detect_languages(tmp_path) == ()


def test_links_are_not_followed(tmp_path):
    outside = tmp_path / "outside"
    fill(outside, "go.mod", "a.go")
    root = tmp_path / "root"
    root.mkdir()
    (root / "linked").symlink_to(outside)

    assert detect_languages(root) == ()


def test_one_crowded_directory_does_not_hide_the_others(tmp_path):
    fill(tmp_path, *(f"assets/picture{number}.png" for number in range(1200)), "zz/go.mod")

    assert "go" in found(tmp_path)


def test_names_that_cannot_be_shown_are_escaped(tmp_path):
    fill(tmp_path, "bad\nname/go.mod")

    (evidence,) = found(tmp_path)["go"].evidence

    assert evidence == "'bad\\nname'/go.mod"


def test_many_build_files_are_summed_up(tmp_path):
    fill(tmp_path, *(f"service{number}/go.mod" for number in range(8)))

    assert found(tmp_path)["go"].evidence[-1] == "6 more build files"
    assert len(found(tmp_path)["go"].evidence) == 3


@pytest.mark.skipif(os.name == "nt", reason="POSIX file names")
def test_undecodable_names_do_no_harm(tmp_path):
    fill(tmp_path, os.fsdecode(b"\xff\xfe/go.mod"), "Cargo.toml")

    assert {"go", "rust"} <= set(found(tmp_path))
    assert found(tmp_path)["go"].evidence[0].isprintable()


def test_no_two_languages_claim_an_extension():
    claimed = [extension for language in LANGUAGES for extension in language.extensions]

    assert len(claimed) == len(set(claimed))
    assert all(extension.startswith(".") and extension == extension.casefold() for extension in claimed)
