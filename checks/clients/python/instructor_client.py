import instructor
from openai import OpenAI
from pydantic import BaseModel
from tell import hello, models, tell


class Place(BaseModel):
    city: str


def ask(at, mode, row="echo"):
    client = OpenAI(base_url=f"{at.url}/openai/v1", api_key=at.api_key)
    place = instructor.from_openai(client, mode=mode).chat.completions.create(
        model=models["chat"][row],
        messages=[{"role": "user", "content": hello}],
        response_model=Place,
        max_retries=1,
    )
    return {"keys": list(place.model_dump())}


tell(
    {
        "object": lambda at: ask(at, instructor.Mode.TOOLS),
        "object-json": lambda at: ask(at, instructor.Mode.JSON_SCHEMA),
        "spent": lambda at: ask(at, instructor.Mode.TOOLS),
        "throttled": lambda at: ask(at, instructor.Mode.TOOLS, "throttled"),
    }
)
