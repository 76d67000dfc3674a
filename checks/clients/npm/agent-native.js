import { citySchema, journeysOf, question, resultOf, tell } from './tell.js';

const weather = {
  ...{ name: 'weather', description: 'The weather of a city', inputSchema: citySchema },
};

await tell(journeysOf(run));

/** Plain requests to `/v1/agents`: each `message` goes back as it came. */
async function run({ url, apiKey }, model, isStreamed) {
  const messages = [{ role: 'user', content: question }];
  for (;;) {
    const response = await fetch(`${url}/v1/agents/${isStreamed ? 'stream' : 'run'}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ model, maxTokens: 500, messages, tools: [weather] }),
    });
    if (!response.ok)
      throw Object.assign(new Error(await response.text()), { status: response.status });
    const answer = isStreamed ? finished(await response.text()) : await response.json();
    if (answer.done) return { text: answer.text };
    messages.push(answer.message);
    for (const { id, input } of answer.toolCalls) {
      messages.push({ role: 'tool', toolCallId: id, content: resultOf(input) });
    }
  }
}

/** The data of the event that ends a stream. */
function finished(events) {
  const last = events.trim().split('\n\n').at(-1);
  const data = last.split('\n').find((line) => line.startsWith('data:'));
  if (!last.includes('event: finish')) throw new Error(last);
  return JSON.parse(data.slice('data:'.length));
}
