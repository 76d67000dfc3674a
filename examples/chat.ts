import { createClient } from '@model-gateway/sdk';

const baseUrl = process.env.MODEL_GATEWAY_URL ?? 'http://127.0.0.1:8787/v1';
const client = createClient({ baseUrl, apiKey: process.env.MODEL_GATEWAY_KEY ?? '' });
const { text, usage, cost } = await client.chat({
  model: 'sim-echo',
  maxTokens: 100,
  messages: [{ role: 'user', content: 'Hello, gateway!' }],
});
console.log(`${text} (${usage.inputTokens} + ${usage.outputTokens} tokens, $${cost.usd})`);
