import { expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { expectBooks } from '../support/books.ts';
import { chatOf, send, sendBody } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';
import { quoteText, quoteYaml } from './quote-stack.ts';

const most = maximumCostPicoUsd(chatOf('sim-echo'));
const chatText = JSON.stringify(chatOf('sim-echo'));

function quote(stack: Stack, app: string, request: object, models?: readonly string[]) {
  return quoteText(stack, app, 'chat', JSON.stringify(request), models);
}

test(
  'a quote contains the reservation and its parts, and reserves nothing',
  onStack(async (stack) => {
    const { status, body } = await quoteText(stack, 'search', 'chat', chatText, ['sim-cached']);
    const cached = BigInt(Buffer.byteLength(chatText) + 2 + 1_024) * 1_375_000n + 660_000_000n;
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ fits: true, code: null, model: 'sim-echo', maxCostUsd: usd(most) },
      ...{ inputTokensAtMost: Buffer.byteLength(chatText) + 1_024, outputTokensAtMost: 100 },
      ...{ binding: null, wallet: null, maxTokensThatFit: 16_384 },
      budget: {
        ...{ capUsd: '5', spentUsd: '0', heldUsd: '0', remainingUsd: '5' },
        resetsAt: '2026-11-22T00:00:00.000Z',
      },
      others: [{ model: 'sim-cached', maxCostUsd: usd(cached), fits: true, code: null }],
    });
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  }),
);

test(
  'a budget a trillionth too low binds, and the quote contains a size that fits',
  onStack(async (stack) => {
    await updateApp(stack.admin, 'search', { dailyBudgetPicoUsd: most - 1n });
    await stack.clock.run(stack.service.registry.refresh());
    const { body } = await quoteText(stack, 'search', 'chat', chatText);
    expect(body).toMatchObject({
      ...{ fits: false, code: 'BUDGET_EXCEEDED', binding: 'budget', maxTokensThatFit: 99 },
      wallet: null,
    });
  }),
);

// By the number of tokens another model of the alias is the most expensive.
const tight = ['0.003', '0.0035', '0.004', '0.009'];

test.each(tight)('the suggestion of an alias’s rejection equals its quote, and fits: $%s', (cap) =>
  onStack(
    async (stack) => {
      const ask = (maxTokens: number) => sendBody(stack, 'tight', chatOf('both', { maxTokens }));
      const refusal = await ask(16_384);
      const said = Number(/maxTokens (\d+) would fit/.exec(refusal.text)?.[1] ?? 0);
      const { body } = await quote(stack, 'tight', chatOf('both', { maxTokens: 16_384 }));
      expect(said).toBe(body.maxTokensThatFit);
      expect(await ask(said + 1)).toMatchObject({ status: 429 });
      if (said > 0) expect(await ask(said)).toMatchObject({ status: 200 });
    },
    {
      yaml: quoteYaml('sqlite:./gateway.db', `\n  - { name: tight, dailyBudgetUsd: "${cap}" }`),
    },
  )(),
);

test(
  'a wallet that is too low binds behind the budget',
  onStack(
    async (stack) => {
      const { body } = await quote(stack, 'poor', chatOf('sim-echo', { userId: 'ada' }));
      expect(body).toMatchObject({
        ...{ fits: false, code: 'INSUFFICIENT_CREDITS', binding: 'wallet', maxTokensThatFit: 0 },
        wallet: {
          ...{ userId: 'ada', period: '2026-11', granted: '0.01', toppedUp: '0', spent: '0' },
          ...{ held: '0', available: '0.01', resetsAt: '2026-12-01T00:00:00.000Z' },
        },
      });
    },
    {
      yaml: `${defaultYaml}
  - { name: poor, dailyBudgetUsd: "5", credits: { monthlyGrant: "0.01", usdPerCredit: "0.01" } }
`,
    },
  ),
);

const refused = [
  {
    what: 'a field',
    app: 'search',
    request: chatOf('sim-echo', { maxTokens: 0 }),
    code: 'INVALID',
  },
  {
    what: 'an unknown field',
    app: 'search',
    request: chatOf('sim-echo', { n: 1 }),
    code: 'INVALID',
  },
  { what: 'no request', app: 'search', request: {}, code: 'INVALID' },
  { what: 'no user', app: 'tutor', request: chatOf('sim-echo'), code: 'USER_REQUIRED' },
  {
    ...{ what: 'no price', app: 'tutor', code: 'MODEL_NOT_PRICED' },
    request: chatOf('sim-unpriced', { userId: 'ada' }),
  },
  { what: 'a model', app: 'picky', request: chatOf('sim-slow'), code: 'MODEL_NOT_ALLOWED' },
  { what: 'an app', app: 'off', request: chatOf('sim-echo'), code: 'DISABLED' },
  { what: 'embeddings', app: 'search', request: chatOf('sim-embed'), code: 'INVALID' },
];

test(
  'a call and its quote are rejected with the same words',
  onStack(
    async (stack) => {
      for (const { what, app, request, code } of refused) {
        const text = JSON.stringify(request);
        const quoted = await quoteText(stack, app, 'chat', text);
        const called = await stack.post(app, '/v1/chat', text);
        expect([quoted.status, quoted.text], what).toEqual([called.status, await called.text()]);
        expect(quoted.text).toContain(code);
      }
    },
    {
      yaml: quoteYaml(
        'sqlite:./gateway.db',
        `
  - { name: picky, models: [sim-echo] }
  - { name: off, enabled: false }
`,
      ),
    },
  ),
);

const bad = [
  ['{"operation":"sing","request":{}}', 'operation must be one of "chat", "objects", "agents"'],
  ['{"operation":"sing","request":{}}', 'it is "sing"'],
  ['{"request":{}}', 'operation must be one of'],
  ['{"operation":"chat"}', 'request is missing'],
  ['{"operation":"chat","request":"x"}', 'request must be an object; it is "x"'],
  ['{"operation":"chat","request":null}', 'request must be an object; it is null'],
  ['{"operation":"chat","request":{},"request":{}}', 'request is given twice'],
  ['{"operation":"chat","request":{},"more":1}', 'more is an unknown field'],
  [`{"operation":"chat","request":${chatText},"models":"m"}`, 'models must be a list; it is "m"'],
  [
    `{"operation":"chat","request":${chatText},"models":[1]}`,
    'models[0] must be a string; it is 1',
  ],
  [`{"operation":"chat","request":${chatText},"models":[""]}`, 'models[0] must not be empty'],
  [
    `{"operation":"chat","request":${chatText},"models":${JSON.stringify(Array(17).fill('m'))}}`,
    'models takes at most 16 entries; it has 17',
  ],
  ['{"operation":"chat","request":{', 'is not JSON'],
  ['', 'is empty'],
  ['[]', 'must be an object'],
] as const;

test(
  'an invalid body names the field and its value',
  onStack(async (stack) => {
    for (const [body, says] of bad) {
      const answer = await stack.post('search', '/v1/quote', body);
      const text = await answer.text();
      expect([answer.status, text], body).toEqual([400, expect.stringContaining('INVALID')]);
      expect(JSON.parse(text).error.message, body).toContain(says);
    }
  }),
);

test(
  'a quote of other models names the reason of their rejection',
  onStack(
    async (stack) => {
      const models = ['sim-slow', 'sim-embed', 'sim-unpriced', 'sim-echo'];
      const { body } = await quote(stack, 'picky', chatOf('sim-echo'), models);
      expect(body.others).toEqual([
        { model: 'sim-slow', maxCostUsd: null, fits: false, code: 'MODEL_NOT_ALLOWED' },
        { model: 'sim-embed', maxCostUsd: null, fits: false, code: 'INVALID' },
        { model: 'sim-unpriced', maxCostUsd: null, fits: true, code: null },
        { model: 'sim-echo', maxCostUsd: usd(most), fits: true, code: null },
      ]);
    },
    {
      yaml: quoteYaml(
        'sqlite:./gateway.db',
        '  - { name: picky, dailyBudgetUsd: "5", models: [sim-echo, sim-unpriced] }\n',
      ),
    },
  ),
);

test(
  'a quote counts one request of the plan, and its key is checked like that of a call',
  onStack(
    async (stack) => {
      expect((await quoteText(stack, 'rare', 'chat', chatText)).status).toBe(200);
      const headers = { 'x-api-key': await stack.key('rare'), 'content-type': 'application/json' };
      const body = `{"operation":"chat","request":${chatText}}`;
      const again = await send(stack, '/v1/quote', { method: 'POST', headers, body });
      expectGateway(again, 'LIMIT_EXCEEDED');
      const nobody = await send(stack, '/v1/quote', { method: 'POST', body });
      expectGateway(nobody, 'FORBIDDEN');
    },
    { yaml: `${defaultYaml}  - { name: rare, plans: { user: { requestsPerDay: 1 } } }\n` },
  ),
);
