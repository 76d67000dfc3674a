import os
from importlib.util import find_spec
from pathlib import Path

from langchain_core.messages import HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from tell import broken, city_schema, hello, models, pixel, sentence, tell, weather

chat = models["chat"]
# The encoding of token ids would be downloaded; litellm contains it.
litellm = Path(find_spec("litellm").origin).parent
os.environ["TIKTOKEN_CACHE_DIR"] = str(litellm / "litellm_core_utils/tokenizers")


def open_model(at, row="echo", **more):
    return ChatOpenAI(
        model=chat[row], api_key=at.api_key, base_url=f"{at.url}/openai/v1", **more
    )


def text(at):
    answer = open_model(at).invoke(hello)
    return {"text": answer.content, "counts": answer.usage_metadata["total_tokens"] > 0}


def read(model, prompt):
    said, counts = "", False
    for piece in model.stream(prompt):
        said += piece.content
        if piece.usage_metadata and piece.usage_metadata["total_tokens"] > 0:
            counts = True
    return {"text": said, "counts": counts}


def tools(at):
    model = open_model(at).bind_tools([weather])
    turn = model.invoke([HumanMessage(hello)])
    call = turn.tool_calls[0]
    result = ToolMessage("21 degrees", tool_call_id=call["id"])
    return {
        "tool": call["name"],
        "text": model.invoke([HumanMessage(hello), turn, result]).content,
    }


def forced(at):
    turn = open_model(at).bind_tools([weather], tool_choice="weather").invoke(hello)
    return {"tool": turn.tool_calls[0]["name"]}


def structured(at):
    schema = {"title": "place", "description": "A place", **city_schema}
    model = open_model(at).with_structured_output(schema, method="json_schema")
    return {"keys": list(model.invoke(hello))}


def image(at):
    url = {"url": f"data:image/png;base64,{pixel}"}
    content = [{"type": "text", "text": hello}, {"type": "image_url", "image_url": url}]
    return {"text": open_model(at).invoke([HumanMessage(content)]).content}


def embeddings(at):
    """By default it sends token ids in place of texts."""
    model = OpenAIEmbeddings(
        model=chat["embed"], base_url=f"{at.url}/openai/v1", api_key=at.api_key
    )
    vectors = model.embed_documents(["one", "two"])
    numbers = all(isinstance(x, float) for one in vectors for x in one)
    return {"vectors": len(vectors), "numbers": numbers}


def left(at):
    for piece in open_model(at, "slow").stream(sentence):
        if piece.content:
            return {"left": True}


tell(
    {
        "text": text,
        "stream": lambda at: read(open_model(at), sentence),
        "stream-usage": lambda at: read(open_model(at, stream_usage=True), sentence),
        "tools": tools,
        "forced": forced,
        "object": structured,
        "image": image,
        "embeddings": embeddings,
        "spent": lambda at: open_model(at).invoke(hello),
        "throttled": lambda at: open_model(at, "throttled").invoke(hello),
        "broken": lambda at: read(open_model(at, "told"), broken),
        "left": left,
    }
)
