import { describe, expect, test } from 'vitest';
import { usd } from '../support/maximum-cost.ts';
import type { Choose } from '../support/pairs.ts';
import { type SharedStack, type StoreKind, storeKinds } from '../support/shared-stack.ts';
import { billed, expectSums, expiriesOf, settled, walletOf } from './support/books.ts';
import { type StreamCaller, startStream } from './support/caller.ts';
import { bounds, metered, openHouse } from './support/house.ts';
import { type Amounts, amountsOf } from './support/oracle.ts';
import { field } from './support/wire.ts';
import { bodyOf, type Row, rows } from './who-pays-rows.ts';

interface Cell {
  readonly kind: StoreKind;
  readonly row: Row;
  readonly hasKey: boolean;
  readonly hasWallet: boolean;
}

const both = [false, true];
const cells: readonly Cell[] = storeKinds
  .flatMap((kind) => rows.map((row) => ({ kind, row })))
  .flatMap((cell) => both.map((hasWallet) => ({ ...cell, hasWallet })))
  .flatMap((cell) => both.map((hasKey) => ({ ...cell, hasKey })));

/** Who pays, for every way in which a streamed call can end. */
export function describeWhoPays(choose: Choose) {
  const chosen = Map.groupBy(choose(cells), ({ kind }) => kind);

  describe.each([...chosen])('on %s', (kind, cellsOn) => {
    const house = openHouse(kind);
    const groups = Map.groupBy(cellsOn, ({ row }) => row);

    describe.each([...groups.keys()])('$what', (row) => {
      test.each(groups.get(row) ?? [])('key: $hasKey, wallet: $hasWallet', (cell) =>
        expectPaid(house(), cell),
      );
    });
  });
}

async function expectPaid({ stack, newApp }: SharedStack, { row, hasKey, hasWallet }: Cell) {
  const app = await newApp(hasWallet ? metered : {});
  const body = { ...bodyOf(row), ...(hasWallet ? { userId: 'ada' } : {}) };
  const amounts = amountsOf(body);
  const key = hasKey ? `key of ${app}` : undefined;
  const caller = await startStream(stack, app, body, { path: row.path ?? '/v1/chat/stream', key });
  await stack.clock.settle();
  const { drainMs, totalMs } = bounds;
  const expiresAt = stack.clock.now() + totalMs + drainMs + 30_000;
  expect(await expiriesOf(stack, app)).toEqual([expiresAt]);
  await (row.does?.(caller, stack) ?? caller.untilEnd());
  const [call, ...others] = await settled(stack, app);
  await caller.untilEnd();

  expect(others).toEqual([]);
  if (call === undefined) throw new Error('it is not in the books');
  const bytes = Buffer.byteLength(caller.text());
  const cost = row.budget(amounts);
  const { code, basis } = row;
  const estimated = basis === 'estimated' ? cost : 0n;
  expect({ ...call, wallet: walletOf(call) }).toMatchObject({
    ...{ code, basis, cost, estimated },
    wallet: hasWallet ? row.wallet(amounts, { bytes, hasKey }) : 0n,
  });
  await expectSums(stack, app, [call]);
  const bill = billed(stack, app);
  if (basis === 'exact') expect(call.cost).toBe(bill);
  else expect(call.cost).toBeGreaterThanOrEqual(bill);
  expectSeen(caller, row, { amounts, cost });
}

function expectSeen(
  caller: StreamCaller,
  row: Row,
  { amounts, cost }: { readonly amounts: Amounts; readonly cost: bigint },
) {
  expect(caller.end() === 'left' ? 'left' : caller.lastWords()).toBe(row.sees);
  const last = caller.last();
  if (row.sees === 'left' || last === undefined) return;
  const told = field(last.data, 'cost');
  const isExact = row.basis === 'exact';
  const money = { usd: usd(cost), estimated: !isExact };
  // Before the settlement, a response contains no cost.
  if (row.sees === 'error TIMEOUT') expect([null, money]).toContainEqual(told);
  else expect(told).toEqual(money);
  if (last.name === 'error') expect(last.data).toMatchObject({ partial: true });
  if (!isExact || told === null) return;
  const usage = { inputTokens: Number(amounts.inputTokens) };
  expect(last.data).toMatchObject({ usage });
}
