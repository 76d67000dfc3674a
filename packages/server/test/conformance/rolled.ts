import { inspect } from 'node:util';
import { expect } from 'vitest';
import type { Store } from '../../src/store/port/port.ts';
import {
  type ReadSums,
  type SplitColumn,
  type SumsOf,
  selectBehind,
  selectClosedSums,
  selectPrunedSums,
  selectSplitSums,
  selectUserSums,
} from '../../src/store/sums/report-sums.ts';
import {
  beginRollups,
  closeHours,
  rollUpStep,
  selectRollupState,
  selectRollupStep,
} from '../../src/store/sums/rollups.ts';
import { selectTopUsers } from '../../src/store/sums/top-users.ts';
import { ledgerProperty } from '../ledger/model.ts';
import { add, costAt, linesOf, naiveSums } from '../ledger/naive-sums.ts';
import type { LedgerRows } from './ledger-rows.ts';
import type { Subject } from './subject.ts';

/** The actions of the rollup process before or after a batch. */
const moves = ['nothing', 'begin', 'close', 'step', 'step twice', 'late replica', 'away'] as const;

/**
 * The promise: reports equal a sum of the records, for any operations, and at any state or
 * interruption of the rollups.
 */
export function rolledProperty(open: () => Promise<Subject>, store: Store, stepsMax: number) {
  return ledgerProperty(async () => rolling(await open(), store), stepsMax);
}

function rolling(subject: Subject, store: Store): Subject {
  return {
    ...subject,
    async commit(batch) {
      // Derived from the batch, so a failing run fails again while it is shrunk.
      const chance = hashOf(inspect(batch, { depth: 9 }));
      await move(store, moves[chance % 7], (chance >> 3) % 8);
      const results = await subject.commit(batch);
      await move(store, moves[(chance >> 6) % 7], (chance >> 9) % 8);
      return results;
    },
    async rows() {
      const rows = await subject.rows();
      const split = ['day', 'app', 'model', 'platform', 'keyId'] as const;
      expect(await readBy(store, splitSums, split)).toEqual(regrouped(rows, [0, 1, 2, 3, 4]));
      expect(await readBy(store, userSums, ['app', 'userId'])).toEqual(regrouped(rows, [1, 5]));
      await expectTop(store, rows);
      const all = ['day', 'app', 'model', 'platform', 'keyId', 'userId'] as const;
      expect(await readBy(store, recordSums, all)).toEqual(naiveSums(rows));
      return rows;
    },
  };
}

function hashOf(text: string): number {
  let hash = 7;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) % 2_147_483_647;
  return hash;
}

const of = { from: '2026-01-01', to: '2027-12-31', apps: undefined };

async function move(store: Store, kind: (typeof moves)[number] | undefined, pick: number) {
  const state = await store.read(selectRollupState);
  if (kind === 'nothing') return;
  if (state === undefined || kind === 'begin') {
    await store.write(beginRollups(''));
    return;
  }
  const { closedUntil, rolledUntil } = state;
  if (kind === 'close') {
    // Also within an hour, and while reservations are open: then nothing is closed.
    const until = `call-${String(Number(closedUntil.slice(5)) + pick).padStart(4, '0')}`;
    await store.write([
      closeHours(until, { schemaVersion: 28, aliveSinceMs: Number.MAX_SAFE_INTEGER }),
    ]);
    return;
  }
  const next = await store.read(
    selectRollupStep({ after: rolledUntil, until: closedUntil }, 1 + pick),
  );
  const until = next ?? closedUntil;
  if (until <= rolledUntil) return;
  const step = rollUpStep(rolledUntil, until);
  if (kind === 'away') {
    await expect(store.write([...step, broken])).rejects.toThrow();
    return;
  }
  await store.write(step);
  // Another process that read the mark earlier: it changes nothing.
  if (kind === 'step twice') expect(await store.write(step)).toMatchObject({ 0: 0 });
  if (kind === 'late replica') {
    await store.write(rollUpStep(rolledUntil, `${until}x`));
  }
}

/** A transaction that breaks after its last step. */
const broken = { sql: 'insert into rollup_state (id) values (null)', values: [] };

type Read = (store: Store, of: SumsOf) => Promise<readonly ReadSums[]>;

/** The rollups without users. */
export const splitSums: Read = async (store, request) => {
  const state = await store.read(selectRollupState);
  return [await store.read(selectSplitSums(request, state?.rolledUntil ?? ''))];
};

/** The rollups of users. */
export const userSums: Read = async (store, request) => {
  const state = await store.read(selectRollupState);
  return [await store.read(selectUserSums(request, state?.rolledUntil ?? ''))];
};

/** From the records, in ranges. */
const recordSums: Read = async (store, request) => {
  const until = (await store.read(selectRollupState))?.closedUntil ?? '';
  const middle = until.slice(0, -1);
  return [
    await store.read(selectPrunedSums(request)),
    await store.read(selectClosedSums(request, { after: '', until: middle })),
    await store.read(selectClosedSums(request, { after: middle, until })),
    await store.read(selectBehind(request, until)),
  ];
};

/** The rows of a read, as lines. */
export async function readBy(store: Store, read: Read, columns: readonly SplitColumn[]) {
  const groups = new Map();
  for (const part of await read(store, { ...of, columns })) {
    for (const group of part.groups) {
      add(groups, columns.map((column) => group[column]).join(' '), group);
    }
  }
  return linesOf(groups);
}

/**
 * The users with the highest cost in a month, their number and their total equal those of all
 * users.
 */
async function expectTop(store: Store, rows: LedgerRows) {
  const state = await store.read(selectRollupState);
  for (const month of new Set(rows.calls.map(({ day }) => day.slice(0, 7)))) {
    const calls = rows.calls.filter(({ day }) => day.startsWith(month));
    const users = regrouped({ ...rows, calls }, [1, 5]).toSorted((a, b) => {
      const more = costIn(b) - costIn(a);
      return more === 0n ? byText(a, b) : more > 0n ? 1 : -1;
    });
    const request = { from: `${month}-01`, to: `${month}-31`, apps: undefined };
    for (const top of [1, 2, 100]) {
      const query = selectTopUsers({ ...request, top }, state?.rolledUntil ?? '');
      const { groups, userCount: found, total } = await store.read(query);
      const lines = groups.flatMap((group) =>
        linesOf(new Map([[`${group.app} ${group.userId}`, group]])),
      );
      expect(lines).toEqual(users.slice(0, top));
      expect(found).toBe(users.length);
      expect(linesOf(new Map([['', total]]))).toEqual(regrouped({ ...rows, calls }, []));
    }
  }
}

function costIn(line: string): bigint {
  return BigInt(line.split(':')[1]?.trim().split(' ')[costAt] ?? '0');
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** The naive sums, grouped by fewer columns. */
function regrouped(rows: LedgerRows, kept: readonly number[]): readonly string[] {
  const groups = new Map();
  for (const line of naiveSums(rows)) {
    const [name = '', figures = ''] = line.split(':');
    const key = kept.map((place) => name.split(' ')[place]).join(' ');
    const known: readonly bigint[] = groups.get(key) ?? [];
    const sums = figures.trim().split(' ');
    groups.set(
      key,
      sums.map((figure, place) => BigInt(figure) + (known[place] ?? 0n)),
    );
  }
  return [...groups]
    .map(([key, sums]) => `${key}: ${sums.join(' ')}`)
    .filter((line) => !/:(?: 0)+$/.test(line))
    .sort();
}
