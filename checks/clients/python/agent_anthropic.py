from anthropic import Anthropic
from tell import city_schema, journeys_of, question, result_of, tell

weather = {"name": "weather", "description": "The weather of a city", "input_schema": city_schema}


def next_message(client, is_streamed, **asked):
    if not is_streamed:
        return client.messages.create(**asked)
    with client.messages.stream(**asked) as stream:
        return stream.get_final_message()


def run(at, model, is_streamed):
    client = Anthropic(base_url=f"{at.url}/anthropic", api_key=at.api_key)
    messages = [{"role": "user", "content": question}]
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
        uses = [block for block in message.content if block.type == "tool_use"]
        if not uses:
            return {"text": next(block.text for block in message.content if block.type == "text")}
        results = [
            {"type": "tool_result", "tool_use_id": use.id, "content": result_of(use.input)}
            for use in uses
        ]
        messages.append({"role": "assistant", "content": message.content})
        messages.append({"role": "user", "content": results})


tell(journeys_of(run, ["claude"]))
