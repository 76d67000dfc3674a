import type { Outcome } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import type { CallRecord } from '../../../src/books/rows.ts';
import { formatUsd } from '../../../src/lib/money.ts';
import { billed, expectSums, settled, walletOf } from '../../streams/support/books.ts';
import { metered } from '../../streams/support/house.ts';
import { readAttempts } from '../../support/books.ts';
import type { Choose } from '../../support/pairs.ts';
import { platformError } from '../../support/platform-outcomes.ts';
import { type StoreKind, storeKinds } from '../../support/shared-stack.ts';
import { type AliasRow, aliasRows, answer, ask, bodyOf, breakAt, namesOf } from './alias-calls.ts';
import { type AliasHouse, dearRates, openAliasHouse } from './alias-house.ts';
import { amountsOn } from './paid-routes.ts';
import type { RawCaller } from './raw-caller.ts';

/** The outcome of the first model at every attempt, before the second model is called. */
interface First {
  readonly does: Outcome | undefined;
  readonly tries: number;
  /** Attempts that might have been billed. */
  readonly lost: number;
  readonly falls: boolean;
  /** True if the platform reported the request before its response. */
  readonly isBegun?: true;
  readonly on?: (row: AliasRow) => boolean;
}

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

interface TableRow extends AliasRow {
  readonly kind: StoreKind;
}

interface FallbackRow extends TableRow {
  readonly what: string;
  readonly first: First;
}

const tableRows: readonly TableRow[] = storeKinds.flatMap((kind) =>
  aliasRows.map((row) => ({ kind, ...row })),
);
const fallbackRows: readonly FallbackRow[] = Object.entries(firsts).flatMap(([what, first]) =>
  tableRows.filter((row) => first.on?.(row) ?? true).map((row) => ({ ...row, what, first })),
);

/** Aliases on every compatible route, for every result of the first model. */
export function describeAliases(choose: Choose) {
  const [fallbacks, rest] = [choose(fallbackRows), choose(tableRows)];

  describe.each(storeKinds)('an alias on %s', (kind) => {
    const house = openAliasHouse(kind);
    const results = Map.groupBy(
      fallbacks.filter((row) => row.kind === kind),
      ({ what }) => what,
    );
    const rows = rest.filter((row) => row.kind === kind);

    describe.each([...results])('%s', (_, rowsOf) => {
      test.each(rowsOf)('$name, streamed $isStream', (row) => expectFallback(house(), row));
    });

    test.each(rows)('reserves for its most expensive model, $name, streamed $isStream', (row) =>
      expectHeld(house(), row),
    );

    test.each(rows)(
      'ends where another reservation has no room, $name, streamed $isStream',
      (row) => expectNoRoom(house(), row),
    );
  });
}

async function expectFallback(house: AliasHouse, row: FallbackRow) {
  const { kind, what, first } = row;
  const { asked, newApp, plan, stack } = house;
  // Earlier failures must not open a circuit.
  await stack.clock.advance(11_000);
  const app = await newApp(metered);
  const names = namesOf(row);
  const prompt = `${kind} ${what} ${row.name} ${row.isStream}`;
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

async function expectHeld(house: AliasHouse, row: TableRow) {
  const { newApp, stack } = house;
  const text = bodyOf(row, 'Hello', namesOf(row).alias);
  const most = mostOfDear(row, text);
  const tight = await ask(house, await newApp({ dailyBudgetPicoUsd: most - 1n }), row, text);
  expect(tight.status()).toBe(402);
  expect(tight.text()).toContain(`could cost $${formatUsd(most)}`);
  const app = await newApp({ dailyBudgetPicoUsd: most });
  expect((await ask(house, app, row, text)).status()).toBe(200);
  await expectSums(stack, app, await settled(stack, app));
}

async function expectNoRoom(house: AliasHouse, row: TableRow) {
  const { asked, newApp, plan, stack } = house;
  await stack.clock.advance(11_000);
  const prompt = `${row.kind} ${row.name} ${row.isStream} no room`;
  plan(prompt, platformError(504));
  const text = bodyOf(row, prompt, namesOf(row).alias);
  const most = mostOfDear(row, text);
  // The budget has room for the first model's retry, and not for the second model.
  const own = amountsOn(row.route, { prompt, text, maxTokens: 100 }).most;
  const app = await newApp({ dailyBudgetPicoUsd: most + own });
  const caller = await ask(house, app, row, text);
  expect(caller.header('x-error-code')).toBe('SERVER');
  expect(caller.header('x-served-by')).toBe(namesOf(row).first);
  expect(asked(prompt)).toHaveLength(2);
  const calls = await settled(stack, app);
  expect(calls).toMatchObject([{ cost: 2n * own, estimated: 2n * own }]);
  await expectSums(stack, app, calls);
}

/** The cost of the more expensive model's response, by its counts. */
function ownOf({ tokens }: CallRecord): bigint {
  const { inputTokens, outputTokens } = tokens;
  return BigInt(inputTokens) * dearRates.input + BigInt(outputTokens) * dearRates.output;
}

/** A response names the alias, whole or in every event that names a model. */
function expectNamed(caller: RawCaller, { isStream }: AliasRow, alias: string) {
  const named = [...caller.text().matchAll(/"model":"([^"]*)"/g)].map(([, model]) => model);
  expect(new Set(named)).toEqual(new Set([alias]));
  expect(caller.text()).not.toMatch(/sim-|dear-|told-/);
  if (isStream) expect(caller.header('content-type')).toMatch(/^text\/event-stream/);
}

function mostOfDear({ route }: AliasRow, text: string): bigint {
  const output = route.canStream ? 100n * dearRates.output : 0n;
  return BigInt(Buffer.byteLength(text) + 1_024) * dearRates.input + output;
}
