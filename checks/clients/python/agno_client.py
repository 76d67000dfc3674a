import sys

from agno.agent import Agent
from agno.models.openai import OpenAIChat, OpenAILike, OpenAIResponses
from tell import hello, models, sentence, tell

name = sys.argv[1]
model_class = {"chat": OpenAIChat, "like": OpenAILike, "responses": OpenAIResponses}[name]
model_id = models["responses" if name == "responses" else "chat"]["echo"]


def weather(city: str) -> str:
    """The weather of a city"""
    return "21 degrees"


def open_agent(at, **more):
    model = model_class(id=model_id, base_url=f"{at.url}/openai/v1", api_key=at.api_key)
    return Agent(model=model, telemetry=False, **more)


def answer(run):
    """Agno reports a failure as a failed run."""
    if run.status.value == "ERROR":
        raise RuntimeError(run.content)
    return run


def text(at):
    run = answer(open_agent(at).run(hello))
    return {"text": run.content, "counts": run.metrics.total_tokens > 0}


def tools(at):
    run = answer(open_agent(at, tools=[weather]).run(hello))
    return {"tool": run.tools[0].tool_name, "text": run.content}


def read(at, prompt, **more):
    said, tokens = "", 0
    for event in open_agent(at, **more).run(prompt, stream=True, stream_events=True):
        if event.event == "RunError":
            raise RuntimeError(event.content)
        if event.event == "RunContent":
            said += event.content or ""
        if event.event == "RunCompleted":
            tokens = event.metrics.total_tokens
    return {"text": said, "counts": tokens > 0}


tell(
    {
        "text": text,
        "stream-usage": lambda at: read(at, sentence),
        "tools": tools,
        "read-tools": lambda at: read(at, hello, tools=[weather]),
    }
)
