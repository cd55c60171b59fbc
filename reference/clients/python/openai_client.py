"""The Python package openai against the service that OPENAI_BASE_URL names; prints what it returned as JSON.

The first argument is the scene to play: "everything" or "given_up".

Keys come from the environment, as the package reads them itself: OPENAI_API_KEY, and BROKE_KEY of an account without
balance.
"""

import asyncio
import json
import os
import sys

import openai

MODEL = "acme/base-70b"
ASKED = {"model": MODEL, "messages": [{"role": "user", "content": "Say something."}]}
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "minLength": 3}, "days": {"type": "integer", "minimum": 2}},
    "required": ["city", "days"],
}
WEATHER = {"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}


def joined(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def models(client):
    return {"ids": [model.id for model in client.models.list()], "one": client.models.retrieve(MODEL).owned_by}


def chats(client):
    whole = client.chat.completions.create(**ASKED)
    chunks = list(client.chat.completions.create(**ASKED, stream=True, stream_options={"include_usage": True}))
    with client.chat.completions.stream(**ASKED) as helper:
        pieces = [event.delta for event in helper if event.type == "content.delta"]
        final = helper.get_final_completion().choices[0].message.content
    return {
        "texts": [whole.choices[0].message.content, joined(chunks), "".join(pieces), final],
        "finish": whole.choices[0].finish_reason,
        "request_id": whole._request_id,
        "usage": [whole.usage.total_tokens, chunks[-1].usage.total_tokens],
    }


def tools(client):
    asked = {**ASKED, "tools": [WEATHER], "tool_choice": "required"}
    (call,) = client.chat.completions.create(**asked).choices[0].message.tool_calls
    chunks = client.chat.completions.create(**asked, stream=True)
    parts = [part for chunk in chunks for part in chunk.choices[0].delta.tool_calls or []]
    shaped = {"type": "json_schema", "json_schema": {"name": "forecast", "schema": SCHEMA}}
    answer = client.chat.completions.create(**ASKED, response_format=shaped)
    return {
        "name": call.function.name,
        "arguments": json.loads(call.function.arguments),
        "streamed": json.loads("".join(part.function.arguments for part in parts)),
        "shaped": json.loads(answer.choices[0].message.content),
    }


def completions(client):
    asked = {"model": MODEL, "prompt": "Once", "max_tokens": 6}
    whole = client.completions.create(**asked)
    chunks = client.completions.create(**asked, stream=True)
    return {
        "texts": [whole.choices[0].text, "".join(chunk.choices[0].text for chunk in chunks)],
        "finish": whole.choices[0].finish_reason,
        "echoed": client.completions.create(**asked, echo=True).choices[0].text,
    }


async def side_by_side():
    async with openai.AsyncOpenAI() as client:
        answers = await asyncio.gather(*(client.chat.completions.create(**ASKED, seed=seed) for seed in range(3)))
        stream = await client.chat.completions.create(**ASKED, seed=0, stream=True)
        chunks = [chunk async for chunk in stream]
    return {"texts": [answer.choices[0].message.content for answer in answers], "streamed": joined(chunks)}


def refusal(ask):
    """Class, status and code of the error that asking raises."""
    try:
        ask()
    except openai.APIStatusError as error:
        return [type(error).__name__, error.status_code, error.code]
    return None


def refusals(client):
    stranger = client.with_options(api_key="wrong")
    broke = client.with_options(api_key=os.environ["BROKE_KEY"])
    chat = client.chat.completions
    return [
        refusal(lambda: stranger.models.list()),
        refusal(lambda: broke.chat.completions.create(**ASKED)),
        refusal(lambda: chat.create(**{**ASKED, "model": "acme/none"})),
        refusal(lambda: chat.create(**ASKED, temperature=3)),
        refusal(lambda: client.completions.create(model=MODEL, prompt="x" * 200_000)),
    ]


def given_up(client):
    """Leaves a long stream after its first chunk, again and again, where one request at a time is allowed."""
    patient = client.with_options(max_retries=2)
    seen = 0
    for _ in range(3):
        with patient.chat.completions.create(**ASKED, max_tokens=4000, stream=True) as stream:
            seen += 1 if next(iter(stream)).id else 0
    return seen


def everything(client):
    told = {scene.__name__: scene(client) for scene in (models, chats, tools, completions, refusals)}
    return {**told, "side_by_side": asyncio.run(side_by_side())}


def main():
    scene = {"everything": everything, "given_up": given_up}[sys.argv[1]]
    print(json.dumps({"told": scene(openai.OpenAI(max_retries=0)), "version": openai.__version__}))


main()
