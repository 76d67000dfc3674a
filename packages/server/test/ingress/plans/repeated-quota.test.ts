import { expect, test } from 'vitest';
import type { QuotaRequest } from '../../../src/store/port/port.ts';
import type { Pipeline, Session } from '../../../src/store/postgres/pipeline/pipeline.ts';
import { createQuotaAcquirer } from '../../../src/store/postgres/store.ts';

function isRequest(row: unknown): row is QuotaRequest {
  return typeof row === 'object' && row !== null && 'returned' in row;
}

const grant = { key_id: 'key', tokens: 1n, quota: 1n, day: '2026-11-21', micro_deficit: 0n };

test('quota that was returned on a broken connection is not returned again', async () => {
  const asked: QuotaRequest[] = [];
  let flushes = 0;
  const pipeline: Pipeline = {
    query: () => ({ rows: [], tag: 'COMMIT' }),
    writeRows: () => undefined,
    writeBoth: () => undefined,
    queryRows(_sql, _columns, rows) {
      for (const row of rows) if (isRequest(row)) asked.push(row);
      return { rows: [grant], tag: 'UPDATE 1' };
    },
    async flush() {
      flushes += 1;
      // The server might have committed: there was no confirmation.
      if (flushes === 1) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    },
  };
  const session: Session = {
    begin: () => pipeline,
    resume: () => pipeline,
    rollback: () => undefined,
    drop: () => undefined,
  };
  const acquirer = createQuotaAcquirer({ open: async () => session, close: async () => undefined });
  const request = {
    ...{ keyId: 'key', ratePerSecond: 50, burst: 100, requestsPerDay: 1_000 },
    ...{ needed: 1, owed: 0, ahead: 0, day: '2026-11-21', returned: 7 },
  };
  expect(await acquirer.acquire([request], undefined)).toHaveLength(1);
  expect(asked.map(({ returned, needed }) => [needed, returned])).toEqual([
    [1, 7],
    [1, 0],
  ]);
  await acquirer.close();
});
