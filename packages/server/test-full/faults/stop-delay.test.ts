import { createClient, LlmError } from '@model-gateway/sdk';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { openReplicas, type Replicas } from './replicas.ts';

let replicas: Replicas;
afterEach(() => replicas.close());

const stopDelayMs = 5_000;

test('for `stopDelayMs` after SIGTERM a process still admits calls, then no more', async () => {
  replicas = await openReplicas('sqlite', { limits: `{ stopDelayMs: ${stopDelayMs} }` });
  const served = await replicas.start();
  const { url } = served;
  const client = createClient({ baseUrl: `${url}/v1`, apiKey: replicas.apiKey, maxAttempts: 1 });
  const ask = () =>
    client.chat({ model: 'sim-echo', maxTokens: 50, messages: [{ role: 'user', content: 'Hi' }] });
  const health = async () => {
    const answer = await fetch(`${url}/health`);
    return { status: answer.status, body: await answer.json() };
  };
  await ask();
  expect(await health()).toEqual({ status: 200, body: { status: 'ok' } });

  const exited = served.end('SIGTERM');
  await until(async () => (await health()).status === 503);
  expect(await health()).toEqual({ status: 503, body: { status: 'draining' } });
  // Responses close their connections by now, so each of these calls needs a new admission.
  let answered = 0;
  let refusal: unknown;
  while (refusal === undefined) {
    await ask().then(
      () => (answered += 1),
      (error: unknown) => (refusal = error),
    );
  }
  expect(LlmError.is(refusal) && refusal.code).toBe('NETWORK');
  expect(answered).toBeGreaterThan(1);
  expect(await exited).toBe(0);
});
