import { expect, test } from 'vitest';
import type { Store } from '../../src/store/port/port.ts';
import {
  type AlertProcess,
  type AlertScene,
  createAlertScene,
  hookOf,
  startAlerts,
  usd,
} from './alert-scene.ts';

/** The amounts of a budget in a period that a round saw, and the process of the round. */
interface Seen {
  readonly cap: number;
  readonly used: number;
  readonly process: number;
  readonly atMs: number;
}

const marks = [30, 50, 80, 100];
const minuteMs = 60_000;
const seeds = Array.from(
  { length: process.env.PROVE === 'long' ? 30 : 1 },
  (_, index) => index + 2,
);

/**
 * Random days against an independent oracle. It has no stored thresholds and no ended periods, but
 * evaluates the whole history of a budget at each round.
 */
export function testAlertDays(open: () => Store) {
  test.each(seeds)(
    'random days, raises, restarts and clock changes are reported as by the oracle (%i)',
    async (seed) => {
      const scene = createAlertScene(open());
      await scene.empty();
      for (const app of ['search', 'tutor']) await scene.app(app);
      await playDays(scene, createRandom(seed));
    },
  );
}

const budgets = [
  { app: 'search', scope: 'app:search', span: 'day' },
  { app: 'tutor', scope: 'app:tutor', span: 'day' },
  { scope: 'app:search', span: 'month' },
  { scope: 'group:all', span: 'day' },
] as const;

async function playDays(scene: AlertScene, random: (below: number) => number) {
  const oracle = createOracle();
  const start = () => startAlerts(scene.store, { hook: hookOf({ at: marks }) });
  const processes = [start(), start()];
  const rows = new Map<string, { cap: number; spent: number; held: number }>();
  const caps = budgets.map(() => 100);
  let process = 0;
  let generation = 0;
  let nowMs = Date.UTC(2026, 10, 29, 22);
  let passedMs = nowMs;
  for (let step = 0; step < 130; step++) {
    const wait = random(10) === 0 ? random(300) * minuteMs : 5_000 + random(2) * 10 * minuteMs;
    nowMs += wait;
    passedMs += wait;
    // The clock is set back by up to an hour, or slightly forward.
    if (random(25) === 0) nowMs += (random(70) - 60) * minuteMs;
    if (random(20) === 0) processes[process] = restarted();
    if (random(15) === 0) process = 1 - process;
    for (const [index, budget] of budgets.entries()) {
      if (random(6) === 0) caps[index] = Math.max(1, (caps[index] ?? 1) + random(160) - 50);
      const row = rowOf(budget.scope, periodOf(budget.span, nowMs));
      const before = { ...row };
      row.cap = caps[index] ?? 0;
      if (random(3) === 0) row.spent += random(30);
      if (random(4) === 0) row.held = random(40);
      if (row.cap === before.cap && row.spent === before.spent && row.held === before.held)
        continue;
      await write(budget, row);
    }
    await look();
  }
  expect(oracle.tellings()).toBeGreaterThan(10);
  expect(oracle.repeated()).toBeGreaterThan(0);

  function restarted(): AlertProcess {
    generation += 2;
    return start();
  }

  function rowOf(scope: string, period: string) {
    const key = `${scope} ${period}`;
    const row = rows.get(key) ?? { cap: 0, spent: 0, held: 0 };
    rows.set(key, row);
    return row;
  }

  async function write(
    budget: (typeof budgets)[number],
    row: { cap: number; spent: number; held: number },
  ) {
    const { scope, span } = budget;
    const period = periodOf(span, nowMs);
    const amounts = {
      cap: BigInt(row.cap) * usd,
      spent: BigInt(row.spent) * usd,
      held: BigInt(row.held) * usd,
    };
    if ('app' in budget) await scene.day(budget.app, period, amounts);
    else await scene.scope(scope, { span, period, ...amounts, members: 'all' });
  }

  async function look() {
    const all = budgets.flatMap(({ scope, span }) =>
      [nowMs, nowMs - 15 * minuteMs].map((ms) => ({ scope, period: periodOf(span, ms) })),
    );
    const seen = [...new Set(all.map(({ scope, period }) => `${scope} ${period}`))].flatMap(
      (name) => {
        const row = rows.get(name);
        if (row === undefined) return [];
        const used = row.spent + row.held;
        return [
          { name, seen: { cap: row.cap, used, process: process + generation, atMs: passedMs } },
        ];
      },
    );
    const expected = oracle.look(seen);
    const lead = processes[process];
    if (random(12) === 0) {
      await lead?.crash(nowMs, passedMs);
      return;
    }
    oracle.told(expected);
    const words = (await lead?.round(nowMs, passedMs)) ?? [];
    const thresholds = words.filter((word) => word.startsWith('budget.threshold '));
    expect(thresholds).toEqual(expected.map((word) => `budget.threshold ${word}`).toSorted());
  }
}

function periodOf(span: 'day' | 'month', ms: number): string {
  return new Date(ms).toISOString().slice(0, span === 'day' ? 10 : 7);
}

/**
 * A threshold is reported when that share is used and one of two conditions is met. It was never
 * reported for this budget and period, or a larger amount with less used was seen since then. The
 * latter counts in one round, or in two consecutive rounds of one process.
 */
function createOracle() {
  const history = new Map<string, Seen[]>();
  const tellings: { readonly word: string; readonly look: number; readonly cap: number }[] = [];
  return {
    tellings: () => tellings.length,
    repeated: () => tellings.length - new Set(tellings.map(({ word }) => word)).size,
    look(all: readonly { readonly name: string; readonly seen: Seen }[]): readonly string[] {
      for (const { name, seen } of all) history.set(name, [...(history.get(name) ?? []), seen]);
      return all.flatMap(({ name }) =>
        marks.map((mark) => `${name} ${mark}`).filter((word) => isDue(name, word)),
      );
    },
    told(words: readonly string[]) {
      for (const word of words) {
        const looks = history.get(nameIn(word)) ?? [];
        tellings.push({ word, look: looks.length - 1, cap: looks.at(-1)?.cap ?? 0 });
      }
    },
  };

  function isDue(name: string, word: string): boolean {
    const looks = history.get(name) ?? [];
    const isUsed = ({ cap, used }: Seen, of: Seen) =>
      used * 100 >= of.cap * markIn(word) && cap > 0;
    const last = looks.at(-1);
    if (last === undefined || !isUsed(last, last)) return false;
    const told = tellings.findLast((each) => each.word === word);
    if (told === undefined) return true;
    return looks.some((look, index) => {
      if (index <= told.look || look.cap <= told.cap) return false;
      const before = looks[index - 1];
      const isNext =
        before?.process === look.process && look.atMs - before.atMs <= 12_000 && index > 0;
      return !isUsed(look, look) || (isNext && !isUsed(before, look));
    });
  }
}

function nameIn(word: string): string {
  return word.slice(0, word.lastIndexOf(' '));
}

function markIn(word: string): number {
  return Number(word.slice(word.lastIndexOf(' ') + 1));
}

/** Numbers below a limit, the same for the same seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return Math.floor((((state ^ (state >>> 13)) >>> 0) / 2 ** 32) * below);
  };
}
