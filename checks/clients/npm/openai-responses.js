import process from 'node:process';
import { broken, citySchema, hello, pixel, sentence, tell } from './tell.js';

const { default: OpenAI } = await import(process.argv[2]);

const weather = { type: 'function', name: 'weather', strict: true, parameters: citySchema };
const open = ({ url, apiKey }) => new OpenAI({ baseURL: `${url}/openai/v1`, apiKey });

await tell({
  async text(at) {
    const { output_text: text, usage } = await ask(at, hello);
    return { text, counts: usage.input_tokens + usage.output_tokens === usage.total_tokens };
  },
  async stream(at) {
    return read(await ask(at, sentence, { stream: true }));
  },
  async tools(at) {
    const { output } = await ask(at, hello, { tools: [weather] });
    const call = output.find(({ type }) => type === 'function_call');
    const result = { type: 'function_call_output', call_id: call.call_id, output: '21 degrees' };
    const last = await ask(at, [{ role: 'user', content: hello }, call, result], {
      tools: [weather],
    });
    return { tool: call.name, text: last.output_text };
  },
  async forced(at) {
    const tool_choice = { type: 'function', name: 'weather' };
    const { output } = await ask(at, hello, { tools: [weather], tool_choice });
    return { tool: output.find(({ type }) => type === 'function_call').name };
  },
  async object(at) {
    const format = { type: 'json_schema', name: 'place', schema: citySchema, strict: true };
    const { output_text } = await ask(at, hello, { text: { format } });
    return { keys: Object.keys(JSON.parse(output_text)) };
  },
  async image(at) {
    const image_url = `data:image/png;base64,${pixel}`;
    const content = [
      { type: 'input_text', text: hello },
      { type: 'input_image', image_url, detail: 'auto' },
    ];
    const { output_text: text } = await ask(at, [{ role: 'user', content }]);
    return { text };
  },
  spent: (at) => ask(at, hello),
  throttled: (at) => ask({ ...at, model: at.models.responses.throttled }, hello),
  async broken(at) {
    return read(await ask({ ...at, model: at.models.responses.told }, broken, { stream: true }));
  },
  async left(at) {
    const stream = await ask({ ...at, model: at.models.responses.slow }, sentence, {
      stream: true,
    });
    for await (const event of stream) {
      if (event.type !== 'response.output_text.delta') continue;
      stream.controller.abort();
      return { left: true };
    }
  },
});

function ask(at, input, more = {}) {
  const { model = at.models.responses.echo } = at;
  return open(at).responses.create({ model, input, ...more });
}

async function read(stream) {
  let text = '';
  let counts = false;
  for await (const event of stream) {
    if (event.type === 'response.output_text.delta') text += event.delta;
    if (event.type === 'response.completed') counts = event.response.usage.total_tokens > 0;
  }
  return { text, counts };
}
