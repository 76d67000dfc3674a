import asyncio
import sys

from anthropic import AsyncAnthropic
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from tell import breaks_arguments, hello, models, sentence, tell

surface = sys.argv[1]


class Place(BaseModel):
    city: str


def weather(city: str) -> str:
    """The weather of a city"""
    return "21 degrees"


def open_model(at, row):
    name = models[surface][row]
    if surface == "messages":
        client = AsyncAnthropic(base_url=f"{at.url}/anthropic", api_key=at.api_key)
        return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client))
    provider = OpenAIProvider(base_url=f"{at.url}/openai/v1", api_key=at.api_key)
    model_class = OpenAIChatModel if surface == "chat" else OpenAIResponsesModel
    return model_class(name, provider=provider)


def run(at, prompt, row="echo", **more):
    return Agent(open_model(at, row), **more).run_sync(prompt)


def read(at, prompt, **more):
    async def collect():
        async with Agent(open_model(at, "echo"), **more).run_stream(prompt) as result:
            said = "".join([piece async for piece in result.stream_text(delta=True)])
            return {"text": said, "counts": result.usage.total_tokens > 0}

    return asyncio.run(collect())


def text(at):
    result = run(at, hello)
    return {"text": result.output, "counts": result.usage.total_tokens > 0}


def tools(at):
    result = run(at, hello, tools=[weather])
    calls = [part for message in result.all_messages() for part in message.parts]
    name = next(part.tool_name for part in calls if part.part_kind == "tool-call")
    return {"tool": name, "text": result.output}


def broken_arguments(at):
    result = run(at, breaks_arguments, tools=[weather])
    return {"continued": result.output.startswith("The tools answered: ")}


tell(
    {
        "text": text,
        "stream-usage": lambda at: read(at, sentence),
        "tools": tools,
        "read-tools": lambda at: read(at, hello, tools=[weather]),
        "object": lambda at: {"keys": list(run(at, hello, output_type=Place).output.model_dump())},
        "broken-arguments": broken_arguments,
        "spent": lambda at: run(at, hello),
        "throttled": lambda at: run(at, hello, row="throttled"),
    }
)
