import { describe, expect, test } from 'vitest';
import {
  jsonOf,
  nameOf,
  openHouse,
  type Route,
  refusalOf,
  routes,
  streamOf,
  type Told,
} from './house.ts';

const { ask, stack } = openHouse();

const empty = 'Your credit balance is too low to access the API.';

/** An error, the response to the caller, and the account's problem as the log names it. */
interface Case {
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;
  readonly code: 'SERVER' | 'THROTTLED' | 'AUTH';
  readonly account: string;
}

const server = { code: 'SERVER', account: 'credit' } as const;
const quota = { code: 'THROTTLED', account: 'quota', status: 429 } as const;

const cases: Readonly<Record<string, Case>> = {
  'a 402': { ...server, status: 402, error: { message: 'Payment required', code: 402 } },
  'a 400 about credit': {
    ...{ ...server, status: 400 },
    error: { type: 'invalid_request_error', message: empty },
  },
  'a 403 about credit': {
    ...{ ...server, status: 403 },
    error: { code: 403, message: 'Your team has used all available credits.' },
  },
  'a 400 of a billing limit': {
    ...{ ...server, status: 400 },
    error: { code: 'billing_hard_limit_reached', status: 400, message: 'no' },
  },
  'a 429 of a quota': { ...quota, error: { code: 'insufficient_quota', message: 'no' } },
  'a 429 about a balance': { ...quota, error: { code: 429, message: 'Insufficient balance' } },
  'a 401': {
    ...{ status: 401, code: 'AUTH', account: 'unauthorized' },
    error: { code: 'invalid_api_key', message: 'no' },
  },
  'a 403': {
    ...{ status: 403, code: 'AUTH', account: 'forbidden' },
    error: { type: 'permission_error', message: 'no' },
  },
};

/** An unreadable body does not change the meaning of a status. */
const compressed = { 'content-encoding': 'gzip' };

/** As an HTTP status, and in place of content in a 200. */
const places = {
  'as its status': (_route: Route, { status, error }: Case) => jsonOf(status, { error }),
  'in a 200': (route: Route, { error }: Case) => refusalOf(route, error),
};

const table = Object.entries(cases).flatMap(([what, one]) =>
  Object.entries(places).flatMap(([where, reply]) =>
    routes.map((route) => [`${what} ${where}, ${nameOf(route)}`, one, reply, route] as const),
  ),
);

function expectToldOf({ headers, text }: Told, { code, account }: Case) {
  expect(text).not.toMatch(/parameter that it does not support|lower max/);
  if (code === 'AUTH') expect(text).toMatch(/(?:ask|contact) the operator/);
  else
    expect(text).toMatch(
      /gateway's account .* The request is not the cause.* contact the operator/,
    );
  if (account === 'credit') expect(headers.get('x-should-retry')).toBe('false');
  // No text of the platform.
  expect(text).not.toMatch(/credit balance|available credits|Insufficient balance|Payment/);
}

describe('a rejected account', () => {
  test.each(table)('%s', async (_, one, reply, route) => {
    const { logLines } = stack();
    await stack().clock.advance(60_000);
    const before = logLines.length;
    const told = await ask(route, [reply(route, one)]);
    expect(told.attempts).toMatchObject([{ outcome: one.code, costUsd: '0', estimated: false }]);
    expect(told.record).toMatchObject({ code: one.code, basis: 'free', cost: 0n });
    expect(told.status).not.toBe(400);
    expectToldOf(told, one);
    const errors = logLines.slice(before).filter(({ level }) => level === 'error');
    const accounts = errors.flatMap(({ fields }) => fields.account ?? []);
    expect(accounts).toEqual([one.account]);
  });
});

describe('a rejection with a compressed body', () => {
  const unread = table.filter(([name, { status }]) => {
    return name.includes(' as its status') && [401, 402].includes(status);
  });

  test.each(unread)('%s', async (_, one, _reply, route) => {
    const told = await ask(route, [jsonOf(one.status, { error: one.error }, compressed)]);
    expect(told.record).toMatchObject({ code: one.code, basis: 'free', cost: 0n });
    expectToldOf(told, one);
  });
});

const streamed = routes.filter(({ isStream, wire }) => isStream && wire === 'chat');

describe('after content', () => {
  test.each(streamed.map((route) => [nameOf(route), route] as const))(
    '%s: an empty account is a break, and is booked',
    async (_, route) => {
      const delta = { role: 'assistant', content: 'Hello.' };
      const chunk = { choices: [{ index: 0, delta, finish_reason: null }] };
      const told = await ask(route, [streamOf(chunk, { error: { code: 402, message: empty } })]);
      expect(told.attempts).toMatchObject([{ outcome: 'SERVER', estimated: true }]);
      expect(told.record?.cost).toBeGreaterThan(0n);
    },
  );
});

describe('the next model of an alias', () => {
  const withAlias = routes.filter(({ wire }) => wire !== 'vectors');
  const kept = table.filter(([, , , route]) => withAlias.includes(route));

  test.each(kept)('%s: without `account`', async (_, one, reply, route) => {
    const told = await ask(route, [reply(route, one)], `${route.wire}s`);
    const isAsked = one.code !== 'AUTH';
    const models = told.attempts.map(({ model }) => model);
    expect(models).toEqual(isAsked ? [route.wire, `${route.wire}-2`] : [route.wire]);
    if (isAsked) expect(told.record?.code).toBe('OK');
  });

  test.each(kept)('%s: with it only', async (_, one, reply, route) => {
    const told = await ask(route, [reply(route, one)], `${route.wire}s-of-accounts`);
    const isAsked = one.code === 'AUTH';
    const models = told.attempts.map(({ model }) => model);
    expect(models).toEqual(isAsked ? [route.wire, `${route.wire}-2`] : [route.wire]);
    if (isAsked) expect(told.record?.code).toBe('OK');
  });
});

describe('statuses that say "later"', () => {
  const later = { 409: 'SERVER', 425: 'SERVER', 498: 'THROTTLED' } as const;
  const all = Object.entries(later).flatMap(([status, code]) =>
    Object.entries(places).flatMap(([where, reply]) =>
      routes.map(
        (route) =>
          [`${status} ${where}, ${nameOf(route)}`, Number(status), code, reply, route] as const,
      ),
    ),
  );

  test.each(all)('%s: three attempts, at no cost', async (_, status, code, reply, route) => {
    const one = { status, error: { code: status, message: 'later' }, code, account: '' };
    const told = await ask(route, Array(3).fill(reply(route, one)));
    expect(told.attempts).toMatchObject(Array(3).fill({ outcome: code, status, costUsd: '0' }));
    expect(told.record).toMatchObject({ code, basis: 'free', cost: 0n });
  });
});
