import json

from openai import OpenAI
from tell import journeys_of, questions, result_of, tell, weather

# Fields that are not written piece by piece.
wholes = {"id", "type", "role", "name", "index"}


def fold(before, delta):
    """A message, with the next delta of its stream: texts grow, whatever their names are."""
    for name, value in delta.items():
        if value is None:
            before.setdefault(name, None)
        elif isinstance(value, list):
            elements = before.get(name) or []
            for element in value:
                index = element.get("index", len(elements))
                while len(elements) <= index:
                    elements.append({})
                fold(elements[index], {key: one for key, one in element.items() if key != "index"})
            before[name] = elements
        elif isinstance(value, dict):
            before[name] = before.get(name) or {}
            fold(before[name], value)
        elif isinstance(value, str) and name not in wholes:
            before[name] = (before.get(name) or "") + value
        else:
            before[name] = value
    return before


def next_message(client, is_streamed, **asked):
    if not is_streamed:
        return client.chat.completions.create(**asked).choices[0].message.model_dump(exclude_none=True)
    message = {}
    for chunk in client.chat.completions.create(stream=True, **asked):
        if chunk.choices:
            fold(message, chunk.choices[0].delta.model_dump(exclude_none=True))
    return message


def converse(client, model, messages, is_streamed):
    while True:
        message = next_message(client, is_streamed, model=model, messages=messages, tools=[weather])
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for call in message["tool_calls"]:
            content = result_of(json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})


def run(at, model, is_streamed):
    client = OpenAI(base_url=f"{at.url}/openai/v1", api_key=at.api_key)
    messages, text = [], ""
    for question in questions:
        # Like a session that was stored between two questions.
        messages = json.loads(json.dumps([*messages, {"role": "user", "content": question}]))
        text = converse(client, model, messages, is_streamed)
    return {"text": text}


tell(journeys_of(run))
