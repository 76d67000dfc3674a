import { AzureOpenAI } from 'openai';
import { hello, sentence, tell, weather } from './tell.js';

await tell({
  text: async (at) => {
    const { choices, usage } = await ask(at, hello);
    return { text: choices[0].message.content, counts: usage.total_tokens > 0 };
  },
  'stream-usage': async (at) => {
    const more = { stream: true, stream_options: { include_usage: true } };
    let [text, counts] = ['', false];
    for await (const { choices, usage } of await ask(at, sentence, more)) {
      text += choices[0]?.delta.content ?? '';
      if (usage) counts = usage.total_tokens > 0;
    }
    return { text, counts };
  },
  forced: async (at) => {
    const tool_choice = { type: 'function', function: { name: 'weather' } };
    const { choices } = await ask(at, hello, { tools: [weather], tool_choice });
    return { tool: choices[0].message.tool_calls[0].function.name };
  },
  embeddings: async (at) => {
    const asked = { model: at.models.chat.embed, input: ['one', 'two'] };
    const { data } = await open(at).embeddings.create(asked);
    const numbers = data.every(({ embedding }) => embedding.every(Number.isFinite));
    return { vectors: data.length, numbers };
  },
  spent: (at) => ask(at, hello),
  throttled: (at) => ask(at, hello, { model: at.models.chat.throttled }),
});

/** The path contains the model as the deployment. */
function open({ url, apiKey }) {
  return new AzureOpenAI({ endpoint: url, apiKey, apiVersion: '2024-10-21' });
}

function ask(at, content, more = {}) {
  const messages = [{ role: 'user', content }];
  return open(at).chat.completions.create({ model: at.models.chat.echo, messages, ...more });
}
