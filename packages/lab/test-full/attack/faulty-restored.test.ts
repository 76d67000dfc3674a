import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { judgeScope } from '../../src/attack/scope-verdict.ts';
import { restored } from '../../src/attack/stages/restored.ts';
import { context, makeFaultyStore } from './support/faulty-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-restored-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The stage has its own stores, and needs no services. */
async function runWithFaults() {
  const { books = [], scopes = [] } = await restored({ context, folder });
  return books.map(({ broken, ...own }, index) => {
    const [closed, opened] = scopes.slice(index * 2).map((scope) => judgeScope(scope, own));
    return { broken, closed, opened };
  });
}

test('every budget is closed and then opened, without a fault', async () => {
  const zeros = { overspendPicoUsd: 0n, falseRefusals: 0 };
  const sound = { broken: [], closed: zeros, opened: zeros };
  expect(await runWithFaults()).toMatchObject([sound, sound, sound]);
});

test('the attack detects budgets that stay open, open too soon or never open', async () => {
  await makeFaultyStore(
    join(folder, 'minute-old.db'),
    `create trigger closes_nothing after insert on store_restore begin
       update store_restore set budgets_opened_at = 1;
     end;`,
  );
  await makeFaultyStore(
    join(folder, 'day-old.db'),
    `create trigger opens_wallets after insert on opened_budget
       when new.scope = 'app:monthly'
     begin
       update store_restore set wallets_opened_at = 1;
     end;`,
  );
  await makeFaultyStore(
    join(folder, 'month-old.db'),
    `create trigger opens_no_wallet after update of wallets_opened_at on store_restore begin
       update store_restore set wallets_opened_at = null;
     end;`,
  );
  const [minute, day, month] = await runWithFaults();
  expect(minute?.closed?.overspendPicoUsd).toBeGreaterThan(0n);
  expect(minute?.broken).toContainEqual(
    expect.stringMatching(/^minute-old, group-day:lab, closed: admitted 3 of 6, 0 fit$/),
  );
  expect(day?.broken).toContainEqual('day-old, wallet, closed: admitted 1 of 1, 0 fit');
  expect(day?.broken).toContainEqual('day-old: no wallet is closed');
  expect(month?.opened?.falseRefusals).toBeGreaterThan(0);
  expect(month?.broken).toContainEqual(
    expect.stringMatching(/^month-old, wallet, opened: admitted 0 of 6, \d fit$/),
  );
});
