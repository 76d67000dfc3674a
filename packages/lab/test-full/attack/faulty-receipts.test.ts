import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stage } from '../../src/attack/arena/stage.ts';
import { contradicted } from '../../src/attack/stages/contradicted.ts';
import { overdue } from '../../src/attack/stages/overdue.ts';
import { received } from '../../src/attack/stages/received.ts';
import { takenOver } from '../../src/attack/stages/taken-over.ts';
import { makeFaultyStore } from './support/faulty-store.ts';
import { attackAlone } from './support/stage-alone.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-receipts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs only one stage, on a store with these faults. */
async function runWithFaults(stage: Stage, name: string, ...faults: readonly string[]) {
  const path = join(folder, `${name}.db`);
  await makeFaultyStore(path, faults.join('\n'));
  const { accounts, ...judged } = await attackAlone(stage, { storeUrl: `sqlite:${path}` });
  return { ...judged, accounts: new Map(accounts.map((account) => [account.name, account])) };
}

const zeros = {
  ...{ overspendPicoUsd: 0n, falseRefusals: 0, doubled: 0, lost: 0, heldPicoUsd: 0n },
  ...{ chargedWithoutResponse: 0, falseExact: 0, falseBookings: 0 },
};

/** An estimate is stored as if the platform had reported one value. */
const exactly = `
  create trigger books_exactly after insert on call
    when new.app = 'contradicted' and new.route = 'messages'
  begin
    update call
       set estimated = 0, attempts = replace(attempts, '"isEstimated":true', '"isEstimated":false')
     where call_id = new.call_id;
  end;`;

/** The paid amount of some users changes with each of their calls. */
const pays = (name: string, users: string, to: string) => `
  create trigger ${name} after insert on call when new.user_id like '${users}'
  begin
    update wallet_month set spent_grant = ${to} where user_id = new.user_id;
  end;`;

/** A wallet's reservation does not end completely. */
const reserves = `
  create trigger reserves after insert on call when new.user_id = 'stored-repeated-0'
  begin
    update wallet_month set held_grant = held_grant + 1 where user_id = new.user_id;
  end;`;

/** The wallet pays for a call whose process died, and the daily budget pays twice. */
const paysForTheDead = `
  create trigger wallet_pays_for_the_dead after insert on call
    when new.code = 'LOST' and new.user_id like 'heirs-%'
  begin
    update wallet_month set spent_grant = spent_grant + new.cost where user_id = new.user_id;
  end;
  create trigger day_pays_twice after insert on call
    when new.code = 'LOST' and new.app = 'pressed'
  begin
    update budget_day set spent = spent + new.cost where app = new.app;
  end;`;

test('the attack finds nothing in reports, receipts and takeovers without a fault', async () => {
  for (const stage of [contradicted, received, takenOver, overdue]) {
    const { accounts, broken } = await runWithFaults(stage, `sound-${stage.name}`);
    expect(broken).toEqual([]);
    for (const account of accounts.values()) expect(account).toMatchObject(zeros);
  }
});

test('the attack detects contradictions that are booked as exact', async () => {
  const { accounts, isZero } = await runWithFaults(contradicted, 'exactly', exactly);
  // Whole and streamed: each contradiction but the growing one, which counts in one object. Zeros
  // in an event right after true counts may be ignored.
  expect(accounts.get('contradicted')?.falseExact).toBeGreaterThanOrEqual(8 + 13);
  expect(isZero).toBe(false);
});

test('the attack detects wallets that pay for nothing, twice or never, by user', async () => {
  const { accounts, broken } = await runWithFaults(
    received,
    'receipts',
    pays('charges_the_left', 'unstored-left-%', 'spent_grant + 1'),
    pays('charges_twice', 'stored-repeated-0', '2 * spent_grant'),
    pays('forgives', 'adopting-left-and-retried-%', '0'),
    reserves,
  );
  for (const name of ['stored', 'unstored']) {
    expect(accounts.get(name)?.chargedWithoutResponse).toBeGreaterThan(0);
  }
  const lines = broken.filter((line) => !line.startsWith('audit'));
  for (const user of ['unstored-left-0', 'stored-repeated-0']) {
    expect(lines).toContainEqual(
      expect.stringMatching(`the wallet of ${user} has paid .* for resp`),
    );
  }
  expect(lines).toContainEqual(
    expect.stringMatching(/adopting-left-and-retried-0 has paid \$0 .* and received/),
  );
  expect(lines).toContainEqual(expect.stringContaining('stored-repeated-0 reserves 1 pico-USD'));
});

test('a wallet and a budget that pay for a dead call reject its successor', async () => {
  const { accounts, broken } = await runWithFaults(takenOver, 'dead', paysForTheDead);
  expect(accounts.get('heirs')?.falseRefusals).toBe(8);
  expect(broken).toContain('pressed/00000: ended as refused where the takeover fits');
});
