import { expect, test } from 'vitest';
import { rollUp } from '../../src/ledger/rollups.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { firstCallIdAt } from '../../src/lib/id.ts';
import type { Store } from '../../src/store/port/port.ts';
import { sumColumns } from '../../src/store/sums/parts.ts';
import { noonMs, search, tutor } from './operations.ts';
import type { Subject } from './subject.ts';

const hourMs = 3_600_000;
/** The first hour is in the rollups, the second is not. */
const rolledAtMs = noonMs + hourMs + 180_000;

/** A mistake in rollups, and the statement that reverts it. */
interface Planted {
  readonly what: string;
  readonly sql: string;
  readonly undo: string;
  /** The rules that find it. */
  readonly found: readonly string[];
}

/**
 * Only rollups have these columns, not the usage of days. Two rollup tables get them in one pass.
 */
const isOfSumsAlone = (column: string) =>
  ['cache_write1h_input_tokens', 'corrected', 'unpriced'].includes(column);

function spoilt(table: string, column: string, found: readonly string[]): Planted {
  const set = (sign: '+' | '-') => `update ${table} set ${column} = ${column} ${sign} 1`;
  return { what: `${column} of ${table}`, sql: set('+'), undo: set('-'), found };
}

function moved(table: string, column: string, from: string, found: readonly string[]): Planted {
  const set = (of: string, to: string) =>
    `update ${table} set ${column} = '${to}' where ${column} = '${of}'`;
  const to = from.startsWith('2026') ? from.replace('2026', '2025') : 'elsewhere';
  return { what: `${column} of ${table}`, sql: set(from, to), undo: set(to, from), found };
}

function marked(what: string, atMs: number): Planted {
  const set = (ms: number) => {
    const id = firstCallIdAt(ms);
    return `update rollup_state set rolled_until = '${id}', closed_until = '${id}'`;
  };
  const found = ['I15', 'I15-user'];
  return { what, sql: set(atMs), undo: set(noonMs + hourMs), found };
}

const planted: readonly Planted[] = [
  ...sumColumns.flatMap((column) => {
    if (isOfSumsAlone(column)) {
      return ['usage_split', 'usage_user_month'].map((of) => spoilt(of, column, ['I15-both']));
    }
    return [
      spoilt('usage_split', column, ['I15']),
      spoilt('usage_user_month', column, ['I15-user']),
      spoilt('usage_late', column, ['I15', 'I15-user']),
    ];
  }),
  moved('usage_split', 'day', '2026-11-21', ['I15']),
  moved('usage_split', 'app', 'search', ['I15']),
  moved('usage_split', 'model', 'sim-echo', ['I15']),
  moved('usage_user_month', 'month', '2026-11', ['I15-user']),
  moved('usage_user_month', 'app', 'tutor', ['I15-user']),
  moved('usage_late', 'day', '2026-11-21', ['I15', 'I15-user']),
  moved('usage_late', 'app', 'search', ['I15', 'I15-user']),
  moved('usage_late', 'model', 'sim-echo', ['I15']),
  marked('a step that is counted twice', noonMs),
  marked('a step that is lost', noonMs + 2 * hourMs),
];

/** Each possible mistake in rollups is found by its own rule. */
export function testPlantedSums(open: () => Promise<Subject>, storeOf: () => Store) {
  test('each planted mistake of the rollups is found by its rule', async () => {
    const subject = await open();
    const ids = [0, 1, hourMs].map((ms) => `${firstCallIdAt(noonMs + ms)}${'0'.repeat(16)}`);
    for (const [at, callId] of ids.entries()) {
      const whose = at === 1 ? tutor : search;
      await subject.commit([whose.reserve(callId, 9n), whose.settle(callId, 5n)]);
    }
    const clock = { ...systemClock, now: () => rolledAtMs };
    await rollUp({ store: storeOf(), clock });
    await subject.commit([search.correct(ids[0] ?? '', 4n)]);
    expect(await subject.breaches()).toEqual([]);
    const found: [string, readonly string[]][] = [];
    for (const { what, sql, undo } of planted) {
      await storeOf().write([{ sql, values: [] }]);
      found.push([what, await subject.breaches()]);
      await storeOf().write([{ sql: undo, values: [] }]);
    }
    expect(found).toEqual(planted.map(({ what, found }) => [what, found]));
    expect(await subject.breaches()).toEqual([]);
  });
}
