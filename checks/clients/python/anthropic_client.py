import json

from anthropic import Anthropic
from tell import broken, city_schema, hello, models, pixel, sentence, tell

messages_models = models["messages"]
weather = {"name": "weather", "description": "The weather of a city", "input_schema": city_schema}


def open_client(at):
    return Anthropic(base_url=f"{at.url}/anthropic", api_key=at.api_key)


def request(content, model=messages_models["echo"], **more):
    messages = [{"role": "user", "content": content}]
    return {"model": model, "max_tokens": 500, "messages": messages, **more}


def ask(at, content, **more):
    return open_client(at).messages.create(**request(content, **more))


def text(at):
    answer = ask(at, hello)
    return {"text": answer.content[0].text, "counts": answer.usage.output_tokens > 0}


def stream(at):
    with open_client(at).messages.stream(**request(sentence)) as events:
        said = "".join(events.text_stream)
        usage = events.get_final_message().usage
    return {"text": said, "counts": usage.output_tokens > 0}


def tools(at):
    first = ask(at, hello, tools=[weather])
    call = next(block for block in first.content if block.type == "tool_use")
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "21 degrees"}
    content = [block.model_dump(exclude_none=True) for block in first.content]
    messages = [
        {"role": "user", "content": hello},
        {"role": "assistant", "content": content},
        {"role": "user", "content": [result]},
    ]
    last = open_client(at).messages.create(**{**request(hello, tools=[weather]), "messages": messages})
    return {"tool": call.name, "text": last.content[0].text}


def forced(at):
    answer = ask(at, hello, tools=[weather], tool_choice={"type": "tool", "name": "weather"})
    return {"tool": next(block.name for block in answer.content if block.type == "tool_use")}


def structured(at):
    shape = {"format": {"type": "json_schema", "schema": city_schema}}
    answer = ask(at, hello, output_config=shape)
    return {"keys": list(json.loads(answer.content[0].text))}


def image(at):
    source = {"type": "base64", "media_type": "image/png", "data": pixel}
    content = [{"type": "text", "text": hello}, {"type": "image", "source": source}]
    return {"text": ask(at, content).content[0].text}


def count(at):
    messages = [{"role": "user", "content": hello}]
    counted = open_client(at).messages.count_tokens(model=messages_models["echo"], messages=messages)
    return {"counts": counted.input_tokens > 0}


def read_broken(at):
    with open_client(at).messages.stream(**request(broken, model=messages_models["told"])) as events:
        return {"text": "".join(events.text_stream)}


def left(at):
    with open_client(at).messages.stream(**request(sentence, model=messages_models["slow"])) as events:
        for _ in events.text_stream:
            return {"left": True}


tell(
    {
        "text": text,
        "stream": stream,
        "tools": tools,
        "forced": forced,
        "object": structured,
        "image": image,
        "count": count,
        "spent": lambda at: ask(at, hello),
        "throttled": lambda at: ask(at, hello, model=messages_models["throttled"]),
        "broken": read_broken,
        "left": left,
    }
)
