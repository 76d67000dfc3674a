import type { Outcome } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import type { CallRecord } from '../../src/books/rows.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { billed, expectSums, settled, walletOf } from '../streams/support/books.ts';
import { metered } from '../streams/support/house.ts';
import { readAttempts } from '../support/books.ts';
import { platformError } from '../support/platform-outcomes.ts';
import { type AliasHouse, aliasesOf, dearRates, openAliasHouse } from './support/alias-house.ts';
import { amountsOn, type PaidRoute, routes } from './support/paid-routes.ts';
import { type RawCaller, startRaw } from './support/raw-caller.ts';

interface Row {
  readonly name: string;
  readonly route: PaidRoute;
  readonly isStream: boolean;
}

const rows: readonly Row[] = Object.entries(routes).flatMap(([name, route]) =>
  [false, ...(route.canStream ? [true] : [])].map((isStream) => ({ name, route, isStream })),
);

/** What the first model comes to at every attempt, before the second is asked. */
interface First {
  readonly does: Outcome | undefined;
  readonly tries: number;
  /** Attempts that may have been billed. */
  readonly lost: number;
  readonly falls: boolean;
  /** Where a platform states the request before its answer, it has. */
  readonly isBegun?: true;
  readonly on?: (row: Row) => boolean;
}

const answer = (more: object): Outcome => ({ kind: 'answer', text: 'one two three', ...more });
const breakAt = (after: number) => answer({ stream: { gapMs: 10, stop: { how: 'break', after } } });

const firsts: Readonly<Record<string, First>> = {
  'an answer': { does: undefined, tries: 1, lost: 0, falls: false },
  'a throttle': { does: platformError(429), tries: 2, lost: 0, falls: true },
  '500': { does: platformError(500), tries: 2, lost: 0, falls: true },
  '504, which may have been billed': { does: platformError(504), tries: 2, lost: 2, falls: true },
  'no answer': {
    ...{ does: answer({ fault: { kind: 'raw', status: 200, body: '' } }), tries: 1, lost: 1 },
    ...{ falls: true, on: ({ isStream }) => !isStream },
  },
  'a stream that ends before its first words': {
    ...{ does: breakAt(0), tries: 2, lost: 2, falls: true, isBegun: true },
    on: ({ isStream }) => isStream,
  },
};

describe.each(['sqlite', 'postgres'] as const)('an alias on %s', (kind) => {
  const house = openAliasHouse(kind);

  describe.each(Object.entries(firsts))('%s', (what, first) => {
    const possible = rows.filter((row) => first.on?.(row) ?? true);
    test.each(possible)('$name, streamed $isStream', (row) =>
      expectFallback(house(), row, { what: `${kind} ${what}`, first }),
    );
  });

  test.each(rows)('holds for its dearest model, $name, streamed $isStream', async (row) => {
    const { newApp, stack } = house();
    const text = bodyOf(row, 'Hello', namesOf(row).alias);
    const most = mostOfDear(row, text);
    const tight = await ask(house(), await newApp({ dailyBudgetPicoUsd: most - 1n }), row, text);
    expect(tight.status()).toBe(402);
    expect(tight.text()).toContain(`up to $${formatUsd(most)}`);
    const app = await newApp({ dailyBudgetPicoUsd: most });
    expect((await ask(house(), app, row, text)).status()).toBe(200);
    await expectSums(stack, app, await settled(stack, app));
  });

  test.each(rows)(
    'ends where a further hold has no room, $name, streamed $isStream',
    async (row) => {
      const { asked, newApp, plan, stack } = house();
      await stack.clock.advance(11_000);
      const prompt = `${kind} ${row.name} ${row.isStream} no room`;
      plan(prompt, platformError(504));
      const text = bodyOf(row, prompt, namesOf(row).alias);
      const most = mostOfDear(row, text);
      // The retry of the first has room, and the second has none.
      const own = amountsOn(row.route, { prompt, text, maxTokens: 100 }).most;
      const app = await newApp({ dailyBudgetPicoUsd: most + own });
      const caller = await ask(house(), app, row, text);
      expect(caller.header('x-error-code')).toBe('SERVER');
      expect(caller.header('x-served-by')).toBe(namesOf(row).first);
      expect(asked(prompt)).toHaveLength(2);
      const calls = await settled(stack, app);
      expect(calls).toMatchObject([{ cost: 2n * own, estimated: 2n * own }]);
      await expectSums(stack, app, calls);
    },
  );
});

describe('an alias', () => {
  const house = openAliasHouse('sqlite');

  test.each(rows.filter(({ isStream }) => isStream))(
    'is answered by the model whose words have come, $name',
    async (row) => {
      const { asked, newApp, plan, stack } = house();
      const app = await newApp();
      const prompt = `${row.name} half`;
      plan(prompt, breakAt(2));
      const caller = await ask(house(), app, row, bodyOf(row, prompt, namesOf(row).alias));
      expect([caller.status(), caller.header('x-served-by')]).toEqual([200, namesOf(row).first]);
      expect(caller.text().trimEnd().split('\n\n').at(-1)).toContain(row.route.last.error);
      expect(asked(prompt)).toHaveLength(1);
      await expectSums(stack, app, await settled(stack, app));
    },
  );

  test.each(rows)('passes over a circuit that is open, $name, streamed $isStream', async (row) => {
    const { asked, newApp, plan, stack } = house();
    await stack.clock.advance(11_000);
    const { alias, first, second } = namesOf(row);
    const prompt = `${row.name} ${row.isStream} down`;
    plan(prompt, platformError(503));
    const other = await newApp();
    for (let call = 0; call < 7; call += 1) {
      await ask(house(), other, row, bodyOf(row, prompt, first));
    }
    const app = await newApp();
    const passing = `${prompt}, passed`;
    const caller = await ask(house(), app, row, bodyOf(row, passing, alias));
    expect([caller.status(), caller.header('x-served-by')]).toEqual([200, second]);
    expect(asked(passing)).toEqual([expect.stringMatching(/^sim-usd-/)]);
    const kept = `${prompt}, kept`;
    const text = bodyOf(row, kept, alias.replace('alias', 'throttled'));
    const open = await ask(house(), app, row, text);
    expect([open.status(), open.header('x-error-code')]).toEqual([
      row.route.serverStatus === 503 ? 503 : 529,
      'SERVER',
    ]);
    expect(asked(kept)).toEqual([]);
    const calls = await settled(stack, app);
    // Both came in one millisecond.
    expect(new Set(calls.map(({ cost }) => cost))).toEqual(new Set([billed(stack, app), 0n]));
    await expectSums(stack, app, calls);
  });

  test.each([
    ['messages', 501, 'NOT_IMPLEMENTED'],
    ['responses', 501, 'NOT_IMPLEMENTED'],
    ['embeddings', 400, 'INVALID'],
  ] as const)(
    'whose models do not all have the surface is refused, %s',
    async (name, ...wanted) => {
      const { newApp, stack } = house();
      const app = await newApp();
      const row = { name, route: routes[name], isStream: false };
      const caller = await ask(house(), app, row, bodyOf(row, 'Hello', 'mixed'));
      expect([caller.status(), caller.header('x-error-code')]).toEqual(wanted);
      expect(caller.header('x-should-retry')).toBe('false');
      expect(await settled(stack, app)).toEqual([]);
    },
  );

  test('whose models are spoken to in different words is asked for chat completions', async () => {
    const { newApp } = house();
    const row = { name: 'chat completions', route: routes['chat completions'], isStream: false };
    const caller = await ask(house(), await newApp(), row, bodyOf(row, 'Hello', 'mixed'));
    expect([caller.status(), caller.header('x-served-by')]).toEqual([200, 'told-messages']);
  });

  test('is all that a list of models needs, and priced whatever the app says', async () => {
    const { newApp } = house();
    const app = await newApp({ models: ['alias-messages', 'unpriced'], unpriced: 'free' });
    const row = { name: 'messages', route: routes.messages, isStream: false };
    const codeOf = async (model: string) => {
      const caller = await ask(house(), app, row, bodyOf(row, 'Hello', model));
      return caller.header('x-error-code') ?? 'OK';
    };
    expect(await codeOf('alias-messages')).toBe('OK');
    expect(await codeOf('told-messages')).toBe('MODEL_NOT_ALLOWED');
    expect(await codeOf('unpriced')).toBe('MODEL_NOT_PRICED');
  });

  test('is a model of a list where every model of it can be asked so', async () => {
    const { newApp, stack } = house();
    const app = await newApp();
    const idsAt = async (path: string) => {
      const headers = { 'x-api-key': await stack.key(app) };
      const response = await stack.clock.run(
        stack.fetch(`http://gateway.test${path}`, { headers }),
      );
      const { data } = JSON.parse(await response.text());
      return data
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => !id.startsWith('sim-'));
    };
    expect(await idsAt('/anthropic/v1/models')).toEqual([
      ...['dear-messages', 'no-price', 'told-messages', 'alias-messages', 'throttled-messages'],
    ]);
    expect(await idsAt('/openai/v1/models')).toEqual(
      expect.arrayContaining(['alias-chat', 'alias-embeddings', 'mixed', 'throttled-responses']),
    );
  });
});

async function expectFallback(
  house: AliasHouse,
  row: Row,
  { what, first }: { readonly what: string; readonly first: First },
) {
  const { asked, newApp, plan, stack } = house;
  // What failed before is to open no circuit.
  await stack.clock.advance(11_000);
  const app = await newApp(metered);
  const names = namesOf(row);
  const prompt = `${what} ${row.name} ${row.isStream}`;
  plan(prompt, first.does);
  const text = bodyOf(row, prompt, names.alias);
  const caller = await ask(house, app, row, text);

  const served = first.falls ? names.second : names.first;
  expect([caller.status(), caller.header('x-served-by')], caller.text()).toEqual([200, served]);
  expectNamed(caller, row, names.alias);
  const [call, ...more] = await settled(stack, app);
  if (call === undefined) throw new Error('the call is in the books');
  expect(more).toEqual([]);
  expect(call).toMatchObject({ code: 'OK', model: names.alias, usageModel: served });
  const attempts = await readAttempts(stack.store, call);
  const models = [...Array(first.tries).fill(names.first), ...(first.falls ? [names.second] : [])];
  expect(attempts.map(({ model }) => model)).toEqual(models);
  expect(asked(prompt)).toHaveLength(models.length);
  const { most, stated } = amountsOn(row.route, { prompt, text, maxTokens: 100 });
  const isStated = first.isBegun === true && row.route.statesFirst === true;
  const lost = (isStated ? stated : most) * BigInt(first.lost);
  const own = first.falls ? ownOf(call) : call.cost;
  expect([call.cost, call.estimated]).toEqual([lost + own, lost]);
  expect(walletOf(call)).toBe(own);
  const bill = billed(stack, app);
  if (lost === 0n) expect(bill).toBe(call.cost);
  else expect(bill >= own && bill <= call.cost).toBe(true);
  if (!row.isStream) expect(caller.header('x-cost-usd')).toBe(formatUsd(own));
  await expectSums(stack, app, [call]);
}

/** What the dearer model's answer cost, by its counts. */
function ownOf({ tokens }: CallRecord): bigint {
  const { inputTokens, outputTokens } = tokens;
  return BigInt(inputTokens) * dearRates.input + BigInt(outputTokens) * dearRates.output;
}

/** An answer names the alias, whole or in every event that names a model. */
function expectNamed(caller: RawCaller, { isStream }: Row, alias: string) {
  const named = [...caller.text().matchAll(/"model":"([^"]*)"/g)].map(([, model]) => model);
  expect(new Set(named)).toEqual(new Set([alias]));
  expect(caller.text()).not.toMatch(/sim-|dear-|told-/);
  if (isStream) expect(caller.header('content-type')).toMatch(/^text\/event-stream/);
}

function mostOfDear({ route }: Row, text: string): bigint {
  const output = route.canStream ? 100n * dearRates.output : 0n;
  return BigInt(Buffer.byteLength(text) + 1_024) * dearRates.input + output;
}

function namesOf({ name }: Row) {
  const names = aliasesOf[name];
  if (names === undefined) throw new Error(`${name} has no alias`);
  return names;
}

function bodyOf({ route, isStream }: Row, prompt: string, model: string): string {
  const body = { ...route.body(prompt), model };
  return JSON.stringify(isStream ? { ...body, stream: true } : body);
}

async function ask({ stack }: AliasHouse, app: string, { route }: Row, text: string) {
  const headers = { 'x-user-id': 'ada' };
  const caller = await startRaw(stack, app, route.path, { text, headers });
  await caller.untilEnd();
  return caller;
}
