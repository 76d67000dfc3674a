// The program for bundlers: several entries, and an error that crosses them.
import process from 'node:process';
import { createClient, LlmError, ToolError, tool } from '@model-gateway/sdk';
import { createModelGateway } from '@model-gateway/sdk/ai';
import { createOpenAiSettings } from '@model-gateway/sdk/openai';
import { createFakeClient } from '@model-gateway/sdk/testing';

const request = { model: 'm', maxTokens: 9, messages: [{ role: 'user', content: 'Hello' }] };

async function main() {
  const options = { baseUrl: process.env.MODEL_GATEWAY_URL, apiKey: 'mgk_bundled' };
  const client = createClient(options);
  const { text } = await client.chat(request);
  const fake = createFakeClient([{ error: 'BUDGET_EXCEEDED' }]);
  const error = await fake.chat(request).catch((thrown) => thrown);
  const isOneClass = error instanceof LlmError && LlmError.is(error);
  const weather = tool({
    name: 'weather',
    input: { type: 'object' },
    execute: () => {
      throw new ToolError('no weather');
    },
  });
  const run = await client.runAgent({ ...request, tools: [weather] });
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }];
  const { content } = await createModelGateway(options)('m').doGenerate({ prompt });
  const { baseURL, fetch } = createOpenAiSettings(options);
  const body = JSON.stringify(request);
  const response = await fetch(`${baseURL}/chat/completions`, { method: 'POST', body });
  const { choices } = await response.json();
  const openai = choices[0].message.content;
  const ai = content[0].text;
  process.stdout.write(JSON.stringify({ text, isOneClass, run: run.text, ai, openai }));
}

main();
