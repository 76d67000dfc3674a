import fc from 'fast-check';
import { scopeKeyOf } from '../../../src/books/scope.ts';
import { updateApp } from '../../../src/operations/apps/apps.ts';
import { removeBudget, setBudget } from '../../../src/operations/budgets/budgets.ts';
import type { AdminContext } from '../../../src/operations/context/context.ts';
import { createScopes } from '../../../src/registry/scopes.ts';
import type { Store } from '../../../src/store/port/port.ts';
import { selectBudgets, selectBudgetsRevision } from '../../../src/store/queries/budgets.ts';
import { selectUse } from '../../../src/store/queries/scopes.ts';
import { noonMs, operationsOf } from '../../conformance/operations.ts';

// Members of budgets change while calls run, end, are lost, settle late and are corrected. The
// oracle adds up a list of calls.

export const apps = ['search', 'tutor', 'evil'] as const;
type App = (typeof apps)[number];

/** Ids that look like the keys of budgets, or like patterns. */
const users = [
  ...['"group:g', '"group:g@2026-11-21"', 'group:g', '%', '_', '\\', '@', ']', '","group:g'],
  ...["'", 'app:search@2026-11', 'a'.repeat(1_000), '\u2028', '\ud83d\ude00', ','],
];

/** A possible event. It refers to a call by its position among the calls that began. */
export type Step =
  | { readonly kind: 'begin'; readonly app: App; readonly user: string; readonly amount: bigint }
  | { readonly kind: 'settle' | 'correct'; readonly at: number; readonly cost: bigint }
  | { readonly kind: 'lose'; readonly at: number }
  | { readonly kind: 'orphan'; readonly app: App; readonly cost: bigint }
  | { readonly kind: 'set'; readonly members: readonly App[] | 'all' }
  | { readonly kind: 'remove' }
  | { readonly kind: 'month'; readonly app: App; readonly isSet: boolean };

const app = fc.constantFrom(...apps);
const at = fc.nat(30);
const cost = fc.bigInt(0n, 50n);

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('begin' as const),
        app,
        user: fc.constantFrom(...users),
        amount: fc.bigInt(1n, 50n),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom('settle' as const, 'correct' as const),
        at,
        cost,
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), at }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('orphan' as const), app, cost }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('set' as const),
        members: fc.oneof(fc.constant('all' as const), fc.subarray([...apps], { minLength: 1 })),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('month' as const), app, isSet: fc.boolean() }),
    },
  ),
  { minLength: 4, maxLength: 40 },
);

interface Call {
  readonly id: string;
  readonly app: App;
  readonly user: string | undefined;
  readonly held: bigint;
  state: 'open' | 'lost' | 'ended';
  cost: bigint;
  /** The budgets with its reservation, or with its cost once it has ended. */
  names: ReadonlySet<string>;
}

/** Applies the steps to a store and to a list of calls. Returns the amounts of each budget. */
export async function play(store: Store, admin: AdminContext, taken: readonly Step[]) {
  const calls: Call[] = [];
  const members = new Map<string, readonly string[]>();
  for (const step of taken) await take(step);
  return { expected: expected(), actual: await actual() };

  async function take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'begin':
        return begin(step);
      case 'orphan':
        return orphan(step);
      case 'set':
        return set(step.members);
      case 'remove':
        return members.has('group:g') ? remove() : undefined;
      case 'month':
        return month(step);
      default:
        return change(step);
    }
  }

  async function begin({ app: name, user, amount }: Step & { kind: 'begin' }) {
    const id = `call-${String(calls.length).padStart(4, '0')}`;
    const reserve = whose(name, user).reserve(id, amount, await claims(name, user));
    const [result] = await store.commit([reserve]);
    if (!result?.ok || result.outcome.kind !== 'reserved') throw new Error(JSON.stringify(result));
    const names = new Set(reserve.scopes.map(({ scope }) => scope));
    calls.push({ id, app: name, user, held: amount, state: 'open', cost: 0n, names });
  }

  async function claims(name: App, userId: string) {
    const scopesOf = createScopes(await store.read(selectBudgets), () => undefined);
    const call = { app: name, keyId: undefined, userId, day: '2026-11-21' };
    return { scopes: scopesOf(call), revision: await store.read(selectBudgetsRevision) };
  }

  async function orphan({ app: name, cost: spent }: Step & { kind: 'orphan' }) {
    const id = `orphan-${calls.length}`;
    await commit(whose(name, undefined).settle(id, spent));
    // It names none: it counts where calls or a change have made its app a member.
    const names = new Set<string>();
    calls.push({ id, app: name, user: undefined, held: 0n, state: 'ended', cost: spent, names });
  }

  async function change(step: Step & { readonly kind: 'settle' | 'correct' | 'lose' }) {
    const call = calls[step.at % Math.max(1, calls.length)];
    if (call === undefined) return;
    const operations = whose(call.app, call.user);
    if (step.kind === 'lose') {
      if (call.state !== 'open') return;
      await commit(operations.expire(call.id));
      Object.assign(call, { state: 'lost', cost: call.held });
    } else if (step.kind === 'settle') {
      if (call.state === 'ended') return;
      await commit(operations.settle(call.id, step.cost));
      Object.assign(call, { state: 'ended', cost: step.cost });
    } else {
      if (call.state !== 'ended') return;
      await commit(operations.correct(call.id, step.cost));
      call.cost = step.cost;
    }
  }

  async function set(wanted: readonly App[] | 'all') {
    const settings = { apps: wanted, dailyPicoUsd: big, monthlyPicoUsd: big };
    await setBudget(admin, 'g', settings, []);
    counts('group:g', wanted === 'all' ? apps : wanted);
  }

  async function remove() {
    await removeBudget(admin, 'g');
    counts('group:g', undefined);
  }

  async function month({ app: name, isSet }: Step & { kind: 'month' }) {
    await updateApp(admin, name, { monthlyBudgetPicoUsd: isSet ? big : undefined });
    counts(`app:${name}`, isSet ? [name] : undefined);
  }

  /** Running calls count in the current budgets of their app. */
  function counts(scope: string, of: readonly string[] | undefined) {
    if (of === undefined) members.delete(scope);
    else members.set(scope, of);
    for (const call of calls.filter(({ state }) => state === 'open')) {
      const names = new Set(call.names);
      if (of?.includes(call.app)) names.add(scope);
      else names.delete(scope);
      call.names = names;
    }
  }

  function expected() {
    return Object.fromEntries(
      [...members]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([scope, of]) => {
          const counted = calls.filter(
            ({ app: name, names, state }) =>
              state !== 'open' && (of.includes(name) || names.has(scope)),
          );
          const open = calls.filter(({ state, names }) => state === 'open' && names.has(scope));
          return [
            scope,
            {
              spent: sum(counted.map((call) => call.cost)),
              held: sum(open.map((call) => call.held)),
            },
          ];
        }),
    );
  }

  async function actual() {
    const definitions = await store.read(selectBudgets);
    const ofApps = definitions.filter(({ scope }) => !scope.startsWith('users:'));
    const uses = await Promise.all(
      ofApps.map(async (budget) => {
        const { spent, held, rows } = await store.read(selectUse(budget, noonMs));
        if (rows !== 1)
          throw new Error(
            `${scopeKeyOf({ scope: budget.scope, period: budget.span })} has ${rows} rows`,
          );
        return [budget.scope, { spent, held }] as const;
      }),
    );
    return Object.fromEntries(uses);
  }

  async function commit(operation: Parameters<Store['commit']>[0][number]) {
    const [result] = await store.commit([operation]);
    if (!result?.ok) throw new Error(result?.error);
  }
}

const big = 10n ** 15n;

function whose(app: string, userId: string | undefined) {
  return operationsOf({ app, userId, granted: undefined, now: noonMs });
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
