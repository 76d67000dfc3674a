import { keyLivesMs, noonMs, search, tutor } from './operations.ts';

import { batch, cap, day, type Row, seen } from './table.ts';

const key = 'k';
const other = 'another print';

const again = (callId: string, fingerprint = 'print', now = noonMs) =>
  search.at(now).reserve(callId, 10n, { key, fingerprint });

const first = again('a');
const byBeta = (callId: string, now = noonMs) =>
  search.at(now).reserve(callId, 10n, { key, instanceId: 'beta' });
const credited = (callId: string, instanceId: string) =>
  tutor.reserve(callId, 40n, { key, instanceId });
const answered = search.settle('a', 4n, { key });
const failed = search.settle('a', 4n, { key, outcome: 'failed', code: 'SERVER' });
const bad = (callId: string, now = noonMs) =>
  search.settle(callId, 4n, { key, now, outcome: 'failed', code: 'BAD_OUTPUT' });

/** One key, and the response to a second request under it. */
export const keyRows: readonly Row[] = [
  {
    name: 'a running call is attached to, in its own batch and later',
    steps: [
      seen('alpha'),
      batch([first, 'reserved'], [again('b'), 'attach a']),
      batch([again('c'), 'attach a']),
    ],
    leaves: {
      budgets: [day({ held: 10n })],
      holds: [{ callId: 'a' }],
      idempotency: [{ state: 'running', callId: 'a', instanceId: 'alpha' }],
    },
  },
  {
    name: 'a reservation that comes again does not attach to itself',
    steps: [
      seen('alpha'),
      batch([first, 'reserved'], [first, 'reserved']),
      batch([first, 'reserved']),
    ],
    leaves: { budgets: [day({ held: 10n })] },
  },
  {
    name: 'a result is stored in a table of its own, and its key says that nothing is',
    steps: [
      batch([first, 'reserved'], [answered, 'settled'], [again('b'), 'unstored a']),
      batch([again('c', 'print', noonMs + keyLivesMs - 1), 'unstored a']),
      batch([answered, 'settled'], [again('d', other), 'mismatch']),
    ],
    leaves: {
      budgets: [day({ spent: 4n })],
      idempotency: [{ state: 'unstored', callId: 'a', expiresAt: noonMs + keyLivesMs }],
      results: [
        { callId: 'a', dialect: 'gateway', encoderVersion: 1, body: 'result of a', at: noonMs },
      ],
    },
  },
  {
    name: 'a late result of a lost call is stored, and of a call without its key is not',
    steps: [
      batch([first, 'reserved']),
      batch([search.expire('a', key), 'expired']),
      batch([answered, 'settled'], [again('b'), 'unstored a']),
      batch([search.settle('z', 4n, {}), 'orphan']),
    ],
    leaves: {
      idempotency: [{ state: 'unstored', callId: 'a' }],
      results: [{ callId: 'a', body: 'result of a' }],
    },
  },
  {
    name: 'an answer that comes again leaves the first one stored',
    steps: [
      batch([first, 'reserved'], [answered, 'settled']),
      batch([search.settle('a', 4n, { key, body: 'another' }), 'settled']),
    ],
    leaves: { results: [{ callId: 'a', body: 'result of a' }] },
  },
  {
    name: 'a record whose time is over counts no more, whatever it was for',
    steps: [
      batch([first, 'reserved'], [answered, 'settled']),
      batch([again('b', other, noonMs + keyLivesMs), 'reserved']),
    ],
    leaves: { idempotency: [{ state: 'running', callId: 'b', fingerprint: other }] },
  },
  {
    name: 'a running call is not started twice, even when its record is old',
    steps: [
      batch([first, 'reserved']),
      seen('alpha', noonMs + keyLivesMs),
      batch([again('b', 'print', noonMs + keyLivesMs), 'attach a']),
    ],
    leaves: { holds: [{ callId: 'a' }] },
  },
  {
    name: 'a failed call is run again, with a hold of its own',
    steps: [batch([first, 'reserved'], [failed, 'settled']), batch([again('b'), 'reserved'])],
    leaves: {
      budgets: [day({ spent: 4n, held: 10n })],
      idempotency: [{ state: 'running', callId: 'b' }],
      results: [],
    },
  },
  {
    name: 'another request under the key of a running call is a mismatch',
    steps: [seen('alpha'), batch([first, 'reserved'], [again('b', other), 'mismatch'])],
  },
  {
    name: 'another request under the key of an answered call is a mismatch',
    steps: [batch([first, 'reserved'], [answered, 'settled'], [again('b', other), 'mismatch'])],
  },
  {
    name: 'another request under the key of a failed call is a mismatch',
    steps: [batch([first, 'reserved'], [failed, 'settled'], [again('b', other), 'mismatch'])],
  },
  {
    name: 'another request under the key of a dead instance is a mismatch',
    steps: [batch([first, 'reserved']), batch([again('b', other), 'mismatch'])],
  },
  {
    name: 'a key is told before the budget and the wallet',
    steps: [
      seen('alpha'),
      batch([first, 'reserved'], [search.reserve('full', 90n), 'reserved']),
      batch([again('b'), 'attach a'], [again('c', other), 'mismatch']),
    ],
  },
  {
    name: 'a key is of one app',
    steps: [
      seen('alpha'),
      batch([first, 'reserved'], [tutor.reserve('b', 10n, { key }), 'reserved']),
    ],
    leaves: { idempotency: [{ app: 'search' }, { app: 'tutor' }] },
  },
  {
    name: 'an instance that was seen less than 10 s ago is alive',
    steps: [
      seen('alpha', noonMs - 9_999),
      batch([first, 'reserved']),
      batch([byBeta('b'), 'attach a']),
    ],
  },
  {
    name: 'an instance that asks is alive, whenever it was seen last',
    steps: [
      seen('alpha', noonMs - 60_000),
      batch([first, 'reserved']),
      batch([again('b'), 'attach a'], [again('c', other), 'mismatch']),
    ],
    leaves: { holds: [{ callId: 'a' }] },
  },
  {
    name: 'one that expired before it was taken over takes nothing from the wallet either',
    steps: [
      batch([credited('a', 'alpha'), 'reserved']),
      batch([tutor.expire('a', key), 'expired'], [credited('b', 'beta'), 'reserved']),
      batch([tutor.settle('b', 30n, { key }), 'settled']),
      batch([tutor.settle('a', 20n, { key }), 'settled, taken by b']),
    ],
    leaves: {
      budgets: [day({ spent: 50n })],
      wallets: [{ spentGrant: 30n, heldGrant: 0n }],
    },
  },
  {
    name: 'a late settlement takes from the wallet while its key still names it',
    steps: [
      batch([credited('a', 'alpha'), 'reserved'], [tutor.expire('a', key), 'expired']),
      batch([tutor.settle('a', 20n, { key }), 'settled']),
    ],
    leaves: { budgets: [day({ spent: 20n })], wallets: [{ spentGrant: 20n }] },
  },
  {
    name: 'the key of an expired call may be used again',
    steps: [
      seen('alpha'),
      batch([first, 'reserved'], [search.expire('a', key), 'expired']),
      batch([again('b'), 'reserved']),
      batch([answered, 'settled, taken by b']),
    ],
    leaves: { idempotency: [{ callId: 'b', state: 'running' }], results: [] },
  },
  {
    name: 'the answer of a late settlement is collected under its key',
    steps: [
      batch([first, 'reserved'], [search.expire('a', key), 'expired']),
      batch([answered, 'settled']),
      batch([again('b'), 'unstored a']),
    ],
    leaves: { results: [{ callId: 'a', body: 'result of a' }] },
  },
  {
    name: 'an answer that the app does not keep is known, and not replayed',
    steps: [
      batch([first, 'reserved'], [search.settle('a', 4n, { key, outcome: 'unstored' }), 'settled']),
      batch([again('b'), 'unstored a'], [again('c', other), 'mismatch']),
    ],
    leaves: { idempotency: [{ state: 'unstored' }], results: [] },
  },
  {
    name: 'a forgotten call leaves its key free for anything',
    steps: [
      batch(
        [first, 'reserved'],
        [search.settle('a', 0n, { key, outcome: 'forgotten' }), 'settled'],
      ),
      batch([again('b', other), 'reserved']),
    ],
    leaves: { idempotency: [{ callId: 'b', fingerprint: other }] },
  },
  {
    name: 'a forgotten call leaves no record of its key',
    steps: [
      batch([first, 'reserved']),
      batch([search.settle('a', 0n, { key, outcome: 'forgotten' }), 'settled']),
    ],
    leaves: { idempotency: [], results: [] },
  },
  {
    name: 'a refusal leaves its key free',
    steps: [
      batch([search.reserve('full', 100n), 'reserved'], [first, 'BUDGET_EXCEEDED']),
      cap('search', 110n),
      batch([again('b', other), 'reserved']),
    ],
    leaves: { idempotency: [{ callId: 'b' }] },
  },
  {
    name: 'bad outputs are counted under their key, and the second one ends it',
    steps: [
      batch([first, 'reserved'], [bad('a'), 'settled, bad 1'], [again('b'), 'reserved']),
      batch([bad('b'), 'settled, bad 2'], [bad('b'), 'settled, bad 2']),
      batch([bad('a'), 'settled, taken by b']),
      batch([again('c'), 'unstored b']),
    ],
    leaves: { idempotency: [{ state: 'unstored', badOutputs: 2 }] },
  },
  {
    name: 'bad outputs are counted from the start when the record is over',
    steps: [
      batch([first, 'reserved'], [bad('a'), 'settled, bad 1']),
      batch([again('b', 'print', noonMs + keyLivesMs), 'reserved']),
      batch([
        search.at(noonMs + keyLivesMs).settle('b', 4n, {
          key,
          outcome: 'failed',
          code: 'BAD_OUTPUT',
        }),
        'settled, bad 1',
      ]),
    ],
  },
];
