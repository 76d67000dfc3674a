import { expect, test } from 'vitest';
import { billedUsd, expectBooks, expectClean, paid } from '../support/books.ts';
import { onStack } from '../support/on-stack.ts';
import {
  complete,
  completionOf,
  expectOpenAiError,
  type OpenAiError,
  openAiYaml,
} from './support/openai.ts';

const apps = `  - { name: poor, dailyBudgetUsd: "0.000001" }
  - { name: picky, models: [sim-stop] }
  - { name: closed, enabled: false }
  - { name: strict, unpriced: refuse }
  - { name: broke, credits: { monthlyGrant: "0", usdPerCredit: "0.01" } }
`;
const on = { yaml: openAiYaml.replace('ingress:', `${apps}ingress:`) };

const invalid = { status: 400, type: 'invalid_request_error' };
const permission = { status: 403, type: 'permission_error' };
const noMoney = { status: 402, type: 'insufficient_quota', code: 'insufficient_quota' };
const limited = { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' };
const broken = { status: 503, type: 'server_error' };
const late = { status: 504, type: 'server_error', code: 'timeout' };

/** An app, a model, and the expected error of its completion. Our errors have the code. */
const rows: readonly (readonly [string, string, Omit<OpenAiError, 'code'> & { code?: string }])[] =
  [
    ['closed', 'sim-echo', { ...permission, name: 'DISABLED' }],
    ['picky', 'sim-echo', { ...permission, name: 'MODEL_NOT_ALLOWED', param: 'model' }],
    ['search', 'sim-denied', { ...permission, name: 'AUTH', param: 'model' }],
    ['strict', 'sim-unpriced', { ...invalid, name: 'MODEL_NOT_PRICED', param: 'model' }],
    ['tutor', 'sim-echo', { ...invalid, name: 'USER_REQUIRED', param: 'user' }],
    ['search', 'sim-rejects', { ...invalid, name: 'BAD_REQUEST', code: 'unsupported_parameter' }],
    [
      'search',
      'sim-missing',
      { ...invalid, status: 404, code: 'model_not_found', name: 'NOT_FOUND' },
    ],
    [
      'broke',
      'sim-echo',
      { ...noMoney, name: 'INSUFFICIENT_CREDITS', says: ['The wallet has 0 credits'] },
    ],
    ['poor', 'sim-echo', { ...noMoney, name: 'BUDGET_EXCEEDED', says: ['Budget exceeded'] }],
    ['search', 'sim-throttled', { ...limited, name: 'THROTTLED', mayRetry: true }],
    [
      'search',
      'sim-throttled-hint',
      { ...limited, name: 'THROTTLED', mayRetry: true, retryAfter: '2' },
    ],
    ['search', 'sim-down', { ...broken, name: 'SERVER', mayRetry: true }],
    ['search', 'sim-timeout', { ...late, name: 'TIMEOUT' }],
    // It might have been billed: another attempt without a key would be paid again.
    ['search', 'sim-half-json', { ...broken, name: 'SERVER' }],
  ];

test.each(rows)(
  '%s calls %s, and gets the error in OpenAI’s words',
  onStack(async (stack, app, model, wanted) => {
    const user = app === 'broke' ? { user: 'ada' } : {};
    const met = await complete(stack, completionOf(model, user), { app });
    expectOpenAiError(met, { code: wanted.name, ...wanted });
    await expectClean(stack);
  }, on),
);

test.each(['sim-timeout', 'sim-half-json'])(
  'a response that its key can collect may be retried: %s',
  onStack(async (stack, model) => {
    const met = await complete(stack, completionOf(model), { headers: { 'idempotency-key': 'k' } });
    expect([503, 504]).toContain(met.status);
    expect(met.headers.get('x-should-retry')).toBeNull();
    await expectClean(stack);
  }, on),
);

/** Errors on `/v1` that are responses here: the model, and its finish reason. */
const unjudged = [
  ['sim-truncated', { max_tokens: 20 }, 'length'],
  ['sim-content-filter', {}, 'content_filter'],
  ['sim-bad-json', { response_format: { type: 'json_object' } }, 'stop'],
  ['sim-empty', {}, 'stop'],
  ['sim-bad-json', { tools: [{ type: 'function', function: { name: 'a' } }] }, 'tool_calls'],
  ['sim-wrong-tool', { tools: [{ type: 'function', function: { name: 'a' } }] }, 'tool_calls'],
] as const;

test.each(unjudged)(
  'the output of %s with %j is relayed with %s, and its wallet pays exactly',
  onStack(async (stack, model, more, finish) => {
    const met = await complete(stack, completionOf(model, { ...more, user: 'ada' }), {
      app: 'tutor',
    });
    expect(met.status, met.text).toBe(200);
    expect(met.body).toMatchObject({ choices: [{ finish_reason: finish }] });
    const cost = billedUsd(stack, 'tutor');
    expect([met.headers.get('x-cost-usd'), met.headers.get('x-cost-estimated')]).toEqual([
      cost,
      'false',
    ]);
    await expectBooks(stack, 'tutor', { calls: [paid(cost)], billedUsd: cost });
  }, on),
);

test(
  'a completion is replayed by its key, byte for byte, and another request with it is rejected',
  onStack(async (stack) => {
    const tools = [{ type: 'function', function: { name: 'weather' } }];
    const headers = { 'idempotency-key': 'k' };
    const body = completionOf('sim-echo', { tools });
    const first = await complete(stack, body, { headers });
    await stack.clock.advance(5_000);
    const again = await complete(stack, body, { headers });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const [other, more] of [
      [completionOf(), {}],
      [body, { 'x-user-id': 'ada' }],
    ] as const) {
      expectOpenAiError(await complete(stack, other, { headers: { ...headers, ...more } }), {
        ...{ ...invalid, code: 'INVALID', name: 'INVALID', says: ['idempotency-key'] },
      });
    }
    const cost = billedUsd(stack, 'search');
    await expectBooks(stack, 'search', { calls: [paid(cost)], billedUsd: cost });
  }, on),
);
