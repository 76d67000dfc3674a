import { describe, expect, test } from 'vitest';
import { jsonOf, nameOf, openHouse, refusalOf, routes, said, streamOf, unnamed } from './house.ts';

const { ask, stack } = openHouse();

/** Error objects by the status that they name. 502 is missing: see below. */
const errors: readonly (readonly [status: number, error: object])[] = [
  [400, { type: 'invalid_request_error', code: 'context_length_exceeded', message: 'too long' }],
  [401, { type: 'authentication_error', message: 'who?' }],
  [403, { code: 403, message: 'not you' }],
  [404, { code: 'model_not_found', message: 'which?' }],
  [408, { code: 408, message: 'late' }],
  [429, { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'slow down' }],
  [429, { type: 'insufficient_quota', code: 'insufficient_quota', message: 'no money' }],
  [500, { type: 'api_error', code: 'server_error', message: 'oh' }],
  [503, { code: 503, message: 'down' }],
  [504, { code: '504', message: 'later' }],
  [529, { type: 'overloaded_error', message: 'Overloaded' }],
];

describe.each(routes.map((route) => [nameOf(route), route] as const))('%s', (_, route) => {
  test.each(errors)('an error object with %i is handled like the status', async (status, error) => {
    const http = await ask(route, Array(3).fill(jsonOf(status, { type: 'error', error })));
    await stack().clock.advance(11_000);
    const told = await ask(route, Array(3).fill(refusalOf(route, error)));
    expect(unnamed(told)).toEqual(unnamed(http));
    expect(told.attempts).toEqual(http.attempts);
    expect(told.attempts.every((attempt) => attempt.status === status)).toBe(true);
    const { code, basis, cost, estimated } = told.record ?? {};
    expect({ code, basis, cost, estimated }).toEqual({
      ...{ code: http.record?.code, basis: http.record?.basis },
      ...{ cost: http.record?.cost, estimated: http.record?.estimated },
    });
    const isFree = ![408, 504].includes(status);
    expect(cost === 0n).toBe(isFree);
  });

  test('a passing error is attempted again, and only the response is paid', async () => {
    const error = { type: 'rate_limit_error', code: 429, message: 'slow down' };
    const told = await ask(route, [refusalOf(route, error)]);
    expect(told.status).toBe(200);
    expect(told.attempts.map(({ outcome }) => outcome)).toEqual(['THROTTLED', 'answered']);
    expect(told.record).toMatchObject({ code: 'OK', basis: 'exact' });
    expect(told.attempts[0]).toMatchObject({ costUsd: '0', estimated: false });
  });

  test('a platform that names 502 has failed, and has billed nothing', async () => {
    const error = { code: 502, message: 'upstream down' };
    const told = await ask(route, Array(3).fill(refusalOf(route, error)));
    expect(told.attempts.map(({ outcome }) => outcome)).toEqual(Array(3).fill('SERVER'));
    expect(told.record).toMatchObject({ code: 'SERVER', basis: 'free', cost: 0n });
  });

  test('an error without a status is a 502 that might have been billed', async () => {
    const error = { message: 'something happened' };
    const told = await ask(route, [refusalOf(route, error)]);
    expect(told.status).toBe(200);
    expect(told.attempts).toMatchObject([
      { outcome: 'SERVER', status: 502, estimated: true, estimateReason: 'unknown-outcome' },
      { outcome: 'answered' },
    ]);
    expect(told.record?.basis).toBe('mixed');
  });
});

describe.each([
  ['chats', '/v1/chat'],
  ['chats', '/openai/v1/chat/completions'],
  ['gpts', '/openai/v1/responses'],
  ['claudes', '/anthropic/v1/messages'],
])('the alias %s on %s', (alias, path) => {
  const both = routes.filter((route) => route.path.startsWith(path) && `${route.wire}s` === alias);

  test.each(both.map((route) => [nameOf(route), route] as const))('%s', async (_, route) => {
    const error = { type: 'overloaded_error', code: 529, message: 'Overloaded' };
    const told = await ask(route, Array(2).fill(refusalOf(route, error)), alias);
    expect(told.status).toBe(200);
    const asked = told.attempts.map(({ outcome, model }) => [outcome, model]);
    expect(asked).toEqual([
      ['SERVER', route.wire],
      ['SERVER', route.wire],
      ['answered', `${route.wire}-2`],
    ]);
    expect(told.record).toMatchObject({ code: 'OK', basis: 'exact' });
  });
});

describe('a circuit', () => {
  const [route] = routes;
  if (route === undefined) throw new Error('there are routes');

  test('opens for a platform that names 529, and not for one that names 429', async () => {
    const throttled = refusalOf(route, { code: 429, message: 'slow down' });
    for (let call = 0; call < 20; call++) await ask(route, Array(3).fill(throttled));
    expect((await ask(route, [])).status).toBe(200);
    await stack().clock.advance(11_000);
    const overloaded = refusalOf(route, { code: 529, message: 'Overloaded' });
    for (let call = 0; call < 20; call++) await ask(route, Array(3).fill(overloaded));
    const refused = await ask(route, []);
    expect(refused.status).toBe(502);
    expect(refused.text).toContain('keeps failing');
    expect(refused.attempts).toEqual([]);
  });
});

describe('shapes of other vendors', () => {
  const message = 'It failed.';
  const chats = routes.filter(({ wire }) => wire === 'chat');

  test.each<[string, unknown, string]>([
    ['Baidu', { error_code: 18, error_msg: message }, 'THROTTLED'],
    ['DashScope', { code: 'Throttling.RateQuota', message, request_id: 'r' }, 'THROTTLED'],
    ['Zhipu', { code: 1113, msg: message, success: false }, 'THROTTLED'],
    [
      'Cloudflare',
      { success: false, result: null, errors: [{ code: 3040, message }] },
      'THROTTLED',
    ],
    [
      'MiniMax',
      { choices: null, base_resp: { status_code: 1002, status_msg: message } },
      'THROTTLED',
    ],
    ['Gemini', [{ error: { code: 429, message, status: 'RESOURCE_EXHAUSTED' } }], 'THROTTLED'],
    ['vLLM', { object: 'error', message, type: 'BadRequestError', code: 400 }, 'BAD_REQUEST'],
    ['OpenRouter', { id: 'gen', choices: null, error: { code: 429, message } }, 'THROTTLED'],
    [
      'OpenRouter, in a choice',
      {
        choices: [
          { index: 0, message: { content: '' }, delta: { content: '' }, finish_reason: 'error' },
        ],
        error: { code: 429, message },
      },
      'THROTTLED',
    ],
    [
      'a choice alone',
      { choices: [{ message: { content: '' }, error: { code: 429, message } }] },
      'THROTTLED',
    ],
  ])('%s', async (_, body, code) => {
    for (const route of chats) {
      const reply = route.isStream ? streamOf(body) : said(body);
      const told = await ask(route, Array(3).fill(reply));
      expect(told.record).toMatchObject({ code, basis: 'free', cost: 0n });
      await stack().clock.advance(11_000);
    }
  });
});
