"""Tools and a prompt that ask for input by ending the call, as revision 2026-07-28 has it."""

import json
from typing import Any

import mcp_types as types
from conformance_tools import answer_text, object_schema, offer, text_of

NAME = object_schema(name="string")
CONSENT = object_schema(ok="boolean")


def ask(message: str = "What is your name?", schema: dict[str, Any] = NAME) -> types.ElicitRequest:
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(message: str) -> types.CreateMessageRequest:
    messages = [types.SamplingMessage(role="user", content=text_of(message))]
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=messages, max_tokens=50)
    )


def need(state: str | None = None, **requests: Any) -> types.InputRequiredResult:
    return types.InputRequiredResult(input_requests=requests, request_state=state)


def replies(params: Any) -> dict[str, Any]:
    return params.input_responses or {}


@offer()
async def test_input_required_result_elicitation(context, params):
    """Asks for a name."""
    reply = replies(params).get("user_name")
    return (
        answer_text(f"Hello, {reply.content['name']}!") if reply and reply.content else need(user_name=ask())
    )


@offer()
async def test_input_required_result_sampling(context, params):
    """Asks the client's model."""
    reply = replies(params).get("capital_question")
    if reply is None:
        return need(capital_question=sample("What is the capital of France?"))
    return answer_text(reply.content.text)


@offer()
async def test_input_required_result_list_roots(context, params):
    """Asks for the client's roots."""
    reply = replies(params).get("client_roots")
    return (
        need(client_roots=types.ListRootsRequest())
        if reply is None
        else answer_text(f"{len(reply.roots)} roots")
    )


@offer()
async def test_input_required_result_request_state(context, params):
    """Keeps its state with the client."""
    if "confirm" in replies(params) and params.request_state == "asked":
        return answer_text("state-ok: confirmation received")
    return need("asked", confirm=ask("Please confirm", CONSENT))


@offer()
async def test_input_required_result_multiple_inputs(context, params):
    """Asks three things at once."""
    if {"user_name", "greeting", "client_roots"} <= replies(params).keys():
        return answer_text("All inputs received.")
    return need(
        "asked",
        user_name=ask(),
        greeting=sample("Generate a greeting"),
        client_roots=types.ListRootsRequest(),
    )


@offer()
async def test_input_required_result_multi_round(context, params):
    """Asks twice, the second time knowing the first reply."""
    state = json.loads(params.request_state) if params.request_state else {"round": 0}
    given = replies(params)
    if state["round"] == 1 and "step1" in given:
        following = json.dumps({"round": 2, "name": given["step1"].content["name"]})
        return need(
            following, step2=ask("Step 2: What is your favourite colour?", object_schema(color="string"))
        )
    if state["round"] == 2 and "step2" in given:
        return answer_text(f"{state['name']} likes {given['step2'].content['color']}.")
    return need(json.dumps({"round": 1}), step1=ask("Step 1: What is your name?"))


@offer()
async def test_input_required_result_tampered_state(context, params):
    """Asks once, and trusts only a state that is its own."""
    if params.request_state is None:
        return need("round-1", confirm=ask("Please confirm", CONSENT))
    return answer_text(f"state-ok: {params.request_state}")


@offer()
async def test_input_required_result_capabilities(context, params):
    """Asks only for what the client can give."""
    capabilities = context.session.client_capabilities
    requests: dict[str, Any] = {}
    if capabilities is None or capabilities.sampling is not None:
        requests["sample"] = sample("Say hello")
    if capabilities is None or capabilities.elicitation is not None:
        requests["ask"] = ask()
    return need("asked", **requests)


@offer()
async def test_streaming_elicitation(context, params):
    """Reports progress before it asks."""
    await context.session.report_progress(1, 2, "asking")
    reply = replies(params).get("user_name")
    return need(user_name=ask()) if reply is None else answer_text(f"Hello {reply.content}")


def prompt_with_input(
    params: types.GetPromptRequestParams,
) -> types.GetPromptResult | types.InputRequiredResult:
    """The prompt that wants to know more before it is written."""
    reply = replies(params).get("user_context")
    if reply is None:
        return need(user_context=ask("What should the prompt be about?", object_schema(context="string")))
    message = types.PromptMessage(role="user", content=text_of(f"Use: {reply.content['context']}"))
    return types.GetPromptResult(messages=[message])
