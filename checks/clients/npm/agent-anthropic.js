import Anthropic from '@anthropic-ai/sdk';
import { citySchema, journeysOf, question, resultOf, tell } from './tell.js';

const weather = { name: 'weather', description: 'The weather of a city', input_schema: citySchema };

await tell(journeysOf(run, ['claude']));

async function run({ url, apiKey }, model, isStreamed) {
  const client = new Anthropic({ baseURL: `${url}/anthropic`, apiKey });
  const thinking = { type: 'adaptive' };
  const messages = [{ role: 'user', content: question }];
  for (;;) {
    const asked = { model, max_tokens: 4_000, thinking, tools: [weather], messages };
    const { content } = isStreamed
      ? await client.messages.stream(asked).finalMessage()
      : await client.messages.create(asked);
    const uses = content.filter(({ type }) => type === 'tool_use');
    if (uses.length === 0) return { text: content.find(({ type }) => type === 'text').text };
    const results = uses.map(({ id, input }) => {
      return { type: 'tool_result', tool_use_id: id, content: resultOf(input) };
    });
    messages.push({ role: 'assistant', content }, { role: 'user', content: results });
  }
}
