import process from 'node:process';
import { broken, citySchema, hello, pixel, sentence, tell, weather } from './tell.js';

const { default: OpenAI } = await import(process.argv[2]);

const user = (content) => [{ role: 'user', content }];
const open = ({ url, apiKey }) => new OpenAI({ baseURL: `${url}/openai/v1`, apiKey });

await tell({
  async models(at) {
    const page = await open(at).models.list();
    return { listed: page.data.some(({ id }) => id === at.models.chat.echo) };
  },
  async text(at) {
    const answer = await ask(at, hello);
    const { usage } = answer;
    const isWhole = usage.prompt_tokens + usage.completion_tokens === usage.total_tokens;
    return { text: answer.choices[0].message.content, counts: isWhole };
  },
  async stream(at) {
    return read(await ask(at, sentence, { stream: true }));
  },
  async 'stream-usage'(at) {
    const options = { stream: true, stream_options: { include_usage: true } };
    return read(await ask(at, sentence, options));
  },
  async tools(at) {
    const messages = user(hello);
    const { choices } = await ask(at, hello, { tools: [weather] });
    const [call] = choices[0].message.tool_calls;
    messages.push(choices[0].message);
    messages.push({ role: 'tool', tool_call_id: call.id, content: '21 degrees' });
    const last = await ask(at, '', { tools: [weather], messages });
    return { tool: call.function.name, text: last.choices[0].message.content };
  },
  async 'stream-tools'(at) {
    const stream = open(at).chat.completions.stream({
      ...{ model: at.models.chat.echo, messages: user(hello), tools: [weather] },
    });
    const { choices } = await stream.finalChatCompletion();
    return { tool: choices[0].message.tool_calls[0].function.name };
  },
  async forced(at) {
    const tool_choice = { type: 'function', function: { name: 'weather' } };
    const { choices } = await ask(at, hello, { tools: [weather], tool_choice });
    return { tool: choices[0].message.tool_calls[0].function.name };
  },
  async object(at) {
    const json_schema = { name: 'place', schema: citySchema, strict: true };
    const answer = await ask(at, hello, { response_format: { type: 'json_schema', json_schema } });
    return { keys: Object.keys(JSON.parse(answer.choices[0].message.content)) };
  },
  async image(at) {
    const url = `data:image/png;base64,${pixel}`;
    const content = [
      { type: 'text', text: hello },
      { type: 'image_url', image_url: { url } },
    ];
    const answer = await ask(at, content);
    return { text: answer.choices[0].message.content };
  },
  async embeddings(at) {
    const asked = { model: at.models.chat.embed, input: ['one', 'two'] };
    const { data } = await open(at).embeddings.create(asked);
    return {
      vectors: data.length,
      numbers: data.every(({ embedding }) => embedding.every(Number.isFinite)),
    };
  },
  spent: (at) => ask(at, hello),
  throttled: (at) => ask({ ...at, model: at.models.chat.throttled }, hello),
  async broken(at) {
    return read(await ask({ ...at, model: at.models.chat.told }, broken, { stream: true }));
  },
  async left(at) {
    const stream = await ask({ ...at, model: at.models.chat.slow }, sentence, { stream: true });
    for await (const chunk of stream) {
      if (!chunk.choices[0]?.delta.content) continue;
      stream.controller.abort();
      return { left: true };
    }
  },
});

function ask(at, content, more = {}) {
  const { model = at.models.chat.echo } = at;
  return open(at).chat.completions.create({ model, messages: user(content), ...more });
}

async function read(stream) {
  let text = '';
  let counts = false;
  for await (const { choices, usage } of stream) {
    text += choices[0]?.delta.content ?? '';
    if (usage) counts = usage.total_tokens > 0;
  }
  return { text, counts };
}
