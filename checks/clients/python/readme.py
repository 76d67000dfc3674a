"""Runs the README's Python snippet."""

import contextlib
import io
import pathlib
import re

from tell import tell

readme = pathlib.Path(__file__).parents[3] / "README.md"
program = re.search(r"```python\n(.*?)```", readme.read_text(), re.DOTALL).group(1)


def run(at):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(program.replace("http://127.0.0.1:8787", at.url).replace("mgk_…", at.api_key), {})
    return {"text": said.getvalue().strip()}


tell({"readme": run})
