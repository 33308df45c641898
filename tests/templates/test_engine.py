"""The engine: what it writes, what it refuses, and that nothing keeps it busy."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.templates.engine import (
    MOST_BODY_CHARS,
    MOST_OUTPUT_CHARS,
    TemplateError,
    read_body,
    render,
)

NAMES = {"name", "is_on", "items", "rows", "toolchain"}
VALUES = {
    "name": "myApp",
    "is_on": True,
    "items": ["a", "b"],
    "rows": [{"key": "k", "on": False}],
    "toolchain": {"title": "T"},
}


def fill(text, **values):
    return render(read_body(text, NAMES), {**VALUES, **values})


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("{{name}}", "myApp"),
        ("{{ name | snake }} {{name | kebab}} {{name | pascal}} {{name|flat}}", "my_app my-app MyApp myapp"),
        ("{{name | snake | upper}}", "MY_APP"),
        ("{{toolchain.title}}", "T"),
        ("{{#if is_on}}yes{{else}}no{{/if}}", "yes"),
        ("{{#unless is_on}}yes{{else}}no{{/unless}}", "no"),
        ("{{#each items}}{{this}}{{#unless @last}}, {{/unless}}{{/each}}", "a, b"),
        ("{{#each items}}{{#if @first}}[{{/if}}{{this}}{{/each}}", "[ab"),
        ("{{#each rows}}{{this.key}}{{#if this.on}}!{{/if}}{{name}}{{/each}}", "kmyApp"),
        ("{{! a remark }}x", "x"),
        ("$\\{{ github.ref }} \\{{name}} a \\{{", "${{ github.ref }} {{name}} a {{"),
        ("a\n  {{#if is_on}}  \nb\n{{/if}}\nc\n", "a\nb\nc\n"),
        ("a\n{{#if is_on}}b{{/if}}\nc", "a\nb\nc"),
        ("a\n{{name}}\n", "a\nmyApp\n"),
        ("{ }} {x}", "{ }} {x}"),
    ],
)
def test_a_body_becomes_what_it_says(text, result):
    assert fill(text) == result


def test_nothing_is_escaped_but_by_a_filter():
    hard = "a && b <c> \"d\" 'e' {{name}}"

    assert fill("{{name}}", name=hard) == hard
    assert fill("{{name | json}}", name='a"b\\') == '"a\\"b\\\\"'
    assert fill("{{name | xml}}", name="<a & 'b'>") == "&lt;a &amp; &#x27;b&#x27;&gt;"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x\n{{unknown}}", "line 2: unknown is not declared"),
        ("{{#if is_on}}{{else}}{{unknown}}{{/if}}", "unknown is not declared"),
        ("{{name | shout}}", "there is no filter 'shout'"),
        ("{{this}}", "only inside #each"),
        ("{{@last}}", "only inside #each"),
        ("{{#each items}}{{@last}}{{/each}}", "not written"),
        ("{{#if is_on}}", "never closed"),
        ("{{/if}}", "closes nothing"),
        ("{{#if is_on}}{{/each}}", "closes nothing"),
        ("{{#each items}}{{else}}{{/each}}", "belongs to no if"),
        ("{{else}}", "belongs to no if"),
        ("{{#with name}}{{/with}}", "#if, #unless or #each"),
        ("{{#if name is_on}}{{/if}}", "one name"),
        ("{{name.__class__}}", "is no name"),
        ("{{name()}}", "is no name"),
        ("a {{ b", "has no }}"),
        ("a {{ b\n{{name}}", "line 1: {{ has no }}"),
        ("{{na\nme}}", "has no }}"),
        ("{{}}", "is no name"),
    ],
)
def test_what_a_body_may_not_say_is_told_with_its_line(text, problem):
    with pytest.raises(TemplateError, match=problem.replace("|", r"\|").replace("(", r"\(")):
        read_body(text, NAMES)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{{items}}", "cannot be written"),
        ("{{#each name}}{{/each}}", "no list"),
        ("{{#each rows}}{{this.absent}}{{/each}}", "has no value"),
        ("{{name.x}}", "has no value"),
    ],
)
def test_what_a_value_cannot_give_is_told(text, problem):
    with pytest.raises(TemplateError, match=problem):
        fill(text)


def test_loops_in_loops_and_huge_bodies_come_to_an_end():
    loops = "{{#each items}}" * 6 + "x" + "{{/each}}" * 6
    many = [str(number) for number in range(100)]

    with pytest.raises(TemplateError, match="steps"):
        fill(loops, items=many)
    with pytest.raises(TemplateError, match="longer"):
        fill("{{#each items}}{{name}}{{/each}}", items=many, name="x" * (MOST_OUTPUT_CHARS // 50))
    with pytest.raises(TemplateError, match="longer"):
        read_body("x" * (MOST_BODY_CHARS + 1), NAMES)
    with pytest.raises(TemplateError, match="nested"):
        read_body("{{#if is_on}}" * 20 + "{{/if}}" * 20, NAMES)
    with pytest.raises(TemplateError, match="nested"):
        read_body("{{#if is_on}}" * (MOST_BODY_CHARS // 20), NAMES)
    assert len(fill("{ " * 45_000)) == 90_000


PIECES = st.sampled_from(
    [
        "{{",
        "}}",
        "{{name}}",
        "\\{{",
        "{{#if is_on}}",
        "{{#unless is_on}}",
        "{{else}}",
        "{{/if}}",
        "{{/unless}}",
        "{{#each items}}",
        "{{/each}}",
        "{{this}}",
        "{{! x }}",
        "\n",
        " ",
        "x",
        "{",
        "}",
        "\t",
        "é",
    ]
)


@given(st.lists(PIECES | st.text(max_size=3), max_size=25))
@settings(max_examples=150)
def test_any_text_is_rendered_or_refused_and_nothing_else(pieces):
    text = "".join(pieces)
    try:
        body = read_body(text, NAMES)
    except TemplateError:
        return

    assert isinstance(render(body, VALUES), str)


@given(st.text(st.characters(exclude_characters="\\{"), max_size=60), st.text(max_size=60))
@settings(max_examples=100)
def test_text_without_tags_stays_as_it_is_and_values_are_never_read_as_templates(text, value):
    assert fill(text) == text
    assert fill(f"[{{{{name}}}}]{text}", name=value) == f"[{value}]{text}"
