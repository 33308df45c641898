"""Programs that tests of Rust start by their names."""

import pytest
from test_link_rust import linked

PROGRAMS = {
    "Cargo.toml": '[package]\nname = "my-shop"\n[[bin]]\nname = "named"\npath = "tool/begin.rs"\n',
    "src/main.rs": "fn main() {}\n",
    "src/bin/other.rs": "fn main() {}\n",
    "src/bin/deep/main.rs": "fn main() {}\n",
    "tool/begin.rs": "fn main() {}\n",
    "crates/far/Cargo.toml": '[package]\nname = "far"\n',
    "crates/far/src/main.rs": "fn main() {}\n",
}


def started(body: str, before: str = "", path: str = "tests/all.rs") -> list[str]:
    """The programs that a function of tests starts."""
    found = linked(PROGRAMS | {path: f"{before}fn t() {{ {body} }}\n"})
    targets = [target for said in found.links[path].calls for target in said.targets]
    return [found.name(target.place) for target in targets]


@pytest.mark.parametrize(
    ("body", "file"),
    [
        ('Command::new(env!("CARGO_BIN_EXE_my-shop")).output();', "src/main.rs"),
        ('Command::new(env!("CARGO_BIN_EXE_other")).output();', "src/bin/other.rs"),
        ('Command::cargo_bin("deep").unwrap().assert();', "src/bin/deep/main.rs"),
        ('assert_cmd::cargo::cargo_bin("named");', "tool/begin.rs"),
        ('cargo_bin!("named");', "tool/begin.rs"),
        ('std::env::var("CARGO_BIN_EXE_named");', "tool/begin.rs"),
        ('Command::cargo_bin("far").unwrap();', "crates/far/src/main.rs"),
    ],
)
def test_a_program_that_is_started_by_its_name_runs_its_main(body, file):
    assert started(body) == [f"{file}:main"]


def test_a_constant_holds_the_program_that_is_started_with_it():
    constant = 'const TOOL: &str = env!("CARGO_BIN_EXE_other");\nconst PLAIN: &str = "other";\n'

    assert started("Command::new(TOOL).output();", constant) == ["src/bin/other.rs:main"]
    assert started("Command::new(PLAIN).output();", constant) == []


def test_other_programs_and_texts_start_nothing_of_the_project():
    assert started('Command::cargo_bin("git").unwrap();') == []
    assert started('Command::new("other").output(); env!("CARGO_PKG_NAME"); env!("CARGO_BIN_EXE_");') == []
