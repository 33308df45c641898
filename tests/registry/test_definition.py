from dataclasses import dataclass
from typing import Annotated

import pytest

from drift.kernel.answer import Answer
from drift.registry import Call, Effect, MustExist, Page, ProjectFile, Range, definition_of, tool


@dataclass(frozen=True, slots=True)
class Found:
    names: tuple[str, ...]


@tool(category="surgical", title="Find things", tokens=(10, 20))
def drift_sample(
    call: Call,
    thing: Annotated[str, "What to find"],
    max_depth: Annotated[int, Range(1, 3)] = 2,
    file: Annotated[ProjectFile | None, MustExist()] = None,
    type_: str | None = None,
    page: Page = Page(limit=20),
) -> Answer[Found]:
    """Things that are there. More about it."""
    return Answer("done", Found((thing,)))


def test_everything_comes_from_the_one_function():
    definition = definition_of(drift_sample)

    assert definition.name == "drift_sample"
    assert definition.purpose == "Things that are there"
    assert definition.description == "Things that are there. More about it."
    assert definition.ttl_seconds == 300
    assert definition.annotations == {"readOnlyHint": True, "openWorldHint": False}


def test_the_input_schema_has_wire_names_paging_and_the_shared_arguments():
    schema = definition_of(drift_sample).input_schema

    assert list(schema["properties"]) == [
        "thing", "maxDepth", "file", "type", "cursor", "limit", "project", "maxTokens",
    ]  # fmt: skip
    assert schema["required"] == ["thing"]
    assert schema["additionalProperties"] is False


def test_the_output_schema_describes_the_data_and_admits_errors():
    schema = definition_of(drift_sample).output_schema

    assert schema["properties"]["data"]["properties"]["names"]["type"] == "array"
    assert schema["required"] == ["meta"]


def test_bound_arguments_are_python_values_with_the_tools_own_defaults():
    bound = definition_of(drift_sample).code.bind({"thing": "x", "maxDepth": 3, "cursor": "abc"})

    assert bound == {"thing": "x", "max_depth": 3, "page": Page("abc", 20)}


def test_parameters_know_which_of_them_are_project_files():
    by_wire = {parameter.wire: parameter for parameter in definition_of(drift_sample).parameters}

    assert by_wire["file"].is_project_file
    assert by_wire["file"].must_exist
    assert not by_wire["thing"].is_project_file


def test_a_tool_that_writes_is_never_cached():
    @tool(category="surgical", title="Write", tokens=(1, 1), effect=Effect.WRITES)
    def drift_write(call: Call) -> Answer[Found]:
        """Write."""
        raise NotImplementedError

    definition = definition_of(drift_write)

    assert definition.ttl_seconds == 0
    assert definition.annotations["readOnlyHint"] is False
    assert definition.annotations["destructiveHint"] is False


def test_a_plain_function_is_no_tool():
    with pytest.raises(TypeError, match="not a tool"):
        definition_of(len)


@dataclass(frozen=True, slots=True)
class Counted:
    total_files: int
    top_file: Found | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    max_lines: int = 10


@tool(category="surgical", title="Count", tokens=(1, 1), is_method=True)
def count_files(
    call: Call, project_path: str, max_depth: int = 2, type_: str | None = None, bounds: Bounds | None = None
) -> Answer[Counted]:
    """Count."""
    raise NotImplementedError


def test_a_tool_that_is_a_method_has_its_own_name_there_and_snake_case_names():
    definition = definition_of(count_files)

    assert definition.method == "count_files"
    assert [each.wire for each in definition.parameters] == ["project_path", "max_depth", "type", "bounds"]
    assert list(definition.input_schema["properties"])[:2] == ["project_path", "max_depth"]
    assert list(definition.input_schema["properties"]["bounds"]["properties"]) == ["max_lines"]
    assert list(definition.output_schema["properties"]["data"]["properties"]) == ["total_files", "top_file"]
    bound = definition.code.bind({"project_path": ".", "type": "x", "bounds": {"max_lines": 3}})
    assert bound == {"project_path": ".", "type_": "x", "bounds": Bounds(3)}
