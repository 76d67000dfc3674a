import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { served } from '../../src/attack/stages/served.ts';
import { makeFaultyStore } from './support/faulty-store.ts';
import { attackAlone } from './support/stage-alone.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-served-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the stage on a store with these faults. */
async function runWithFaults(name: string, faults: string) {
  const path = join(folder, `${name}.db`);
  await makeFaultyStore(path, faults);
  const { accounts, ...judged } = await attackAlone(served, { storeUrl: `sqlite:${path}` });
  const account = accounts.find((each) => each.name === 'served');
  return { ...judged, account };
}

const zeros = {
  ...{ overspendPicoUsd: 0n, falseRefusals: 0, doubled: 0, lost: 0, heldPicoUsd: 0n },
  ...{ chargedWithoutResponse: 0, falseExact: 0, falseBookings: 0 },
};

/** A call in another tier is booked at the standard price. */
const booksTheStandardTier = `
  create trigger books_the_standard_tier after insert on call
    when new.app = 'served' and new.price_version like '%:priority:%'
  begin
    update call
       set cost = cost / 2,
           attempts = replace(attempts, '"' || new.cost || '"', '"' || (new.cost / 2) || '"')
     where call_id = new.call_id;
  end;`;

test('the attack finds nothing in served tiers and regions without a fault', async () => {
  const { account, broken } = await runWithFaults('sound', '');
  expect(broken).toEqual([]);
  expect(account).toMatchObject(zeros);
});

test('the attack detects calls booked at the price of another tier', async () => {
  const { account, isZero } = await runWithFaults('standard', booksTheStandardTier);
  expect(account?.falseBookings).toBeGreaterThan(0);
  expect(isZero).toBe(false);
});
