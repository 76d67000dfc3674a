import type { Store } from '../../packages/server/src/store/port/port.ts';
import { measurePairs, otherApp, ownApp } from './pairs.ts';

/** A case that is compared with the first of its kind: the pairs a second of one round. */
interface Case {
  readonly name: string;
  readonly pairsPerSecond: () => Promise<number>;
}

/** The length of a round, and the number of rounds of each case. */
export interface Rounds {
  readonly lastsMs: number;
  readonly count: number;
}

const callers = 128;

/** Pairs in no, one and three budgets in addition to the daily budget. */
export async function compareScopes(store: Store, rounds: Rounds): Promise<void> {
  const names = ['no other budget', '1 other budget', '3 other budgets'];
  const cases = [0, 1, 3].map((scopes, index) => ({
    name: `${store.kind}, ${names[index]}`,
    pairsPerSecond: () => pairsOf(store, ownApp, scopes, rounds),
  }));
  await compare(cases, rounds);
}

/** Two replicas: on one app's daily budget, and on two apps of one group. */
export async function compareReplicas(
  [one, other]: readonly [Store, Store],
  rounds: Rounds,
): Promise<void> {
  const together = (app: string, scopes: number) => async () => {
    const pairs = [pairsOf(one, ownApp, scopes, rounds), pairsOf(other, app, scopes, rounds)];
    return (await Promise.all(pairs)).reduce((a, b) => a + b);
  };
  const cases = [
    { name: 'two replicas, the day of one app', pairsPerSecond: together(ownApp, 0) },
    { name: 'two replicas, two apps of one group', pairsPerSecond: together(otherApp, 1) },
  ];
  await compare(cases, rounds);
}

async function pairsOf(store: Store, app: string, scopes: number, { lastsMs }: Rounds) {
  const nextPayer = () => ({ app, userId: undefined });
  const workload = { store, callers, withKeys: false, lastsMs, nextPayer, scopes };
  return (await measurePairs(workload)).pairsPerSecond;
}

/** The cases take turns, forward and back, so other work on the machine affects all of them. */
async function compare(cases: readonly Case[], { count }: Rounds): Promise<void> {
  const figures = new Map<Case, number[]>(cases.map((each) => [each, []]));
  for (let round = 0; round < count; round++) {
    for (const each of round % 2 === 0 ? cases : cases.toReversed()) {
      figures.get(each)?.push(await each.pairsPerSecond());
    }
  }
  const [first = []] = figures.values();
  for (const [{ name }, pairs] of figures) {
    const ratio = middleOf(pairs.map((figure, index) => figure / (first[index] ?? figure)));
    console.log(`${name}: ${Math.round(middleOf(pairs))} pairs/s, ${(ratio * 100).toFixed(1)} %`);
  }
}

function middleOf(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}
