import OpenAI from 'openai';
import { fold } from './fold.js';
import { journeysOf, question, resultOf, tell, weather } from './tell.js';

await tell(journeysOf(run));

/** The loop that guides for agents show: each message of the model goes back as it came. */
async function run({ url, apiKey }, model, isStreamed) {
  const client = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey });
  const messages = [{ role: 'user', content: question }];
  for (;;) {
    const asked = { model, messages, tools: [weather], max_tokens: 500 };
    const message = isStreamed ? await stream(client, asked) : await whole(client, asked);
    if (!message.tool_calls) return { text: message.content };
    messages.push(message);
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
