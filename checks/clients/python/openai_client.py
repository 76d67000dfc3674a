import json

from openai import OpenAI
from tell import broken, city_schema, hello, models, pixel, sentence, tell, weather

chat = models["chat"]


def open_client(at):
    return OpenAI(base_url=f"{at.url}/openai/v1", api_key=at.api_key)


def user(content):
    return [{"role": "user", "content": content}]


def ask(at, content, model=chat["echo"], **more):
    asked = {"model": model, "messages": user(content), **more}
    return open_client(at).chat.completions.create(**asked)


def text(at):
    answer = ask(at, hello)
    return {"text": answer.choices[0].message.content, "counts": answer.usage.total_tokens > 0}


def read(stream):
    said, counts = "", False
    for chunk in stream:
        if chunk.choices and chunk.choices[0].delta.content:
            said += chunk.choices[0].delta.content
        if chunk.usage:
            counts = chunk.usage.total_tokens > 0
    return {"text": said, "counts": counts}


def tools(at):
    message = ask(at, hello, tools=[weather]).choices[0].message
    call = message.tool_calls[0]
    result = {"role": "tool", "tool_call_id": call.id, "content": "21 degrees"}
    messages = [*user(hello), message.model_dump(exclude_none=True), result]
    answer = open_client(at).chat.completions.create(
        model=chat["echo"], messages=messages, tools=[weather]
    )
    return {"tool": call.function.name, "text": answer.choices[0].message.content}


def forced(at):
    choice = {"type": "function", "function": {"name": "weather"}}
    message = ask(at, hello, tools=[weather], tool_choice=choice).choices[0].message
    return {"tool": message.tool_calls[0].function.name}


def structured(at):
    shape = {"name": "place", "schema": city_schema, "strict": True}
    answer = ask(at, hello, response_format={"type": "json_schema", "json_schema": shape})
    return {"keys": list(json.loads(answer.choices[0].message.content))}


def image(at):
    url = {"url": f"data:image/png;base64,{pixel}"}
    content = [{"type": "text", "text": hello}, {"type": "image_url", "image_url": url}]
    return {"text": ask(at, content).choices[0].message.content}


def embeddings(at):
    answer = open_client(at).embeddings.create(model=chat["embed"], input=["one", "two"])
    return {
        "vectors": len(answer.data),
        "numbers": all(isinstance(x, float) for one in answer.data for x in one.embedding),
    }


def responses(at):
    answer = open_client(at).responses.create(model=models["responses"]["echo"], input=hello)
    return {"text": answer.output_text, "counts": answer.usage.total_tokens > 0}


def left(at):
    with ask(at, sentence, model=chat["slow"], stream=True) as stream:
        for chunk in stream:
            if chunk.choices and chunk.choices[0].delta.content:
                return {"left": True}


usage = {"include_usage": True}
tell(
    {
        "text": text,
        "stream": lambda at: read(ask(at, sentence, stream=True)),
        "stream-usage": lambda at: read(ask(at, sentence, stream=True, stream_options=usage)),
        "tools": tools,
        "forced": forced,
        "object": structured,
        "image": image,
        "embeddings": embeddings,
        "responses": responses,
        "spent": lambda at: ask(at, hello),
        "throttled": lambda at: ask(at, hello, model=chat["throttled"]),
        "broken": lambda at: read(ask(at, broken, model=chat["told"], stream=True)),
        "left": left,
    }
)
