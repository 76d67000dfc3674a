import process from 'node:process';
import { createClient, LlmError } from '@model-gateway/sdk';

// Makes calls in its own process, since Node reads its trusted authorities at startup. No response
// slows down their rate. It continues until its standard input ends, and then prints their results.
const { GATEWAY_URL = '', GATEWAY_KEY = '' } = process.env;
const client = createClient({ baseUrl: `${GATEWAY_URL}/v1`, apiKey: GATEWAY_KEY });
const everyMs = 10;
const running = new Set<Promise<void>>();
const failed: string[] = [];
let answered = 0;

const timer = setInterval(() => {
  const one = call().finally(() => running.delete(one));
  running.add(one);
}, everyMs);
process.stdin.resume();
process.stdin.on('end', async () => {
  clearInterval(timer);
  await Promise.all(running);
  process.stdout.write(`${JSON.stringify({ answered, failed })}\n`);
});

async function call(): Promise<void> {
  const messages = [{ role: 'user', content: 'Hello' }] as const;
  try {
    await client.chat({ model: 'sim-echo', maxTokens: 50, messages });
    answered += 1;
  } catch (error) {
    failed.push(LlmError.is(error) ? `${error.status} ${error.code}` : String(error));
  }
}
