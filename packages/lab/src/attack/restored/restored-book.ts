import { hash } from 'node:crypto';
import { parseUsd } from '@model-gateway/server/lib/money';
import type { Store } from '@model-gateway/server/store/port/port';
import type { Bill } from '@model-gateway/simulator';
import { labelOf, memberPicoUsd } from '../arena/accounts.ts';
import type { CallOutcome, OwnBooks, ScopeBook } from '../books/books.ts';
import { readLedger } from '../books/ledger.ts';
import { sum } from '../books/spent-caps.ts';
import { createPaddedCall } from '../members/padded-call.ts';
import type { RestoredKind } from './kinds.ts';

export interface RestoredBook {
  nextCall(): { readonly label: string; readonly body: string };
  note(kind: RestoredKind, made: MadeCalls): void;
  noteFailure(error: Error): void;
  close(bill: Bill, store: Store, nowMs: number): Promise<ClosedBook>;
}

export interface MadeCalls {
  readonly when: 'before the copy' | 'lost with the copy' | 'closed' | 'opened';
  readonly fits: number;
  readonly ends: readonly CallEnd[];
}

/** `scope` is from the rejection's header. */
export interface CallEnd {
  readonly label: string;
  readonly outcome: CallOutcome;
}

/** All budgets together as one: while closed, and since. */
export interface ClosedBook extends OwnBooks {
  readonly scopes: readonly ScopeBook[];
}

export function createRestoredBook(name: string): RestoredBook {
  const noted: NotedCalls[] = [];
  const failures: string[] = [];
  let next = 0;
  return {
    nextCall() {
      const label = labelOf(name, next++);
      const { request } = createPaddedCall({ label, instructions: {}, userId: 'ada' });
      return { label, body: JSON.stringify(request) };
    },
    note: (kind, made) => void noted.push({ kind, made }),
    noteFailure: ({ message }) => void failures.push(`${name}: ${message}`),
    close,
  };

  async function close(bill: Bill, store: Store, nowMs: number): Promise<ClosedBook> {
    const ledger = await readLedger(store, nowMs);
    // The restored store predates them: the platform has billed them, and no row is left.
    const storedCalls = noted.filter(({ made }) => made.when !== 'lost with the copy');
    const ends = storedCalls.flatMap(({ made }) => made.ends);
    const labels = labelsOf(storedCalls);
    const capPicoUsd = capOf(storedCalls);
    const hashes = new Map([...labels].map((label) => [hash('sha256', label, 'base64url'), label]));
    return {
      accounts: [{ name, app: name, capPicoUsd }],
      billed: bill.calls.flatMap(({ label = '', requestId, costPicoUsd }) =>
        labels.has(label) ? { account: name, label, requestId, picoUsd: costPicoUsd } : [],
      ),
      booked: ledger.calls.map((call) => {
        return { ...call, account: name, label: hashes.get(call.keyHash ?? '') };
      }),
      callResults: ends.flatMap(({ label, outcome }) =>
        outcome.kind === 'answered'
          ? { account: name, label, maximumCostPicoUsd: memberPicoUsd, ...outcome }
          : [],
      ),
      held: ledger.holds.map(({ picoUsd }) => ({ account: name, picoUsd })),
      broken: [
        ...failures,
        ...ledger.broken.map((line) => `${name}: ${line}`),
        ...noted.flatMap(({ kind, made }) => wrongOf(name, kind, made)),
      ],
      scopes: [scopeBook('closed'), scopeBook('opened')],
    };
  }

  function scopeBook(then: MadeCalls['when']): ScopeBook {
    const own = noted.filter(({ made }) => made.when === then);
    const counted = [...noted.filter(({ made }) => made.when === 'before the copy'), ...own];
    return {
      ...{ name: `${name}, ${then}`, capPicoUsd: capOf(counted) },
      ...{ labels: labelsOf(counted), crowd: labelsOf(own) },
      fits: own.reduce((total, { made }) => total + made.fits, 0),
    };
  }
}

interface NotedCalls {
  readonly kind: RestoredKind;
  readonly made: MadeCalls;
}

function capOf(noted: readonly NotedCalls[]): bigint {
  return sum(noted, ({ made }) => BigInt(made.fits)) * memberPicoUsd;
}

function labelsOf(noted: readonly NotedCalls[]): ReadonlySet<string> {
  return new Set(noted.flatMap(({ made }) => made.ends.map(({ label }) => label)));
}

/** Admitted too often or too seldom, or rejected by another budget or for another reason. */
function wrongOf(
  name: string,
  { scope }: RestoredKind,
  { when, fits, ends }: MadeCalls,
): readonly string[] {
  const admitted = ends.filter(({ outcome }) => outcome.kind === 'answered').length;
  const others = ends.flatMap(({ outcome }) => {
    if (outcome.kind === 'answered') return [];
    if (outcome.kind !== 'refused' || outcome.scope !== scope)
      return `ended with ${JSON.stringify(outcome)}`;
    // The rest of an app's daily budget is booked, as if it were spent.
    const isNamed = scope === 'app-day' || /restored at \d{4}-/.test(outcome.message);
    return when === 'closed' && !isNamed
      ? `was refused without the restore: ${outcome.message}`
      : [];
  });
  const wrong = admitted === fits ? [] : [`admitted ${admitted} of ${ends.length}, ${fits} fit`];
  return [...wrong, ...new Set(others)].map((line) => `${name}, ${scope}, ${when}: ${line}`);
}

/** A wallet's rejection counts as a budget's. */
export async function endOf(label: string, response: Response): Promise<CallEnd> {
  const body = Object(await response.json());
  const { code = '', message = '' } = Object(body.error);
  const scope = response.headers.get('x-budget-scope')?.replace(/^run:.+$/, 'run');
  if (response.status === 200) {
    const picoUsd = parseUsd(String(body.cost?.usd)) ?? 0n;
    const ids = { callId: String(body.id), requestId: String(body.requestId) };
    return { label, outcome: { kind: 'answered', ...ids, picoUsd } };
  }
  if (code === 'INSUFFICIENT_CREDITS') {
    return { label, outcome: { kind: 'refused', message, scope: 'wallet' } };
  }
  if (code === 'BUDGET_EXCEEDED') return { label, outcome: { kind: 'refused', message, scope } };
  return { label, outcome: { kind: 'failed', code } };
}
