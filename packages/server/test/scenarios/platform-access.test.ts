import { expect, test } from 'vitest';
import { startSimulatedPlatform } from '../support/simulated-platform.ts';

const access = "The gateway's own access to this platform fails";

test('an address that does not exist is distinct from a missing model', async () => {
  const platform = await startSimulatedPlatform({
    yaml: (url) => `
company: acme
store: sqlite:./gateway.db
listen: { port: 0 }
admin: { port: 0 }
platforms:
  right: { kind: openai-compatible, baseUrl: "${url}/v1" }
  wrong: { kind: openai-compatible, baseUrl: "${url}/v1/v1" }
models:
  - { id: gone, platform: right, upstreamModel: sim-missing, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
  - { id: astray, platform: wrong, upstreamModel: sim-echo, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
    bound: [],
  });
  const client = await platform.server.client('search');
  const errorOf = (model: string) =>
    client
      .chat({ model, maxTokens: 10, messages: [{ role: 'user', content: 'hello' }] })
      .catch((error: unknown) => error);
  expect(await errorOf('gone')).toMatchObject({
    ...{ status: 404, code: 'NOT_FOUND' },
    message: expect.stringContaining('does not exist on the model platform'),
  });
  expect(await errorOf('astray')).toMatchObject({
    ...{ status: 404, code: 'NOT_FOUND' },
    message: expect.stringContaining(access),
  });
  await platform.close();
});
