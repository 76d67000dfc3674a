import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reported } from '../../src/attack/stages/reported.ts';
import { answeredCases, rejectedCases } from '../../src/attack/stages/reported-cases.ts';
import { makeFaultyStore } from './support/faulty-store.ts';
import { attackAlone } from './support/stage-alone.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-reported-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the stage on a store with these faults. */
async function runWithFaults(name: string, faults: string) {
  const path = join(folder, `${name}.db`);
  await makeFaultyStore(path, faults);
  const { accounts, ...judged } = await attackAlone(reported, { storeUrl: `sqlite:${path}` });
  const account = accounts.find((each) => each.name === 'reported');
  return { ...judged, account };
}

const zeros = {
  ...{ overspendPicoUsd: 0n, falseRefusals: 0, doubled: 0, lost: 0, heldPicoUsd: 0n },
  ...{ chargedWithoutResponse: 0, falseExact: 0, falseBookings: 0 },
};

/** A call that costs nothing is booked with one pico-USD. */
const booksRejections = `
  create trigger books_rejections after insert on call
    when new.app = 'reported' and new.cost = 0
  begin
    update call set cost = 1, estimated = 1 where call_id = new.call_id;
  end;`;

/** The daily budget pays a rejection's maximum cost. */
const paysForRejections = `
  create trigger pays_for_rejections after insert on call
    when new.app = 'reported' and new.cost = 0
  begin
    update budget_day set spent = spent + 18000000000 where app = new.app;
  end;`;

/** An estimate is stored as if the response had shown the whole bill. */
const exactly = `
  create trigger books_exactly after insert on call
    when new.app = 'reported' and new.estimated > 0
  begin
    update call
       set estimated = 0, attempts = replace(attempts, '"isEstimated":true', '"isEstimated":false')
     where call_id = new.call_id;
  end;`;

/** An exact cost is one pico-USD too high. */
const overcharges = `
  create trigger overcharges after insert on call
    when new.app = 'reported' and new.estimated = 0 and new.cost > 0
  begin
    update call
       set cost = cost + 1,
           attempts = replace(attempts, '"' || new.cost || '"', '"' || (new.cost + 1) || '"')
     where call_id = new.call_id;
  end;`;

const countOf = (booking: string) =>
  answeredCases.filter((each) => each.booking === booking).length;

test('the attack finds nothing in platform reports without a fault', async () => {
  const { account, broken } = await runWithFaults('sound', '');
  expect(broken).toEqual([]);
  expect(account).toMatchObject(zeros);
});

test('the attack detects rejections with a booked cost', async () => {
  const { account, isZero } = await runWithFaults('rejections', booksRejections);
  const counted = rejectedCases.filter(
    ({ instructions }) => instructions.rejects?.at === 'counted',
  ).length;
  expect(account?.falseBookings).toBeGreaterThanOrEqual(rejectedCases.length - counted);
  expect(isZero).toBe(false);
});

test('the attack detects rejections that use up the budget', async () => {
  const { account, isZero } = await runWithFaults('budget', paysForRejections);
  expect(account?.falseRefusals).toBeGreaterThan(0);
  expect(isZero).toBe(false);
});

test('the attack detects other terms, costs and zeros that are booked as exact', async () => {
  const { account, isZero } = await runWithFaults('exactly', exactly);
  expect(account?.falseExact).toBeGreaterThanOrEqual(countOf('estimate'));
  expect(account?.falseBookings).toBeGreaterThan(0);
  expect(isZero).toBe(false);
});

test('the attack detects exact costs that differ from the bill', async () => {
  const { account, isZero } = await runWithFaults('amount', overcharges);
  expect(account?.falseBookings).toBeGreaterThanOrEqual(countOf('exact'));
  expect(isZero).toBe(false);
});
