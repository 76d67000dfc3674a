"""Runs each scenario of a client and prints its caller's result in one line."""

import json
import os
import sys
import traceback

models = json.loads(os.environ["MODELS"])
hello = "Hello there"
sentence = "Some words that come one by one"
broken = json.dumps({"text": sentence, "stream": {"stop": {"how": "break", "after": 3}}})
# The text that makes the model write arguments that are not JSON.
breaks_arguments = "Break the arguments"
pixel = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
city_schema = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
# In the format of chat completions.
weather = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather of a city",
        "parameters": city_schema,
    },
}

# The agent's questions, in order.
questions = ["How warm is it?", "And now?"]


def result_of(arguments):
    """The result of its tool."""
    return f"{arguments['city']}: 21 degrees"


def journeys_of(run, names=tuple(models["thinkers"])):
    """A scenario for each model that requires its own content back, whole and streamed."""
    scenarios = {}
    for name in names:
        model = models["thinkers"][name]
        scenarios[name] = lambda at, model=model: run(at, model, False)
        scenarios[f"{name}-stream"] = lambda at, model=model: run(at, model, True)
    return scenarios


class At:
    """The URL and the key of a scenario."""

    def __init__(self, name):
        self.url = f"{os.environ['BASE_URL']}/{name}"
        self.api_key = os.environ["SPENT_KEY" if name == "spent" else "API_KEY"]


def tell(scenarios):
    for name, run in scenarios.items():
        try:
            saw = run(At(name))
            # An unexpected response in place of a rejection is not printed whole.
            if name in ("spent", "throttled"):
                saw = {"answered": True}
        except Exception as error:
            saw = {"raised": status_of(error) or True, "as": type(error).__name__}
            if os.environ.get("EXPLAIN"):
                traceback.print_exc()
        print(json.dumps({"scenario": name, "saw": saw}), flush=True)
    sys.exit(0)


def status_of(error):
    """Some clients wrap the error of the last attempt."""
    while error is not None:
        status = getattr(error, "status_code", None)
        if status is not None:
            return status
        error = error.__cause__ or error.__context__
    return None
