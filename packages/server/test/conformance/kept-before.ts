import { expect, test } from 'vitest';
import type { Statement, Store } from '../../src/store/port/port.ts';
import { noonMs, search } from './operations.ts';
import type { Subject } from './subject.ts';

/** Turns the rows of a call under its key into those of versions before stored results. */
export function keptBefore(callId: string): readonly Statement[] {
  return [
    `insert into answer (call_id, app, key_hash, status, body, at)
     select call_id, app, key_hash, 200, body, at from result where call_id = $1`,
    'delete from result where call_id = $1',
    "update idempotency set state = 'answered' where call_id = $1",
  ].map((sql) => ({ sql, values: [callId] }));
}

/** Responses of versions before stored results are replayed until their keys expire. */
export function testKeptBefore(open: () => Promise<Subject>, storeOf: () => Store) {
  test('results of versions before stored results are replayed, and stay unchanged', async () => {
    const subject = await open();
    const settled = search.settle('a', 4n, { key: 'k' });
    await subject.commit([search.reserve('a', 10n, { key: 'k' }), settled]);
    await storeOf().write(keptBefore('a'));
    const again = search.at(noonMs + 1).reserve('b', 10n, { key: 'k' });
    const results = await subject.commit([again, settled]);
    expect(results).toMatchObject([
      { outcome: { kind: 'replay', callId: 'a' } },
      { outcome: { kind: 'settled' } },
    ]);
    expect(await subject.rows()).toMatchObject({
      idempotency: [{ state: 'answered', callId: 'a' }],
      answers: [{ callId: 'a', status: 200, body: 'result of a' }],
      results: [],
      calls: [{ callId: 'a', cost: 4n }],
    });
    expect(await subject.breaches()).toEqual([]);
  });
}
