import process from 'node:process';
import { createModelGateway } from '@model-gateway/sdk/ai';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { citySchema, journeysOf, question, resultOf, tell } from './tell.js';

const [, , surface = 'gateway'] = process.argv;
const providers = {
  gateway: ({ url, apiKey }) => createModelGateway({ baseUrl: `${url}/v1`, apiKey }),
  async chat({ url, apiKey }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({ baseURL: `${url}/openai/v1`, apiKey, name: 'gateway' });
  },
  async messages({ url, apiKey }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL: `${url}/anthropic/v1`, apiKey });
  },
};

const weather = tool({
  ...{ description: 'The weather of a city', inputSchema: jsonSchema(citySchema) },
  execute: async (input) => resultOf(input),
});

/** Chat completions of the AI SDK keep no thinking blocks. */
const names = { gateway: undefined, chat: ['deepseek', 'gemini'], messages: ['claude'] };
await tell(journeysOf(run, names[surface]));

/** The AI SDK, with the gateway's own provider or another one. */
async function run(at, model, isStreamed) {
  const provider = await providers[surface](at);
  const asked = {
    ...{ model: provider(model), prompt: question, tools: { weather } },
    ...{ stopWhen: stepCountIs(8), maxRetries: 0 },
  };
  if (!isStreamed) return { text: (await generateText(asked)).text };
  let raised;
  const onError = ({ error }) => {
    raised = error;
  };
  let text = '';
  for await (const piece of streamText({ ...asked, onError }).textStream) text += piece;
  if (raised !== undefined) throw raised;
  return { text };
}
