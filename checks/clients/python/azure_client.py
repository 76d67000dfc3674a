from openai import AzureOpenAI
from tell import hello, models, sentence, tell, weather

chat = models["chat"]


def open_client(at):
    """The path contains the model as the deployment."""
    return AzureOpenAI(azure_endpoint=at.url, api_key=at.api_key, api_version="2024-10-21")


def ask(at, content, model=chat["echo"], **more):
    messages = [{"role": "user", "content": content}]
    return open_client(at).chat.completions.create(model=model, messages=messages, **more)


def text(at):
    answer = ask(at, hello)
    return {"text": answer.choices[0].message.content, "counts": answer.usage.total_tokens > 0}


def stream(at):
    said, counts = "", False
    for chunk in ask(at, sentence, stream=True, stream_options={"include_usage": True}):
        if chunk.choices and chunk.choices[0].delta.content:
            said += chunk.choices[0].delta.content
        if chunk.usage:
            counts = chunk.usage.total_tokens > 0
    return {"text": said, "counts": counts}


def forced(at):
    choice = {"type": "function", "function": {"name": "weather"}}
    message = ask(at, hello, tools=[weather], tool_choice=choice).choices[0].message
    return {"tool": message.tool_calls[0].function.name}


def embeddings(at):
    answer = open_client(at).embeddings.create(model=chat["embed"], input=["one", "two"])
    numbers = all(isinstance(x, float) for one in answer.data for x in one.embedding)
    return {"vectors": len(answer.data), "numbers": numbers}


tell(
    {
        "text": text,
        "stream-usage": stream,
        "forced": forced,
        "embeddings": embeddings,
        "spent": lambda at: ask(at, hello),
        "throttled": lambda at: ask(at, hello, model=chat["throttled"]),
    }
)
