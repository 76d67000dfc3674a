import litellm
from tell import broken, hello, models, sentence, tell, weather

litellm.telemetry = False
chat = models["chat"]


def ask(at, content, row="echo", **more):
    return litellm.completion(
        model=f"openai/{chat[row]}",
        api_base=f"{at.url}/openai/v1",
        api_key=at.api_key,
        messages=[{"role": "user", "content": content}],
        **more,
    )


def text(at):
    answer = ask(at, hello)
    return {"text": answer.choices[0].message.content, "counts": answer.usage.total_tokens > 0}


def read(stream):
    said = ""
    for chunk in stream:
        said += chunk.choices[0].delta.content or ""
    return {"text": said}


def forced(at):
    choice = {"type": "function", "function": {"name": "weather"}}
    message = ask(at, hello, tools=[weather], tool_choice=choice).choices[0].message
    return {"tool": message.tool_calls[0].function.name}


def left(at):
    for chunk in ask(at, sentence, "slow", stream=True):
        if chunk.choices[0].delta.content:
            return {"left": True}


tell(
    {
        "text": text,
        "stream": lambda at: read(ask(at, sentence, stream=True)),
        "forced": forced,
        "spent": lambda at: ask(at, hello),
        "throttled": lambda at: ask(at, hello, "throttled"),
        "broken": lambda at: read(ask(at, broken, "told", stream=True)),
        "left": left,
    }
)
