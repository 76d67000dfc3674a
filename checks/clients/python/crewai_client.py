from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from tell import hello, models, tell


@tool("weather")
def weather(city: str) -> str:
    """The weather of a city"""
    return "21 degrees"


def run(at, row="echo"):
    model = f"openai/{models['chat'][row]}"
    llm = LLM(model=model, base_url=f"{at.url}/openai/v1", api_key=at.api_key)
    # Without its own retries a call is made once.
    agent = Agent(
        role="Guide",
        goal="Say the weather",
        backstory="A guide",
        llm=llm,
        tools=[weather],
        max_retry_limit=0,
    )
    task = Task(description=hello, expected_output="A sentence", agent=agent)
    return Crew(agents=[agent], tasks=[task]).kickoff().raw


tell({"tools": lambda at: {"tool": "weather", "text": run(at)}, "spent": run, "throttled": lambda at: run(at, "throttled")})
