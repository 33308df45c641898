"""Libraries that were copied into a project are others' code, and none of what the project has of its own is."""

import re
import tomllib
from importlib import resources

import pytest

from drift.kernel.reading import ProjectFiles
from drift.languages.table import LANGUAGES
from drift.scan.copies import Copies
from drift.scan.discover import discover
from drift.scan.discovery import SkipReason
from drift.scan.roles import is_minified_head, role_rules

OWN_LICENCE = "MIT License\n\nCopyright (c) 2020 Jane Shopkeeper\n"


@pytest.fixture
def copies(tmp_path):
    """The copies of a web shop."""
    (tmp_path / "README.md").write_text("# Webshop\n\nBuilt with Bootstrap and jQuery.\n", encoding="utf-8")
    (tmp_path / "LICENSE").write_text(OWN_LICENCE, encoding="utf-8")
    with ProjectFiles(tmp_path) as files:
        found = Copies(files, "checkout")
        found.take_listing([("", "README.md"), ("", "LICENSE")])
        yield found


@pytest.mark.parametrize(
    ("name", "language", "head"),
    [
        ("site.js", "javascript", b"/*! jQuery v3.6.0 | (c) OpenJS Foundation */\n"),
        ("b.js", "javascript", b"/*!\n  * Bootstrap v5.1.3 (https://getbootstrap.com/)\n"),
        ("c.js", "javascript", b"/** @license React v16.13.1\n * react.production.js"),
        ("d.js", "javascript", b"// https://d3js.org/d3-color/ v2.0.0 Copyright 2020 Mike Bostock\n"),
        ("e.js", "javascript", b"//! moment.js\n//! version : 2.29.1\n"),
        ("f.js", "javascript", b"/* jshint nomen:false */\n/*!\n * Some Grid 1.2\n */"),
        ("g.js", "javascript", b"// CodeMirror, copyright (c) by Marijn Haverbeke and others\n"),
        ("h.js", "javascript", b"/*!\n * A plugin for forms\n * Copyright (c) 2012, Chris Writer\n */"),
        (
            "router.js",
            "javascript",
            b"/**\n * Routes of pages\n * @version v1.0.10\n * @license MIT License\n */",
        ),
        (
            "upload.js",
            "javascript",
            b"/**!\n * Uploads of files\n * @author A Writer\n * @version 12.2.13\n */",
        ),
        ("i.css", None, b"/*!\n * Bootstrap v3.3.7 (http://getbootstrap.com)\n"),
        ("json.hpp", "cpp", b"//     __ _____\n//  |  JSON for Modern C++\n"),
        ("stb_image.h", "c", b"/* stb_image - v2.27 - public domain image loader"),
        ("jquery.d.ts", "typescript", b"// Type definitions for jQuery 3.5\n"),
    ],
)
def test_a_file_that_begins_as_a_release_of_a_library_is_a_copy(copies, name, language, head):
    assert copies.is_copy(name, language, head)


@pytest.mark.parametrize(
    ("name", "language", "head"),
    [
        ("shop.js", "javascript", b"/*!\n * Webshop v1.2.0\n */\n"),  # the project itself
        ("bootstrap.js", "javascript", b"/*\n * bootstrap.js\n * Copyright (c) 2019 Jane Shopkeeper\n */"),
        ("own.js", "javascript", b"/*!\n * The basket\n * Copyright (c) 2019 Jane Shopkeeper\n */"),
        ("page.js", "javascript", b"/**\n * The page of orders\n * @version 1.0.0\n */"),
        ("part.js", "javascript", b"/*! Grid v1.0.0 */\nimport { cell } from './cell';\n"),
        ("plain.js", "javascript", b"function show() {} // jQuery v3.6.0\n"),
        ("grid.py", "python", b"# Grid v1.0.0\n"),
        ("json.hpp", "cpp", b"// How the shop writes JSON.\n"),
        ("lists.h", "c", b"/* Lists of orders. */\n"),
        ("types.d.ts", "typescript", b"export interface Order {}\n"),
    ],
)
def test_what_the_project_wrote_is_none(copies, name, language, head):
    assert not copies.is_copy(name, language, head)


def test_a_library_is_no_copy_in_its_own_project(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3)\nproject(stb C)\n", "utf-8")
    with ProjectFiles(tmp_path) as files:
        copies = Copies(files, "work")
        copies.take_listing([("", "CMakeLists.txt")])

        assert not copies.is_copy("stb_image.h", "c", b"/* stb_image - v2.27 - public domain")


def test_a_directory_with_a_licence_of_others_where_libraries_lie_is_theirs(tmp_path):
    theirs = "Copyright (c) 2012 - present, Victor Writer and contributors\n"
    files = {
        "LICENSE": OWN_LICENCE,
        "main.cpp": "int main() {}\n",
        "include/fmt/LICENSE.rst": theirs,
        "include/fmt/core.h": "int f();\n",
        "include/shop/LICENSE": OWN_LICENCE,
        "include/shop/order.h": "int g();\n",
        "contrib/gis/LICENSE": theirs,
        "contrib/gis/map.py": "x = 1\n",
        "lib/map/gis/LICENSE": theirs,
        "lib/map/gis/near.py": "x = 1\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")

    found = discover(tmp_path)

    assert [(one.path, one.reason) for one in found.skipped] == [("include/fmt/", SkipReason.VENDORED)]
    assert {one.path for one in found.files} == {
        path for path in files if path.endswith((".cpp", ".py", "r.h"))
    }


def test_a_licence_in_lines_does_not_hide_that_the_rest_is_minified():
    licence = b"/*\n" + b" * Permission is hereby granted.\n" * 20 + b" */\n"

    assert is_minified_head(licence + b"var a=1;" * 900, "javascript")
    assert not is_minified_head(licence + b"var a = 1;\n" * 700, "javascript")
    assert role_rules().is_bundled_head(b"/******/ (() => { // webpackBootstrap\n/******/ \tvar x = 1")


@pytest.mark.parametrize(
    ("head", "is_generated"),
    [
        (b"/* NOTE: This class is auto generated by OpenAPI Generator */", True),
        (b"// Generated by swagger-codegen\n", True),
        (b"# Generated with love. Do not edit.\n", True),
        (b"    # ### commands auto generated by Alembic - please adjust! ###\n", False),
        (b"# Generated by Django 3.2 on 2021-05-01\n", False),
    ],
)
def test_what_programs_say_of_what_they_wrote(head, is_generated):
    assert role_rules().is_generated_head(head) is is_generated


def test_the_tables_of_copies_are_well_formed():
    tables = tomllib.loads((resources.files("drift.scan") / "copies.toml").read_text(encoding="utf-8"))
    languages = {language.name for language in LANGUAGES}

    assert set(tables) == {"release", "named", "library", "licensed"}
    assert set(tables["release"]["languages"]) | set(tables["named"]["languages"]) <= languages
    assert len(set(tables["named"]["libraries"])) == len(tables["named"]["libraries"])
    names = [each["name"] for each in tables["library"]]
    assert len(set(names)) == len(names)
    for each in tables["library"]:
        assert set(each) == {"name", "files", "head"}
        re.compile(each["head"])
