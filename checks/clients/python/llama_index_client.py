import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
from llama_index.llms.openai_like import OpenAILike
from tell import breaks_arguments, hello, models, sentence, tell

chat = models["chat"]


def weather(city: str) -> str:
    """The weather of a city"""
    return "21 degrees"


def open_model(at, row="echo"):
    return OpenAILike(
        model=chat[row],
        api_base=f"{at.url}/openai/v1",
        api_key=at.api_key,
        is_chat_model=True,
        is_function_calling_model=True,
    )


def text(at):
    answer = open_model(at).chat([ChatMessage(hello)])
    return {"text": answer.message.content, "counts": answer.raw.usage.total_tokens > 0}


def stream(at):
    pieces = open_model(at).stream_chat([ChatMessage(sentence)])
    return {"text": "".join(piece.delta or "" for piece in pieces)}


def agent(at, prompt):
    async def run():
        output = await FunctionAgent(tools=[weather], llm=open_model(at)).run(prompt)
        return {"tool": output.tool_calls[0].tool_name, "text": output.response.content}

    return asyncio.run(run())


def embeddings(at):
    model = OpenAILikeEmbedding(
        model_name=chat["embed"], api_base=f"{at.url}/openai/v1", api_key=at.api_key
    )
    vectors = model.get_text_embedding_batch(["one", "two"])
    numbers = all(isinstance(x, float) for one in vectors for x in one)
    return {"vectors": len(vectors), "numbers": numbers}


def broken_arguments(at):
    said = agent(at, breaks_arguments)["text"]
    return {"continued": said.startswith("The tools answered: ")}


tell(
    {
        "text": text,
        "stream": stream,
        "tools": lambda at: agent(at, hello),
        "embeddings": embeddings,
        "broken-arguments": broken_arguments,
        "spent": lambda at: open_model(at).chat([ChatMessage(hello)]),
        "throttled": lambda at: open_model(at, "throttled").chat([ChatMessage(hello)]),
    }
)
