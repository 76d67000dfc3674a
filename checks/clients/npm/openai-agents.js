import process from 'node:process';
import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { breaksArguments, hello, sentence, tell } from './tell.js';

const [, , surface] = process.argv;
const Model = surface === 'chat' ? OpenAIChatCompletionsModel : OpenAIResponsesModel;
setTracingDisabled(true);

const weather = tool({
  ...{ name: 'weather', description: 'The weather of a city' },
  parameters: z.object({ city: z.string() }),
  execute: async () => '21 degrees',
});

await tell({
  text: async (at) => {
    const { finalOutput: text, rawResponses } = await run(at, hello);
    return { text, counts: rawResponses[0].usage.totalTokens > 0 };
  },
  stream: (at) => read(at, sentence),
  tools: async (at) => {
    const { finalOutput: text, newItems } = await run(at, hello, { tools: [weather] });
    return { tool: newItems[0].rawItem.name, text };
  },
  'read-tools': (at) => read(at, hello, { tools: [weather] }),
  object: async (at) => {
    const outputType = z.object({ city: z.string() });
    return { keys: Object.keys((await run(at, hello, { outputType })).finalOutput) };
  },
  'broken-arguments': async (at) => {
    const { finalOutput } = await run(at, breaksArguments, { tools: [weather] });
    return { continued: finalOutput.startsWith('The tools answered: ') };
  },
  spent: (at) => run(at, hello),
  throttled: (at) => run({ ...at, row: 'throttled' }, hello),
});

function run({ url, apiKey, models, row = 'echo' }, input, { stream = false, ...more } = {}) {
  const client = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey });
  const model = new Model(client, models[surface][row]);
  return new Runner().run(new Agent({ name: 'Guide', model, ...more }), input, { stream });
}

async function read(at, input, more) {
  const result = await run(at, input, { stream: true, ...more });
  let text = '';
  for await (const piece of result.toTextStream()) text += piece;
  await result.completed;
  return { text };
}
