import Anthropic from '@anthropic-ai/sdk';
import { citySchema, journeysOf, questions, resultOf, stored, tell } from './tell.js';

const weather = { name: 'weather', description: 'The weather of a city', input_schema: citySchema };

await tell(journeysOf(run, ['claude']));

async function run({ url, apiKey }, model, isStreamed) {
  const client = new Anthropic({ baseURL: `${url}/anthropic`, apiKey });
  const thinking = { type: 'adaptive' };
  let messages = [];
  for (const content of questions) {
    messages = stored([...messages, { role: 'user', content }]);
    await converse(messages, () => {
      const asked = { model, max_tokens: 4_000, thinking, tools: [weather], messages };
      return isStreamed
        ? client.messages.stream(asked).finalMessage()
        : client.messages.create(asked);
    });
  }
  return { text: messages.at(-1).content.find(({ type }) => type === 'text').text };
}

async function converse(messages, ask) {
  for (;;) {
    const { content } = await ask();
    messages.push({ role: 'assistant', content });
    const uses = content.filter(({ type }) => type === 'tool_use');
    if (uses.length === 0) return;
    const results = uses.map(({ id, input }) => {
      return { type: 'tool_result', tool_use_id: id, content: resultOf(input) };
    });
    messages.push({ role: 'user', content: results });
  }
}
