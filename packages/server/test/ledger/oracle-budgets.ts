import type { ScopeClaim } from '../../src/books/claims.ts';
import type { Extend, Outcome, Reserve } from '../../src/books/operations.ts';
import type { ScopeKey } from '../../src/books/scope.ts';
import {
  budgetOf,
  listedIn,
  most,
  nameOf,
  type OpenHold,
  type OracleBooks,
  scopeOf,
} from './oracle-books.ts';

// How the daily budget and the other budgets decide on a call. A budget in shadow rejects nothing.

/** A budget that a call is reserved in, with its used amount. */
interface Cap {
  readonly key: ScopeKey;
  readonly isDay: boolean;
  /** Undefined: only an amount that cannot be counted is rejected. */
  readonly cap: bigint | undefined;
  readonly spent: bigint;
  readonly held: bigint;
}

/** Why budgets have no room for a call; undefined if all have. */
export function budgetRefusal(books: OracleBooks, operation: Reserve): Outcome | undefined {
  const { facts, amount } = operation;
  const { app, day: period } = facts;
  const own = {
    key: { scope: `app:${app}`, period },
    isDay: true,
    ...budgetOf(books, app, period),
  };
  const isFree = facts.priceVersion === undefined;
  const caps: readonly Cap[] = [own, ...capsOf(books, operation.scopes.map(nameOf))];
  const isFull = (cap: Cap) =>
    isFree && cap.cap !== undefined ? remainingOf(cap) <= 0n : remainingOf(cap) < amount;
  const closed = caps.filter((cap) => closedAtOf(operation, cap) !== undefined);
  if (closed[0] !== undefined) {
    const refusing = caps.filter((cap) => closed.includes(cap) || isFull(cap));
    return closedRefusal(operation, closed[0], refusing);
  }
  const full = caps.filter(isFull);
  if (full.length === 0) return undefined;
  const uncounted = full.find(({ cap }) => cap === undefined);
  const figures = ({ spent, held }: Cap) => ({ spent, held, needed: amount });
  if (uncounted) return { kind: 'refused', code: 'INVALID', ...figures(uncounted) };
  const [tightest] = full.toSorted((a, b) => Number(remainingOf(a) - remainingOf(b)));
  if (tightest === undefined) return undefined;
  return {
    ...{ kind: 'refused', code: 'BUDGET_EXCEEDED', ...figures(tightest) },
    scope: tightest.isDay ? undefined : tightest.key,
    cap: tightest.cap ?? most,
    remaining: remainingOf(tightest) < 0n ? 0n : remainingOf(tightest),
    refusing: full
      .filter((cap) => cap !== tightest)
      .map(({ key, cap = most }) => ({ ...key, cap })),
  };
}

/** A restored store has closed a claimed budget: it admits nothing, whatever it has left. */
function closedAtOf({ scopes }: Reserve, { key, isDay }: Cap): number | undefined {
  if (isDay) return undefined;
  return scopes.find((claim) => nameOf(claim) === nameOf(key))?.closedAt;
}

function closedRefusal(operation: Reserve, closed: Cap, refusing: readonly Cap[]): Outcome {
  const { key: scope, cap = most, spent, held } = closed;
  const others = refusing.filter((cap) => cap !== closed);
  return {
    ...{ kind: 'refused', code: 'BUDGET_EXCEEDED', scope, cap, spent, held, remaining: 0n },
    needed: operation.amount,
    refusing: others.map((other) => ({ ...other.key, cap: other.cap ?? most })),
    closedAt: closedAtOf(operation, closed) ?? 0,
  };
}

/** Whether the other budgets have room for another maximum cost. */
export function mayExtend(books: OracleBooks, hold: OpenHold, { amount }: Extend): boolean {
  return capsOf(books, listedIn(hold.scopes)).every((cap) => remainingOf(cap) >= amount);
}

/** The effect of an admission on the other budgets. */
export function admitted(
  books: OracleBooks,
  names: readonly string[],
  reserved: Reserve | undefined,
): Pick<OracleBooks, 'scopeAdmissions' | 'shadowed'> {
  const caps = rowsNamed(books, names);
  const isFree = reserved !== undefined && reserved.facts.priceVersion === undefined;
  const shadowed = caps.filter((claim) => {
    if (claim.mode === 'enforce' || reserved === undefined) return false;
    const { cap, spent, held } = scopeOf(books, claim);
    return isFree ? spent + held >= cap : spent + held + reserved.amount > cap;
  });
  const amount = reserved?.amount ?? 0n;
  return {
    shadowed: [...books.shadowed, ...shadowed.map((claim) => ({ key: nameOf(claim), amount }))],
    scopeAdmissions: [
      ...books.scopeAdmissions,
      ...caps.map((claim) => ({
        key: nameOf(claim),
        cap: claim.mode === 'enforce' ? claim.cap : undefined,
      })),
    ],
  };
}

/** Creates the rows of budgets that a reservation under the current definitions claims first. */
export function withScopes(books: OracleBooks, { scopes, budgetsRevision }: Reserve): OracleBooks {
  if (budgetsRevision !== books.revision) return books;
  const made = scopes.filter((claim) => !books.scopes.some((row) => nameOf(row) === nameOf(claim)));
  return { ...books, scopes: [...books.scopes, ...made] };
}

function capsOf(books: OracleBooks, names: readonly string[]): readonly Cap[] {
  return rowsNamed(books, names).map((claim) => {
    const { scope, period, cap, mode, spent, held } = scopeOf(books, claim);
    const enforced = mode === 'enforce' ? cap : undefined;
    return { key: { scope, period }, isDay: false, cap: enforced, spent, held };
  });
}

function rowsNamed(books: OracleBooks, names: readonly string[]): readonly ScopeClaim[] {
  return names.toSorted().flatMap((name) => books.scopes.find((row) => nameOf(row) === name) ?? []);
}

function remainingOf({ cap, spent, held }: Cap): bigint {
  return (cap ?? most) - spent - held;
}
