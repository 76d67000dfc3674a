import OpenAI from 'openai';
import { fold } from './fold.js';
import { journeysOf, questions, resultOf, stored, tell, weather } from './tell.js';

await tell(journeysOf(run));

async function run({ url, apiKey }, model, isStreamed) {
  const client = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey });
  const ask = isStreamed ? stream : whole;
  let messages = [];
  for (const content of questions) {
    messages = stored([...messages, { role: 'user', content }]);
    await converse(messages, () => ask(client, { model, messages, tools: [weather] }));
  }
  return { text: messages.at(-1).content };
}

/** The loop of most guides for agents: each message of the model goes back unchanged. */
async function converse(messages, ask) {
  for (;;) {
    const message = await ask();
    messages.push(message);
    if (!message.tool_calls) return;
    for (const { id, function: called } of message.tool_calls) {
      const content = resultOf(JSON.parse(called.arguments));
      messages.push({ role: 'tool', tool_call_id: id, content });
    }
  }
}

async function whole(client, asked) {
  const { choices } = await client.chat.completions.create(asked);
  return choices[0].message;
}

async function stream(client, asked) {
  let message = {};
  for await (const { choices } of await client.chat.completions.create({
    ...asked,
    stream: true,
  })) {
    if (choices[0]) message = fold(message, choices[0].delta);
  }
  return message;
}
