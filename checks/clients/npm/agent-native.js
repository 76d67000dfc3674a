import { citySchema, journeysOf, questions, resultOf, stored, tell } from './tell.js';

const weather = {
  ...{ name: 'weather', description: 'The weather of a city', inputSchema: citySchema },
};

await tell(journeysOf(run));

/** Plain requests to `/v1/agents`: each `message` goes back unchanged. */
async function run(at, model, isStreamed) {
  let messages = [];
  for (const content of questions) {
    messages = stored([...messages, { role: 'user', content }]);
    await converse(messages, () => ask(at, { model, messages }, isStreamed));
  }
  return { text: messages.at(-1).content };
}

async function converse(messages, ask) {
  for (;;) {
    const { done, message, toolCalls } = await ask();
    messages.push(message);
    if (done) return;
    for (const { id, input } of toolCalls) {
      messages.push({ role: 'tool', toolCallId: id, content: resultOf(input) });
    }
  }
}

async function ask({ url, apiKey }, asked, isStreamed) {
  const response = await fetch(`${url}/v1/agents/${isStreamed ? 'stream' : 'run'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ ...asked, maxTokens: 500, tools: [weather] }),
  });
  if (!response.ok) throw Object.assign(new Error(), { status: response.status });
  return isStreamed ? finished(await response.text()) : response.json();
}

/** The data of the last event of a stream. */
function finished(events) {
  const last = events.trim().split('\n\n').at(-1);
  const data = last.split('\n').find((line) => line.startsWith('data:'));
  if (!last.includes('event: finish')) throw new Error(last);
  return JSON.parse(data.slice('data:'.length));
}
