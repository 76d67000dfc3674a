import { expect, test } from 'vitest';
import type { Reserve } from '../../src/books/operations.ts';
import { previewReservation } from '../../src/books/preview-reservation.ts';
import { selectScopes } from '../../src/store/queries/ledger.ts';
import { onStack } from '../support/on-stack.ts';

const none = { admittedCap: undefined, spent: 0n, held: 0n, estimated: 0n, overrun: 0n };
const group = { scope: 'group:lab', period: '2026-11' };
const claim = { ...group, cap: 100n, mode: 'enforce' as const };
const row = { ...claim, ...none, brought: 0n, pruned: 0n, wouldRefuse: 0n, wouldRefuseAmount: 0n };
const budget = { app: 'search', day: '2026-11-21', cap: 1_000n, ...none };
const facts = {
  ...{ callId: '', app: 'search', day: '2026-11-21', month: undefined, userId: undefined },
  ...{ route: 'chat', model: 'm', usageModel: 'm', priceVersion: 'v1', keyHash: undefined },
  ...{ keyId: 'key_1', remote: undefined, trace: undefined, platform: 'p', startedAt: 0 },
};

function asked(amount: bigint): Reserve {
  return {
    ...{ kind: 'reserve', facts, amount, wallet: undefined, scopes: [claim] },
    ...{ budgetsRevision: 3n, idempotency: undefined, instanceId: 'i', expiresAt: 1, now: 0 },
  };
}

test('a budget without a reservation is quoted as the first call would find it', () => {
  const rows = { budget, scopes: [], wallet: undefined };
  expect(previewReservation(rows, asked(100n))).toEqual({ kind: 'reserved' });
  expect(previewReservation(rows, asked(101n))).toMatchObject({ scope: group, remaining: 100n });
});

test('a budget with spend is quoted by its remainder, and its row stays unchanged', () => {
  const rows = { budget, scopes: [{ ...row, spent: 60n, held: 10n }], wallet: undefined };
  expect(previewReservation(rows, asked(30n))).toEqual({ kind: 'reserved' });
  expect(previewReservation(rows, asked(31n))).toMatchObject({ scope: group, remaining: 30n });
  expect(rows.scopes).toMatchObject([{ held: 10n, admittedCap: undefined }]);
});

test(
  'the rows of several budgets are read at once, and missing ones are skipped',
  onStack(async ({ store }) => {
    const read = store.read(selectScopes([group, { scope: 'app:search', period: '2026-11' }]));
    expect(await read).toEqual([]);
  }),
);
