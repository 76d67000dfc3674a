import Anthropic from '@anthropic-ai/sdk';
import { broken, citySchema, hello, pixel, sentence, tell } from './tell.js';

const weather = { name: 'weather', description: 'The weather of a city', input_schema: citySchema };
const open = ({ url, apiKey }) => new Anthropic({ baseURL: `${url}/anthropic`, apiKey });

await tell({
  async models(at) {
    const page = await open(at).models.list();
    return { listed: page.data.some(({ id }) => id === at.models.messages.echo) };
  },
  async text(at) {
    const { content, usage } = await ask(at, hello);
    return { text: content[0].text, counts: usage.input_tokens > 0 && usage.output_tokens > 0 };
  },
  async stream(at) {
    const stream = open(at).messages.stream(request(at, sentence));
    const text = await stream.finalText();
    const { usage } = await stream.finalMessage();
    return { text, counts: usage.output_tokens > 0 };
  },
  async tools(at) {
    const { content } = await ask(at, hello, { tools: [weather] });
    const call = content.find(({ type }) => type === 'tool_use');
    const result = { type: 'tool_result', tool_use_id: call.id, content: '21 degrees' };
    const messages = [
      { role: 'user', content: hello },
      { role: 'assistant', content },
      { role: 'user', content: [result] },
    ];
    const last = await ask(at, hello, { tools: [weather], messages });
    return { tool: call.name, text: last.content[0].text };
  },
  async forced(at) {
    const tool_choice = { type: 'tool', name: 'weather' };
    const { content } = await ask(at, hello, { tools: [weather], tool_choice });
    return { tool: content.find(({ type }) => type === 'tool_use').name };
  },
  async object(at) {
    const output_config = { format: { type: 'json_schema', schema: citySchema } };
    const { content } = await ask(at, hello, { output_config });
    return { keys: Object.keys(JSON.parse(content[0].text)) };
  },
  async image(at) {
    const source = { type: 'base64', media_type: 'image/png', data: pixel };
    const { content } = await ask(at, [
      { type: 'text', text: hello },
      { type: 'image', source },
    ]);
    return { text: content[0].text };
  },
  async count(at) {
    const { model, messages } = request(at, hello);
    const { input_tokens } = await open(at).messages.countTokens({ model, messages });
    return { counts: input_tokens > 0 };
  },
  spent: (at) => ask(at, hello),
  throttled: (at) => ask({ ...at, model: at.models.messages.throttled }, hello),
  async broken(at) {
    const asked = request({ ...at, model: at.models.messages.told }, broken);
    return { text: await open(at).messages.stream(asked).finalText() };
  },
  async left(at) {
    const asked = request({ ...at, model: at.models.messages.slow }, sentence);
    const stream = open(at).messages.stream(asked);
    for await (const event of stream) {
      if (event.type !== 'content_block_delta') continue;
      stream.abort();
      return { left: true };
    }
  },
});

function request(at, content) {
  const { model = at.models.messages.echo } = at;
  return { model, max_tokens: 500, messages: [{ role: 'user', content }] };
}

function ask(at, content, more = {}) {
  return open(at).messages.create({ ...request(at, content), ...more });
}
