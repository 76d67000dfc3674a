import process from 'node:process';
import { broken, citySchema, hello, pixel, sentence, tell } from './tell.js';

const [, , ai, provider] = process.argv;
const { generateObject, generateText, jsonSchema, stepCountIs, streamText, tool } = await import(
  ai
);
const surfaces = {
  '@ai-sdk/openai': { surface: 'responses', path: '/openai/v1', create: 'createOpenAI' },
  '@ai-sdk/anthropic': { surface: 'messages', path: '/anthropic/v1', create: 'createAnthropic' },
};
const { surface, path, create } = surfaces[provider] ?? {
  ...{ surface: 'chat', path: '/openai/v1', create: 'createOpenAICompatible' },
};
const { [create]: createProvider } = await import(provider);

const weather = tool({
  description: 'The weather of a city',
  inputSchema: jsonSchema(citySchema),
  execute: async () => '21 degrees',
});

await tell({
  async text(at) {
    const { text, usage } = await generateText({ model: modelOf(at), prompt: hello });
    return { text, counts: usage.totalTokens > 0 };
  },
  stream: (at) => read(at, {}),
  'stream-usage': (at) => read(at, { includeUsage: true }),
  async tools(at) {
    const { text, steps } = await generateText({
      ...{ model: modelOf(at), prompt: hello, tools: { weather }, stopWhen: stepCountIs(3) },
    });
    return { tool: steps[0].toolCalls[0].toolName, text };
  },
  async forced(at) {
    const { toolCalls } = await generateText({
      ...{ model: modelOf(at), prompt: hello, tools: { weather } },
      toolChoice: { type: 'tool', toolName: 'weather' },
    });
    return { tool: toolCalls[0].toolName };
  },
  async object(at) {
    const model = modelOf(at, { supportsStructuredOutputs: true });
    const { object } = await generateObject({
      model,
      prompt: hello,
      schema: jsonSchema(citySchema),
    });
    return { keys: Object.keys(object) };
  },
  async image(at) {
    const content = [
      { type: 'text', text: hello },
      { type: 'file', data: pixel, mediaType: 'image/png' },
    ];
    const messages = [{ role: 'user', content }];
    const { text } = await generateText({ model: modelOf(at), messages });
    return { text };
  },
  spent: (at) => generateText({ model: modelOf(at), prompt: hello }),
  throttled: (at) => generateText({ model: modelOf({ ...at, row: 'throttled' }), prompt: hello }),
  async broken(at) {
    let raised;
    const onError = ({ error }) => {
      raised = error;
    };
    const { textStream } = streamText({
      model: modelOf({ ...at, row: 'told' }),
      prompt: broken,
      onError,
    });
    for await (const _ of textStream);
    if (raised !== undefined) throw raised;
    return { whole: true };
  },
  async left(at) {
    const controller = new AbortController();
    const { textStream } = streamText({
      ...{ model: modelOf({ ...at, row: 'slow' }), prompt: sentence },
      abortSignal: controller.signal,
    });
    for await (const _ of textStream) {
      controller.abort();
      return { left: true };
    }
  },
});

function modelOf({ url, apiKey, models, row = 'echo' }, more = {}) {
  const options = { baseURL: `${url}${path}`, apiKey, name: 'gateway', ...more };
  return createProvider(options)(models[surface][row]);
}

async function read(at, more) {
  const { textStream, usage } = streamText({ model: modelOf(at, more), prompt: sentence });
  let text = '';
  for await (const piece of textStream) text += piece;
  const { totalTokens } = await usage;
  return { text, counts: totalTokens > 0 };
}
