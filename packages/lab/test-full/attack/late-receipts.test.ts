import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnPostgres, startOwnPostgres } from '../../../server/test/support/postgres-own.ts';
import type { Stage } from '../../src/attack/arena/stage.ts';
import { overdue } from '../../src/attack/stages/overdue.ts';
import { takenOver } from '../../src/attack/stages/taken-over.ts';
import { makeFaultyPostgres } from './support/faulty-postgres.ts';
import { attackAlone } from './support/stage-alone.ts';

let postgres: OwnPostgres;
beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterAll(() => postgres.close());

async function runWithFaults(stage: Stage, faults: string) {
  const storeUrl = await postgres.database();
  await makeFaultyPostgres(storeUrl, faults);
  const { accounts, ...judged } = await attackAlone(stage, { storeUrl });
  return { ...judged, accounts: new Map(accounts.map((account) => [account.name, account])) };
}

const zeros = {
  ...{ overspendPicoUsd: 0n, falseRefusals: 0, doubled: 0, lost: 0, heldPicoUsd: 0n },
  ...{ chargedWithoutResponse: 0, falseExact: 0, falseBookings: 0 },
};

/** Each wallet payment of this app is one pico-USD too high. */
const paysLate = `
  create function pays_late() returns trigger language plpgsql as $$
  begin
    new.spent_grant := new.spent_grant + 1;
    return new;
  end $$;
  create trigger pays_late before update on wallet_month for each row
    when (new.app = 'overdue' and new.spent_grant > old.spent_grant)
    execute function pays_late();`;

/** The wallet pays the full cost of a call whose process died. */
const paysForTheDead = `
  create function pays_dead() returns trigger language plpgsql as $$
  begin
    update wallet_month set spent_grant = spent_grant + new.cost where user_id = new.user_id;
    return new;
  end $$;
  create trigger pays_dead after insert on call for each row
    when (new.user_id like 'heirs-%' and new.code = 'LOST')
    execute function pays_dead();`;

test('the attack finds nothing in late settlements without a fault', async () => {
  const { accounts, broken } = await runWithFaults(overdue, '');
  expect(broken).toEqual([]);
  expect(accounts.get('overdue')).toMatchObject(zeros);
});

test('the attack finds nothing in takeovers without a fault', async () => {
  const { accounts, broken } = await runWithFaults(takenOver, '');
  expect(broken).toEqual([]);
  for (const account of accounts.values()) expect(account).toMatchObject(zeros);
});

test('the attack detects a late settlement above the reservation or the correction', async () => {
  const { accounts, broken } = await runWithFaults(overdue, paysLate);
  expect(accounts.get('overdue')).toMatchObject({ ...zeros, chargedWithoutResponse: 2 });
  for (const user of ['overdue-0', 'overdue-1']) {
    expect(broken).toContainEqual(expect.stringContaining(`the wallet of ${user} has paid`));
  }
});

test('the attack detects a wallet that pays for a dead call, admitted next or not', async () => {
  const { accounts, isZero } = await runWithFaults(takenOver, paysForTheDead);
  const { falseRefusals = 0, chargedWithoutResponse = 0 } = accounts.get('heirs') ?? {};
  expect(falseRefusals + chargedWithoutResponse).toBeGreaterThan(0);
  expect(isZero).toBe(false);
});
