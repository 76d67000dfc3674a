from anthropic import Anthropic
from tell import city_schema, journeys_of, questions, result_of, tell

weather = {"name": "weather", "description": "The weather of a city", "input_schema": city_schema}


def next_message(client, is_streamed, **asked):
    if not is_streamed:
        return client.messages.create(**asked)
    with client.messages.stream(**asked) as stream:
        return stream.get_final_message()


def converse(client, model, messages, is_streamed):
    while True:
        message = next_message(
            client,
            is_streamed,
            model=model,
            max_tokens=4_000,
            thinking={"type": "adaptive"},
            tools=[weather],
            messages=messages,
        )
        messages.append({"role": "assistant", "content": message.content})
        uses = [block for block in message.content if block.type == "tool_use"]
        if not uses:
            return next(block.text for block in message.content if block.type == "text")
        results = [
            {"type": "tool_result", "tool_use_id": use.id, "content": result_of(use.input)}
            for use in uses
        ]
        messages.append({"role": "user", "content": results})


def run(at, model, is_streamed):
    client = Anthropic(base_url=f"{at.url}/anthropic", api_key=at.api_key)
    messages, text = [], ""
    for question in questions:
        messages.append({"role": "user", "content": question})
        text = converse(client, model, messages, is_streamed)
    return {"text": text}


tell(journeys_of(run, ["claude"]))
