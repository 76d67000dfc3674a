import asyncio
import sys

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI
from pydantic import BaseModel
from tell import breaks_arguments, hello, models, sentence, tell

surface = sys.argv[1]
model_class = {"chat": OpenAIChatCompletionsModel, "responses": OpenAIResponsesModel}[surface]
set_tracing_disabled(True)


class Place(BaseModel):
    city: str


@function_tool
def weather(city: str) -> str:
    """The weather of a city"""
    return "21 degrees"


def open_agent(at, row="echo", **more):
    client = AsyncOpenAI(base_url=f"{at.url}/openai/v1", api_key=at.api_key)
    model = model_class(model=models[surface][row], openai_client=client)
    return Agent(name="Guide", model=model, **more)


def run(at, prompt, **more):
    return Runner.run_sync(open_agent(at, **more), prompt)


def read(at, prompt, **more):
    async def collect():
        result = Runner.run_streamed(open_agent(at, **more), prompt)
        async for _ in result.stream_events():
            pass
        return {"text": result.final_output}

    return asyncio.run(collect())


def text(at):
    result = run(at, hello)
    return {"text": result.final_output, "counts": result.raw_responses[0].usage.total_tokens > 0}


def tools(at):
    result = run(at, hello, tools=[weather])
    return {"tool": result.new_items[0].raw_item.name, "text": result.final_output}


def broken_arguments(at):
    result = run(at, breaks_arguments, tools=[weather])
    return {"continued": result.final_output.startswith("The tools answered: ")}


tell(
    {
        "text": text,
        "stream": lambda at: read(at, sentence),
        "tools": tools,
        "read-tools": lambda at: read(at, hello, tools=[weather]),
        "object": lambda at: {
            "keys": list(run(at, hello, output_type=Place).final_output.model_dump())
        },
        "broken-arguments": broken_arguments,
        "spent": lambda at: run(at, hello),
        "throttled": lambda at: run(at, hello, row="throttled"),
    }
)
