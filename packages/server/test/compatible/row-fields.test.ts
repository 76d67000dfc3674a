import { beforeEach, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { expectClean, heldBy, readCalls } from '../support/books.ts';
import { type Exchange, send } from '../support/exchange.ts';
import { type SharedStack, sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

let sent: Record<string, unknown>[] = [];
beforeEach(() => {
  sent = [];
});

const prices = 'inputUsdPerMillion: "1", outputUsdPerMillion: "2"';
const constants = { vendor_top_k: 20, vendor_template: { enable_thinking: false } };
const paths = { chat: 'v1-chat', responses: 'v1-responses', messages: 'anthropic-v1-messages' };
const rows = Object.entries(paths).flatMap(([api, path]) => {
  const row = (id: string, more: string) =>
    `  - { id: ${id}-${api}, platform: sandbox, upstreamModel: sim-echo, speaks: [${path}], ${prices}${more} }`;
  const listed = ', passFields: [vendor_min_p, vendor_style, vendor_bias]';
  return [
    row('plain', ''),
    row('fixed', `, send: ${JSON.stringify(constants)}, passFields: [vendor_top_k]`),
    row('open', listed),
    row('down', `, passFields: [vendor_min_p]`).replace('sim-echo', 'sim-throttled'),
    `  - { id: both-${api}, route: [down-${api}, open-${api}] }`,
    `  - { id: mixed-${api}, route: [down-${api}, plain-${api}] }`,
  ];
});
const vectors = `  - { id: vectors, platform: sandbox, upstreamModel: sim-embed, kind: embeddings, inputUsdPerMillion: "1", send: { vendor_unit: true }, passFields: [vendor_type] }
  - { id: bare, platform: sandbox, upstreamModel: sim-embed, kind: embeddings, inputUsdPerMillion: "1" }`;

const yamlOf = (store: string, unknownFields: string) => `
company: acme
store: "${store}"
streaming: true
ingress: { openai: true, anthropic: true, unknownFields: ${unknownFields} }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
models:
${rows.join('\n')}
${vectors}
`;

const open = (unknownFields: string) => async (store: string) =>
  withApps(
    await openStack({
      yaml: yamlOf(store, unknownFields),
      script: ({ bodyText }) => {
        sent = [...sent, JSON.parse(bodyText)];
        return undefined;
      },
    }),
  );

const hello = [{ role: 'user', content: 'Hello' }];
const routes: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  chat: { path: '/openai/v1/chat/completions', body: { messages: hello } },
  responses: { path: '/openai/v1/responses', body: { input: 'Hello' } },
  messages: { path: '/anthropic/v1/messages', body: { max_tokens: 50, messages: hello } },
};
const apis = Object.entries(routes).map(([api, route]) => ({ api, ...route }));
const ways = apis.flatMap((api) => [false, true].map((stream) => ({ ...api, stream })));

async function ask(
  { stack, newApp }: SharedStack,
  path: string,
  body: object,
  settings = {},
): Promise<Exchange & { readonly app: string }> {
  const app = await newApp(settings);
  const headers = {
    ...{ authorization: `Bearer ${await stack.key(app)}`, 'content-type': 'application/json' },
    'anthropic-version': '2023-06-01',
  };
  const exchange = await send(stack, path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(await heldBy(stack.store, app)).toBe(0);
  await expectClean(stack);
  return { ...exchange, app };
}

/** The reservation of a call, read from the rejection of a budget that is too small. */
async function heldFor(house: SharedStack, path: string, body: object): Promise<bigint> {
  const { text } = await ask(house, path, body, { dailyBudgetPicoUsd: 1n });
  return parseUsd(/could cost \$(\d+\.\d+)/.exec(text)?.[1] ?? '') ?? 0n;
}

const tokenPicoUsd = 1_000_000n;

describe.each(storeKinds)('fields of rows on %s', (kind) => {
  const house = sharedOn(kind, open('refuse'));

  test.each(ways)('$api sends constants in place of the caller’s, stream $stream', async (way) => {
    const { api, path, body, stream } = way;
    const request = { ...body, model: `fixed-${api}`, stream, vendor_top_k: 1 };
    const { status, text, app } = await ask(house(), path, request);
    expect(status, text).toBe(200);
    expect(sent.at(-1)).toMatchObject(constants);
    const { store, clock } = house().stack;
    const calls = await readCalls(store, app, utcDayOf(clock.now()));
    expect(calls).toMatchObject([{ code: 'OK', basis: 'exact' }]);
  });

  test.each(ways)('$api passes listed fields unchanged, stream $stream', async (way) => {
    const { api, path, body, stream } = way;
    const own = {
      vendor_min_p: 0.125,
      vendor_style: { deep: [1, null, 'ü'] },
      vendor_bias: { 7: 1 },
    };
    const request = { ...body, model: `open-${api}`, stream, ...own };
    const { status, text, headers } = await ask(house(), path, request);
    expect(status, text).toBe(200);
    expect(sent.at(-1)).toMatchObject(own);
    expect(headers.get('x-dropped-fields')).toBeNull();
  });
});

describe('where unknown fields are rejected', () => {
  const house = sharedOn('sqlite', open('refuse'));

  test.each(apis)(
    '$api rejects a field that the row does not list',
    async ({ api, path, body }) => {
      for (const model of [`plain-${api}`, `fixed-${api}`]) {
        const { status, text } = await ask(house(), path, { ...body, model, vendor_min_p: 0.1 });
        expect([status, text]).toEqual([400, expect.stringContaining('vendor_min_p')]);
      }
      expect(sent).toEqual([]);
    },
  );

  test.each(apis)(
    '$api rejects a field that one model of an alias does not support',
    async (way) => {
      const { api, path, body } = way;
      const request = { ...body, model: `mixed-${api}`, vendor_min_p: 0.1 };
      const { status, text } = await ask(house(), path, request);
      expect([status, text]).toEqual([
        400,
        expect.stringContaining(`passFields\` of plain-${api}`),
      ]);
      expect(sent).toEqual([]);
    },
  );

  test.each(apis)('$api counts passed fields and constants', async ({ api, path, body }) => {
    const bare = { ...body, model: `open-${api}` };
    const passed = { vendor_min_p: 0.1 };
    const bytes = JSON.stringify(passed).length;
    const more =
      (await heldFor(house(), path, { ...bare, ...passed })) - (await heldFor(house(), path, bare));
    // Once in the body (without a brace, with a comma), and once more.
    expect(more).toBe(BigInt(bytes - 1 + bytes) * tokenPicoUsd);
    const plain = await heldFor(house(), path, { ...body, model: `plain-${api}` });
    const fixed = await heldFor(house(), path, { ...body, model: `fixed-${api}` });
    expect(fixed - plain).toBe(BigInt(2 * JSON.stringify(constants).length) * tokenPicoUsd);
  });

  test.each(['chat', 'objects', 'agents/run'])('constants are sent for /v1/%s', async (route) => {
    const tools = [{ name: 'now', inputSchema: { type: 'object' } }];
    const more = { objects: { schema: { type: 'object' } }, 'agents/run': { tools } };
    const body = {
      messages: hello,
      maxTokens: 50,
      ...Object.entries(more).find(([name]) => name === route)?.[1],
    };
    for (const api of Object.keys(routes)) {
      const app = await house().newApp();
      const { stack } = house();
      const headers = { 'x-api-key': await stack.key(app), 'content-type': 'application/json' };
      const text = JSON.stringify({ ...body, model: `fixed-${api}` });
      sent = [];
      await send(stack, `/v1/${route}`, { method: 'POST', headers, body: text });
      expect(sent.at(-1)).toMatchObject(constants);
    }
  });

  test('embeddings get both, counted for each text', async () => {
    const path = '/openai/v1/embeddings';
    const passed = { vendor_type: 'query' };
    const request = { model: 'vectors', input: ['a', 'b', 'c'] };
    const { status, text } = await ask(house(), path, { ...request, ...passed });
    expect(status, text).toBe(200);
    expect(sent.at(-1)).toMatchObject({ ...passed, vendor_unit: true });
    const refused = await ask(house(), path, { ...request, task: 'x' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('task')]);
    const held = await heldFor(house(), path, request);
    const bytes = JSON.stringify(passed).length;
    const more = (await heldFor(house(), path, { ...request, ...passed })) - held;
    expect(more).toBe(BigInt(bytes - 1 + 3 * bytes) * tokenPicoUsd);
    const bare = await heldFor(house(), path, { ...request, model: 'bare' });
    const constantBytes = BigInt(3 * 2 * '{"vendor_unit":true}'.length);
    // The other model's id is shorter.
    expect(held - bare).toBe((constantBytes + 3n) * tokenPicoUsd);
  });
});

describe('where unknown fields are ignored', () => {
  const house = sharedOn('sqlite', open('ignore'));

  test.each(ways)('$api sends a field to the models that list it, stream $stream', async (way) => {
    const { api, path, body, stream } = way;
    const own = { vendor_min_p: 0.1, vendor_style: 'x', wild: 1 };
    const mixed = await ask(house(), path, { ...body, model: `mixed-${api}`, stream, ...own });
    expect(mixed.status, mixed.text).toBe(200);
    expect(sent[0]).toMatchObject({ vendor_min_p: 0.1 });
    expect(sent.at(-1)).not.toHaveProperty('vendor_min_p');
    expect(mixed.headers.get('x-dropped-fields')).toBe('vendor_style, wild, vendor_min_p');
    sent = [];
    const both = await ask(house(), path, { ...body, model: `both-${api}`, stream, ...own });
    expect(both.status, both.text).toBe(200);
    expect(sent[0]).not.toHaveProperty('vendor_style');
    expect(sent.at(-1)).toMatchObject({ vendor_min_p: 0.1, vendor_style: 'x' });
    expect(both.headers.get('x-dropped-fields')).toBe('wild');
  });
});
