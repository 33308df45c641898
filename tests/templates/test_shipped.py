"""Every template that comes with Drift: filled with defaults and with all options, then used by what reads its kind."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from xml.etree import ElementTree as ET

import pytest

from drift.documents.nodes import read_nodes
from drift.templates import (
    choose_templates,
    fill,
    load_library,
    make_files,
    toolchains,
    validate,
    write_files,
)
from drift.templates.definition import PART

LIBRARY = load_library(None)
PROJECT = {
    "name": "shop",
    "about": "> A shop. (README.md:3)",
    "languages": [{"name": "python", "files": "3 files"}],
    "packages": [{"path": ".", "name": "shop", "manager": "uv"}],
    "layout": [{"path": "shop/", "about": "3 files, mostly python"}],
    "commands": [{"run": "make test"}],
    "tests": [{"framework": "pytest", "runner": "tox", "files": "1 file"}],
}
# What a pattern takes cannot be made up from it.
EXAMPLES = {
    "branch": "trunk",
    "python_version": "3.11",
    "node_version": "20",
    "go_version": "1.25",
    "module_path": "example.org/ada/tool",
    "java_version": "17",
    "group_id": "org.example.ada",
    "php_version": "8.4",
    "vendor": "ada",
    "dotnet_version": "9.0",
    "rust_version": "1.90",
    "entry_point": "my_app.cli",
    "target": "x86_64-unknown-linux-gnu",
    "cargo_features": ["fast", "net/tls"],
    "project_name": "myHTTP-App.2x",
}


def least(template):
    return {each.name: "my-app" for each in template.parameters if each.is_required}


def most(template):
    """A value other than the default for every parameter."""
    return {each.name: EXAMPLES.get(each.name) or _other(each) for each in template.parameters}


def _other(parameter):
    if parameter.type == "boolean":
        return not parameter.default
    if parameter.type == "integer":
        return 8080
    if parameter.enum:
        return [parameter.enum[-1]] if parameter.type == "array" else parameter.enum[-1]
    text = 'A "hard" <one> & more \\ $x'
    return [text, "*.log"] if parameter.type == "array" else text


def made(template, values):
    return fill(template, values, year=2026, project=PROJECT if template.uses_project else None)


EVERY = pytest.mark.parametrize("template", LIBRARY.templates.values(), ids=lambda each: each.uri[11:])


@EVERY
@pytest.mark.parametrize("values", [least, most])
def test_a_template_makes_a_file_that_what_reads_it_can_read(template, values):
    given = values(template)

    assert validate([template], given).valid
    file = made(template, given)

    assert file.content.endswith("\n")
    assert not file.content.startswith("\n") or template.variant == "apache-2-0"
    assert "\n\n\n" not in file.content or file.filename.endswith(".py")
    assert not any(line != line.rstrip() for line in file.content.split("\n"))
    read(file)


def read(file):
    name = file.filename.rpartition("/")[2]
    if name.endswith(".json"):
        json.loads(file.content)
    elif name.endswith((".toml", ".lock")):
        tomllib.loads(file.content)
    elif name.endswith((".xml", ".csproj", ".dist")):
        ET.fromstring(file.content)
    elif name.endswith((".yml", ".yaml")):
        read_yaml(file)
    elif name.endswith(".py"):
        compile(file.content, name, "exec")
    elif name == "Dockerfile":
        read_dockerfile(file.content)


def read_yaml(file):
    (document,) = read_nodes(file.content)
    if "workflows" not in file.filename:
        hooks = [hook for repo in document.get("repos").children() for hook in repo.get("hooks").children()]
        assert all(hook.get("id").text for hook in hooks)
        assert all(hook.get("entry").text for hook in hooks[8:])
        assert len(hooks) > 8
        return
    jobs = dict(document.get("jobs").pairs())
    steps = [step for job in jobs.values() for step in job.get("steps").children()]
    assert document.get("permissions", "contents").text == "read"
    assert all(job.get("runs-on").text and job.get("timeout-minutes").text for job in jobs.values())
    assert all(bool(step.get("uses").text) != bool(step.get("run").text) for step in steps)
    assert len(steps) > 2
    assert "${{ github.ref }}" in file.content


def read_dockerfile(text):
    """The instructions: known ones, a base first, no root at the end."""
    joined = text.replace("\\\n", " ").splitlines()
    lines = [line.split(None, 1) for line in joined if line and not line.startswith("#")]
    known = {"FROM", "COPY", "RUN", "WORKDIR", "ENV", "USER", "EXPOSE", "ENTRYPOINT"}
    assert {line[0] for line in lines} <= known
    assert lines[0][0] == "FROM"
    assert json.loads(lines[-1][1])
    last_base = max(place for place, line in enumerate(lines) if line[0] == "FROM")
    final = lines[last_base:]
    assert any(line[0] == "USER" for line in final) or final[0][1].endswith(":nonroot")
    assert all(":" in line[1] for line in lines if line[0] == "FROM")


@EVERY
def test_every_parameter_is_used(template):
    said = set(re.findall(r"\{\{#?(?:if |unless |each )?([a-z_]+)", template.filename + template.body))

    assert {each.name for each in template.parameters} <= said


def test_addresses_are_plain_and_every_toolchain_has_every_category():
    assert all(PART.fullmatch(part) for key in LIBRARY.templates for part in key.split("/"))
    by_toolchain = {name: {each.category for each in LIBRARY.select(name)} for name in toolchains()}

    assert by_toolchain == {name: set(LIBRARY.categories) for name in toolchains()}
    assert len(by_toolchain) == 9


def test_a_template_for_all_toolchains_is_found_by_the_address_of_each():
    assert LIBRARY.find("template://licence/rust/mit") is LIBRARY.find("template://licence/any/mit")


@pytest.fixture(scope="module")
def projects(tmp_path_factory):
    """A whole project for each toolchain, with all that a name can have."""
    root = tmp_path_factory.mktemp("projects")
    for name in toolchains():
        given = {"project_name": "my-app", "description": 'A "hard" <one> & more', "python_version": "3.11"}
        chosen = choose_templates(LIBRARY, name, (), given=given)
        write_files(root, name, make_files(chosen, given, year=2026))
    return root


def run(folder, *words, **options):
    # Of a `make` around the tests nothing may reach the one that is tested.
    around = options.pop("env", os.environ)
    environ = {name: value for name, value in around.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        words, cwd=folder, env=environ, capture_output=True, text=True, check=False, timeout=300, **options
    )


@pytest.mark.parametrize("toolchain", toolchains())
def test_make_knows_every_target_that_help_lists(projects, toolchain):
    helped = run(projects / toolchain, "make", "help")
    targets = [line.split()[0] for line in helped.stdout.splitlines()]

    planned = run(projects / toolchain, "make", "-n", *targets)

    assert {"all", "help", "clean", "run", "test"} <= set(targets)
    assert (helped.returncode, planned.returncode) == (0, 0), planned.stderr
    assert run(projects / toolchain, "make").stdout == helped.stdout


IGNORED = {
    "rust": ("target/debug/app", "src/main.rs"),
    "deno": ("coverage/x", "main.ts"),
    "python-uv": ("src/my_app/__pycache__/x.pyc", "uv.lock"),
    "node": ("node_modules/a/index.js", "package-lock.json"),
    "go": ("bin/my-app", "go.sum"),
    "java-maven": ("target/a.jar", "pom.xml"),
    "php-composer": ("vendor/autoload.php", "composer.lock"),
    "dotnet": ("src/MyApp/obj/a.json", "src/MyApp/Program.cs"),
    "cpp-cmake": ("build/debug/CMakeCache.txt", "CMakePresets.json"),
}


@pytest.mark.parametrize("toolchain", toolchains())
def test_git_ignores_what_is_built_and_none_of_the_sources(projects, toolchain):
    folder = projects / toolchain
    run(folder, "git", "init", "-q")
    ignored, kept = IGNORED[toolchain]
    sources = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    ours = [path for path in sources if not path.startswith(".git/")]

    checked = run(folder, "git", "check-ignore", ignored, ".DS_Store", ".idea/x", kept, *ours)

    assert checked.stdout.split() == [ignored, ".DS_Store", ".idea/x"]


def test_the_python_project_installs_and_its_tests_pass(projects, tmp_path):
    folder = projects / "python-uv"
    quiet = ["-q", "--disable-pip-version-check", "--no-compile"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation"]
    installed = run(
        folder,
        sys.executable,
        "-m",
        "pip",
        "install",
        *quiet,
        *offline,
        "--target",
        str(tmp_path / "site"),
        ".",
    )
    assert installed.returncode == 0, installed.stderr
    environ = {"PYTHONPATH": str(tmp_path / "site"), "PATH": "/usr/bin:/bin"}

    tested = run(folder, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", env=environ)
    greeted = run(tmp_path, sys.executable, "-m", "my_app", "Ada", env=environ)

    assert tested.returncode == 0, tested.stdout
    assert "5 passed" in tested.stdout
    assert greeted.stdout == "Hello, Ada!\n"
    for checks in (["check"], ["format", "--check"]):
        looked = run(folder, sys.executable, "-m", "ruff", *checks, "--no-cache", ".")
        assert looked.returncode == 0, looked.stdout


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_node_project_passes_its_tests(projects):
    tested = run(projects / "node", "node", "--test")

    assert tested.returncode == 0, tested.stdout
    assert "# pass 4" in tested.stdout or "pass 4" in tested.stdout
