import process from 'node:process';
import { createModelGateway } from '@model-gateway/sdk/ai';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { citySchema, journeysOf, questions, resultOf, stored, tell } from './tell.js';

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

/** The AI SDK drops thinking blocks of chat completions. */
const names = { gateway: undefined, chat: ['deepseek', 'gemini'], messages: ['claude'] };
await tell(journeysOf(run, names[surface]));

/** The AI SDK, with the gateway's own provider or another one. */
async function run(at, model, isStreamed) {
  const provider = await providers[surface](at);
  const ask = isStreamed ? stream : generateText;
  let messages = [];
  let last;
  for (const content of questions) {
    messages = stored([...messages, { role: 'user', content }]);
    const { text, response } = await ask({
      ...{ model: provider(model), messages, tools: { weather } },
      ...{ stopWhen: stepCountIs(8), maxRetries: 0 },
    });
    messages.push(...response.messages);
    last = text;
  }
  return { text: last };
}

async function stream(asked) {
  let raised;
  const onError = ({ error }) => {
    raised = error;
  };
  const result = streamText({ ...asked, onError });
  let text = '';
  for await (const piece of result.textStream) text += piece;
  if (raised !== undefined) throw raised;
  return { text, response: await result.response };
}
