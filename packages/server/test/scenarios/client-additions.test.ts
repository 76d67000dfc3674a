// The client's additions to the API, through the whole service, on a real socket.
import { type AttemptEvent, addUsd, createClient, metaOf, tool } from '@model-gateway/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const messages = [{ role: 'user' as const, content: 'Ulm' }];
const request = { model: 'sim-echo', maxTokens: 200, messages };

async function clientWith(onAttempt: (event: AttemptEvent) => void) {
  const apiKey = await server.key('search');
  return createClient({ baseUrl: `${server.url}/v1`, apiKey, onAttempt });
}

test('lists, enums and unions are objects to the service, and checked by it', async () => {
  const client = await server.client('search');
  const schemas = [
    z.array(z.object({ city: z.string() })),
    z.enum(['sunny', 'rainy']),
    z.union([z.object({ city: z.string() }), z.object({ zip: z.number() })]),
  ];
  for (const schema of schemas) {
    const { object } = await client.object({ ...request, schema });
    expect(schema.safeParse(object).success).toBe(true);
  }
});

test('a denied tool is not executed, and the run continues', async () => {
  const client = await server.client('search');
  const wipe = tool<object>({ name: 'wipe', input: { type: 'object' }, execute: expect.fail });
  const run = await client.runAgent(
    { ...request, tools: [wipe] },
    { onToolCall: () => 'That disk is in use.' },
  );
  expect(run).toMatchObject({ stopReason: 'done', turns: 2 });
  expect(run.messages.find(({ role }) => role === 'tool')).toMatchObject({
    content: 'That disk is in use.',
  });
});

test('attempts are reported with the log’s ids, and costs equal the ledger’s sum', async () => {
  const told: AttemptEvent[] = [];
  const client = await clientWith((event) => void told.push(event));
  const before = (await client.usage()).totals.costUsd;
  const answers = await Promise.all([client.chat(request), client.chat(request)]);
  const costs = answers.map(({ cost }) => cost.usd ?? '');
  expect((await client.usage()).totals.costUsd).toBe(addUsd(before ?? '', ...costs));
  const ids = new Set(
    told.filter(({ method }) => method === 'chat').map((event) => event.gatewayRequestId),
  );
  expect(ids).toEqual(new Set(answers.map((answer) => metaOf(answer).gatewayRequestId)));
});
